/** The outcome of the matrix as Markdown, and its place in docs/portability.md. */

import type { Cell } from "./cells/cell.js"
import type { Outcome } from "./consumer/platform.js"

/** A cell that ran. */
export interface Result {
  readonly cell: Cell
  /** What came of its parts, or why it did not run to its end. */
  readonly outcome: Outcome | Error
}

/** What is not as expected: the parts, with what came of them. */
export const faultsOf = ({ cell, outcome }: Result): ReadonlyArray<string> =>
  outcome instanceof Error
    ? [outcome.message]
    : Object.keys({ ...cell.expected, ...outcome }).flatMap((part) =>
        outcome[part] === cell.expected[part] ? [] : `${part}: ${outcome[part] ?? "did not run"}`
      )

const markOf = ({ cell, outcome }: Result, part: string): string => {
  const expected = cell.expected[part]
  if (expected === undefined) return ""
  if (outcome instanceof Error || outcome[part] !== expected) return "✗"
  return expected === "works" ? "✓" : "refuses"
}

const row = (cells: ReadonlyArray<string>): string => `| ${cells.join(" | ")} |`

/** One table: a line for all versions of an environment with the same outcome. */
const tableOf = (title: string, results: ReadonlyArray<Result>): string => {
  const parts = [...new Set(results.flatMap(({ cell }) => Object.keys(cell.expected)))]
  const lines = new Map<string, Array<string>>()
  for (const result of results) {
    const { cell } = result
    const key = JSON.stringify([cell.name, ...parts.map((part) => markOf(result, part))])
    lines.set(key, [...(lines.get(key) ?? []), cell.version])
  }
  const body = [...lines].map(([key, versions]) => {
    const [name = "", ...marks]: ReadonlyArray<string> = JSON.parse(key)
    return row([name, versions.join(", "), ...marks])
  })
  return [row([title, "version", ...parts]), row(["---", "---", ...parts.map(() => ":-:")]), ...body].join(
    "\n"
  )
}

/** All tables. */
export const tables = (results: ReadonlyArray<Result>): string =>
  [...new Set(results.map(({ cell }) => cell.table))]
    .map((title) =>
      tableOf(
        title,
        results.filter(({ cell }) => cell.table === title)
      )
    )
    .join("\n\n")

const begin = "<!-- npm run matrix -- --write -->\n"
const end = "<!-- the end of the matrix -->"

/** A document with these tables between its markers. */
export const written = (text: string, tables: string): string => {
  const [before, rest] = text.split(begin)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined)
    throw new Error("the document has no markers of the matrix")
  return `${before}${begin}${tables}\n${end}${after}`
}
