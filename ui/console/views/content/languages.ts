/** The languages of the content: one in which entries are written, and those of their translations. */
import { useQuery, useSession } from "@quartet/react"
import { project } from "../../app/project.js"
import { admin } from "../../app/query-clients.js"
import { language } from "../../design/format.js"
import { can, type Entry } from "./data.js"

type Values = Readonly<Record<string, unknown>>

export interface Languages {
  /** The code of the one in which entries are written; undefined if nothing tells it. */
  readonly source: string | undefined
  /** The codes of the others. */
  readonly others: ReadonlyArray<string>
}

const isObject = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The fields of an entry in other languages, by their codes. */
export const translationsOf = (entry: Entry | undefined): Readonly<Record<string, Values>> => {
  const translations = entry?.translations
  return isObject(translations)
    ? Object.fromEntries(
        Object.entries(translations).flatMap(([code, of]) => (isObject(of) ? [[code, of]] : []))
      )
    : {}
}

/** Those that a project has, and those that its entries are translated to: the one that no entry is translated to is the source. */
const languagesOf = (codes: ReadonlyArray<string>, entries: ReadonlyArray<Entry>): Languages => {
  const translated = new Set(entries.flatMap((entry) => Object.keys(translationsOf(entry))))
  const source = codes.find((code) => !translated.has(code))
  return { source, others: [...new Set([...codes, ...translated])].filter((code) => code !== source) }
}

export const useLanguages = (entries: ReadonlyArray<Entry>): Languages => {
  const session = useSession(admin.session)
  const { data } = useQuery(session.can(can.project) ? project : undefined)
  const codes = Array.isArray(data?.languages)
    ? data.languages.filter((code) => typeof code === "string")
    : []
  return languagesOf(codes, entries)
}

/** What a language is called; the source may have no code. */
export const languageName = (code: string | undefined): string =>
  code === undefined ? "Original" : language(code)
