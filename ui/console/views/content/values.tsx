/** A value of an entry, of any type, on the screen and in a form. */
import type { ReactElement } from "react"
import type { Field } from "../../app/rows.js"
import { Badge, When } from "../../design/show.js"
import typography from "../../design/typography.module.css"

export const Cell = ({ value }: { readonly value: unknown }): ReactElement => {
  if (value === undefined || value === null || value === "")
    return <span className={typography.faint}>—</span>
  if (typeof value === "boolean") return <Badge tone={value ? "good" : "calm"}>{value ? "Yes" : "No"}</Badge>
  if (value instanceof Date) return <When date={value} />
  if (typeof value === "number")
    return <span className={typography.number}>{value.toLocaleString("en-US")}</span>
  return <>{typeof value === "string" ? value : JSON.stringify(value)}</>
}

/** A value as the text of a form's field. */
export const toText = (value: unknown): string => {
  if (value === undefined || value === null) return ""
  return value instanceof Date ? value.toISOString().slice(0, 10) : String(value)
}

/** When an entry was changed last: it tells one version of it from another. */
export const versionOf = ({ updatedAt }: { readonly [field: string]: unknown }): string =>
  updatedAt instanceof Date ? updatedAt.toISOString() : ""

/** The text of a form's field as a value of its type; null if it is empty. */
export const fromText = (text: string, { type }: Field): unknown => {
  if (text === "") return null
  if (type === "NUMERIC") return Number(text)
  if (type === "BOOLEAN") return text === "true"
  if (type === "DATE") return new Date(`${text}T00:00:00.000Z`)
  return text
}
