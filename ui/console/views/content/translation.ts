/** Translates texts of an entry by the platform. What it made is marked until somebody has read it, and changed or saved it. */
import { useMutation } from "@quartet/react"
import { useEffect, useState } from "react"
import * as Drafts from "../../app/drafts.js"
import { addToast, warn } from "../../app/toasts.js"
import { translate } from "./data.js"
import type { EntryForm } from "./entry-form.js"
import { type EntryField, nameIn, textsIn } from "./fields.js"
import { languageName } from "./languages.js"

/** The texts of a form that a language has not, and the source has. */
export const missingIn = (
  form: Pick<EntryForm, "values">,
  fields: ReadonlyArray<EntryField>,
  code: string
): ReadonlyArray<EntryField> =>
  textsIn(fields).filter(
    ({ name }) => (form.values[name] ?? "").trim() !== "" && !form.values[nameIn(code, name)]
  )

const none = { names: "" }

export const useTranslation = (form: EntryForm, key: string, draft: string) => {
  const { mutate } = useMutation(translate)
  const [busy, setBusy] = useState<ReadonlyArray<string>>([])
  const kept = `${draft}/translated`
  /** The names of translations that nobody has read yet: they outlive the form, as its draft does. */
  const [unread, setUnread] = useState<ReadonlyArray<string>>(
    () => Drafts.load(kept, none)?.texts.names.split(" ") ?? []
  )
  useEffect(() => Drafts.keep(kept, { names: unread.join(" ") }, none), [kept, unread])
  // Whoever saves them has read them.
  useEffect(() => {
    if (!form.isChanged) setUnread([])
  }, [form.isChanged])
  const one = async ({ label, name }: EntryField, code: string): Promise<boolean> => {
    const own = nameIn(code, name)
    setBusy((before) => [...before, own])
    const outcome = await mutate({ key: `${key}.${name}`, text: form.values[name] ?? "" })
    setBusy((before) => before.filter((other) => other !== own))
    if (outcome.status === "error") warn(outcome.error)
    if (outcome.status !== "success") return false
    const text: unknown = Object(Object(outcome.data).translations)[code]
    if (typeof text !== "string" || text === "") {
      addToast(`${label} was not translated`, `The platform returned no text in ${languageName(code)}.`)
      return false
    }
    form.set({ [own]: text })
    setUnread((before) => [...before, own])
    return true
  }
  return {
    busy,
    unread,
    read: (name: string) => setUnread((before) => before.filter((other) => other !== name)),
    one: (field: EntryField, code: string) => void one(field, code),
    /** One after another: the first refusal ends it. */
    all: async (fields: ReadonlyArray<EntryField>, code: string): Promise<void> => {
      for (const field of fields) if (!(await one(field, code))) return
    }
  }
}
