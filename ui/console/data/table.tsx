/**
 * The table of every list: columns declared once; search, dates, order and hidden columns in the address; rows that
 * open as links, are selected and leave as a CSV file; and in the page no more rows than the screen shows.
 */

import type { InfiniteQueryActions } from "@quartet/react"
import type { Value } from "@quartet/sdk/extend"
import { Link } from "@swan-io/chicane"
import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual"
import {
  type ComponentProps,
  Fragment,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState
} from "react"
import { csvOf, saveFile } from "../app/save.js"
import { Button } from "../design/button.js"
import { DateRange } from "../design/date.js"
import { SearchField, Select } from "../design/field.js"
import { number } from "../design/format.js"
import type { IconName } from "../design/icon.js"
import { Card, CardFoot, Scroll, When } from "../design/show.js"
import { Empty } from "../design/state.js"
import { type ListState, onStep } from "./list-state.js"
import { Loaded, type QueryView } from "./loaded.js"

export interface Column<A> {
  readonly title: string
  /** What the column says: in the CSV file, and in its cells unless they have a form of their own. */
  readonly value: (row: A) => Value
  readonly cell?: (row: A) => ReactNode
  /** Columns of the CSV file for what else its cells say. */
  readonly also?: ReadonlyArray<{ readonly title: string; readonly value: (row: A) => Value }>
  /** The field that the platform sorts by. */
  readonly sort?: string
  /** Whether its cells say numbers where its values are none. */
  readonly isEnd?: boolean
}

type Row = { readonly _id: string }

/** What a table needs to know about a list. */
export type Listed<A> = QueryView<{ readonly paging: { readonly total?: number } }> &
  InfiniteQueryActions<A> & { readonly isFetching: boolean }

interface ListProps<A extends Row> {
  readonly label: string
  readonly of: Listed<A>
  readonly state: ListState
  readonly columns: ReadonlyArray<Column<A>>
  readonly empty: ReactNode
  /** The address of a row's details: the whole row is a link to it. */
  readonly to?: (row: A) => string
  /** The name of the search field, such as "Find orders". */
  readonly search?: string | undefined
  /** Whether the list can be bounded by days of creation. */
  readonly dated?: boolean
  /** Further filters, and what can be done with the list, such as "New order". */
  readonly filters?: ReactNode
  readonly tools?: ReactNode
  /** What can be done with the selected rows. */
  readonly actions?: ((rows: ReadonlyArray<A>, clear: () => void) => ReactNode) | undefined
}

/** What a cell says of a value. */
export const shown = (value: Value): ReactNode => {
  if (value instanceof Date) return <When date={value} />
  if (typeof value === "number") return number(value)
  if (typeof value === "boolean") return value ? "Yes" : "No"
  return value || "—"
}

const columnClass = { end: "w-31 text-right", wide: "w-60", plain: "w-31" }

/* A cell that could scroll would, when the focus comes into it. */
const cellClass =
  "truncate overflow-clip px-2.5 nth-[n+3]:text-muted max-md:h-auto max-md:w-auto max-md:content-center max-md:overflow-visible max-md:border-0 max-md:p-0 max-md:text-left max-md:wrap-anywhere max-md:whitespace-normal max-md:odd:text-right max-md:data-label:before:content-[attr(data-label)_':_'] max-md:[tr:has(a:not([data-focus]))>&:nth-child(2)]:min-h-11"

/** Numbers and dates stand at the end of their columns, and long texts have more room, as the first rows have them. */
const kindOf = <A,>(
  { isEnd, value }: Column<A>,
  place: number,
  rows: ReadonlyArray<A>
): keyof typeof columnClass => {
  const first = rows
    .slice(0, 20)
    .map(value)
    .find((content) => (content ?? "") !== "")
  if (isEnd || typeof first === "number" || first instanceof Date) return "end"
  return place === 0 || String(first ?? "").length > 32 ? "wide" : "plain"
}

const hiddenOf = (state: ListState): ReadonlyArray<string> => state.read("hide")?.split(",") ?? []

/** A button, and what it opens below itself. */
const Popup = (props: { readonly icon: IconName; readonly label: string; readonly children: ReactNode }) => {
  const id = useId()
  return (
    <>
      <Button icon={props.icon} popoverTarget={id}>
        {props.label}
      </Button>
      <fieldset
        id={id}
        popover="auto"
        aria-label={props.label}
        className="my-1 w-64 gap-2 rounded-md border border-line-strong bg-raised p-3 text-ink shadow-md open:grid [position-area:bottom_span-left] [position-try:flip-inline]"
      >
        {props.children}
      </fieldset>
    </>
  )
}

