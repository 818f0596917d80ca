/** Rows of a table as a CSV file (RFC 4180). */

export type Value = string | number | boolean | Date | null | undefined

/** Any value as a cell has it. */
export const plainOf = (value: unknown): Value => {
  if (value === undefined || value === null) return null
  if (typeof value === "number" || typeof value === "boolean" || value instanceof Date) return value
  return typeof value === "string" ? value : JSON.stringify(value)
}

/** A spreadsheet would run a text that begins like a formula: a quote before it keeps it a text. */
const cell = (value: Value): string => {
  if (value === null || value === undefined) return ""
  if (typeof value !== "string") return value instanceof Date ? value.toISOString() : String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export const csvOf = (lines: ReadonlyArray<ReadonlyArray<Value>>): string =>
  lines.map((line) => `${line.map(cell).join(",")}\r\n`).join("")
