// `npm run build:sdk`: compiles the package into dist, or into the folder that is named, and bundles its command line.
import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { runnerImport } from "vite"
import { bundle } from "./bundle.mjs"
import { prune } from "./declarations.mjs"

const root = fileURLToPath(new URL("../", import.meta.url))
const out = resolve(root, process.argv[2] ?? "dist")

for (const part of ["core", "adapters", "clients", "ui", "cli"])
  rmSync(join(out, part), { recursive: true, force: true })

const tsc = fileURLToPath(import.meta.resolve("typescript/package.json").replace(/package\.json$/, "bin/tsc"))
const { status } = spawnSync(
  process.execPath,
  [tsc, "-p", join(root, "tsconfig.build.json"), "--outDir", out],
  {
    stdio: "inherit"
  }
)
process.exitCode = status ?? 1

// `#runtime/…` leads to the sources, `#built/…` to the same modules as they are built.
for (const file of readdirSync(out, { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".js")
)) {
  const text = readFileSync(join(out, file), "utf8")
  if (text.includes('"#runtime/')) writeFileSync(join(out, file), text.replaceAll('"#runtime/', '"#built/'))
}

prune(out, JSON.parse(readFileSync(join(root, "package.json"), "utf8")).exports)

await bundle(join(out, "cli"))

// What language models read, beside the package's manifest.
if (process.argv[2] === undefined) {
  const { module } = await runnerImport(join(root, "site/pages/llms.ts"))
  for (const [file, text] of module.packed) writeFileSync(join(root, file), text)
}
