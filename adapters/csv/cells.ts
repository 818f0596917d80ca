/** Lines of CSV (RFC 4180). */

/** What a cell holds. @category models */
export type Value = string | number | boolean | Date | null | undefined

/** Any value as a cell has it: what has parts is JSON. */
export const plainOf = (value: unknown): Value => {
  if (value === undefined || value === null) return null
  if (typeof value === "number" || typeof value === "boolean" || value instanceof Date) return value
  return typeof value === "string" ? value : JSON.stringify(value)
}

/** A spreadsheet would run a text that begins like a formula: a quote before it keeps it a text. */
const safe = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

const cell = (value: Value, keepsFormulas: boolean): string => {
  if (value === null || value === undefined) return ""
  if (typeof value !== "string") return value instanceof Date ? value.toISOString() : String(value)
  const text = keepsFormulas ? value : safe(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A line with its end. With `keepsFormulas` each text stands as it is, for programs; spreadsheets run some of them. */
export const lineOf = (values: ReadonlyArray<Value>, keepsFormulas = false): string =>
  `${values.map((value) => cell(value, keepsFormulas)).join(",")}\r\n`
