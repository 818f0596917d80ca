/**
 * The specification, statement by statement: one for each sentence, bullet and row of a table, in order. Headings and
 * table heads are not statements.
 */

import { read } from "@quartet/support/files.js"
import type { Audience } from "../../core/kernel/operation/operation.js"

export const source = "spec/specification.txt"

/** One statement. */
export interface Statement {
  readonly text: string
  /** The heading above it; empty before the first section. */
  readonly section: string
}

/** A sentence ends at a full stop that is followed by a capital letter. */
const sentenceEnd = /(?<=\.)\s+(?=[A-Z])/

/** The cells of a table's row, as one text. */
const cellsOf = (line: string): string =>
  line
    .split("|")
    .map((cell) => cell.trim())
    .filter((cell) => cell !== "")
    .join(" | ")

/** The statements of a line; `next` is the line below it. */
const statementsOf = (line: string, next: string): ReadonlyArray<string> => {
  if (line === "" || line.startsWith("#")) return []
  if (!line.startsWith("|")) return line.replace(/^- /, "").split(sentenceEnd)
  const isRule = /^[|\s-]+$/.test(line)
  return isRule || /^[|\s-]+$/.test(next) ? [] : [cellsOf(line)]
}

/** All statements of a text. */
export const split = (text: string): ReadonlyArray<Statement> => {
  const lines = text.split("\n")
  let section = ""
  return lines.flatMap((line, index) => {
    if (line.startsWith("## ")) section = line.slice(3)
    return statementsOf(line, lines[index + 1] ?? "").map((text) => ({ text, section }))
  })
}

/** All statements of the specification. */
export const statements: ReadonlyArray<Statement> = split(read(source))

/** The only statement with this beginning. */
export const statement = (beginning: string, among = statements): Statement => {
  const [match, ...more] = among.filter(({ text }) => text.startsWith(beginning))
  if (match === undefined || more.length > 0)
    throw new Error(`${match === undefined ? 0 : 1 + more.length} statements begin with "${beginning}"`)
  return match
}

/** The statement of a number and its first words, `3.11 Box types`: looked for in the section of the number. */
export const numbered = (key: string) => {
  const [id = ""] = key.split(" ")
  const section = Number.parseInt(id, 10)
  const among = statements.filter((statement) => (Number.parseInt(statement.section, 10) || 0) === section)
  return { id, statement: statement(key.slice(id.length + 1), among) }
}

const heads: ReadonlyArray<readonly [beginning: string, client: Audience]> = [
  ["Admin client (", "admin"],
  ["Public client (", "public"],
  ["Private client (", "private"],
  ["End-user client (", "endUser"]
]

/** The client of a statement's calls: the one named last. */
export const clientOf = (statement: Statement): Audience | undefined => {
  const before = statements.slice(0, statements.indexOf(statement) + 1)
  return before.flatMap(({ text }) => heads.filter(([head]) => text.startsWith(head))).at(-1)?.[1]
}
