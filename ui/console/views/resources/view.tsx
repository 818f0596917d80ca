/** The page of any slice: its table, the open row beside it, and all that can be done there, from the operations. */
import { Link, pushUnsafe } from "@swan-io/chicane"
import { type ReactElement, type ReactNode, useEffect, useState } from "react"
import { kinds } from "../../../../adapters/sandbox/state/office.js"
import { callOf } from "../../../../core/kernel/operation/operation.js"
import { useInfiniteQuery, useInvalidate, useMutation, useQuery, useSession } from "../../../rx/index.js"
import { type CallFormOptions, useCallForm, useSend } from "../../app/call-form.js"
import {
  type AnyRow,
  deletion,
  type Entry,
  entryOf,
  isOwnAccount,
  isSearched,
  listing,
  type Resource,
  rereading,
  resourceOf,
  resources,
  rowOf,
  shownBy,
  type Values
} from "../../app/catalogue.js"
import { explain } from "../../app/explain.js"
import { Router } from "../../app/routes.js"
import { addToast, warn } from "../../app/toasts.js"
import { audienceOf, dataOf } from "../../app/viewer.js"
import { plainOf } from "../../data/csv.js"
import { type ListState, useListState } from "../../data/list-state.js"
import { Loaded } from "../../data/loaded.js"
import { type Column, List, type Listed } from "../../data/table.js"
import { Button } from "../../design/button.js"
import { Dialog, Sheet, useAsk } from "../../design/dialog.js"
import { Select, TextField } from "../../design/field.js"
import layout from "../../design/layout.module.css"
import { Card, FactList, type Facts, PageHead, Source, words } from "../../design/show.js"
import { Empty, Note, SkeletonRows } from "../../design/state.js"
import typography from "../../design/typography.module.css"
import { Payment } from "./payment.js"
import {
  columnsOf,
  createOf,
  fieldOf,
  labelOf,
  nameOf,
  shownOf,
  singular,
  titleOf,
  useConcealed,
  Value
} from "./values.js"

/** What the address says of a page. */
interface Place {
  readonly resource: Resource
  readonly id: string | undefined
  readonly scoped: string
  readonly state: ListState
}

/** The address of this page with another row open, or none. */
const address = ({ state }: Place, id?: string): string => state.href({ id })

/** Something to do with a slice, or with one of its rows. */
interface Action {
  readonly of: Entry
  readonly label: string
  readonly given: Values
  readonly initial?: Values
  /** What reads once more the row that it changes. */
  readonly rereads?: () => ReturnType<typeof rereading>
  readonly fileName?: string | undefined
  /** What the row is called that it is about. */
  readonly row?: string
  /** What is said once it is done. */
  readonly said?: string
  /** Ends it; where this is missing, the answer is shown. */
  readonly onSuccess?: () => void
}

/** What a button says, where the name of its call would say too little. */
const verbs: Readonly<Record<string, string>> = {
  "notifications.send": "Notify",
  "notifications.sendSms": "Send a text message",
  "files.upload": "Upload a file",
  "payments.csv": "CSV of all",
  "ordersV2.csv": "CSV of all"
}

/** An action, where there is a call for it. */
const action = (of: Entry | undefined, given: Values, more: Partial<Action> = {}): ReadonlyArray<Action> =>
  of === undefined ? [] : [{ of, given, label: verbs[of.name] ?? words(callOf(of.name)), ...more }]

/** The icon and the kind of a call's button. */
const lookOf = ({ declared, isDownload, isUpload, name }: Entry) => {
  if (declared.method === "DELETE") return ["trash", "danger"] as const
  if (callOf(name) === "create") return ["plus", "primary"] as const
  return isUpload ? (["upload"] as const) : isDownload ? (["download"] as const) : []
}

const ActionForm = (props: {
  readonly action: Action
  readonly present?: CallFormOptions["present"]
}): ReactElement => {
  const { action, present } = props
  const { answer, form } = useCallForm({ ...action, present, verb: action.label })
  return (
    <div className={layout.stack}>
      {form}
      {answer}
    </div>
  )
}

const ChangeForm = (props: Required<Pick<Action, "rereads">> & { readonly action: Action }): ReactElement => {
  const [call] = useState(props.rereads)
  const { mutate } = useMutation(call)
  return <ActionForm action={props.action} present={() => mutate({})} />
}

