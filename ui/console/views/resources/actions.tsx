/** What can be done with a slice and with its rows: the calls that the role may send, each with its button and its form. */

import { useInvalidate, useSession } from "@quartet/react"
import { callOf } from "@quartet/sdk/extend"
import { type ReactElement, type ReactNode, useState } from "react"
import { type CallFormOptions, useCallForm, useSend } from "../../app/call-form.js"
import {
  type AnyRow,
  deletion,
  type Entry,
  entryOf,
  isOwnAccount,
  once,
  type Resource,
  rereading,
  shownBy,
  type Values
} from "../../app/catalogue.js"
import { explain } from "../../app/explain.js"
import { addToast, warn } from "../../app/toasts.js"
import { createOf, labelOf, nameOf, singular } from "../../app/values.js"
import type { ListState } from "../../data/list-state.js"
import { Button } from "../../design/button.js"
import { ask, Sheet } from "../../design/dialog.js"
import { type Facts, words } from "../../design/show.js"

/** What the address says of a page. */
export interface Place {
  readonly resource: Resource
  readonly id: string | undefined
  readonly scoped: string
  readonly state: ListState
}

/** Something to do with a slice, or with one of its rows. Without `onSuccess`, the answer is shown. */
export interface Action extends CallFormOptions {
  readonly verb: string
  readonly fixedInput: Values
  /** The message once it is done. */
  readonly doneMessage?: string
}

/** What a button says, where the name of its call would say too little. */
const verbs: Readonly<Record<string, string>> = {
  "notifications.send": "Notify",
  "notifications.sendSms": "Send a text message",
  "files.upload": "Upload a file",
  "payments.csv": "CSV of all",
  "ordersV2.csv": "CSV of all",
  "profile.update": "Change your own",
  "requests.confirm": "Confirm a request"
}

/** An action, where there is a call for it. */
const action = (
  of: Entry | undefined,
  fixedInput: Values,
  more: Partial<Action> = {}
): ReadonlyArray<Action> =>
  of === undefined ? [] : [{ of, fixedInput, verb: verbs[of.name] ?? words(callOf(of.name)), ...more }]

/** The icon and the kind of a call's button. */
const lookOf = ({ declared, isDownload, isUpload, name }: Entry) => {
  if (declared.method === "DELETE") return ["trash", "danger"] as const
  if (callOf(name) === "create") return ["plus", "primary"] as const
  return isUpload ? (["upload"] as const) : isDownload ? (["download"] as const) : []
}

export const ActionForm = ({ action }: { readonly action: Action }): ReactElement => {
  const { answer, form } = useCallForm(action)
  return (
    <div className="stack">
      {form}
      {answer}
    </div>
  )
}

/** The button of an action that the role may do: it opens the form, or sends at once what needs none. */
const Do = ({ action }: { readonly action: Action }): ReactElement | null => {
  const { fileName, fixedInput, of, onSuccess, row, verb, doneMessage = `${verb}: done` } = action
  const [isOpen, setOpen] = useState(false)
  const { send, session } = useSend(of, fileName, row)
  const isWhole =
    of.further === undefined && of.fields.every(({ name }) => name !== "payload" && name in fixedInput)
  const isAnswered = of.isRead && !of.isDownload
  const end = (): void => {
    addToast(doneMessage, fileName)
    setOpen(false)
    onSuccess?.()
  }
  const start = async (): Promise<void> => {
    if (!isWhole || isAnswered) return setOpen(true)
    const outcome = await send(fixedInput)
    if (outcome?.status === "success") end()
    if (outcome?.status === "error") warn(outcome.error)
  }
  const [icon, kind] = lookOf(of)
  if (!session.can(of.call)) return null
  return (
    <>
      <Button {...(icon && { icon })} {...(kind && { kind })} onClick={() => void start()}>
        {verb}
      </Button>
      <Sheet open={isOpen} onClose={() => setOpen(false)} title={row === undefined ? verb : `${verb} ${row}`}>
        <ActionForm action={onSuccess === undefined ? action : { ...action, onSuccess: end }} />
      </Sheet>
    </>
  )
}

export const Actions = ({ of }: { readonly of: ReadonlyArray<Action> }): ReactNode =>
  of.map((action) => <Do key={action.of.key} action={action} />)

