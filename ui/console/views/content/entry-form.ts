/** The form of an entry: the texts of all its languages and its other fields, with one draft and one Save. */
import { useInvalidate, useMutation } from "@quartet/react"
import { InputError } from "@quartet/sdk/extend"
import { useEffect, useRef, useState } from "react"
import { visitor } from "../../app/query-clients.js"
import type { ModelRow } from "../../app/rows.js"
import { addToast } from "../../app/toasts.js"
import { useForm } from "../../data/form.js"
import { undo } from "../../data/undo.js"
import { versioned } from "../../data/versions.js"
import type { ToastAction } from "../../design/toast.js"
import { create, type Entry, reread, update } from "./data.js"
import { type EntryField, fromText, nameIn, textOf, textsIn } from "./fields.js"
import { type Languages, languageName, translationsOf } from "./languages.js"

type Texts = Readonly<Record<string, string>>
type Values = Readonly<Record<string, unknown>>

/** The name of the draft of an entry, or of a new one of a model. */
export const draftOf = (id: string, model: ModelRow): string =>
  `admin.content/${id === "new" ? `new ${model.apiId}` : id}`

/** What the form begins with: translations first, because the end of their names is the name of a field. */
const textsOf = (
  fields: ReadonlyArray<EntryField>,
  { others }: Languages,
  entry: Entry | undefined
): Texts => {
  const translations = translationsOf(entry)
  return Object.fromEntries([
    ...others.flatMap((code) =>
      textsIn(fields).map(({ name }) => [nameIn(code, name), textOf(translations[code]?.[name], "text")])
    ),
    ...fields.map(({ kind, name }) => [name, textOf(entry?.[name], kind)])
  ])
}

/** What the platform is sent of what was changed, or the field that is no value. */
const payloadOf = (
  fields: ReadonlyArray<EntryField>,
  { others }: Languages,
  texts: Texts,
  begun: Texts,
  present: Entry | undefined
): Values | InputError => {
  const isChanged = (name: string): boolean => texts[name] !== begun[name]
  // What a new one is called, in whatever language.
  const [title] = textsIn(fields)
  const isNamed = [undefined, ...others].some((code) => texts[nameIn(code, title?.name ?? "")]?.trim())
  if (present === undefined && title !== undefined && !isNamed)
    return new InputError({ operation: "content", field: title.name, rule: "is required" })
  const changed = fields
    .filter(({ name }) => isChanged(name))
    .map((field) => [field.name, fromText(texts[field.name] ?? "", field)] as const)
  const wrong = changed.find(([, value]) => value instanceof InputError)?.[1]
  if (wrong instanceof InputError) return wrong
  const before = translationsOf(present)
  const translated = others.flatMap((code) => {
    const names = textsIn(fields).map(({ name }) => name)
    const own = names.filter((name) => isChanged(nameIn(code, name)))
    if (own.length === 0) return []
    const kept = Object.entries(before[code] ?? {}).filter(([name]) => !own.includes(name))
    // Of a translation that is empty, visitors read the source: it has no such field.
    const given = own.flatMap((name) => {
      const text = texts[nameIn(code, name)] ?? ""
      return text === "" ? [] : [[name, text] as const]
    })
    return [[code, Object.fromEntries([...kept, ...given])] as const]
  })
  return {
    ...Object.fromEntries(changed),
    // The platform takes the translations of all languages at once.
    ...(translated.length > 0 && { translations: { ...before, ...Object.fromEntries(translated) } })
  }
}

/** What the fields of a payload were in an entry before. */
const formerOf = (payload: Values, entry: Entry): Values =>
  Object.fromEntries(
    Object.keys(payload).map((name) => [name, entry[name] ?? (name === "translations" ? {} : null)])
  )

const stampOf = ({ updatedAt, version }: Entry): string =>
  String(version ?? (updatedAt instanceof Date ? updatedAt.getTime() : ""))