/** The button of an action that the role may do: it opens the form, or sends at once what needs none. */
const Do = ({ action }: { readonly action: Action }): ReactElement | null => {
  const { fileName, given, label, of, onSuccess, rereads, row, said = `${label}: done` } = action
  const [isOpen, setOpen] = useState(false)
  const { dialog, send, session } = useSend(of, fileName, row)
  const isWhole = !of.isOpen && of.fields.every(({ name }) => name !== "payload" && name in given)
  const isAnswered = of.isRead && !of.isDownload
  const end = (): void => {
    addToast(said, fileName)
    setOpen(false)
    onSuccess?.()
  }
  const start = async (): Promise<void> => {
    if (!isWhole || isAnswered) return setOpen(true)
    const outcome = await send(given)
    if (outcome?.status === "success") end()
    if (outcome?.status === "error") warn(outcome.error)
  }
  const [icon, kind] = lookOf(of)
  if (!session.can(of.call)) return null
  return (
    <>
      <Button {...(icon && { icon })} {...(kind && { kind })} onClick={() => void start()}>
        {label}
      </Button>
      {dialog}
      <Sheet
        open={isOpen}
        onClose={() => setOpen(false)}
        title={row === undefined ? label : `${label} ${row}`}
      >
        {rereads === undefined ? (
          <ActionForm action={onSuccess === undefined ? action : { ...action, onSuccess: end }} />
        ) : (
          <ChangeForm action={{ ...action, onSuccess: end }} rereads={rereads} />
        )}
      </Sheet>
    </>
  )
}

const Actions = ({ of }: { readonly of: ReadonlyArray<Action> }): ReactNode =>
  of.map((one) => <Do key={one.of.key} action={one} />)

/** What names a row to a call of its slice, or to one that takes its id by another name. */
const naming = ({ resource: { id, scope }, scoped }: Place, row?: AnyRow, field = id): Values => ({
  ...(scope === undefined || scoped === "" ? {} : { [scope]: scoped }),
  ...(row === undefined ? {} : { [field]: row[id] ?? row._id })
})

/** The field by which a call names a row; undefined where it names none. */
const rowField = ({ scope }: Resource, { fields }: Entry): string | undefined =>
  fields.find(({ name, place }) => place === "path" && name !== scope)?.name

const done = (): void => undefined

/** What can be done with a row: the calls that take its id, but those that read what is shown already. */
const rowActions = (place: Place, row: AnyRow, onGone: () => void): ReadonlyArray<Action> => {
  const { audience, id, name, others, remove, update } = place.resource
  const isNamed = update?.fields.some((field) => field.name === id)
  const named = isNamed ? naming(place, row) : place.resource.single ? {} : { payload: { _id: row._id } }
  const change = {
    label: "Change",
    initial: { payload: row },
    rereads: () => rereading(place.resource, naming(place, row), row._id),
    onSuccess: done
  }
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
    ...action(update, named, change),
    ...action(
      notify,
      { payload: { userId: row._id, userIds: undefined, toAll: undefined } },
      { row: called, said: `Sent to ${called}`, onSuccess: done }
    ),
    ...further,
    ...action(remove, naming(place, row), { label: "Delete", row: called, onSuccess: onGone })
  ]
}

/** One row: what can be done with it, its facts, and all of it as the platform has it. */
const Row = ({ place, row }: { readonly place: Place; readonly row: AnyRow }): ReactElement => {
  const { audience, name } = place.resource
  const first = columnsOf(name, [row]).filter((field) => field in row)
  const [found, reveal] = useConcealed(row)
  const shown = rowOf(place.resource, Object(found), 0)
  const fields = [...new Set([...first, ...Object.keys(row).filter((field) => field !== "_id"), "_id"])]
  return (
    <div className={layout.stack}>
      <div className={layout.row}>
        {["status", "type", "total", "amount", "price"]
          .filter((field) => (row[field] ?? "") !== "")
          .map((field) => (
            <strong key={field}>
              <Value audience={audience} name={field} row={shown} />
            </strong>
          ))}
        <span className={layout.grow} />
        <Actions of={rowActions(place, row, () => place.state.close(address(place)))} />
        {reveal}
      </div>
      <FactList
        of={fields.map((field) => [
          fieldOf(field, fields),
          <Value key={field} audience={audience} name={field} row={shown} long />
        ])}
      />
      {audience === "admin" && name === "payments" && <Payment row={row} />}
      <details>
        <summary>As the platform has it</summary>
        <Source label="The row" text={JSON.stringify(shown, null, 2)} />
      </details>
    </div>
  )
}

/** A row that its own call reads. */
const Read = ({ of, place }: { readonly of: Entry; readonly place: Place }): ReactElement => {
  const input = of === place.resource.single ? {} : naming(place, { _id: place.id ?? "" })
  const answer = useQuery(of.client.query(of.call, input))
  return (
    <Loaded of={answer}>
      {(found) => <Row place={place} row={rowOf(place.resource, Object(found), 0)} />}
    </Loaded>
  )
}

