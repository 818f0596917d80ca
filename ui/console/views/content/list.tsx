/** The rows of the content: what an entry is called, in which languages it is, and whether it is published. */
import { plainOf, type Value } from "@quartet/sdk/extend"
import type { ReactNode } from "react"
import * as Drafts from "../../app/drafts.js"
import type { ModelRow } from "../../app/rows.js"
import { Badge } from "../../design/show.js"
import type { Column } from "../../frame/columns.js"
import type { InboxRow } from "../../frame/inbox.js"
import type { Entry } from "./data.js"
import { draftOf } from "./entry-form.js"
import { completenessOf, type EntryField, fieldsOf, textsIn, titleOf } from "./fields.js"
import { type Languages, languageName, translationsOf } from "./languages.js"
import { type Publishing, stateOf } from "./publishing.js"

/** The languages that an entry is in, and those that it lacks, wholly or in part. */
const languageLine = (
  fields: ReadonlyArray<EntryField>,
  { others, source }: Languages,
  entry: Entry
): ReactNode => {
  const of = others.map((code) => ({
    code,
    name: languageName(code),
    completeness: completenessOf(fields, entry, code)
  }))
  const whole = of.filter(({ completeness }) => completeness === "whole").map(({ name }) => name)
  const there = [...(source === undefined ? [] : [languageName(source)]), ...whole].join(", ")
  return (
    <>
      {there}
      {of
        .filter(({ completeness }) => completeness !== "whole")
        .map(({ code, completeness, name }, place) => (
          <span key={code} className="text-warn">
            {(there !== "" || place > 0) && " · "}
            {name} {completeness === "missing" ? "missing" : "incomplete"}
          </span>
        ))}
    </>
  )
}

/** The second text of an entry of which no languages are told. */
const secondText = (fields: ReadonlyArray<EntryField>, entry: Entry): string =>
  String(plainOf(entry[textsIn(fields)[1]?.name ?? ""]) ?? "")

const dateOf = (value: unknown): Date | undefined => (value instanceof Date ? value : undefined)

export const rowOf =
  (model: ModelRow, languages: Languages, publishing: Publishing | undefined) =>
  (entry: Entry): InboxRow => {
    const fields = fieldsOf(model, entry)
    const state = stateOf(publishing, entry)
    const isChanged = Drafts.has(draftOf(entry._id, model))
    const badge = (isChanged || state) && (
      <span className="flex gap-1">
        {isChanged && <Badge tone="warn">Not saved</Badge>}
        {/* What is published is not marked. */}
        {state &&
          (state.tone === "good" ? (
            <span className="sr-only">{state.label}</span>
          ) : (
            <Badge tone={state.tone}>{state.label}</Badge>
          ))}
      </span>
    )
    return {
      title: titleOf(fields, entry),
      at: dateOf(entry.updatedAt) ?? dateOf(entry.createdAt),
      line:
        entry.translations === undefined ? secondText(fields, entry) : languageLine(fields, languages, entry),
      ...(badge && { badge })
    }
  }

const cellOf = (value: unknown): Value => plainOf(value)

/** What the list is ordered by, and its file: each field, each text in each language. */
export const columnsOf = (
  fields: ReadonlyArray<EntryField>,
  { others }: Languages
): ReadonlyArray<Column<Entry>> => [
  ...fields.map(({ kind, label, name }) => ({
    title: label,
    sort: name,
    value: (entry: Entry) => cellOf(entry[name]),
    also:
      kind === "text"
        ? others.map((code) => ({
            title: `${label}, ${languageName(code)}`,
            value: (entry: Entry) => cellOf(translationsOf(entry)[code]?.[name])
          }))
        : []
  })),
  { title: "Created", sort: "createdAt", value: ({ createdAt }) => dateOf(createdAt) },
  { title: "Updated", sort: "updatedAt", value: ({ updatedAt }) => dateOf(updatedAt) }
]
