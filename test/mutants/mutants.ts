/**
 * The mutants of `mutants.diff`: faults of the kind that a change may bring in unnoticed, each with the tests that have to
 * notice it. A fault that slips through is worth a mutant there, beside the test that would have found it.
 *
 * `--- file` begins the mutants of a file, `@@ name @@ killed by` begins one. What its lines with `-` say stands in the
 * file exactly once, also within a line, and is replaced by its lines with `+`; without such lines it goes as a whole.
 */
import { readFileSync } from "node:fs"

export interface Mutant {
  /** What the changed sources do, as a sentence without its end. */
  readonly name: string
  readonly file: string
  readonly find: string
  readonly replace: string
  /** The file of tests, or `torture` and the name of a scenario. */
  readonly killedBy: string
}

const one = /^@@ (.+) @@ (.+)\n((?:-.*\n)+)((?:\+.*\n)*)/
const linesOf = (text: string): string => text.replaceAll(/^[-+]/gm, "")

/** The edits of a list, which stands in `test/mutants`. */
export const parsed = (text: string): ReadonlyArray<Mutant> =>
  text.split(/^--- /m).flatMap((part) => {
    const [file = "", ...rest] = part.split("\n")
    return rest
      .join("\n")
      .split(/^(?=@@ )/m)
      .filter((block) => block.trim() !== "")
      .map((block) => {
        const [whole, name = "", killedBy = "", find = "", replace = ""] = one.exec(block) ?? []
        if (whole?.trim() !== block.trim()) throw new Error(`${file}: cannot be read\n${block}`)
        const isLeftOut = replace === ""
        const found = linesOf(find)
        return {
          name,
          file,
          killedBy,
          find: isLeftOut ? found : found.slice(0, -1),
          replace: linesOf(replace).slice(0, -1)
        }
      })
  })

export const mutants = parsed(readFileSync("test/mutants/mutants.diff", "utf8"))

const begin = "<!-- mutants -->"
const end = "<!-- /mutants -->"

const rowOf = ({ file, killedBy, name }: Mutant): string =>
  `| ${name} | \`${file}\` | ${killedBy.startsWith("torture ") ? killedBy : `\`${killedBy}\``} |`

/** A document with the table of the mutants between its marks. */
export const withTable = (document: string): string => {
  const from = document.indexOf(begin)
  const to = document.indexOf(end)
  if (from < 0 || to < from) throw new Error(`docs/resilience.md has no ${begin} … ${end}`)
  const table = ["| mutant | in | killed by |", "|---|---|---|", ...mutants.map(rowOf)].join("\n")
  return `${document.slice(0, from + begin.length)}\n${table}\n${document.slice(to)}`
}
