/** Reads, changes, adds or deletes one entry: a form made from the fields of its model. */
import { type ReactElement, useState } from "react"
import { useInvalidate, useMutation } from "../../../rx/index.js"
import { visitor } from "../../app/query-clients.js"
import type { Field, ModelRow } from "../../app/rows.js"
import { addToast, report } from "../../app/toasts.js"
import { Button } from "../../design/button.js"
import { Confirm, Sheet } from "../../design/dialog.js"
import { Select, TextArea, TextField } from "../../design/field.js"
import { type FieldState, Form, useForm } from "../../design/form.js"
import layout from "../../design/layout.module.css"
import { create, type Entry, outdated, remove, update } from "./data.js"
import { fromText, toText } from "./values.js"

const yesOrNo = [
  { value: "", label: "Not said" },
  { value: "true", label: "Yes" },
  { value: "false", label: "No" }
]

const Input = ({ of, ...field }: { readonly of: Field } & FieldState<string>): ReactElement => {
  const label = of.name ?? of.apiId
  if (of.type === "BOOLEAN") return <Select label={label} choices={yesOrNo} {...field} />
  if (of.type === "TEXT" && field.value.length > 60) return <TextArea label={label} {...field} />
  const type = of.type === "NUMERIC" ? "number" : of.type === "DATE" ? "date" : "text"
  return <TextField label={label} type={type} {...field} />
}

/** The language of the entries; the others are translations. */
const ownLanguage = "en"

export interface EntryDialogProps {
  readonly model: ModelRow
  /** Undefined for a new one. */
  readonly entry: Entry | undefined
  /** The language that is shown and edited. */
  readonly lang: string
  readonly mayWrite: boolean
  readonly onClose: () => void
}

export const EntryDialog = ({ entry, lang, mayWrite, model, onClose }: EntryDialogProps): ReactElement => {
  const isTranslation = entry !== undefined && lang !== ownLanguage
  const fields = (model.fields ?? []).filter(({ type }) => !isTranslation || type === "TEXT")
  const [asking, setAsking] = useState(false)
  const adding = useMutation(create)
  const changing = useMutation(update)
  const removing = useMutation(remove)
  const invalidate = useInvalidate(visitor)
  const done = (): void => {
    invalidate(outdated)
    onClose()
  }
  const initial = Object.fromEntries(fields.map(({ apiId }) => [apiId, toText(entry?.[apiId])]))
  const save = (texts: Readonly<Record<string, string>>) => {
    const values = Object.fromEntries(
      fields.map((field) => [field.apiId, fromText(texts[field.apiId] ?? "", field)])
    )
    const payload = isTranslation ? { translations: { [lang]: values } } : values
    return entry === undefined
      ? adding.mutate({ id: model._id, payload })
      : changing.mutate({ id: entry._id, payload })
  }
  const form = useForm<string>(initial, save, () => {
    addToast(entry === undefined ? "Entry added" : "Entry saved")
    done()
  })
  const drop = async (): Promise<void> => {
    if (entry === undefined) return
    const outcome = await removing.mutate({ id: entry._id })
    setAsking(false)
    if (report(outcome, "Entry deleted")) done()
  }
  const name = model.name ?? model.apiId
  return (
    <Sheet open onClose={onClose} title={entry === undefined ? `New entry in ${name}` : `Entry in ${name}`}>
      <Form of={form}>
        {fields.map((field) => (
          <Input key={field.apiId} of={field} {...form.field(field.apiId)} />
        ))}
        {mayWrite && (
          <div className={layout.row}>
            {entry !== undefined && (
              <Button kind="danger" icon="trash" onClick={() => setAsking(true)}>
                Delete…
              </Button>
            )}
            <span className={layout.grow} />
            <Button kind="primary" submit busy={form.busy}>
              {entry === undefined ? "Add the entry" : "Save"}
            </Button>
          </div>
        )}
      </Form>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => void drop()}
        title="Delete this entry?"
        description="It disappears from your site and apps at once. This cannot be undone."
        action="Delete the entry"
        danger
        busy={removing.status === "pending"}
      />
    </Sheet>
  )
}
