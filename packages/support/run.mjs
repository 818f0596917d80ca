// Runs a program of the tests on plain Node: `node packages/support/run.mjs main.ts,child.ts ...args` bundles the files with
// the sources that they use, and runs the first of them.
import { rmSync } from "node:fs"
import { basename, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build } from "esbuild"

const root = fileURLToPath(new URL("../..", import.meta.url))
// A folder for each run, so that two may run at once; inside the project, where Node finds the packages.
const outdir = join(root, `.cache/programs/${process.pid}`)
process.once("exit", () => rmSync(outdir, { recursive: true, force: true }))
const [files = ""] = process.argv.splice(2, 1)
const entries = files.split(",").map((file) => [basename(file, ".ts"), join(root, file)])
/** What is installed is loaded from there; the repository's own packages are bundled from their sources. */
const installed = {
  name: "installed",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[^./#]/ }, ({ kind, path }) =>
      kind === "entry-point" || path.startsWith("@quartet/") ? undefined : { path, external: true }
    )
}
await build({
  entryPoints: Object.fromEntries(entries),
  outdir,
  bundle: true,
  format: "esm",
  platform: "node",
  conditions: ["@quartet/source", "module"],
  plugins: [installed],
  outExtension: { ".js": ".mjs" }
})
await import(pathToFileURL(join(outdir, `${entries[0][0]}.mjs`)).href)
