/** What can be done with a slice and with its rows: the calls that the role may send, each with its button and its form. */

import { useSession } from "@quartet/react"
import { callOf } from "@quartet/sdk/extend"
import { type ReactElement, type ReactNode, useEffect, useRef } from "react"
import { type CallFormOptions, useCallForm, useSend } from "../../app/call-form.js"
import {
  type AnyRow,
  type Entry,
  entryOf,
  type Resource,
  rereading,
  type Values
} from "../../app/catalogue.js"
import { addToast, warn } from "../../app/toasts.js"
import { createOf, nameOf, singular } from "../../app/values.js"
import type { ListState } from "../../data/list-state.js"
import { Button } from "../../design/button.js"
import { words } from "../../design/show.js"
import { Part } from "../../frame/detail.js"

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
  "notifications.sendSms": "Send an SMS",
  "files.upload": "Upload a file",
  "payments.csv": "CSV from the platform",
  "ordersV2.csv": "CSV from the platform",
  "profile.update": "Edit your own",
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
const lookOf = ({ declared, isDownload, isUpload }: Entry) => {
  if (declared.method === "DELETE") return ["trash", "danger"] as const
  return isUpload ? (["upload"] as const) : isDownload ? (["download"] as const) : []
}

const doneOf = ({ doneMessage, verb }: Action): string => doneMessage ?? `${verb}: done`

/** The form of an action. What it answers is shown below, unless the action says what comes next. */
export const ActionForm = ({ action }: { readonly action: Action }): ReactElement => {
  const { onSuccess } = action
  const end = (): void => {
    addToast(doneOf(action))
    onSuccess?.()
  }
  const { answer, form } = useCallForm(onSuccess === undefined ? action : { ...action, onSuccess: end })
  return (
    <div className="stack">
      {form}
      {answer}
    </div>
  )
}

const firstField = "input:not([type=hidden], [aria-hidden]), textarea, [aria-haspopup=listbox]"

/** The form of an action within a detail, with the focus in its first field. */
export const OpenAction = (props: {
  readonly action: Action
  readonly onClose: () => void
}): ReactElement => {
  const { action, onClose } = props
  const form = useRef<HTMLDivElement>(null)
  useEffect(() => form.current?.querySelector<HTMLElement>(firstField)?.focus(), [])
  return (
    <div ref={form} className="mb-6 border-b pb-6">
      <Part
        title={action.verb}
        tools={
          <Button size="s" kind="ghost" onClick={onClose}>
            Cancel
          </Button>
        }
      >
        <ActionForm action={action} />
      </Part>
    </div>
  )
}

/** The button of an action that the role may do: it opens the form, or sends at once what needs none. */
const Do = (props: { readonly action: Action; readonly onOpen: (action: Action) => void }): ReactNode => {
  const { action, onOpen } = props
  const { fileName, fixedInput, of, onSuccess, row, verb } = action
  const { run, send, session } = useSend(of, fileName, row)
  const isWhole =
    of.further === undefined && of.fields.every(({ name }) => name !== "payload" && name in fixedInput)
  const isAnswered = of.isRead && !of.isDownload
  const start = async (): Promise<void> => {
    if (!isWhole || isAnswered) return onOpen(action)
    const outcome = await send(fixedInput)
    if (outcome?.status === "success") {
      addToast(doneOf(action), fileName)
      onSuccess?.()
    }
    if (outcome?.status === "error") warn(outcome.error)
  }
  const [icon, kind] = lookOf(of)
  if (!session.can(of.call)) return null
  return (
    <Button
      {...(icon && { icon })}
      {...(kind && { kind })}
      busy={run.status === "pending"}
      onClick={() => void start()}
    >
      {verb}
    </Button>
  )
}

export const Actions = (props: {
  readonly of: ReadonlyArray<Action>
  readonly onOpen: (action: Action) => void
}): ReactNode => props.of.map((action) => <Do key={action.of.key} action={action} onOpen={props.onOpen} />)

