/**
 * What importing an entry makes Node load: files, and bytes of JavaScript, as the engine reports each script that it parses.
 * They stand in for the time of the import, which they explain and which no check can measure on a busy machine; the benchmark
 * measures it (`npm run bench`).
 */
import { execFileSync } from "node:child_process"
import { root } from "@quartet/support/files.js"
import { entriesOf, published, type Workspace } from "@quartet/support/workspaces.js"
import type { Figures } from "./figures.js"

const program = `
  import { Session } from "node:inspector"
  const loaded = { bytes: 0, files: 0 }
  const session = new Session()
  session.connect()
  session.on("Debugger.scriptParsed", ({ params: { length, url } }) => {
    if (!url.startsWith("file:")) return
    loaded.bytes += length
    loaded.files += 1
  })
  session.post("Debugger.enable")
  for (const entry of process.argv.slice(1)) await import(entry)
  console.log(JSON.stringify(loaded))
  process.exit(0)
`

/** What is loaded for some entries in a process of their own. */
const load = (...entries: ReadonlyArray<string>): { readonly bytes: number; readonly files: number } =>
  JSON.parse(
    execFileSync(process.execPath, ["--input-type=module", "--eval", program, ...entries], {
      cwd: root,
      encoding: "utf8"
    })
  )

/** The entry of a package that its users import first. */
const firstOf = (workspace: Workspace): string => {
  const [first] = entriesOf(workspace)
  if (first === undefined) throw new Error(`${workspace.manifest.name} has no entry`)
  return first.name
}

export const loaded = (): Readonly<Record<string, Figures>> => {
  const base = load("effect/Effect", "effect/Schema")
  const row = (entry: string): readonly [string, Figures] => {
    const figures = load(entry)
    return [`import of ${entry}`, { ...figures, "ratio of bytes": figures.bytes / base.bytes }]
  }
  const entries = ["@quartet/sdk/promise", ...published.map(firstOf)]
  return { "import of Effect and Schema": base, ...Object.fromEntries(entries.map(row)) }
}
