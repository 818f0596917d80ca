/** A value of an entry as the text of a form's field, and back. */
import type { Field } from "../../app/rows.js"
import { words } from "../../design/show.js"

export const labelOf = ({ apiId, name }: Field): string => words(name ?? apiId)

export const yesOrNo = [
  { value: "true", label: "Yes" },
  { value: "false", label: "No" }
]

export const toText = (value: unknown): string => {
  if (value === undefined || value === null) return ""
  return value instanceof Date ? value.toISOString().slice(0, 10) : String(value)
}

/** The text of a field as a value of its type; null if it is empty. */
export const fromText = (text: string, { type }: Field): unknown => {
  if (text === "") return null
  if (type === "NUMERIC") return Number(text)
  if (type === "BOOLEAN") return text === "true"
  return type === "DATE" ? new Date(`${text}T00:00:00.000Z`) : text
}
