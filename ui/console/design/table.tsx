/**
 * The table of every list: columns declared once; search, dates, order and hidden columns in the address; rows that
 * open as links, are selected and leave as a CSV file; and in the page no more rows than the screen shows.
 */
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
import { saveFile } from "../app/save.js"
import { Button } from "./button.js"
import { csvOf, type Value } from "./csv.js"
import { SearchField, Select, TextField } from "./field.js"
import type { IconName } from "./icon.js"
import layout from "./layout.module.css"
import type { ListState } from "./list-state.js"
import { Scroll } from "./scroll.js"
import { Card, When } from "./show.js"
import { type Asked, Loaded, SkeletonRows } from "./state.js"
import styles from "./table.module.css"
import typography from "./typography.module.css"

export interface Column<A> {
  readonly title: string
  /** What the column says: in the CSV file, and in its cells unless they have a form of their own. */
  readonly value?: (row: A) => Value
  readonly cell?: (row: A) => ReactNode
  /** Columns of the CSV file for what else its cells say. */
  readonly also?: ReadonlyArray<{ readonly title: string; readonly value: (row: A) => Value }>
  /** The field that the platform sorts by. */
  readonly sort?: string
  readonly end?: boolean
  /** Less prominent than the first column. */
  readonly quiet?: boolean
  /** On narrow screens, which have no table head, the title is shown before the value. */
  readonly labelled?: boolean
}

/** What a table needs to know about a list. */
export interface Listed<A> extends Asked<{ readonly paging: { readonly total?: number } }> {
  readonly items: ReadonlyArray<A>
  readonly hasNextPage: boolean
  readonly isFetching: boolean
  readonly fetchNextPage: () => void
}

export interface ListProps<A extends { readonly _id: string }> {
  readonly label: string
  readonly of: Listed<A>
  readonly state: ListState
  readonly columns: ReadonlyArray<Column<A>>
  readonly empty: ReactNode
  /** The address of a row's details: the whole row is a link to it. */
  readonly to?: (row: A) => string
  /** The name of the search field, such as "Find orders". */
  readonly search?: string
  /** Whether the list can be bounded by days of creation. */
  readonly dated?: boolean
  /** Further filters, and what can be done with the list, such as "New order". */
  readonly filters?: ReactNode
  readonly tools?: ReactNode
  /** What can be done with the selected rows. */
  readonly actions?: (rows: ReadonlyArray<A>, clear: () => void) => ReactNode
  readonly rows?: number
}

const classOf = ({ end, quiet }: Pick<Column<never>, "end" | "quiet">): string =>
  `${end === true ? styles.end : ""} ${quiet === true ? typography.quiet : ""}`

/** What a cell says of a value. */
export const shown = (value: Value): ReactNode => {
  if (value instanceof Date) return <When date={value} />
  if (typeof value === "number")
    return <span className={typography.number}>{value.toLocaleString("en-GB")}</span>
  if (typeof value === "boolean") return value ? "Yes" : "No"
  return value || "—"
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
      <fieldset id={id} popover="auto" aria-label={props.label} className={styles.popup}>
        {props.children}
      </fieldset>
    </>
  )
}

/** The order, the columns and the height of the rows. */
const View = <A extends { readonly _id: string }>({ columns, state }: ListProps<A>): ReactElement => {
  const hidden = hiddenOf(state)
  const orders = columns.flatMap(({ sort, title }) =>
    sort === undefined
      ? []
      : [
          { value: sort, label: `${title}, upwards` },
          { value: `-${sort}`, label: `${title}, downwards` }
        ]
  )
  const flip = (title: string): void => {
    const others = hidden.filter((one) => one !== title)
    state.set({ hide: (others.length < hidden.length ? others : [...hidden, title]).join(",") })
  }
  return (
    <Popup icon="columns" label="View">
      {orders.length > 0 && (
        <Select
          label="Sort by"
          value={state.read("sort") ?? ""}
          choices={[{ value: "", label: "As the platform lists them" }, ...orders]}
          onChange={(sort) => state.set({ sort })}
        />
      )}
      {columns.slice(1).map(({ title }) => (
        <label key={title}>
          <input type="checkbox" checked={!hidden.includes(title)} onChange={() => flip(title)} />
          {title}
        </label>
      ))}
      <label>
        <input
          type="checkbox"
          checked={state.read("dense") !== undefined}
          onChange={({ target }) => state.set({ dense: target.checked ? "1" : "" })}
        />
        Low rows
      </label>
    </Popup>
  )
}

