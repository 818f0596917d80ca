/** Rows of a table as a CSV file (RFC 4180). */
import { lineOf, type Value } from "@quartet/sdk/extend"

export { plainOf, type Value } from "@quartet/sdk/extend"

export const csvOf = (lines: ReadonlyArray<ReadonlyArray<Value>>): string =>
  lines.map((line) => lineOf(line)).join("")