/** Deletes the selected rows after asking, and tells which it could not delete, and why. */
const RemoveMany = (props: {
  readonly of: Entry
  readonly place: Place
  readonly rows: ReadonlyArray<AnyRow>
  readonly onEnd: (failed: Facts) => void
}): ReactElement => {
  const { of, onEnd, place, rows } = props
  const [call] = useState(() => of.client.mutation(of.call, { invalidates: [] }))
  const { mutate } = useMutation(call)
  const invalidate = useInvalidate(of.client)
  const session = useSession(of.client.session)
  const [dialog, ask] = useAsk()
  const slice = place.resource.name
  const what = `${rows.length} ${rows.length === 1 ? singular(slice) : labelOf(slice)}`.toLowerCase()
  const remove = async (): Promise<void> => {
    const verb = `Delete ${what}`
    const isOneself = rows.some(({ _id }) => isOwnAccount(of, session, _id))
    if (!(await ask(deletion(verb, verb, isOneself)))) return
    const failed: Array<Facts[number]> = []
    for (const row of rows) {
      const outcome = await mutate(naming(place, row))
      if (outcome.status === "error") failed.push([nameOf(slice, row), explain(outcome.error).title])
    }
    invalidate(...shownBy(of))
    addToast(`${rows.length - failed.length} of ${what} deleted`)
    onEnd(failed)
  }
  return (
    <>
      <Button kind="danger" icon="trash" onClick={() => void remove()}>
        Delete
      </Button>
      {dialog}
    </>
  )
}

/** The columns of a list; the first one names the row, with the e-mail address of a person below it. */
const columnsFor = ({ resource }: Place, rows: ReadonlyArray<AnyRow>): ReadonlyArray<Column<AnyRow>> => {
  const names = columnsOf(resource.name, rows)
  const hasEmail = names[0] !== "email" && rows.some(({ email }) => typeof email === "string")
  const email = { title: "Email", value: ({ email }: AnyRow) => plainOf(email) }
  return names.map((name, index) => ({
    title: fieldOf(name, names),
    value: (row) => plainOf(shownOf(row, name)[name]),
    ...(isSearched(resource) ? { sort: name } : {}),
    also: index === 0 && hasEmail ? [email] : [],
    cell: (row) =>
      index > 0 ? (
        <Value audience={resource.audience} name={name} row={shownOf(row, name)} />
      ) : (
        <>
          <strong>{nameOf(resource.name, row)}</strong>
          {hasEmail && <div className={typography.faint}>{String(row.email ?? "")}</div>}
        </>
      )
  }))
}

const Table = ({ of, place }: { readonly of: Listed<Values>; readonly place: Place }): ReactElement => {
  const { client, get, name, remove } = place.resource
  const label = labelOf(name)
  const session = useSession(client.session)
  const [failed, setFailed] = useState<Facts>([])
  const rows = of.items.map((row, index) => rowOf(place.resource, row, index))
  const open = rows.find(({ _id }) => _id === place.id)
  const canSearch = isSearched(place.resource)
  return (
    <>
      <List
        label={label}
        of={{ ...of, items: rows }}
        state={place.state}
        to={(row) => address(place, row._id)}
        columns={columnsFor(place, rows)}
        {...(canSearch ? { search: `Find ${label.toLowerCase()}` } : {})}
        dated={canSearch && rows.some(({ createdAt }) => createdAt instanceof Date)}
        empty={<Empty icon="search" title="Nothing found" />}
        {...(remove && session.can(remove.call)
          ? {
              actions: (rows, clear) => (
                <RemoveMany
                  of={remove}
                  place={place}
                  rows={rows}
                  onEnd={(failed) => {
                    clear()
                    setFailed(failed)
                  }}
                />
              )
            }
          : {})}
      />
      <Sheet
        open={place.id !== undefined}
        onClose={() => place.state.close(address(place))}
        title={open === undefined ? singular(name) : titleOf(name, open)}
      >
        {get !== undefined ? (
          <Read key={place.id} of={get} place={place} />
        ) : open === undefined ? (
          <SkeletonRows rows={8} />
        ) : (
          <Row place={place} row={open} />
        )}
      </Sheet>
      <Dialog
        open={failed.length > 0}
        onClose={() => setFailed([])}
        title={`${failed.length} could not be deleted`}
      >
        <FactList of={failed} />
      </Dialog>
    </>
  )
}

const Pages = (props: {
  readonly of: NonNullable<ReturnType<typeof listing>["pages"]>
  readonly place: Place
}) => <Table of={useInfiniteQuery(props.of)} place={props.place} />

const Whole = (props: {
  readonly of: NonNullable<ReturnType<typeof listing>["whole"]>
  readonly place: Place
}) => {
  const answer = useQuery(props.of)
  const rest = { items: answer.data?.items ?? [], hasNextPage: false, fetchNextPage: done }
  return <Table of={{ ...answer, ...rest }} place={props.place} />
}

const isBare = ({ resource: { list, single } }: Place): boolean => list === undefined && single === undefined