/** The columns, the height of the rows, and for narrow screens, which have no table head, what that does. */
const View = <A extends Row>(props: ListProps<A> & Chosen): ReactElement => {
  const { choose, chosen, columns, of, state } = props
  const orders = columns
    .filter(({ sort }) => sort !== undefined)
    .flatMap(({ sort = "", title }) => [
      { value: sort, label: `${title}, upwards` },
      { value: `-${sort}`, label: `${title}, downwards` }
    ])
  const hidden = hiddenOf(state)
  const choice = (label: string, checked: boolean, set: (isChecked: boolean) => void): ReactElement => (
    <label key={label} className="flex min-h-8 items-center gap-2 text-sm">
      <input type="checkbox" checked={checked} onChange={({ target }) => set(target.checked)} />
      {label}
    </label>
  )
  return (
    <Popup icon="columns" label="View">
      {orders.length > 0 && (
        <Select
          label="Sort by"
          value={state.read("sort") ?? ""}
          choices={[{ value: "", label: "As the platform does" }, ...orders]}
          onChange={(sort) => state.set({ sort })}
        />
      )}
      {choice("All loaded rows selected", chosen.size > 0 && chosen.size === of.items.length, (isAll) =>
        choose(new Set(isAll ? of.items.map(({ _id }) => _id) : []))
      )}
      {columns.slice(1).map(({ title }) =>
        choice(title, !hidden.includes(title), (isShown) => {
          const others = hidden.filter((column) => column !== title)
          state.set({ hide: (isShown ? others : [...others, title]).join() })
        })
      )}
      {choice("Compact rows", state.read("dense") !== undefined, (dense) =>
        state.set({ dense: dense ? "1" : "" })
      )}
    </Popup>
  )
}

/** The head of a column. Pressed, it orders the rows by it: upwards, downwards, then not at all. */
const Head = (props: {
  readonly title: string
  readonly kind: keyof typeof columnClass
  readonly sort?: string
  readonly state: ListState
}): ReactElement => {
  const { kind, sort, state, title } = props
  const now = state.read("sort")
  const order = now === sort ? "ascending" : now === `-${sort}` ? "descending" : "none"
  const [arrow, next] = { ascending: ["↑", `-${sort}`], descending: ["↓", ""], none: ["↕", sort] }[order]
  return (
    <th
      scope="col"
      className={`px-2.5 ${columnClass[kind]}`}
      aria-sort={sort === undefined ? undefined : order}
    >
      {sort === undefined ? (
        title
      ) : (
        <button type="button" className="hover:text-ink" onClick={() => state.set({ sort: next })}>
          {title} <span aria-hidden="true">{arrow}</span>
        </button>
      )}
    </th>
  )
}

/** A box to tick; the whole label around it takes the press. */
const Tick = ({ label, ...input }: ComponentProps<"input"> & { readonly label: string }): ReactElement => (
  <label className="grid min-h-[max(2rem,100%)] place-items-center">
    <input type="checkbox" aria-label={label} {...input} />
  </label>
)

interface Chosen {
  readonly chosen: ReadonlySet<string>
  readonly choose: (ids: ReadonlySet<string>) => void
}

/** Steps of the focus from row to row. */
const steps: Readonly<Record<string, (row: number, last: number) => number>> = {
  ArrowDown: (row) => row + 1,
  ArrowUp: (row) => row - 1,
  PageDown: (row) => row + 10,
  PageUp: (row) => row - 10,
  Home: () => 0,
  End: (_, last) => last
}

