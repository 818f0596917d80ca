/** Lines of CSV (RFC 4180). */

/** What a cell holds. @category models */
export type Value = string | number | boolean | Date | null | undefined

/** Any value as a cell has it: what has parts is JSON. */
export const plainOf = (value: unknown): Value => {
  if (value === undefined || value === null) return null
  if (typeof value === "number" || typeof value === "boolean" || value instanceof Date) return value
  return typeof value === "string" ? value : JSON.stringify(value)
}

/**
 * What a spreadsheet runs as a formula: one of `= + - @`, also in its full width, and also behind what it takes away or cuts at: spaces,
 * tabs, ends of lines and control characters.
 */
const formula = /^(?:[\t\n\r]|[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠])/u

/** A quote before a text that a spreadsheet would run keeps it a text. */
const safe = (text: string): string => (formula.test(text) ? `'${text}` : text)

const cell = (value: Value, keepsFormulas: boolean): string => {
  if (value === null || value === undefined) return ""
  if (typeof value === "number" || typeof value === "boolean") return String(value)
  const plainText = value instanceof Date ? value.toISOString() : value
  const text = keepsFormulas ? plainText : safe(plainText)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A line with its end. With `keepsFormulas` each text stands as it is, for programs; spreadsheets run some of them. */
export const lineOf = (values: ReadonlyArray<Value>, keepsFormulas = false): string => {
  const cells = values.map((value) => cell(value, keepsFormulas)).join(",")
  // A single empty cell without quotes is an empty line, which readers pass over.
  return `${cells === "" && values.length === 1 ? '""' : cells}\r\n`
}
