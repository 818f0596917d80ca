// The console: `build [--out <folder>]` makes its page, for the command line's package, which serves it; `dev` serves it with hot reload,
// beside a sandbox of its own (`dev [--port <port>]`; 0 takes any free one). Vite reads its configuration, and what that imports, from the sources.
import { resolve } from "node:path"
import { parseArgs } from "node:util"
import { build, createServer } from "vite"
import { importSource } from "./sources.mjs"

const { default: config } = await importSource("ui/console/vite.config.ts")
const options = { out: { type: "string" }, port: { type: "string" } }
const {
  positionals: [task],
  values: { out, port }
} = parseArgs({ allowPositionals: true, options })
if (task === "build") {
  process.env.NODE_ENV = "production"
  const outDir = out === undefined ? config.build.outDir : resolve(out)
  await build({ ...config, configFile: false, build: { ...config.build, outDir }, logLevel: "warn" })
} else if (task === "dev") {
  const place = port === undefined ? {} : { port: Number(port) }
  const server = await createServer({
    ...config,
    configFile: false,
    server: { ...config.server, ...place }
  })
  await server.listen()
  server.printUrls()
} else {
  console.error("Say what to do: node tools/console.mjs build [--out <folder>], or dev [--port <port>]")
  process.exitCode = 2
}
