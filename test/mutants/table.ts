/** The table of mutants in docs/resilience.md. */
import type { Mutant } from "./mutants.js"

const begin = "<!-- mutants -->"
const end = "<!-- /mutants -->"

const rowOf = ({ file, killedBy, name }: Mutant): string => {
  const by = killedBy.startsWith("torture ") ? `${killedBy}` : `\`${killedBy}\``
  return `| ${name} | \`${file}\` | ${by} |`
}

/** The document with the table of these mutants. */
export const withTable = (document: string, mutants: ReadonlyArray<Mutant>): string => {
  const from = document.indexOf(begin)
  const to = document.indexOf(end)
  if (from < 0 || to < from) throw new Error(`docs/resilience.md has no ${begin} … ${end}`)
  const table = ["| mutant | in | killed by |", "|---|---|---|", ...mutants.map(rowOf)].join("\n")
  return `${document.slice(0, from + begin.length)}\n${table}\n${document.slice(to)}`
}
