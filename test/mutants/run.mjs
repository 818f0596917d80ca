// `npm run mutants`: see --help. Bundled on the way, so that the list of mutants is TypeScript like its test.

import { rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { buildSync } from "esbuild"

const here = dirname(fileURLToPath(import.meta.url))
// Inside the project, where Node finds the packages.
const bundle = join(here, `../../.cache/mutants/main-${process.pid}.mjs`)
buildSync({
  entryPoints: [join(here, "main.ts")],
  bundle: true,
  format: "esm",
  platform: "node",
  packages: "external",
  outfile: bundle
})
try {
  await import(pathToFileURL(bundle).href)
} finally {
  rmSync(bundle, { force: true })
}