/** The rows of a slice, or its only one; the forms of one that has no rows to show. */
const Lists = ({ actions, place }: { readonly actions: ReadonlyArray<Action>; readonly place: Place }) => {
  const { scope, single } = place.resource
  const { pages, whole } = listing(place.resource, place.state.query, place.scoped)
  if (pages !== undefined) return <Pages of={pages} place={place} />
  if (whole !== undefined) return <Whole of={whole} place={place} />
  if (isBare(place))
    return (
      <div className={layout.stack}>
        {actions.map((one) => (
          <Card key={one.of.key} title={one.label} about={one.of.summary}>
            <ActionForm action={one} />
          </Card>
        ))}
      </div>
    )
  return (
    <Card>
      {single !== undefined ? (
        <Read of={single} place={place} />
      ) : (
        <Empty icon="search" title={`Say which ${words(scope ?? "").toLowerCase()}`} />
      )}
    </Card>
  )
}

/** What can be done with a slice as a whole; of its reads, those that its list does not show. */
const sliceActions = (
  place: Place,
  can: (call: Entry["call"]) => boolean,
  refresh: () => void
): ReadonlyArray<Action> => {
  const { audience, create, get, list, name, others, remove } = place.resource
  // Administrators upload with the project's public key, as visitors do: they have no call of their own, and no permission
  // is named for it. The nearest is the one to delete a file, which whoever may add files has.
  const isUploader = `${audience}.${name}` === "admin.files" && remove && can(remove.call)
  const upload = isUploader ? entryOf("public.files.upload") : undefined
  const own =
    list === undefined
      ? [...(get === undefined ? [] : [get]), ...others]
      : others.filter((of) => rowField(place.resource, of) === undefined && (!of.isRead || of.isDownload))
  return [
    ...own.flatMap((of) => action(of, {})),
    ...action(upload, { form: { source: "console" } }, { onSuccess: refresh }),
    ...action(create, naming(place), { label: createOf(name), ...(list && { onSuccess: done }) })
  ]
}

/** What a list cannot do without. It is asked for once the typing pauses. */
const Scope = (props: {
  readonly name: string
  readonly value: string
  readonly onChange: (value: string) => void
}): ReactElement => {
  const [text, setText] = useState(props.value)
  const isTyped = text.trim() !== props.value
  useEffect(() => {
    const timer = isTyped ? setTimeout(() => props.onChange(text.trim()), 300) : undefined
    return () => clearTimeout(timer)
  }, [text])
  const label = words(props.name)
  return (
    <TextField
      label={label}
      hideLabel
      placeholder={label}
      value={text}
      onChange={setText}
      suggestions={kinds}
    />
  )
}

const Page = (place: Place): ReactElement => {
  const { audience, client, name, scope } = place.resource
  const session = useSession(client.session)
  const invalidate = useInvalidate(client)
  const actions = sliceActions(place, session.can, () => invalidate(name)).filter(({ of }) =>
    session.can(of.call)
  )
  const choices = resources
    .filter((one) => one.audience === audience)
    .map(({ name }) => ({ value: name, label: labelOf(name) }))
    .sort((one, other) => one.label.localeCompare(other.label))
  return (
    <>
      <PageHead title={labelOf(name)}>
        <div className={layout.row}>
          <Select
            label="Resource"
            hideLabel
            value={name}
            choices={choices}
            onChange={(slice) => pushUnsafe(dataOf(audience, { slice }))}
          />
          {scope !== undefined && (
            <Scope name={scope} value={place.scoped} onChange={(kind) => place.state.set({ scope: kind })} />
          )}
          {!isBare(place) && <Actions of={actions} />}
        </div>
      </PageHead>
      {session.status === "signed-out" ? (
        <Note tone="warn">
          Nobody is signed in here. <Link to={Router.EndUser()}>Sign in as an end user</Link>
        </Note>
      ) : (
        <Lists actions={actions} place={place} />
      )}
    </>
  )
}

const routes = ["Data", "Commerce", "VisitorData", "EndUserData", "Server", "ServerData"] as const

const Resources = (): ReactElement => {
  const route = Router.useRoute(routes)
  const params: Parameters<typeof Router.Data>[0] = {
    slice: route?.name === "Server" ? "items" : "payments",
    ...route?.params
  }
  const { id, scope = "", slice } = params
  const state = useListState()
  const audience = audienceOf(route?.name)
  const resource = resourceOf(audience, slice)
  if (resource === undefined)
    return (
      <>
        <PageHead title="Data" />
        <Empty icon="search" title={`There is no data called “${slice}”`}>
          <Link to={dataOf(audience, { slice: "items" })}>
            Look at the items, and choose what you look for
          </Link>
        </Empty>
      </>
    )
  return (
    <Page
      key={`${resource.audience}.${resource.name}`}
      resource={resource}
      id={id}
      scoped={scope}
      state={state}
    />
  )
}

export default Resources
