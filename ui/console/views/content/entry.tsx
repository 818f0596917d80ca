/** Reads, changes, adds or deletes one entry: a form made from the fields of its model. */

import { useInvalidate, useMutation, useQuery, useSession } from "@quartet/react"
import { DateTime, plainOf } from "@quartet/sdk/extend"
import * as Schema from "effect/Schema"
import type { ReactElement } from "react"
import { useCallForm } from "../../app/call-form.js"
import { admin, visitor } from "../../app/query-clients.js"
import type { Field, ModelRow } from "../../app/rows.js"
import { addToast } from "../../app/toasts.js"
import { Loaded } from "../../data/loaded.js"
import { shown } from "../../data/table.js"
import { Sheet } from "../../design/dialog.js"
import { FactList } from "../../design/show.js"
import { Note } from "../../design/state.js"
import { Actions } from "../data/actions.js"
import { create, type Entry, localized, remove, reread, stored, update } from "./data.js"
import { labelOf } from "./question.js"

/** The language of the entries, and of every new one; the others are translations. */
const ownLanguage = "en"

const types: Readonly<Record<string, Schema.Schema.Any>> = {
  BOOLEAN: Schema.Boolean,
  DATE: DateTime.annotations({ description: "an ISO 8601 date" }),
  NUMERIC: Schema.Number
}

/** What the fields of a model take. The first one is the title by which the list opens an entry. */
const valuesOf = (fields: ReadonlyArray<Field>, isTitled: boolean) =>
  Schema.Struct(
    Object.fromEntries(
      fields.map((field, index) => {
        const type = types[field.type] ?? Schema.String
        const signature = index === 0 && isTitled ? Schema.propertySignature(type) : Schema.optional(type)
        return [field.apiId, signature.annotations({ title: labelOf(field) })]
      })
    )
  )

interface EntryProps {
  readonly model: ModelRow
  /** The language that is shown and edited. */
  readonly lang: string
  /** Called when it is done; `isNew` where an entry was added. */
  readonly onClose: (isNew?: boolean) => void
}

const EntryForm = (props: EntryProps & { readonly entry: Entry | undefined }): ReactElement => {
  const { entry, lang, model, onClose } = props
  const fields = model.fields ?? []
  const { mutate } = useMutation(reread)
  const invalidate = useInvalidate(visitor)
  const done = (shown: string, isNew = false): void => {
    // What visitors read is another query client's.
    invalidate(shown)
    onClose(isNew)
  }
  const isTranslation = entry !== undefined && lang !== ownLanguage
  const translated = fields.filter(({ type }) => type === "TEXT")
  const { form } = useCallForm({
    of: entry === undefined ? create : update,
    fixedInput: { id: entry?._id ?? model._id },
    body: isTranslation
      ? Schema.Struct({ translations: Schema.Struct({ [lang]: valuesOf(translated, false) }) }).ast
      : valuesOf(fields, true).ast,
    draft: `admin.content/${model.apiId}/${entry?._id ?? "new"}/${lang}`,
    initial: entry && { payload: entry },
    present: entry && (() => mutate({ id: entry._id })),
    verb: entry === undefined ? "Add the entry" : "Save",
    onSuccess: () => {
      addToast(entry === undefined ? "Entry added" : "Entry saved")
      done("content", entry === undefined)
    }
  })
  const removal = { of: remove, verb: "Delete…", row: "the entry", doneMessage: "Entry deleted" }
  // The sheet is open until the address has changed: it must not read again what is gone.
  const onSuccess = (): void => done("content.list")
  return (
    <div className="stack">
      <div className="row justify-end">
        <Actions
          onOpen={() => undefined}
          of={entry === undefined ? [] : [{ ...removal, fixedInput: { id: entry._id }, onSuccess }]}
        />
      </div>
      {form}
    </div>
  )
}

/** One entry by its id, or a new one. */
export const EntrySheet = ({ id, ...props }: EntryProps & { readonly id: string }): ReactElement => {
  const session = useSession(admin.session)
  const canUpdate = session.can(update.call)
  const answer = useQuery(id === "new" ? undefined : canUpdate ? stored(id) : localized(id, props.lang))
  const { apiId, fields, name = apiId } = props.model
  const values = { ...answer.data, ...Object(Object(answer.data?.translations)[props.lang]) }
  const title = String(values[fields?.[0]?.apiId ?? ""] ?? "")
  return (
    <Sheet
      open
      onClose={props.onClose}
      title={title || (id === "new" ? `New in ${name}, in English` : `Entry in ${name}`)}
    >
      {id !== "new" ? (
        <Loaded of={answer}>
          {(entry) =>
            canUpdate ? (
              <EntryForm {...props} entry={entry} />
            ) : (
              <FactList
                of={(fields ?? []).map((field) => [labelOf(field), shown(plainOf(entry[field.apiId]))])}
              />
            )
          }
        </Loaded>
      ) : session.can(create.call) ? (
        <EntryForm {...props} entry={undefined} />
      ) : (
        <Note>Your role lets you read entries, and not add them.</Note>
      )}
    </Sheet>
  )
}
