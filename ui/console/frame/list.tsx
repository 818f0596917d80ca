/** The rows of a list, as an inbox or as a table: one stop of the Tab key, and no more rows in the page than the screen shows. */

import { Link } from "@swan-io/chicane"
import type { Virtualizer } from "@tanstack/react-virtual"
import { Fragment, type MouseEvent, type ReactElement, type ReactNode, useRef } from "react"
import { onStep } from "../data/list-state.js"
import { Scroll } from "../design/show.js"
import { useVariable } from "../design/variable.js"
import { type Column, fromClass, leastWidth, shown, widthClass } from "./columns.js"
import { InboxCells, type InboxRow, inboxHeight } from "./inbox.js"
import { type Listed, useRows } from "./rows.js"
import type { Row } from "./selection.js"
import { Tick, type Ticks } from "./tick.js"

export interface ListProps<A extends Row> {
  readonly label: string
  /** By what it remembers how far it was scrolled. */
  readonly name: string
  readonly of: Listed<A>
  readonly id: string | undefined
  /** The place of the row that the Tab key reaches. */
  readonly stop: number
  readonly ticks: Ticks<A> | undefined
  readonly nameOf: (row: A) => string
  readonly to: (row: A) => string
  readonly onSelect: (row: A) => void
  /** Whether what is shown is of another question, and about to change. */
  readonly isStale: boolean
  /** The id of the selected row where it has left what the list shows. */
  readonly left: string | undefined
}

/** The height of a row of a table, in pixels. */
const tableHeight = 34

/** The link that a row is. */
const RowLink = <A extends Row>(
  props: Pick<ListProps<A>, "id" | "onSelect" | "to"> & {
    readonly row: A
    readonly isStop: boolean
    readonly spoken?: string | undefined
    readonly children: ReactNode
  }
): ReactElement => {
  const { children, id, isStop, onSelect, row, spoken, to } = props
  return (
    <Link
      className="row-link"
      to={to(row)}
      tabIndex={isStop ? 0 : -1}
      aria-current={row._id === id || undefined}
      data-row={row._id}
      onClick={(event: MouseEvent) => onStep(() => onSelect(row))(event)}
    >
      {spoken === undefined ? (
        children
      ) : (
        <>
          <span className="sr-only">{spoken}</span>
          <span aria-hidden="true">{children}</span>
        </>
      )}
    </Link>
  )
}

/** Takes the place of rows that are not in the page. */
const Gap = ({ height }: { readonly height: number }): ReactNode =>
  height > 0 && <svg width="1" height={height} aria-hidden="true" />

/** The rows that are in the page, each with the room before it, and the room after the last. */
const inPage = <A extends Row>(
  virtual: Virtualizer<HTMLElement, Element>,
  items: ReadonlyArray<A>
): readonly [ReadonlyArray<{ readonly row: A; readonly index: number; readonly gap: number }>, number] => {
  let end = 0
  const rows = virtual.getVirtualItems().flatMap(({ end: until, index, start }) => {
    const row = items[index]
    const gap = start - end
    end = until
    return row === undefined ? [] : [{ row, index, gap }]
  })
  return [rows, virtual.getTotalSize() - end]
}

const tickOf = <A extends Row>({ nameOf, ticks }: ListProps<A>, row: A): ReactNode =>
  ticks && (
    <Tick
      label={`Tick ${nameOf(row)}`}
      checked={ticks.ids.has(row._id)}
      onChange={() => ticks.flip(row._id)}
    />
  )

/** How many rows there are, with one that a change took out; -1 if that is not known. */
const totalOf = <A extends Row>({ of }: ListProps<A>): number => {
  const { total = of.hasNextPage ? -1 : 0 } = of.data?.paging ?? {}
  return total < 0 ? total : Math.max(total, of.items.length)
}

export const Inbox = <A extends Row>(
  props: ListProps<A> & { readonly row: (row: A) => InboxRow }
): ReactElement => {
  const { isStale, label, left, of, stop, ticks } = props
  const { scroller, virtual } = useRows({ ...props, height: inboxHeight })
  const [rows, rest] = inPage(virtual, of.items)
  return (
    <Scroll
      label={`Rows of ${label.toLowerCase()}`}
      ref={scroller}
      className="list-scroll"
      aria-busy={isStale || undefined}
    >
      <ul className="p-1.5" data-ticking={ticks?.isOn || undefined}>
        {rows.map(({ gap, index, row }) => (
          <Fragment key={row._id}>
            {gap > 0 && (
              <li aria-hidden="true">
                <Gap height={gap} />
              </li>
            )}
            <li
              ref={virtual.measureElement}
              data-index={index}
              className="list-row"
              aria-setsize={totalOf(props)}
              aria-posinset={index + 1}
              data-ticked={ticks?.ids.has(row._id) || undefined}
              data-left={row._id === left || undefined}
            >
              {tickOf(props, row)}
              <RowLink {...props} row={row} isStop={index === stop} spoken={props.row(row).spoken}>
                <InboxCells row={row} of={props.row} />
              </RowLink>
            </li>
          </Fragment>
        ))}
        <li aria-hidden="true">
          <Gap height={rest} />
        </li>
      </ul>
    </Scroll>
  )
}