/** Changes an entry, says so, and offers to undo it as long as nobody else has changed it: in a message, unless it is said elsewhere. */
export const useEntryChange = () => {
  const { mutate } = useMutation(update)
  const reading = useMutation(reread)
  const invalidate = useInvalidate(visitor)
  const write = async (id: string, payload: Values) => {
    const outcome = await mutate({ id, payload })
    // What visitors read is another query client's.
    if (outcome.status === "success") invalidate("content")
    return outcome
  }
  return async (
    before: Entry,
    payload: Values,
    said: { readonly title: string; readonly text?: string },
    offer = (action: ToastAction, _after: string) => addToast(said.title, said.text, action)
  ) => {
    const { _id: id } = before
    const outcome = await write(id, payload)
    if (outcome.status !== "success") return outcome
    const after = stampOf({ ...before, ...outcome.data })
    const run = (): void =>
      void undo({
        read: () => reading.mutate({ id }),
        isSame: (present) => stampOf(present) === after,
        write: () => write(id, formerOf(payload, before))
      })
    offer({ label: "Undo", keys: "u", run }, after)
    return outcome
  }
}

export const useEntryForm = (options: {
  readonly model: ModelRow
  readonly fields: ReadonlyArray<EntryField>
  readonly languages: Languages
  readonly entry: Entry | undefined
  readonly onCreated: (entry: Entry) => void
}) => {
  const { entry, fields, languages, model, onCreated } = options
  const reading = useMutation(reread)
  const creating = useMutation(create)
  const change = useEntryChange()
  const invalidate = useInvalidate(visitor)
  const initialOf = (of: Entry | undefined): Texts => ({
    ...textsOf(fields, languages, of),
    ...versioned(of)
  })
  /** What undoes the latest save, and the entry as that left it. */
  const [saved, setSaved] = useState<{ readonly undo: () => void; readonly after: string }>()
  const isLeft = useRef(false)
  useEffect(() => {
    isLeft.current = false
    return () => {
      isLeft.current = true
    }
  }, [])
  const labelOf = (name: string): string => {
    const [, code, own = name] = /^translations\.([^.]+)\.(.*)$/s.exec(name) ?? []
    const label = fields.find((field) => field.name === own)?.label ?? own
    return code === undefined ? label : `${label}, ${languageName(code)}`
  }
  const form = useForm<string, Entry>(
    initialOf(entry),
    async (texts, begun, present = entry) => {
      const payload = payloadOf(fields, languages, texts, begun, present)
      if (payload instanceof InputError) return { status: "error", error: payload }
      if (present === undefined) {
        const outcome = await creating.mutate({ id: model._id, payload })
        if (outcome.status !== "success") return outcome
        form.rebase(texts, texts)
        invalidate("content")
        addToast("Entry added")
        onCreated(outcome.data)
        return outcome
      }
      // Its foot says so, unless the reader has gone on.
      const outcome = await change(present, payload, { title: "Saved" }, (action, after) =>
        isLeft.current ? addToast("Saved", undefined, action) : setSaved({ undo: action.run, after })
      )
      // Some platforms answer a change with less than the entry.
      if (outcome.status === "success")
        form.rebase(initialOf({ ...present, ...payload, ...outcome.data }), texts)
      return outcome
    },
    undefined,
    draftOf(entry?._id ?? "new", model),
    entry && { read: () => reading.mutate({ id: entry._id }), textsOf: initialOf, labelOf }
  )
  // What others save is taken over as long as nothing was typed.
  const now = JSON.stringify(initialOf(entry))
  useEffect(() => {
    if (!form.isChanged) form.rebase(initialOf(entry), form.values)
  }, [now])
  const isLatest = entry !== undefined && saved?.after === stampOf(entry)
  return { ...form, labelOf, undo: isLatest && !form.isChanged ? saved.undo : undefined }
}

export type EntryForm = ReturnType<typeof useEntryForm>
