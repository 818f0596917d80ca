/** The fields of an entry: what they are called, of which kind they are, and how they stand in the texts of a form. */
import { InputError, plainOf } from "@quartet/sdk/extend"
import type { Field, ModelRow } from "../../app/rows.js"
import { asText } from "../../app/settled.js"
import { notJson } from "../../data/controls.js"
import { inline, readNumber } from "../../design/format.js"
import { words } from "../../design/show.js"
import { fileIdOf } from "../../frame/pictures.js"
import type { Entry } from "./data.js"
import { translationsOf } from "./languages.js"

export type Kind = "text" | "number" | "flag" | "moment" | "file" | "json"

export interface EntryField {
  readonly name: string
  readonly label: string
  readonly kind: Kind
}

/** What every entry has beside the fields of its model. */
export const stamps: ReadonlyArray<string> = [
  "_id",
  "modelId",
  "apiId",
  "lang",
  "createdAt",
  "updatedAt",
  "version",
  "translations"
]

const kinds: Readonly<Record<string, Kind>> = {
  TEXT: "text",
  NUMERIC: "number",
  BOOLEAN: "flag",
  DATE: "moment",
  FILE: "file",
  JSON: "json"
}

/** The kind of a value whose field says none that is known. */
const kindOfValue = (value: unknown): Kind => {
  if (value instanceof Date) return "moment"
  if (typeof value === "number") return "number"
  if (typeof value === "boolean") return "flag"
  return typeof value === "object" && value !== null ? "json" : "text"
}

export const labelOf = ({ apiId, name }: Pick<Field, "apiId" | "name">): string => words(name || apiId)

/** The fields of a model; of one that does not tell them, those of an entry. */
export const fieldsOf = ({ fields }: ModelRow, entry?: Entry): ReadonlyArray<EntryField> =>
  fields && fields.length > 0
    ? fields.map((field) => ({
        name: field.apiId,
        label: labelOf(field),
        kind: kinds[field.type.toUpperCase()] ?? kindOfValue(entry?.[field.apiId])
      }))
    : Object.entries(entry ?? {})
        .filter(([name]) => !stamps.includes(name))
        .map(([name, value]) => ({ name, label: words(name), kind: kindOfValue(value) }))

/** The fields that each language has a text of. */
export const textsIn = (fields: ReadonlyArray<EntryField>): ReadonlyArray<EntryField> =>
  fields.filter(({ kind }) => kind === "text")

/** The name of a field in the texts of a form: of a translation, that by which the platform refuses it. */
export const nameIn = (code: string | undefined, field: string): string =>
  code === undefined ? field : `translations.${code}.${field}`

/** A moment as a control has it: in local time, without its seconds. */
const localOf = (date: Date): string =>
  new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

/** A value as the text of its control. */
export const textOf = (value: unknown, kind: Kind): string => {
  if (value === null || value === undefined) return ""
  if (kind === "moment" && value instanceof Date) return localOf(value)
  if (kind === "file") return fileIdOf(value) ?? asText(value)
  if (typeof value === "object" && !(value instanceof Date)) return JSON.stringify(value, null, 2)
  return kind === "json" ? JSON.stringify(value) : asText(value)
}

const refusal = (name: string, rule: string) => new InputError({ operation: "content", field: name, rule })

/** The text of a control as a value; an error where it is none. An empty one is nothing. */
export const fromText = (text: string, { kind, name }: Pick<EntryField, "kind" | "name">): unknown => {
  if (kind === "text") return text
  if (text.trim() === "") return null
  if (kind === "number") return readNumber(text) ?? refusal(name, "must be a number")
  if (kind === "flag") return text === "true"
  if (kind === "moment") {
    const date = new Date(text)
    return Number.isNaN(date.getTime()) ? refusal(name, "must be an ISO 8601 date-time") : date
  }
  if (kind === "file") return text
  try {
    return JSON.parse(text)
  } catch (cause) {
    return refusal(name, notJson(cause))
  }
}

/** The first text of an entry that is not empty: its title. */
export const titleOf = (fields: ReadonlyArray<EntryField>, entry: Entry): string => {
  const texts = [entry, ...Object.values(translationsOf(entry))].flatMap((values) =>
    textsIn(fields).map(({ name }) => String(plainOf(values[name]) ?? "").trim())
  )
  return inline(texts.find(Boolean) ?? "Untitled")
}

export type Completeness = "whole" | "part" | "missing"

/** How much of an entry's texts a language has. */
export const completenessOf = (
  fields: ReadonlyArray<EntryField>,
  entry: Entry,
  code: string
): Completeness => {
  const translation = translationsOf(entry)[code] ?? {}
  const asked = textsIn(fields).filter(({ name }) => textOf(entry[name], "text") !== "")
  const given = asked.filter(({ name }) => textOf(translation[name], "text") !== "")
  if (given.length === asked.length) return "whole"
  return given.length === 0 ? "missing" : "part"
}