/** What names a row to a call of its slice, or to one that takes its id by another name. */
export const naming = (
  { resource: { id, scope }, scoped }: Place,
  row?: Values,
  field: string = id
): Values => ({
  ...(scope === undefined || scoped === "" ? {} : { [scope]: scoped }),
  ...(row === undefined ? {} : { [field]: row[id] ?? row._id })
})

/** The field by which a call names a row; undefined where it names none. */
const rowField = ({ scope }: Resource, { fields }: Entry): string | undefined =>
  fields.find(({ name, place }) => place === "path" && name !== scope)?.name

const done = (): void => undefined

/** What can be done with a row: the calls that take its id, but those that read what is shown already. */
export const rowActions = (place: Place, row: AnyRow, onGone: () => void): ReadonlyArray<Action> => {
  const { audience, id, name, others, remove, single, update } = place.resource
  const isNamed = update?.fields.some((field) => field.name === id)
  const isSet = update !== undefined && callOf(update.name) === "set"
  const named = isNamed ? naming(place, row) : single ? {} : { payload: { _id: row._id } }
  // What can be done with a payment stands beside what happened to it.
  const isOwn = audience === "admin" && name === "payments"
  const notify = name === "users" ? entryOf(`${audience}.notifications.send`) : undefined
  const called = nameOf(name, row)
  const further = others.flatMap((of) => {
    const field = rowField(place.resource, of)
    const fileName = of.isDownload ? called : undefined
    return field === undefined || /^get/.test(callOf(of.name)) || isOwn
      ? []
      : action(of, naming(place, row, field), { initial: row, fileName, row: called })
  })
  return [
    ...action(update, named, {
      verb: "Change",
      row: called,
      // What is set is the value, not the row that holds it.
      initial: { payload: isSet ? row.value : row },
      present: isSet ? undefined : rereading(place.resource, naming(place, row), row._id),
      onSuccess: done
    }),
    ...action(
      notify,
      { payload: { userId: row._id, userIds: undefined, toAll: undefined } },
      { row: called, doneMessage: `Sent to ${called}`, onSuccess: done }
    ),
    ...further,
    ...action(remove, naming(place, row), { row: called, onSuccess: onGone })
  ]
}

/** What can be done with a slice as a whole; of its reads, those that its list does not show. */
export const sliceActions = (
  place: Place,
  can: (call: Entry["call"]) => boolean,
  refresh: () => void
): ReadonlyArray<Action> => {
  const { audience, create, get, list, name, others, remove } = place.resource
  // Administrators upload with the project's public key, as visitors do: they have no call of their own, and no permission
  // is named for it. The nearest is the one to delete a file, which whoever may add files has.
  const isUploader = `${audience}.${name}` === "admin.files" && remove && can(remove.call)
  const upload = isUploader ? entryOf("public.files.upload") : undefined
  const calls =
    list === undefined
      ? [...(get === undefined ? [] : [get]), ...others]
      : others.filter((of) => rowField(place.resource, of) === undefined && (!of.isRead || of.isDownload))
  return [
    ...calls.flatMap((of) => action(of, {})),
    ...action(upload, { form: { source: "console" } }, { onSuccess: refresh }),
    ...action(create, naming(place), { verb: createOf(name), ...(list && { onSuccess: done }) })
  ]
}

/** Deletes the selected rows after asking, and tells which it could not delete, and why. */
export const RemoveMany = (props: {
  readonly of: Entry
  readonly place: Place
  readonly rows: ReadonlyArray<AnyRow>
  readonly onEnd: (failed: Facts) => void
}): ReactElement => {
  const { of, onEnd, place, rows } = props
  const invalidate = useInvalidate(of.client)
  const session = useSession(of.client.session)
  const slice = place.resource.name
  const what = `${rows.length} ${rows.length === 1 ? singular(slice) : labelOf(slice)}`.toLowerCase()
  const remove = async (): Promise<void> => {
    const verb = `Delete ${what}`
    const isOneself = rows.some(({ _id }) => isOwnAccount(of, session, _id))
    if (!(await ask(deletion(verb, verb, isOneself)))) return
    const failed: Array<Facts[number]> = []
    for (const row of rows) {
      const outcome = await once(of.client, of.name, of.call(naming(place, row)))
      if (outcome.status === "error") failed.push([nameOf(slice, row), explain(outcome.error).title])
    }
    invalidate(...shownBy(of))
    addToast(`${rows.length - failed.length} of ${what} deleted`)
    onEnd(failed)
  }
  return (
    <Button kind="danger" icon="trash" onClick={() => void remove()}>
      Delete
    </Button>
  )
}
