/** One row: what can be done with it, its facts, and all of it as the platform has it. */

import { useQuery } from "@quartet/react"
import { Link } from "@swan-io/chicane"
import { type ReactElement, type ReactNode, useEffect, useState } from "react"
import { type AnyRow, type Entry, rowOf, type Values } from "../../app/catalogue.js"
import { placeOf } from "../../app/place-of.js"
import { Router } from "../../app/routes.js"
import { columnsOf, fieldOf, singular, titleOf, useConcealed, Value } from "../../app/values.js"
import { FactList, Source, When } from "../../design/show.js"
import { SkeletonRows } from "../../design/state.js"
import { Detail, Gone, Thing, useFrame } from "../../frame/detail.js"
import type { Listed } from "../../frame/rows.js"
import { type Action, Actions, naming, OpenAction, type Place, rowActions } from "./actions.js"

/** Where else the row is seen: at its place, and in the explorer. */
const Elsewhere = ({ place, row }: { readonly place: Place; readonly row: AnyRow }): ReactNode => {
  const { audience, get, name } = place.resource
  const own = audience === "admin" ? placeOf(name) : undefined
  return (
    <span className="row text-sm">
      {own && <Link to={own.to(row._id)}>Open in {own.label}</Link>}
      {get && <Link to={Router.Explorer({ call: get.key, id: row._id })}>Open in Explorer</Link>}
    </span>
  )
}

const Row = ({ of, place }: { readonly of: Values; readonly place: Place }): ReactElement => {
  const { audience, name } = place.resource
  const frame = useFrame()
  const [open, setOpen] = useState<Action>()
  const [revealed, reveal] = useConcealed(of)
  const row = rowOf(place.resource, of, 0)
  const shown = rowOf(place.resource, Object(revealed), 0)
  const names = [...columnsOf(name, [of]), ...Object.keys(of).filter((field) => field !== "_id"), "_id"]
  // A row may have no id, and then none is shown.
  const fields = [...new Set(names)].filter((field) => field in of)
  const close = (): void => {
    setOpen(undefined)
    document.querySelector<HTMLElement>("[data-detail-title]")?.focus()
  }
  return (
    <Detail
      title={titleOf(name, row)}
      about={
        <>
          {singular(name)}
          {row.createdAt instanceof Date && (
            <>
              {" · "}
              <When date={row.createdAt} long />
            </>
          )}
        </>
      }
      actions={
        <>
          <Actions of={rowActions(place, row, close, () => frame?.next())} onOpen={setOpen} />
          {reveal}
          <span className="flex-1" />
          <Elsewhere place={place} row={row} />
        </>
      }
    >
      {open && <OpenAction key={open.of.key} action={open} onClose={close} />}
      <FactList
        of={fields.map((field) => [
          fieldOf(field, fields),
          <Value key={field} audience={audience} name={field} row={shown} long />
        ])}
      />
      <details className="more">
        <summary>Raw data</summary>
        <Source label="The row" text={JSON.stringify(revealed, null, 2)} />
      </details>
    </Detail>
  )
}

/** A row that its own call reads; what the list knows of it is there at once. */
export const Read = (props: {
  readonly of: Entry
  readonly place: Place
  readonly row?: Values | undefined
}): ReactNode => {
  const { of, place, row } = props
  const input = of === place.resource.single ? {} : naming(place, { _id: place.id ?? "" })
  const answer = useQuery(of.client.query(of.call, input))
  const data: Values | undefined = answer.data === undefined ? undefined : Object(answer.data)
  return (
    <Thing of={{ ...answer, data }} row={row} noun={singular(place.resource.name).toLowerCase()}>
      {(values) => <Row of={values} place={place} />}
    </Thing>
  )
}

/** At most so many pages of a list are read to find the row of an address. */
const most = 20

/** A row that its list alone has: an address may name one that is not read yet. */
export const InList = (props: {
  readonly list: Listed<Values>
  readonly place: Place
  readonly row: Values | undefined
}): ReactNode => {
  const { list, place, row } = props
  const [pages, setPages] = useState(1)
  const { error, fetchNextPage, hasNextPage, isFetching } = list
  const isSought = row === undefined && hasNextPage && error === undefined && pages < most
  useEffect(() => {
    if (!isSought || isFetching) return
    setPages((count) => count + 1)
    fetchNextPage()
  }, [isSought, isFetching, fetchNextPage])
  if (row !== undefined) return <Row of={row} place={place} />
  if (isSought || isFetching || list.data === undefined) return <SkeletonRows rows={8} />
  return <Gone noun={singular(place.resource.name).toLowerCase()} />
}
