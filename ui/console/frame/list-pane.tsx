/** The left pane: what the rows are, what narrows and orders them, the rows, and how many there are or what is done with the ticked. */
import type { ReactElement, ReactNode } from "react"
import type { Command } from "../app/commands.js"
import type { ListState } from "../data/list-state.js"
import { Loaded } from "../data/loaded.js"
import { Button, IconButton } from "../design/button.js"
import { SearchField } from "../design/field.js"
import { number } from "../design/format.js"
import { MenuButton } from "../design/menu.js"
import { Kbd } from "../design/show.js"
import { Empty, SkeletonRows } from "../design/state.js"
import { type Column, fitting, leastWidth } from "./columns.js"
import { useExport } from "./export.js"
import { ClearFilters } from "./filters.js"
import type { InboxRow } from "./inbox.js"
import { Inbox, type ListProps, Table } from "./list.js"
import type { Listed } from "./rows.js"
import type { Row } from "./selection.js"
import type { Ticks } from "./tick.js"
import { useWidth } from "./wide.js"

/** From this width on, in pixels, a list that has both is a table. */
const tableFrom = 480

/** What a scroll bar takes of a table at most, in pixels. */
const scrollBar = 16

/** Clears all that narrows a list, but for its tab. */
const noFilters = { search: "", type: "", status: "", topic: "", from: "", to: "" }

/** What the rows of a list are called in a sentence: by its name, where that is a plural. */
const nounOf = (label: string): string | undefined => (label.endsWith("s") ? label.toLowerCase() : undefined)

/** What is said of a list that its filters leave empty. */
const noMatch = (label: string, search: string | undefined): string => {
  const noun = nounOf(label)
  const what = noun === undefined ? "Nothing matches" : `No ${noun} match`
  return `${what} ${search === undefined ? "the filters" : `“${search}”`}`
}

/** Whether anything narrows a list: a search or a filter. */
export const isFiltered = ({ query }: Pick<ListState, "query">): boolean =>
  Object.keys(query).some((name) => name !== "sort")

/** What is done with the selected row by its key, and with all that are ticked by the bar below the list. */
export interface RowCommand<A> extends Pick<Command, "label" | "icon" | "keys"> {
  /** What it answers later is whether it was done: ticked rows are not ticked any more then. */
  readonly run: (rows: ReadonlyArray<A>) => unknown
  /** Whether it can be done with these rows. */
  readonly isFor?: (rows: ReadonlyArray<A>) => boolean
  /** Whether it is offered for ticked rows. */
  readonly isBulk?: boolean
}

/** Whether something can be done with some rows. */
export const isOffered = <A,>({ isFor }: Pick<RowCommand<A>, "isFor">, rows: ReadonlyArray<A>): boolean =>
  rows.length > 0 && isFor?.(rows) !== false

export interface ListPaneProps<A extends Row> {
  /** What the rows are, in the plural, such as "Requests". */
  readonly label: string
  readonly of: Listed<A>
  readonly state: ListState
  /** Rows of two lines; a table of `columns` without it. */
  readonly row?: (row: A) => InboxRow
  /** Whether rows have two lines only while the list is narrow, and a wider one is a table. */
  readonly hasTable?: boolean
  /** The columns of the table, of the CSV file, and what the list can be ordered by. */
  readonly columns: ReadonlyArray<Column<A>>
  /** Beside the title, such as "26 open". */
  readonly about?: ReactNode
  /** Below the search: tabs. */
  readonly filters?: ReactNode
  /** Beside the search: a choice or two that narrow the list. */
  readonly besideSearch?: ReactNode
  /** At the end of the title's line, such as "New customer". */
  readonly tools?: ReactNode
  /** The name of the search field, such as "Find orders". */
  readonly search?: string
  readonly commands?: ReadonlyArray<RowCommand<A>>
  readonly empty: ReactNode
  /** Whether its rows are neither ticked nor saved as a file. */
  readonly isPlain?: boolean
}

