/** Rows of a table as a CSV file (RFC 4180). */
import { lineOf, type Value } from "../../../packages/fleet/csv/cells.js"

export { plainOf, type Value } from "../../../packages/fleet/csv/cells.js"

export const csvOf = (lines: ReadonlyArray<ReadonlyArray<Value>>): string =>
  lines.map((line) => lineOf(line)).join("")
