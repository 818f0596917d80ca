/** The page of any slice that lists or gets: its table, the open row beside it, and forms, all from the operations. */
import { Link, pushUnsafe } from "@swan-io/chicane"
import { type ReactElement, useState } from "react"
import { callOf } from "../../../../core/kernel/operation/operation.js"
import { useInfiniteQuery, useMutation, useQuery, useSession } from "../../../rx/index.js"
import {
  type AnyRow,
  type Entry,
  isSearched,
  knownOf,
  listing,
  type Resource,
  resourceOf,
  resources,
  rowOf,
  sending,
  type Values
} from "../../app/catalogue.js"
import { Router } from "../../app/routes.js"
import { addToast, report } from "../../app/toasts.js"
import { audienceOf, dataOf } from "../../app/viewer.js"
import { Button } from "../../design/button.js"
import { plainOf } from "../../design/csv.js"
import { Confirm, Sheet } from "../../design/dialog.js"
import { Select, TextField } from "../../design/field.js"
import { Form } from "../../design/form.js"
import layout from "../../design/layout.module.css"
import { type ListState, useListState } from "../../design/list-state.js"
import { useSchemaForm } from "../../design/schema-form.js"
import { Card, PageHead, words } from "../../design/show.js"
import { Empty, Failed, Loaded, Note, SkeletonRows } from "../../design/state.js"
import { List, type Listed } from "../../design/table.js"
import typography from "../../design/typography.module.css"
import { columnsOf, isNumeric, Value } from "./values.js"

/** What the address says of a page. */
interface Place {
  readonly resource: Resource
  readonly id: string | undefined
  readonly scoped: string
  readonly state: ListState
}

/** The address of this page with another row open, or none. */
const address = ({ state }: Place, id?: string): string => state.href({ id })

const formFields = ({ fields, name }: Entry) =>
  fields.filter((field) => field.name === "payload").map((field) => ({ ...field, known: knownOf(name) }))

interface WriteProps {
  readonly place: Place
  readonly of: Entry
  /** The row that is changed; undefined for a new one. */
  readonly row?: AnyRow
  readonly onDone: () => void
}

/** The form of a new row, or of a change to one. */
const Write = ({ of, onDone, place: { resource, scoped }, row }: WriteProps): ReactElement => {
  const [call] = useState(() => sending(of))
  const { mutate } = useMutation(call)
  const { id, scope } = resource
  const isInPath = of.fields.some((field) => field.name === id && field.place === "path")
  const { controls, form } = useSchemaForm({
    fields: formFields(of),
    initial: row === undefined ? {} : { payload: row },
    changesOnly: row !== undefined,
    submit: ({ payload }) =>
      mutate({
        ...(scope === undefined ? {} : { [scope]: scoped }),
        ...(row === undefined || !isInPath ? {} : { [id]: row[id] ?? row._id }),
        payload: row === undefined || isInPath ? payload : { _id: row._id, ...Object(payload) }
      }),
    onSuccess: () => {
      addToast(row === undefined ? "Created" : "Saved")
      onDone()
    }
  })
  return (
    <Form of={form}>
      {controls}
      <Button kind="primary" submit busy={form.busy}>
        {row === undefined ? "Create" : "Save"}
      </Button>
    </Form>
  )
}

/** Deletes a row after asking. */
const Remove = (props: {
  readonly of: Entry
  readonly input: Values
  readonly onDone: () => void
}): ReactElement => {
  const [call] = useState(() => sending(props.of))
  const run = useMutation(call)
  const [asking, setAsking] = useState(false)
  const remove = async (): Promise<void> => {
    const outcome = await run.mutate(props.input)
    setAsking(false)
    if (report(outcome, "Deleted")) props.onDone()
  }
  return (
    <>
      <Button kind="danger" icon="trash" onClick={() => setAsking(true)}>
        Delete…
      </Button>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => void remove()}
        title="Delete this?"
        description={`${props.of.summary} This cannot be undone.`}
        action="Delete"
        danger
        busy={run.status === "pending"}
      />
    </>
  )
}

/** One row: its fields, its forms, and the calls that take its id. */
const Row = ({ place, row }: { readonly place: Place; readonly row: AnyRow }): ReactElement => {
  const { resource, scoped } = place
  const { audience, id, main, others, remove, scope, update } = resource
  const session = useSession(main.client.session)
  const [changing, setChanging] = useState(false)
  const may = (entry: Entry | undefined): entry is Entry => entry !== undefined && session.can(entry.call)
  const key = String(row[id] ?? row._id)
  const further = others.filter((entry) => may(entry) && entry.fields.some((field) => field.name === "id"))
  return (
    <div className={layout.stack}>
      <dl className={layout.facts}>
        {Object.keys(row).flatMap((name) => [
          <dt key={`${name}:`}>{words(name.replace("_id", "id"))}</dt>,
          <dd key={name}>
            <Value audience={audience} name={name} row={row} long />
          </dd>
        ])}
      </dl>
      <div className={layout.row}>
        {may(update) && !changing && <Button onClick={() => setChanging(true)}>Change…</Button>}
        {may(remove) && (
          <Remove
            of={remove}
            input={{ [id]: key, ...(scope === undefined ? {} : { [scope]: scoped }) }}
            onDone={() => pushUnsafe(address(place))}
          />
        )}
      </div>
      {changing && may(update) && (
        <Write place={place} of={update} row={row} onDone={() => setChanging(false)} />
      )}
      {further.length > 0 && (
        <p className={typography.quiet}>
          More with this:{" "}
          {further.map((entry) => (
            <span key={entry.key}>
              <Link to={Router.Explorer({ call: entry.key, id: key })}>
                {words(callOf(entry.name)).toLowerCase()}
              </Link>{" "}
            </span>
          ))}
        </p>
      )}
    </div>
  )
}

