// The console: `build [--out <folder>]` makes its page, for the command line's package, which serves it; `dev` serves it with hot reload,
// beside a sandbox of its own. Vite reads its configuration, and what that imports, from the sources.
import { resolve } from "node:path"
import { build, createServer } from "vite"
import { importSource } from "./sources.mjs"

const { default: config } = await importSource("ui/console/vite.config.ts")
const [task, , folder] = process.argv.slice(2)
if (task === "build") {
  process.env.NODE_ENV = "production"
  const out = folder === undefined ? config.build.outDir : resolve(folder)
  await build({ ...config, configFile: false, build: { ...config.build, outDir: out }, logLevel: "warn" })
} else if (task === "dev") {
  const server = await createServer({ ...config, configFile: false })
  await server.listen()
  server.printUrls()
} else {
  console.error("Say what to do: node tools/console.mjs build [--out <folder>], or dev")
  process.exitCode = 2
}