const Table = <A extends Row>(props: ListProps<A> & Chosen): ReactElement => {
  const { choose, chosen, label, of, state, to } = props
  const { fetchNextPage, hasNextPage, isFetching, items } = of
  const columns = props.columns
    .filter(({ title }) => !hiddenOf(state).includes(title))
    .map((column, place) => ({ ...column, kind: kindOf(column, place, items) }))
  const scroller = useRef<HTMLElement>(null)
  const [active, setActive] = useState(0)
  const isMoving = useRef(false)
  const dense = state.read("dense") !== undefined
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (dense ? 32 : 44),
    overscan: 8,
    scrollPaddingEnd: 44,
    useFlushSync: false,
    // The row with the focus stays, wherever the table is scrolled to.
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), Math.min(active, items.length - 1)])].sort(
        (a, b) => a - b
      )
  })
  const isNearEnd = (virtual.range?.endIndex ?? 0) > items.length - 30
  useEffect(() => {
    if (isNearEnd && hasNextPage && !isFetching && of.error === undefined) fetchNextPage()
  }, [isNearEnd, hasNextPage, isFetching, of.error, fetchNextPage])
  useEffect(() => {
    if (!isMoving.current) return
    isMoving.current = false
    scroller.current?.querySelector<HTMLElement>(`[aria-rowindex="${active + 2}"] [data-focus]`)?.focus()
  }, [active])
  const flip = (id: string): void => {
    const ids = new Set(chosen)
    if (!ids.delete(id)) ids.add(id)
    choose(ids)
  }
  const move = (event: KeyboardEvent): void => {
    const row = items[active]
    if (!(event.target instanceof HTMLElement) || !event.target.matches("[data-focus]") || row === undefined)
      return
    const step = steps[event.key]
    if (step === undefined && (event.key !== " " || event.target.matches("input"))) return
    event.preventDefault()
    if (step === undefined) return flip(row._id)
    const next = Math.max(0, Math.min(items.length - 1, step(active, items.length - 1)))
    virtual.scrollToIndex(next)
    isMoving.current = true
    setActive(next)
  }
  const total = of.data?.paging.total ?? (hasNextPage ? undefined : items.length)
  const all = items.every(({ _id }) => chosen.has(_id))
  const space = (height: number): ReactNode =>
    height > 0 && (
      // biome-ignore lint/a11y/noAriaHiddenOnFocusable: it takes the place of rows that are not in the page, and holds no control.
      <tr aria-hidden="true">
        <td className="border-0 p-0" colSpan={columns.length + 1}>
          <svg width="1" height={height} aria-hidden="true" />
        </td>
      </tr>
    )
  let end = 0
  return (
    <Scroll label={label} ref={scroller}>
      <table className="table-fixed max-md:block" aria-rowcount={total === undefined ? -1 : total + 1}>
        <thead className="max-md:hidden">
          <tr aria-rowindex={1} className="*:sticky *:top-0 *:z-2 *:bg-surface">
            <th scope="col" className="w-11 p-0">
              <Tick
                label={all ? "Select no row" : "Select the rows that are loaded"}
                checked={all}
                onChange={() => choose(new Set(all ? [] : items.map(({ _id }) => _id)))}
              />
            </th>
            {columns.map((column) => (
              <Head key={column.title} {...column} state={state} />
            ))}
          </tr>
        </thead>
        {/* What can be pressed lies above the link that covers the row. */}
        <tbody
          className="max-md:block [&_:is(button,label,a:not([data-focus]))]:relative [&_:is(button,label,a:not([data-focus]))]:z-1"
          onKeyDown={move}
        >
          {virtual.getVirtualItems().map(({ index, start, end: until }) => {
            const row = items[index]
            if (row === undefined) return null
            const gap = start - end
            end = until
            const stop = index === active ? 0 : -1
            return (
              <Fragment key={row._id}>
                {space(gap)}
                <tr
                  ref={virtual.measureElement}
                  data-index={index}
                  aria-rowindex={index + 2}
                  className="relative outline-accent-text hover:bg-hover has-[a[data-focus]:focus-visible]:outline-2 has-[a[data-focus]:focus-visible]:-outline-offset-2 data-selected:bg-selected max-md:grid max-md:grid-cols-[2.75rem_minmax(0,1fr)_fit-content(45%)] max-md:items-center max-md:gap-x-2 max-md:gap-y-0.5 max-md:border-b max-md:max-md:py-2 max-md:pr-4"
                  data-selected={chosen.has(row._id) || undefined}
                  onFocus={() => setActive(index)}
                >
                  <td className="p-0 max-md:row-[1/span_3] max-md:border-0">
                    <Tick
                      label={`Select ${props.columns[0]?.value(row) || row._id}`}
                      data-focus={to === undefined ? "" : undefined}
                      tabIndex={stop}
                      checked={chosen.has(row._id)}
                      onChange={() => flip(row._id)}
                    />
                  </td>
                  {columns.map((column, place) => {
                    const { cell, kind, title, value } = column
                    const content = cell === undefined ? shown(value(row)) : cell(row)
                    return (
                      <td
                        key={title}
                        className={`${cellClass} ${dense ? "h-8 py-0.5" : "h-11 py-1.5"} ${columnClass[kind]}`}
                        // On narrow screens, which have no table head, it is shown before the value.
                        data-label={cell === undefined && typeof value(row) !== "string" ? title : undefined}
                      >
                        {place === 0 && to !== undefined ? (
                          <Link
                            className="font-medium text-ink no-underline outline-none after:absolute after:inset-0 hover:underline"
                            to={to(row)}
                            tabIndex={stop}
                            data-focus=""
                            onClick={onStep(() => state.open(to(row)))}
                          >
                            {content}
                          </Link>
                        ) : (
                          content
                        )}
                      </td>
                    )
                  })}
                </tr>
              </Fragment>
            )
          })}
          {space(virtual.getTotalSize() - end)}
        </tbody>
      </table>
    </Scroll>
  )
}

