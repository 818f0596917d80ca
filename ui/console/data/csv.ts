/** Rows of a table as a CSV file (RFC 4180). */
import { lineOf, type Value } from "@quartet/fleet/engine"

export { plainOf, type Value } from "@quartet/fleet/engine"

export const csvOf = (lines: ReadonlyArray<ReadonlyArray<Value>>): string =>
  lines.map((line) => lineOf(line)).join("")
