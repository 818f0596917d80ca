// `npm run torture`: compiles the harness with the sources that it tortures, as the build does, and runs it on plain
// Node. See --help.

import { spawnSync } from "node:child_process"
import { rmSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../..", import.meta.url))
// A folder for each run, so that two may run at once; inside the project, where Node finds the packages.
const compiled = join(root, `.cache/torture/${process.pid}`)
const compiler = createRequire(import.meta.url).resolve("typescript/package.json")

/** @param {ReadonlyArray<string>} args */
const node = (args) => spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" }).status ?? 1

const run = () => {
  console.error("torture: compiling the harness and the sources ...")
  const tsc = join(compiler, "../bin/tsc")
  const failed = node([tsc, "-p", "test/faults/tsconfig.json", "--outDir", compiled])
  if (failed !== 0) return failed
  return node(["--expose-gc", join(compiled, "test/faults/main.js"), ...process.argv.slice(2)])
}

// What the terminal interrupts, the child ends by itself.
process.on("SIGINT", () => undefined)
try {
  process.exitCode = run()
} finally {
  rmSync(compiled, { recursive: true, force: true })
}
