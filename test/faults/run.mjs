// `npm run torture`: compiles the harness with the sources that it tortures, as the build does, and runs it on plain
// Node. See --help.

import { spawnSync } from "node:child_process"
import { rmSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../..", import.meta.url))
const compiled = join(root, ".cache/torture")
const compiler = createRequire(import.meta.url).resolve("typescript/package.json")

/** @param {ReadonlyArray<string>} args */
const node = (args) => spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" }).status ?? 1

rmSync(compiled, { recursive: true, force: true })
console.error("torture: compiling the harness and the sources ...")
const failed = node([join(compiler, "../bin/tsc"), "-p", "test/faults/tsconfig.json"])
if (failed !== 0) process.exit(failed)
process.exit(
  node([
    "--enable-source-maps",
    "--expose-gc",
    join(compiled, "test/faults/main.js"),
    ...process.argv.slice(2)
  ])
)
