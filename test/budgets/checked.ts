/** What twenty calls cost the type checker: instantiations, which no busy machine changes, in programs that use the build. */
import { execFileSync } from "node:child_process"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { appOptions } from "@quartet/support/app-options.js"
import { root } from "@quartet/support/files.js"
import type { Figures } from "./figures.js"

const manifest = createRequire(join(root, "package.json")).resolve("typescript/package.json")
const tsc = join(dirname(manifest), "bin/tsc")

/** The instantiations that one app takes. */
const instantiations = (name: string): number => {
  const folder = join(root, `.cache/checked/${process.pid}`)
  mkdirSync(folder, { recursive: true })
  try {
    const files = [join(root, `test/budgets/apps/${name}.ts`)]
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: appOptions, files }))
    const report = execFileSync(
      process.execPath,
      [tsc, "-p", folder, "--extendedDiagnostics", "--singleThreaded"],
      { encoding: "utf8" }
    )
    const count = Number(/^Instantiations:\s+(\d+)$/m.exec(report)?.[1])
    if (!(count > 0)) throw new Error(`tsc reports no instantiations:\n${report}`)
    return count
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export const checked = (): Readonly<Record<string, Figures>> => ({
  "types of 20 calls, Promise admin": { instantiations: instantiations("promise-admin") },
  "types of 20 calls, Promise admin as one function": {
    instantiations: instantiations("promise-admin-function")
  },
  "types of 20 calls, Effect admin": { instantiations: instantiations("effect-admin") }
})
