/** The page of any slice: its rows, or its only one, and the selected row or a form of one of its calls beside them. */

import { useInfiniteQuery, useInvalidate, useQuery, useSession } from "@quartet/react"
import { plainOf } from "@quartet/sdk/extend"
import { Link } from "@swan-io/chicane"
import { type ReactElement, type ReactNode, useEffect, useMemo, useState } from "react"
import {
  type AnyRow,
  asking,
  isSearched,
  type Resource,
  resourceOf,
  rowOf,
  type Values
} from "../../app/catalogue.js"
import { kinds } from "../../app/config.js"
import { placeOf } from "../../app/place-of.js"
import { columnsOf, fieldOf, labelOf, linkedOf, nameOf, shownOf, textOf, Value } from "../../app/values.js"
import { dataOf, useWhere } from "../../app/viewer.js"
import { pageSize, useListState } from "../../data/list-state.js"
import { Button } from "../../design/button.js"
import { Dialog } from "../../design/dialog.js"
import { TextField } from "../../design/field.js"
import { Card, FactList, type Facts, words } from "../../design/show.js"
import { Empty } from "../../design/state.js"
import type { Column } from "../../frame/columns.js"
import { Detail, useFrame } from "../../frame/detail.js"
import type { Listed } from "../../frame/rows.js"
import { idAfter } from "../../frame/selection.js"
import { Workplace } from "../../frame/workplace.js"
import {
  type Action,
  ActionForm,
  creation,
  OpenAction,
  type Place,
  sliceActions,
  useCanAny
} from "./actions.js"
import { useRemoval } from "./removal.js"
import { InList, Read } from "./row.js"
import { SliceSelect, Slices } from "./slices.js"

/** The ids of addresses that stand for a form: of a new row, and of what else can be done with the slice. */
const forms = { create: "new", calls: "~calls" } as const

const isForm = (id: string): boolean => id === forms.create || id === forms.calls

