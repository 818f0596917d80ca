/** The page of any slice: its table or its only row, and the row that is open beside it. */

import { useInfiniteQuery, useInvalidate, useQuery, useSession } from "@quartet/react"
import { plainOf } from "@quartet/sdk/extend"
import { Link, pushUnsafe } from "@swan-io/chicane"
import { type ReactElement, useEffect, useState } from "react"
import {
  type AnyRow,
  asking,
  type Entry,
  isSearched,
  resourceOf,
  resources,
  rowOf,
  type Values
} from "../../app/catalogue.js"
import { kinds } from "../../app/config.js"
import {
  columnsOf,
  fieldOf,
  labelOf,
  linkedOf,
  nameOf,
  shownOf,
  singular,
  titleOf,
  useConcealed,
  Value
} from "../../app/values.js"
import { dataOf, useWhere } from "../../app/viewer.js"
import { pageSize, useListState } from "../../data/list-state.js"
import { Loaded } from "../../data/loaded.js"
import { type Column, List, type Listed } from "../../data/table.js"
import { IconButton } from "../../design/button.js"
import { Dialog, Sheet } from "../../design/dialog.js"
import { Select, TextField } from "../../design/field.js"
import { Card, FactList, type Facts, PageHead, Source, words } from "../../design/show.js"
import { Empty, SkeletonRows } from "../../design/state.js"
import {
  type Action,
  ActionForm,
  Actions,
  naming,
  type Place,
  RemoveMany,
  rowActions,
  sliceActions
} from "./actions.js"
import { Payment } from "./payment.js"

/** One row: what can be done with it, its facts, and all of it as the platform has it. */
const Row = ({ of, place }: { readonly of: Values; readonly place: Place }): ReactElement => {
  const { audience, name } = place.resource
  const row = rowOf(place.resource, of, 0)
  const [revealed, reveal] = useConcealed(of)
  const shown = rowOf(place.resource, Object(revealed), 0)
  const names = [...columnsOf(name, [of]), ...Object.keys(of).filter((field) => field !== "_id"), "_id"]
  // A row may have no id, and then none is shown.
  const fields = [...new Set(names)].filter((field) => field in of)
  return (
    <div className="stack">
      <div className="row">
        <Actions of={rowActions(place, row, () => place.state.close(place.state.href({ id: undefined })))} />
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
        <Source label="The row" text={JSON.stringify(revealed, null, 2)} />
      </details>
    </div>
  )
}

/** A row that its own call reads. */
const Read = ({ of, place }: { readonly of: Entry; readonly place: Place }): ReactElement => {
  const input = of === place.resource.single ? {} : naming(place, { _id: place.id ?? "" })
  const answer = useQuery(of.client.query(of.call, input))
  return <Loaded of={answer}>{(values) => <Row of={Object(values)} place={place} />}</Loaded>
}

/** The columns of a list; the first one names the row, with the e-mail address of a person below it. */
const columnsFor = ({ resource }: Place, rows: ReadonlyArray<AnyRow>): ReadonlyArray<Column<AnyRow>> => {
  const names = columnsOf(resource.name, rows).filter(
    (name) => !/.Id$/.test(name) || linkedOf(resource.audience, name) !== undefined
  )
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
          {hasEmail && <div className="truncate faint">{String(row.email ?? "")}</div>}
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
  const index = rows.findIndex(({ _id }) => _id === place.id)
  const open = rows[index]
  const openValues = of.items[index]
  const isNearEnd = open !== undefined && index + 2 >= rows.length
  useEffect(() => {
    if (isNearEnd && of.hasNextPage && !of.isFetching && of.error === undefined) of.fetchNextPage()
  }, [isNearEnd, of])
  const turn = (label: string, icon: "back" | "next", to: AnyRow | undefined) => (
    <IconButton
      label={label}
      icon={icon}
      disabled={to === undefined}
      onClick={() => place.state.turn(place.state.href({ id: to?._id }))}
    />
  )
  const canSearch = isSearched(place.resource)
  return (
    <>
      <List
        label={label}
        of={{ ...of, items: rows }}
        state={place.state}
        to={(row) => place.state.href({ id: row._id })}
        columns={columnsFor(place, rows)}
        search={canSearch ? `Find ${label.toLowerCase()}` : undefined}
        dated={
          canSearch &&
          (place.state.query.search !== undefined || rows.some(({ createdAt }) => createdAt instanceof Date))
        }
        empty={<Empty icon="search" title="Nothing found" />}
        actions={
          remove && session.can(remove.call)
            ? (rows, clear) => (
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
            : undefined
        }
      />
      <Sheet
        open={place.id !== undefined}
        onClose={() => place.state.close(place.state.href({ id: undefined }))}
        title={open === undefined ? singular(name) : titleOf(name, open)}
        tools={
          open && (
            <>
              {turn("The row before", "back", rows[index - 1])}
              {turn("The next row", "next", rows[index + 1])}
            </>
          )
        }
      >
        {get !== undefined ? (
          <Read key={place.id} of={get} place={place} />
        ) : openValues === undefined ? (
          <SkeletonRows rows={8} />
        ) : (
          <Row of={openValues} place={place} />
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

type Of = { readonly of: NonNullable<ReturnType<typeof asking>>; readonly place: Place }

const Pages = ({ of: { call, client, input }, place }: Of) => (
  <Table of={useInfiniteQuery(client.infiniteQuery(call, input, { limit: pageSize }))} place={place} />
)

const Whole = ({ of: { call, client, input }, place }: Of) => {
  const answer = useQuery(client.query(call, input))
  const { items = [] } = answer.data ?? {}
  return <Table of={{ ...answer, items, hasNextPage: false, fetchNextPage: () => undefined }} place={place} />
}

const isBare = ({ resource: { list, single } }: Place): boolean => list === undefined && single === undefined

/** The rows of a slice, or its only one; the forms of one that has no rows to show. */
const Lists = ({ actions, place }: { readonly actions: ReadonlyArray<Action>; readonly place: Place }) => {
  const { scope, single } = place.resource
  const list = asking(place.resource, place.state.query, place.scoped)
  if (list !== undefined)
    return list.isWhole ? <Whole of={list} place={place} /> : <Pages of={list} place={place} />
  if (isBare(place))
    return (
      <div className="stack">
        {actions.map((action) => (
          <Card key={action.of.key} title={action.verb} about={action.of.summary}>
            <ActionForm action={action} />
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
      {...(props.name === "kind" && { suggestions: kinds })}
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
    .filter((candidate) => candidate.audience === audience)
    .map(({ name }) => ({ value: name, label: labelOf(name) }))
    .sort((left, right) => left.label.localeCompare(right.label))
  return (
    <>
      <PageHead title={labelOf(name)}>
        <div className="row">
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
      <Lists actions={actions} place={place} />
    </>
  )
}

const Resources = (): ReactElement => {
  const { audience, slice } = useWhere()
  const state = useListState()
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
      id={state.read("id")}
      scoped={state.read("scope") ?? ""}
      state={state}
    />
  )
}

export default Resources