/** A row that its own call reads. */
const Read = ({ of, place }: { readonly of: Entry; readonly place: Place }): ReactElement => {
  const { id, scope } = place.resource
  const input = { [id]: place.id, ...(scope === undefined ? {} : { [scope]: place.scoped }) }
  const answer = useQuery(of.client.query(of.call, input))
  return (
    <Loaded of={answer} skeleton={<SkeletonRows rows={8} />}>
      {(found) => <Row place={place} row={rowOf(place.resource, Object(found), 0)} />}
    </Loaded>
  )
}

type Rows = Listed<Values>

const Table = ({ of, place }: { readonly of: Rows; readonly place: Place }): ReactElement => {
  const { resource } = place
  const rows = of.items.map((row, index) => rowOf(resource, row, index))
  const open = rows.find(({ _id }) => _id === place.id)
  const onClose = (): void => pushUnsafe(address(place))
  const isOpen = isSearched(resource)
  const names = columnsOf(resource.name, rows)
  const columns = names.map((name, index) => ({
    title: words(name.replace("_id", "id")),
    value: (row: AnyRow) => plainOf(row[name]),
    end: isNumeric(name, rows),
    quiet: index > 0,
    ...(isOpen ? { sort: name } : {}),
    cell: (row: AnyRow) =>
      index > 0 ? (
        <Value audience={resource.audience} name={name} row={row} />
      ) : (
        <strong>{String(row[name] ?? row._id)}</strong>
      )
  }))
  return (
    <>
      <List
        label={words(resource.name)}
        of={{ ...of, items: rows }}
        state={place.state}
        to={(row) => address(place, row._id)}
        columns={columns}
        {...(isOpen ? { search: `Find ${words(resource.name).toLowerCase()}` } : {})}
        dated={isOpen && names.includes("createdAt")}
        empty={<Empty icon="search" title="Nothing found" />}
        rows={12}
      />
      {place.id === "new" && resource.create !== undefined && (
        <Sheet open onClose={onClose} title={`New: ${words(resource.name).toLowerCase()}`}>
          <Write place={place} of={resource.create} onDone={onClose} />
        </Sheet>
      )}
      {place.id !== undefined && place.id !== "new" && (
        <Sheet open onClose={onClose} title={words(resource.name)}>
          {resource.get === undefined ? (
            open === undefined ? (
              <SkeletonRows rows={8} />
            ) : (
              <Row place={place} row={open} />
            )
          ) : (
            <Read key={place.id} of={resource.get} place={place} />
          )}
        </Sheet>
      )}
    </>
  )
}

const Pages = (props: {
  readonly of: NonNullable<ReturnType<typeof listing>["pages"]>
  readonly place: Place
}) => <Table of={useInfiniteQuery(props.of) as Rows} place={props.place} />

const Whole = (props: {
  readonly of: NonNullable<ReturnType<typeof listing>["whole"]>
  readonly place: Place
}) => {
  const answer = useQuery(props.of)
  const items = answer.data?.items ?? []
  return (
    <Table
      of={{ ...answer, items, hasNextPage: false, fetchNextPage: () => undefined }}
      place={props.place}
    />
  )
}

const Lists = ({ place }: { readonly place: Place }): ReactElement => {
  const { pages, whole } = listing(place.resource, place.state.query, place.scoped)
  if (pages !== undefined) return <Pages of={pages} place={place} />
  if (whole !== undefined) return <Whole of={whole} place={place} />
  const { get, scope } = place.resource
  return (
    <Card flush>
      {get !== undefined && place.id !== undefined ? (
        <Read of={get} place={place} />
      ) : (
        <Empty
          icon="search"
          title={scope === undefined ? "Say which one" : `Say which ${words(scope).toLowerCase()}`}
        >
          The platform lists these {scope === undefined ? "one by one, by id" : `by their ${scope}`}.
        </Empty>
      )}
    </Card>
  )
}

const Page = (place: Place): ReactElement => {
  const { resource } = place
  const { audience, create, main, scope } = resource
  const session = useSession(main.client.session)
  return (
    <>
      <PageHead title={words(resource.name)} about={main.summary} />
      <div className={layout.toolbar}>
        <Select
          label="Resource"
          hideLabel
          value={resource.name}
          choices={resources
            .filter((one) => one.audience === audience)
            .map(({ name }) => ({ value: name, label: words(name) }))}
          onChange={(slice) => pushUnsafe(dataOf(audience, { slice }))}
        />
        {scope !== undefined && (
          <TextField
            label={words(scope)}
            hideLabel
            placeholder={words(scope)}
            value={place.scoped}
            onChange={(kind) => place.state.set({ scope: kind })}
          />
        )}
        <span className={layout.grow} />
        {create !== undefined && session.can(create.call) && (
          <Button kind="primary" icon="plus" onClick={() => pushUnsafe(address(place, "new"))}>
            New
          </Button>
        )}
      </div>
      {session.status === "signed-in" || session.status === "signing-in" ? (
        <Lists place={place} />
      ) : (
        <Note tone="warn">Nobody is signed in here: sign in on the page before this one.</Note>
      )}
    </>
  )
}

const routes = ["Data", "VisitorData", "EndUserData", "ServerData"] as const

const Resources = (): ReactElement => {
  const route = Router.useRoute(routes)
  const { id, scope = "", slice } = route?.params ?? {}
  const state = useListState()
  const resource = resourceOf(audienceOf(route?.name), slice)
  if (resource === undefined) return <Failed error={undefined} />
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