/** The number of rows, and what can be done with all of them or with those that are selected. */
const Foot = <A extends Row>(props: ListProps<A> & Chosen): ReactElement => {
  const { actions, choose, chosen, columns, label, of } = props
  const { error, fetchNextPage, hasNextPage, isFetching, items } = of
  const [reading, setReading] = useState<"rows" | "file">()
  const save = (rows: ReadonlyArray<A>): void => {
    const exportedColumns = columns.flatMap(({ also = [], title, value }) => [{ title, value }, ...also])
    const lines = [
      exportedColumns.map(({ title }) => title),
      ...rows.map((row) => exportedColumns.map(({ value }) => value(row)))
    ]
    saveFile(csvOf(lines), `${label.toLowerCase()}.csv`, "text/csv")
  }
  useEffect(() => {
    if (reading === undefined || isFetching) return
    if (hasNextPage && error === undefined) return fetchNextPage()
    if (reading === "file" && error === undefined) save(items)
    setReading(undefined)
  })
  const rows = chosen.size === 0 ? [] : items.filter(({ _id }) => chosen.has(_id))
  const clear = (): void => choose(new Set())
  const counted = of.data?.paging.total
  const total = counted ?? items.length
  const before =
    rows.length > 0
      ? `${shown(rows.length)} selected of `
      : hasNextPage && counted !== undefined && `${shown(items.length)} of `
  return (
    <CardFoot>
      <span role="status" className="flex-1 tabular-nums">
        {before}
        {shown(total)} {total === 1 ? "row" : "rows"}
        {hasNextPage && counted === undefined && ", and perhaps more"}
        {error !== undefined && " · The rest could not be read"}
      </span>
      {rows.length > 0 && actions?.(rows, clear)}
      {rows.length > 0 && <Button onClick={clear}>Clear the selection</Button>}
      {reading !== undefined && <Button onClick={() => setReading(undefined)}>Stop reading</Button>}
      {reading === undefined && hasNextPage && <Button onClick={() => setReading("rows")}>Read all</Button>}
      <Button
        icon="download"
        busy={reading === "file"}
        onClick={() => (rows.length > 0 ? save(rows) : setReading("file"))}
      >
        Download CSV
      </Button>
    </CardFoot>
  )
}

export const List = <A extends Row>(props: ListProps<A>): ReactElement => {
  const { dated = false, empty, filters, of, search, state, tools } = props
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set())
  const field = (name: string) => ({
    value: state.read(name) ?? "",
    onChange: (value: string) => state.set({ [name]: value })
  })
  const count = of.items.length
  // A row that is deleted takes the focus with it.
  useEffect(() => {
    if (document.activeElement === document.body)
      document.querySelector("main")?.focus({ preventScroll: true })
  }, [count])
  const isFiltered = Object.keys(state.query).some((name) => name !== "sort")
  return (
    <>
      <div className="row mb-4 [&>:has(>select)]:flex-[0_1_9.5rem] [.stack>&]:mb-0">
        {search !== undefined && <SearchField label={search} {...field("search")} />}
        {filters}
        {(dated || state.read("from") !== undefined || state.read("to") !== undefined) && (
          <DateRange
            label="Days"
            from={state.read("from") ?? ""}
            to={state.read("to") ?? ""}
            onChange={(from, to) => state.set({ from, to })}
          />
        )}
        <span className="flex-1" />
        <View {...props} chosen={chosen} choose={choose} />
        {tools}
      </div>
      <Card flush>
        <Loaded
          of={of}
          isEmpty={() => count === 0}
          empty={
            isFiltered ? (
              <Empty icon="search" title="Nothing found">
                <Button onClick={() => state.set({ search: "", from: "", to: "" })}>Clear the filters</Button>
              </Empty>
            ) : (
              empty
            )
          }
        >
          {() => (
            <>
              <Table {...props} chosen={chosen} choose={choose} />
              <Foot {...props} chosen={chosen} choose={choose} />
            </>
          )}
        </Loaded>
      </Card>
    </>
  )
}