/** The columns of a list; the first one names the row, and the e-mail address of a person stands beside it. */
const columnsFor = (resource: Resource, rows: ReadonlyArray<AnyRow>): ReadonlyArray<Column<AnyRow>> => {
  const names = columnsOf(resource.name, rows).filter(
    (name) => !/.Id$/.test(name) || linkedOf(resource.audience, name) !== undefined
  )
  const hasEmail = !names.includes("email") && rows.some(({ email }) => typeof email === "string")
  const email: Column<AnyRow> = { title: "Email", from: "m", width: "l", value: (row) => plainOf(row.email) }
  const ends = names.map((name) =>
    rows.some((row) => typeof row[name] === "number" || row[name] instanceof Date)
  )
  const widest = ends.indexOf(false)
  const columns = names.map((name, index): Column<AnyRow> => {
    const isEnd = ends[index] === true
    return {
      title: fieldOf(name, names),
      value: (row) => plainOf(shownOf(row, name)[name]),
      ...(isSearched(resource) ? { sort: name } : {}),
      width: index === widest ? "fill" : isEnd ? "s" : "m",
      isEnd,
      ...(index > 2 ? { from: "xl" } : index === 2 ? { from: "l" } : {}),
      cell: (row) =>
        index > 0 ? (
          <Value audience={resource.audience} name={name} row={shownOf(row, name)} />
        ) : (
          <span title={textOf(name, row)}>{nameOf(resource.name, row)}</span>
        )
    }
  })
  return hasEmail ? [...columns.slice(0, 1), email, ...columns.slice(1)] : columns
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

const ScopeOf = ({ resource: { scope }, scoped, state }: Place): ReactNode =>
  scope !== undefined && <Scope name={scope} value={scoped} onChange={(kind) => state.set({ scope: kind })} />

const Create = ({ action, name }: { readonly action: Action; readonly name: string }): ReactElement => {
  const frame = useFrame()
  return (
    <Detail title={action.verb} about={`It will appear under ${labelOf(name).toLowerCase()}`}>
      <OpenAction action={action} onClose={() => frame?.close()} />
    </Detail>
  )
}

/** The forms of what can be done with a slice as a whole. */
const Calls = (props: { readonly of: ReadonlyArray<Action>; readonly name: string }): ReactElement => (
  <Detail title={`Calls for ${labelOf(props.name).toLowerCase()}`} about="Each has a form and is sent live">
    <div className="stack">
      {props.of.map((action) => (
        <Card
          key={action.of.key}
          title={action.verb}
          {...(action.of.summary && { about: action.of.summary })}
        >
          <ActionForm action={action} />
        </Card>
      ))}
    </div>
  </Detail>
)

const useSliceActions = (place: Place): ReadonlyArray<Action> => {
  const { client, name } = place.resource
  const session = useSession(client.session)
  const invalidate = useInvalidate(client)
  return sliceActions(place, session.can, () => invalidate(name)).filter(({ of }) => session.can(of.call))
}

const Rows = ({ of, place }: { readonly of: Listed<Values>; readonly place: Place }): ReactElement => {
  const { resource, state } = place
  const { audience, get, name } = resource
  const [failed, setFailed] = useState<Facts>([])
  const rows = useMemo(() => of.items.map((row, index) => rowOf(resource, row, index)), [of.items, resource])
  const close = (): void => state.close(state.href({ id: undefined }))
  const create = creation(place, close)
  const canCreate = useCanAny(create ? [create] : [], resource)
  const actions = useSliceActions(place)
  const leave = (gone: ReadonlyArray<AnyRow>): void =>
    state.turn(state.href({ id: idAfter(rows, place.id, gone) }))
  const remove = useRemoval(place, leave, setFailed)
  const label = labelOf(name)
  const open = (id: string) => () => state.open(state.href({ id }))
  const own = audience === "admin" ? placeOf(name) : undefined
  const valuesOf = (row: AnyRow | undefined): Values | undefined =>
    row && of.items[rows.findIndex(({ _id }) => _id === row._id)]
  return (
    <>
      <Workplace
        label={label}
        of={{ ...of, items: rows }}
        state={state}
        id={place.id}
        to={(id) => state.href({ id })}
        nameOf={(row) => nameOf(name, row)}
        columns={columnsFor(resource, rows)}
        width={520}
        {...(isSearched(resource) && { search: `Find ${label.toLowerCase()}` })}
        about={own && <Link to={own.to()}>Open {own.label}</Link>}
        tools={
          <>
            {actions.length > 0 && (
              <Button size="s" icon="code" onClick={open(forms.calls)}>
                Calls
              </Button>
            )}
            {create && canCreate && (
              <Button size="s" icon="plus" onClick={open(forms.create)}>
                New
              </Button>
            )}
          </>
        }
        filters={
          <>
            <SliceSelect audience={audience} slice={name} />
            <ScopeOf {...place} />
          </>
        }
        commands={
          remove
            ? [
                {
                  label: "Delete",
                  icon: "trash",
                  keys: "Delete",
                  isBulk: true,
                  run: (rows) => void remove(rows)
                }
              ]
            : []
        }
        empty={
          <Empty icon="server" title={`No ${label.toLowerCase()} yet`}>
            {create && canCreate && (
              <Button icon="plus" onClick={open(forms.create)}>
                {create.verb}
              </Button>
            )}
          </Empty>
        }
        isOther={isForm}
      >
        {(row, id) => {
          const at = { ...place, id }
          if (id === forms.calls) return <Calls of={actions} name={name} />
          if (id === forms.create && create) return <Create action={create} name={name} />
          if (get !== undefined) return <Read key={id} of={get} place={at} row={valuesOf(row)} />
          return <InList key={id} list={of} place={at} row={valuesOf(row)} />
        }}
      </Workplace>
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
  <Rows of={useInfiniteQuery(client.infiniteQuery(call, input, { limit: pageSize }))} place={place} />
)

const nothing: ReadonlyArray<Values> = []

const Whole = ({ of: { call, client, input }, place }: Of) => {
  const answer = useQuery(client.query(call, input))
  const { items = nothing } = answer.data ?? {}
  return <Rows of={{ ...answer, items, hasNextPage: false, fetchNextPage: () => undefined }} place={place} />
}

/** A slice without a list: its only row, or the forms of its calls. */
const Single = ({ place }: { readonly place: Place }): ReactElement => {
  const { audience, list, name, single } = place.resource
  const actions = useSliceActions(place)
  return (
    <section className="detail-pane" aria-label={labelOf(name)}>
      <h1 className="sr-only">{labelOf(name)}</h1>
      <div className="px-6 pt-3 empty:hidden">
        <SliceSelect audience={audience} slice={name} />
      </div>
      {list !== undefined ? (
        <div className="stack p-6">
          <ScopeOf {...place} />
          <Empty icon="search" title={`Which ${words(place.resource.scope ?? "").toLowerCase()}?`}>
            Choose one to list its rows.
          </Empty>
        </div>
      ) : single !== undefined ? (
        <Read of={single} place={place} />
      ) : (
        <Calls of={actions} name={name} />
      )}
    </section>
  )
}

const Page = ({ place }: { readonly place: Place }): ReactElement => {
  const list = asking(place.resource, place.state.query, place.scoped)
  if (list === undefined) return <Single place={place} />
  return list.isWhole ? <Whole of={list} place={place} /> : <Pages of={list} place={place} />
}

const Data = (): ReactElement => {
  const { audience, slice } = useWhere()
  const state = useListState()
  const resource = resourceOf(audience, slice)
  return (
    <div className="workplace">
      <Slices audience={audience} slice={slice} />
      {resource === undefined ? (
        <section className="detail-pane" aria-label="Data">
          <h1 className="sr-only">Data</h1>
          <Empty icon="search" title={`There is no slice named “${slice}”`}>
            <Link to={dataOf(audience, { slice: "items" })}>Go to items</Link>
          </Empty>
        </section>
      ) : (
        <Page
          key={`${resource.audience}.${resource.name}`}
          place={{ resource, id: state.read("id"), scoped: state.read("scope") ?? "", state }}
        />
      )}
    </div>
  )
}

export default Data
