/**
 * The mutants of `mutants.diff`. A fault that slips through is worth a mutant there, beside the test that would have found it.
 */
import { readFileSync } from "node:fs"
import { type Mutant, parsed } from "@quartet/support/mutant.js"

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
