/** Reads, changes, adds or deletes one entry: a form made from the fields of its model. */
import type { ReactElement } from "react"
import * as Admin from "../../../../clients/admin/index.js"
import { useInvalidate, useMutation, useQuery, useSession } from "../../../rx/index.js"
import { admin, visitor } from "../../app/query-clients.js"
import type { ModelRow } from "../../app/rows.js"
import { addToast, report } from "../../app/toasts.js"
import { plainOf } from "../../data/csv.js"
import { Form, useForm } from "../../data/form.js"
import { Loaded } from "../../data/loaded.js"
import { shown } from "../../data/table.js"
import { versioned } from "../../data/versions.js"
import { Button } from "../../design/button.js"
import { Sheet, useAsk } from "../../design/dialog.js"
import { Select, TextArea, TextField } from "../../design/field.js"
import { FactList, words } from "../../design/show.js"
import { create, type Entry, one, read, remove, update } from "./data.js"
import { fromText, labelOf, toText, yesOrNo } from "./values.js"

/** The language of the entries; the others are translations. */
const ownLanguage = "en"

interface EntryProps {
  readonly model: ModelRow
  /** The language that is shown and edited. */
  readonly lang: string
  /** Called when it is done; `isNew` where an entry was added. */
  readonly onClose: (isNew?: boolean) => void
}

const EntryForm = (props: EntryProps & { readonly entry: Entry | undefined }): ReactElement => {
  const { entry, lang, model, onClose } = props
  const isTranslation = entry !== undefined && lang !== ownLanguage
  const fields = (model.fields ?? []).filter(({ type }) => !isTranslation || type === "TEXT")
  const session = useSession(admin.session)
  const [dialog, ask] = useAsk()
  const adding = useMutation(create)
  const reading = useMutation(read)
  const changing = useMutation(update)
  const removing = useMutation(remove)
  const invalidate = useInvalidate(visitor)
  const done = (isNew = false, shown = "content"): void => {
    // What visitors read is another query client's.
    invalidate(shown)
    onClose(isNew)
  }
  const textsOf = (of?: Entry): Readonly<Record<string, string>> => ({
    ...Object.fromEntries(fields.map(({ apiId }) => [apiId, toText(of?.[apiId])])),
    ...versioned({ updatedAt: of?.updatedAt })
  })
  const initial = textsOf(entry)
  const save = async (texts: typeof initial, begun: typeof initial) => {
    // A field that was left alone keeps what its text does not tell, such as the time of a date.
    const values = Object.fromEntries(
      fields
        .filter(({ apiId }) => texts[apiId] !== begun[apiId])
        .map((field) => [field.apiId, fromText(texts[field.apiId] ?? "", field)])
    )
    if (entry === undefined) return adding.mutate({ id: model._id, payload: values })
    const payload = isTranslation ? { translations: { [lang]: values } } : values
    return changing.mutate({ id: entry._id, payload })
  }
  const form = useForm<string, Entry>(
    initial,
    save,
    () => {
      addToast(entry === undefined ? "Entry added" : "Entry saved")
      done(entry === undefined)
    },
    `admin.content/${model.apiId}/${entry?._id ?? "new"}/${lang}`,
    // The platform knows no versions of entries: what others save between this read and the change is overwritten.
    entry && {
      read: () => reading.mutate({ id: entry._id, lang }),
      textsOf,
      labelOf: (name) => words(fields.find(({ apiId }) => apiId === name)?.name ?? name)
    }
  )
  const drop = async ({ _id: id }: Entry): Promise<void> => {
    const isAgreed = await ask({
      title: "Delete this entry?",
      description: "It disappears from your site and apps at once. This cannot be undone.",
      action: "Delete the entry",
      danger: true
    })
    // The sheet is open until the address has changed: it must not read again what is gone.
    if (isAgreed && report(await removing.mutate({ id }), "Entry deleted")) done(false, "content.list")
  }
  return (
    <Form of={form}>
      {fields.map((field, index) => {
        const { apiId: name, type } = field
        const props = { label: labelOf(field), ...form.field(name) }
        if (type === "BOOLEAN")
          return <Select key={name} {...props} choices={[{ value: "", label: "Neither" }, ...yesOrNo]} />
        // What the form began with decides: a field stays of one kind while it is typed in.
        if (type === "TEXT" && (initial[name] ?? "").length > 60) return <TextArea key={name} {...props} />
        const kind = type === "NUMERIC" ? "number" : type === "DATE" ? "date" : "text"
        // The first field is the title by which the list opens the entry.
        return <TextField key={name} {...props} type={kind} required={index === 0 && !isTranslation} />
      })}
      <div className="row">
        {entry !== undefined && session.can(Admin.content.delete) && (
          <Button kind="danger" icon="trash" onClick={() => void drop(entry)}>
            Delete…
          </Button>
        )}
        <span className="flex-1" />
        <Button kind="primary" submit busy={form.busy}>
          {entry === undefined ? "Add the entry" : "Save"}
        </Button>
      </div>
      {dialog}
    </Form>
  )
}

/** One entry by its id, or a new one. */
export const EntrySheet = ({ id, ...props }: EntryProps & { readonly id: string }): ReactElement => {
  const session = useSession(admin.session)
  const answer = useQuery(id === "new" ? undefined : one(id, props.lang))
  const { apiId, fields, name = apiId } = props.model
  const [first] = fields ?? []
  return (
    <Sheet
      open
      onClose={props.onClose}
      title={
        toText(answer.data?.[first?.apiId ?? ""]) || (id === "new" ? `New in ${name}` : `Entry in ${name}`)
      }
    >
      {id === "new" && session.can(Admin.content.create) ? (
        <EntryForm {...props} entry={undefined} />
      ) : (
        <Loaded of={answer}>
          {(entry) =>
            session.can(Admin.content.update) ? (
              <EntryForm {...props} entry={entry} />
            ) : (
              <FactList
                of={(fields ?? []).map((field) => [labelOf(field), shown(plainOf(entry[field.apiId]))])}
              />
            )
          }
        </Loaded>
      )}
    </Sheet>
  )
}