export const ListPane = <A extends Row>(
  props: ListPaneProps<A> & {
    /** What is shown of the list, which may still be the answer to another question. */
    readonly list: ListProps<A>
    readonly ticks: Ticks<A>
    /** How many rows the platform has told of: one that has left the list still stands in it. */
    readonly readCount: number
    readonly onTicked: (command: RowCommand<A>) => Promise<void>
  }
): ReactElement => {
  const { columns, commands = [], hasTable = false, isPlain = false, label, list, readCount } = props
  const { row, search, state, ticks } = props
  const { of } = list
  const { items } = of
  const [pane, paneWidth] = useWidth()
  const shownColumns = fitting(columns, paneWidth - scrollBar)
  const isTableWide = paneWidth >= Math.max(tableFrom, leastWidth(shownColumns) + scrollBar)
  const isTable = row === undefined || (hasTable && isTableWide)
  const { isReading, save, saveAll, stop } = useExport(label, columns, props.of)
  const total = of.data?.paging.total
  const counted =
    total === undefined || total === readCount
      ? number(readCount)
      : `${number(readCount)} of ${number(total)}`
  const count = readCount > 0 && `${counted}${total === undefined && of.hasNextPage ? " and more" : ""}`
  const order = { sort: state.read("sort"), onSort: (sort: string) => state.set({ sort }) }
  const orders = columns.flatMap(({ sort, title }) =>
    sort === undefined
      ? []
      : [
          {
            label: `${title}, ascending`,
            isCurrent: order.sort === sort,
            onAction: () => order.onSort(sort)
          },
          {
            label: `${title}, descending`,
            isCurrent: order.sort === `-${sort}`,
            onAction: () => order.onSort(`-${sort}`)
          }
        ]
  )
  const tickAll = (): void => ticks.set(items.map(({ _id }) => _id))
  const rowItems = [
    { label: "Tick all loaded rows", onAction: tickAll },
    ticks.rows.length > 0
      ? { label: "Save the ticked rows as CSV", onAction: () => save(ticks.rows) }
      : { label: "Save all rows as CSV", onAction: saveAll }
  ]
  return (
    <section className="list-pane" aria-label={label} ref={pane}>
      <header className="list-head">
        <div className="list-title">
          <h1 className="truncate">{label}</h1>
          <span className="quiet flex-1 whitespace-nowrap max-md:hidden">{props.about}</span>
          <div className="list-tools">
            {props.tools}
            {!isPlain && orders.length + items.length > 0 && (
              <MenuButton
                isIcon
                label="List options"
                placement="bottom end"
                items={[
                  ...(orders.length > 0 ? [{ label: "Sort by", items: orders }] : []),
                  ...(items.length > 0 ? [{ label: "Rows", items: rowItems }] : [])
                ]}
              />
            )}
          </div>
        </div>
        {(search !== undefined || props.besideSearch !== undefined) && (
          <div className="list-find">
            {search !== undefined && (
              <SearchField
                label={search}
                value={state.read("search") ?? ""}
                onChange={(text) => state.set({ search: text })}
              />
            )}
            {props.besideSearch}
          </div>
        )}
        {props.filters !== undefined && <div className="list-narrow">{props.filters}</div>}
        {of.among !== undefined && (
          <p className="row faint" role="status">
            Searched among the last {number(of.among)} {nounOf(label) ?? "rows"}.
            <Button size="s" onClick={of.lookFurther}>
              Search more
            </Button>
          </p>
        )}
      </header>
      <Loaded
        of={of}
        what={label}
        skeleton={<SkeletonRows rows={12} of={isTable ? "table" : "inbox"} />}
        isEmpty={() => items.length === 0}
        empty={
          isFiltered(state) ? (
            <Empty icon="search" title={noMatch(label, state.read("search"))}>
              <ClearFilters onClear={() => state.set(noFilters)} />
            </Empty>
          ) : (
            props.empty
          )
        }
      >
        {() =>
          row === undefined || isTable ? (
            <Table {...list} columns={shownColumns} order={order} />
          ) : (
            <Inbox {...list} row={row} />
          )
        }
      </Loaded>
      <footer className="list-foot">
        {isReading ? (
          <>
            <span className="flex-1" role="status">
              Rows read so far: {number(props.of.items.length)}
            </span>
            <Button size="s" onClick={stop}>
              Stop
            </Button>
          </>
        ) : ticks.isOn ? (
          <>
            <span className="flex-1 whitespace-nowrap" role="status">
              {number(ticks.rows.length)} ticked
            </span>
            {ticks.rows.length === 0 && (
              <Button size="s" onClick={tickAll}>
                Tick all loaded
              </Button>
            )}
            {commands
              .filter((command) => command.isBulk && isOffered(command, ticks.rows))
              .map((command) => (
                <Button key={command.label} size="s" onClick={() => void props.onTicked(command)}>
                  {command.label}
                </Button>
              ))}
            <IconButton icon="close" label="Clear" keys="Escape" size="s" onClick={ticks.clear} />
          </>
        ) : (
          <>
            <span className="foot-keys">
              {items.length > 0 && (
                <>
                  <Kbd keys="j" /> <Kbd keys="k" /> move {!isPlain && <Kbd keys="x" />} {!isPlain && "tick "}
                </>
              )}
              {search !== undefined && (
                <>
                  <Kbd keys="/" /> find
                </>
              )}
            </span>
            {!isPlain && items.length > 0 && (
              <Button
                kind="ghost"
                size="s"
                className="-ml-2 not-pointer-coarse:md:hidden"
                onClick={ticks.begin}
              >
                Select
              </Button>
            )}
            <span className="flex-1" />
            <span role="status" className="tabular-nums">
              {count}
              {of.data && !list.isStale && items.length === 0 && isFiltered(state) && (
                <span className="sr-only">Nothing found</span>
              )}
            </span>
          </>
        )}
      </footer>
    </section>
  )
}
