/** One entry, to read, change, add or delete: a form made from the fields of its model. */
import { type FormEvent, type ReactElement, useState } from "react"
import { useInvalidate, useMutation } from "../../../rx/index.js"
import { visitor } from "../../app/query-clients.js"
import type { Field, ModelRow } from "../../app/rows.js"
import { tell, warn } from "../../app/toasts.js"
import { Button } from "../../design/button.js"
import { Confirm, Sheet } from "../../design/dialog.js"
import { Select, TextArea, TextField } from "../../design/field.js"
import { create, type Entry, outdated, remove, update } from "./data.js"
import { fromText, toText } from "./values.js"

const yesOrNo = [
  { value: "", label: "Not said" },
  { value: "true", label: "Yes" },
  { value: "false", label: "No" }
]

const Input = (props: {
  readonly field: Field
  readonly value: string
  readonly onChange: (value: string) => void
}): ReactElement => {
  const { field, onChange, value } = props
  const label = field.name ?? field.apiId
  if (field.type === "BOOLEAN")
    return <Select label={label} value={value} choices={yesOrNo} onChange={onChange} />
  if (field.type === "TEXT" && value.length > 60)
    return <TextArea label={label} value={value} onChange={onChange} />
  const type = field.type === "NUMERIC" ? "number" : field.type === "DATE" ? "date" : "text"
  return <TextField label={label} type={type} value={value} onChange={onChange} />
}

/** The language that entries are kept in; the others are translations of it. */
const ownLanguage = "en"

export interface EntryDialogProps {
  readonly model: ModelRow
  /** Undefined for one that is added. */
  readonly entry: Entry | undefined
  /** The language that is read, and so the one that is written. */
  readonly lang: string
  readonly mayWrite: boolean
  readonly onClose: () => void
}

export const EntryDialog = ({ entry, lang, mayWrite, model, onClose }: EntryDialogProps): ReactElement => {
  const isTranslation = entry !== undefined && lang !== ownLanguage
  const fields = (model.fields ?? []).filter(({ type }) => !isTranslation || type === "TEXT")
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(fields.map(({ apiId }) => [apiId, toText(entry?.[apiId])]))
  )
  const [asking, setAsking] = useState(false)
  const adding = useMutation(create)
  const changing = useMutation(update)
  const removing = useMutation(remove)
  const invalidate = useInvalidate(visitor)
  const isBusy = adding.status === "pending" || changing.status === "pending"

  const done = (title: string): void => {
    invalidate(outdated)
    tell(title)
    onClose()
  }
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const values = Object.fromEntries(
      fields.map((field) => [field.apiId, fromText(texts[field.apiId] ?? "", field)])
    )
    const payload = isTranslation ? { translations: { [lang]: values } } : values
    const outcome =
      entry === undefined
        ? await adding.mutate({ id: model._id, payload })
        : await changing.mutate({ id: entry._id, payload })
    if (outcome.status === "success") done(entry === undefined ? "Entry added" : "Entry saved")
    if (outcome.status === "error") warn(outcome.error)
  }
  const drop = async (): Promise<void> => {
    if (entry === undefined) return
    const outcome = await removing.mutate({ id: entry._id })
    setAsking(false)
    if (outcome.status === "success") done("Entry deleted")
    if (outcome.status === "error") warn(outcome.error)
  }
  const name = model.name ?? model.apiId
  return (
    <Sheet open onClose={onClose} title={entry === undefined ? `New entry in ${name}` : `Entry in ${name}`}>
      <form className="form" onSubmit={(event) => void save(event)}>
        {fields.map((field) => (
          <Input
            key={field.apiId}
            field={field}
            value={texts[field.apiId] ?? ""}
            onChange={(value) => setTexts({ ...texts, [field.apiId]: value })}
          />
        ))}
        {mayWrite && (
          <div className="row">
            {entry !== undefined && (
              <Button kind="danger" icon="trash" onClick={() => setAsking(true)}>
                Delete…
              </Button>
            )}
            <span className="grow" />
            <Button kind="primary" submit busy={isBusy}>
              {entry === undefined ? "Add the entry" : "Save"}
            </Button>
          </div>
        )}
      </form>
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