export interface Order {
  readonly sort: string | undefined
  readonly onSort: (sort: string) => void
}

const alignOf = <A,>({ isEnd }: Column<A>): string => (isEnd ? "text-end" : "")

/** The head of a column. Pressed, it orders the rows by it: upwards, descending, then as the platform does. */
const Head = <A,>({ column, order }: { readonly column: Column<A>; readonly order: Order }): ReactElement => {
  const { from, sort, title, width = "m" } = column
  const now = sort === undefined ? undefined : order.sort
  const state = now === sort ? "ascending" : now === `-${sort}` ? "descending" : "none"
  const [arrow, next] = { ascending: ["↑", `-${sort}`], descending: ["↓", ""], none: ["", sort ?? ""] }[
    state
  ] as [string, string]
  return (
    <th
      scope="col"
      className={`${from ? fromClass[from] : ""} ${widthClass[width]} ${alignOf(column)}`}
      aria-sort={sort === undefined ? undefined : state}
    >
      {sort === undefined ? (
        title
      ) : (
        <button type="button" className="hover:text-ink" onClick={() => order.onSort(next)}>
          {title} <span aria-hidden="true">{arrow}</span>
        </button>
      )}
    </th>
  )
}

export const Table = <A extends Row>(
  props: ListProps<A> & { readonly columns: ReadonlyArray<Column<A>>; readonly order: Order }
): ReactElement => {
  const { columns, isStale, label, left, of, order, stop, ticks } = props
  const { scroller, virtual } = useRows({ ...props, height: tableHeight })
  const [rows, rest] = inPage(virtual, of.items)
  const total = totalOf(props)
  const table = useRef<HTMLTableElement>(null)
  useVariable(table, "--least", `${leastWidth(columns)}px`)
  const gapRow = (height: number): ReactNode =>
    height > 0 && (
      // biome-ignore lint/a11y/noAriaHiddenOnFocusable: it takes the place of rows that are not in the page, and holds no control.
      <tr aria-hidden="true">
        {/* One cell: across all columns it would make some of those that a narrow pane hides. */}
        <td className="border-0 p-0">
          <Gap height={height} />
        </td>
      </tr>
    )
  return (
    <Scroll
      label={`Rows of ${label.toLowerCase()}`}
      ref={scroller}
      className="list-scroll"
      aria-busy={isStale || undefined}
    >
      <table className="list-table" ref={table} aria-rowcount={total < 0 ? -1 : total + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {ticks && (
              <th scope="col" className="w-9 p-0">
                <span className="sr-only">Ticked</span>
              </th>
            )}
            {columns.map((column) => (
              <Head key={column.title} column={column} order={order} />
            ))}
          </tr>
        </thead>
        <tbody data-ticking={ticks?.isOn || undefined}>
          {rows.map(({ gap, index, row }) => (
            <Fragment key={row._id}>
              {gapRow(gap)}
              <tr
                ref={virtual.measureElement}
                data-index={index}
                aria-rowindex={index + 2}
                className="list-row"
                data-ticked={ticks?.ids.has(row._id) || undefined}
                data-left={row._id === left || undefined}
              >
                {ticks && <td className="p-0">{tickOf(props, row)}</td>}
                {columns.map((column, place) => {
                  const content = column.cell === undefined ? shown(column.value(row)) : column.cell(row)
                  return (
                    <td
                      key={column.title}
                      className={`truncate ${column.from ? fromClass[column.from] : ""} ${alignOf(column)}`}
                    >
                      {place === 0 ? (
                        <RowLink {...props} row={row} isStop={index === stop}>
                          {content}
                        </RowLink>
                      ) : (
                        content
                      )}
                    </td>
                  )
                })}
              </tr>
            </Fragment>
          ))}
          {gapRow(rest)}
        </tbody>
      </table>
    </Scroll>
  )
}