/** Whether the role may do any of them. */
export const useCanAny = (of: ReadonlyArray<Action>, { client }: Resource): boolean => {
  const session = useSession(client.session)
  return of.some((action) => session.can(action.of.call))
}

/** What names a row to a call of its slice, or to one that takes its id by another name. */
export const naming = (
  { resource: { id, scope }, scoped }: Pick<Place, "resource" | "scoped">,
  row?: Values,
  field: string = id
): Values => ({
  ...(scope === undefined || scoped === "" ? {} : { [scope]: scoped }),
  ...(row === undefined ? {} : { [field]: row[id] ?? row._id })
})

/** The field by which a call names a row; undefined where it names none. */
const rowField = ({ scope }: Resource, { fields }: Entry): string | undefined =>
  fields.find(({ name, place }) => place === "path" && name !== scope)?.name

/** What can be done with a row: the calls that take its id, but those that read what is shown already. */
export const rowActions = (
  place: Place,
  row: AnyRow,
  onDone: () => void,
  onGone: () => void
): ReadonlyArray<Action> => {
  const { audience, id, name, others, remove, single, update } = place.resource
  const isNamed = update?.fields.some((field) => field.name === id)
  const isSet = update !== undefined && callOf(update.name) === "set"
  const named = isNamed ? naming(place, row) : single ? {} : { payload: { _id: row._id } }
  // Money moves at the place of payments alone, which finds out what became of it.
  const isMoney = audience === "admin" && name === "payments"
  const notify = name === "users" ? entryOf(`${audience}.notifications.send`) : undefined
  const called = nameOf(name, row)
  const further = others.flatMap((of) => {
    const field = rowField(place.resource, of)
    const fileName = of.isDownload ? called : undefined
    return field === undefined || /^get/.test(callOf(of.name)) || isMoney
      ? []
      : action(of, naming(place, row, field), { initial: row, fileName, row: called })
  })
  return [
    ...action(update, named, {
      verb: "Edit",
      row: called,
      // What is set is the value, not the row that holds it.
      initial: { payload: isSet ? row.value : row },
      present: isSet ? undefined : rereading(place.resource, naming(place, row), row._id),
      doneMessage: `${singular(name)} saved`,
      onSuccess: onDone
    }),
    ...action(
      notify,
      { payload: { userId: row._id, userIds: undefined, toAll: undefined } },
      { row: called, doneMessage: `Sent to ${called}`, onSuccess: onDone }
    ),
    ...further,
    ...action(remove, naming(place, row), {
      row: called,
      doneMessage: `${called} deleted`,
      onSuccess: onGone
    })
  ]
}

/** What makes a new row. */
export const creation = (place: Place, onDone: () => void): Action | undefined => {
  const { create, list, name } = place.resource
  const done = { doneMessage: `${singular(name)} created`, ...(list && { onSuccess: onDone }) }
  return action(create, naming(place), { verb: createOf(name), ...done })[0]
}

/** What can be done with a slice as a whole, but a new row; of its reads, those that its list does not show. */
export const sliceActions = (
  { resource }: Place,
  can: (call: Entry["call"]) => boolean,
  refresh: () => void
): ReadonlyArray<Action> => {
  const { audience, get, list, name, others, remove } = resource
  // Administrators upload with the project's public key, as visitors do: they have no call of their own, and no permission
  // is named for it. The nearest is the one to delete a file, which whoever may add files has.
  const isUploader = `${audience}.${name}` === "admin.files" && remove && can(remove.call)
  const upload = isUploader ? entryOf("public.files.upload") : undefined
  const calls =
    list === undefined
      ? [...(get === undefined ? [] : [get]), ...others]
      : others.filter((of) => rowField(resource, of) === undefined && (!of.isRead || of.isDownload))
  return [
    ...calls.flatMap((of) => action(of, {})),
    ...action(upload, { form: { source: "console" } }, { onSuccess: refresh })
  ]
}