const arrows = { ascending: "↑", descending: "↓", none: "↕" } as const

const nextOrder = (field: string, now: string | undefined): string =>
  now === field ? `-${field}` : now === `-${field}` ? "" : field

const Head = <A,>({ column, state }: { readonly column: Column<A>; readonly state: ListState }) => {
  const { end, sort, title } = column
  const className = end === true ? styles.end : undefined
  if (sort === undefined)
    return (
      <th scope="col" className={className}>
        {title}
      </th>
    )
  const now = state.read("sort")
  const order = now === sort ? "ascending" : now === `-${sort}` ? "descending" : "none"
  return (
    <th scope="col" className={className} aria-sort={order}>
      <button
        type="button"
        className={styles.order}
        onClick={() => state.set({ sort: nextOrder(sort, now) })}
      >
        {title} <span aria-hidden="true">{arrows[order]}</span>
      </button>
    </th>
  )
}

/** A box to tick; the whole label around it takes the press. */
const Tick = ({ label, ...input }: ComponentProps<"input"> & { readonly label: string }): ReactElement => (
  <label className={styles.tick}>
    <input type="checkbox" aria-label={label} {...input} />
  </label>
)

interface Selection {
  readonly ids: ReadonlySet<string>
  readonly set: (ids: ReadonlySet<string>) => void
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

const Table = <A extends { readonly _id: string }>(
  props: ListProps<A> & { readonly chosen: Selection }
): ReactElement => {
  const { chosen, label, of, state, to } = props
  const { fetchNextPage, hasNextPage, isFetching, items } = of
  const columns = props.columns.filter(({ title }) => !hiddenOf(state).includes(title))
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
  const rows = virtual.getVirtualItems()
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
    const ids = new Set(chosen.ids)
    if (!ids.delete(id)) ids.add(id)
    chosen.set(ids)
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
  const all = items.every(({ _id }) => chosen.ids.has(_id))
  const space = (height: number): ReactNode =>
    height > 0 && (
      // biome-ignore lint/a11y/noAriaHiddenOnFocusable: it takes the place of rows that are not in the page, and holds no control.
      <tr aria-hidden="true">
        <td className={styles.space} colSpan={columns.length + 1}>
          <svg width="1" height={height} aria-hidden="true" />
        </td>
      </tr>
    )
  let end = 0
  return (
    <Scroll label={label} of={scroller}>
      <table
        className={styles.list}
        data-dense={dense ? "" : undefined}
        aria-rowcount={total === undefined ? -1 : total + 1}
      >
        <colgroup>
          <col />
          {columns.map(({ title }) => (
            <col key={title} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">
              <Tick
                label={all ? "Select no row" : "Select the rows that are loaded"}
                checked={all}
                onChange={() => chosen.set(new Set(all ? [] : items.map(({ _id }) => _id)))}
              />
            </th>
            {columns.map((column) => (
              <Head key={column.title} column={column} state={state} />
            ))}
          </tr>
        </thead>
        <tbody onKeyDown={move}>
          {rows.map(({ index, start, end: until }) => {
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
                  data-selected={chosen.ids.has(row._id) || undefined}
                  onFocus={() => setActive(index)}
                >
                  <td>
                    <Tick
                      label={`Select ${props.columns[0]?.value?.(row) ?? row._id}`}
                      data-focus={to === undefined ? "" : undefined}
                      tabIndex={stop}
                      checked={chosen.ids.has(row._id)}
                      onChange={() => flip(row._id)}
                    />
                  </td>
                  {columns.map((column, place) => {
                    const content = column.cell === undefined ? shown(column.value?.(row)) : column.cell(row)
                    return (
                      <td
                        key={column.title}
                        className={classOf(column)}
                        data-label={column.labelled === true ? column.title : undefined}
                      >
                        {place === 0 && to !== undefined ? (
                          <Link className={styles.open} to={to(row)} tabIndex={stop} data-focus="">
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
const Foot = <A extends { readonly _id: string }>(
  props: ListProps<A> & { readonly chosen: Selection }
): ReactElement => {
  const { actions, chosen, columns, label, of } = props
  const { error, fetchNextPage, hasNextPage, isFetching, items } = of
  const [reading, setReading] = useState<"rows" | "file">()
  const save = (rows: ReadonlyArray<A>): void => {
    const told = columns.flatMap(({ also = [], title, value }) =>
      value === undefined ? [] : [{ title, value }, ...also]
    )
    const lines = [told.map(({ title }) => title), ...rows.map((row) => told.map(({ value }) => value(row)))]
    saveFile(csvOf(lines), `${label.toLowerCase()}.csv`, "text/csv")
  }
  const finish = (): void => {
    if (reading === "file" && error === undefined) save(items)
    setReading(undefined)
  }
  useEffect(() => {
    if (reading === undefined || isFetching) return
    if (hasNextPage && error === undefined) fetchNextPage()
    else finish()
  })
  const rows = chosen.ids.size === 0 ? [] : items.filter(({ _id }) => chosen.ids.has(_id))
  const clear = (): void => chosen.set(new Set())
  const total = of.data?.paging.total ?? items.length
  const count = (number: number): string => number.toLocaleString("en-GB")
  return (
    <footer>
      <span role="status" className={`${layout.grow} ${typography.number}`}>
        {rows.length > 0
          ? `${count(rows.length)} selected of `
          : hasNextPage
            ? `${count(items.length)} of `
            : ""}
        {count(total)} {total === 1 ? "row" : "rows"}
        {error !== undefined && " · The rest could not be read"}
      </span>
      {rows.length > 0 && actions?.(rows, clear)}
      {rows.length > 0 && <Button onClick={clear}>Clear the selection</Button>}
      {reading !== undefined ? (
        <Button onClick={() => setReading(undefined)}>Stop reading</Button>
      ) : (
        hasNextPage && <Button onClick={() => setReading("rows")}>Read all</Button>
      )}
      <Button
        icon="download"
        busy={reading === "file"}
        onClick={() => (rows.length > 0 ? save(rows) : setReading("file"))}
      >
        Download CSV
      </Button>
    </footer>
  )
}

export const List = <A extends { readonly _id: string }>(props: ListProps<A>): ReactElement => {
  const { dated = false, empty, filters, of, rows = 10, search, state, tools } = props
  const [ids, set] = useState<ReadonlySet<string>>(new Set())
  const field = (name: string) => ({
    value: state.read(name) ?? "",
    onChange: (value: string) => state.set({ [name]: value })
  })
  const chosen = { ids, set }
  const count = of.items.length
  // A row that is deleted takes the focus with it.
  useEffect(() => {
    if (document.activeElement === document.body)
      document.querySelector("main")?.focus({ preventScroll: true })
  }, [count])
  const range = [state.read("from"), state.read("to")].filter(Boolean).join(" – ")
  return (
    <>
      <div className={layout.toolbar}>
        {search !== undefined && <SearchField label={search} {...field("search")} />}
        {filters}
        {dated && (
          <Popup icon="calendar" label={range || "Any day"}>
            <TextField type="date" label="From" {...field("from")} />
            <TextField type="date" label="To" {...field("to")} />
          </Popup>
        )}
        <span className={layout.grow} />
        <View {...props} />
        {tools}
      </div>
      <Card flush>
        <Loaded
          of={of}
          skeleton={<SkeletonRows rows={rows} />}
          isEmpty={() => of.items.length === 0}
          empty={empty}
        >
          {() => (
            <>
              <Table {...props} chosen={chosen} />
              <Foot {...props} chosen={chosen} />
            </>
          )}
        </Loaded>
      </Card>
    </>
  )
}
