/**
 * The frame of every place: a list at the left, the selected thing at the right, and the keys that move through the list. The selected
 * thing stands in the address, so that it can be shared, reloaded and gone back to.
 */
import { type KeyboardEvent, type ReactElement, type ReactNode, useEffect, useRef } from "react"
import { arrivals, arrived, isArriving } from "../app/arrival.js"
import { back } from "../app/back.js"
import { registry, useCellValue } from "../app/cells.js"
import { type Command, useCommands } from "../app/commands.js"
import { copyLink } from "../app/copy.js"
import { remember } from "../app/recent.js"
import { type ListState, onStep } from "../data/list-state.js"
import { Loaded } from "../data/loaded.js"
import { Button, IconButton } from "../design/button.js"
import { SearchField } from "../design/field.js"
import { number } from "../design/format.js"
import { MenuButton } from "../design/menu.js"
import { Kbd } from "../design/show.js"
import { Empty, SkeletonRows } from "../design/state.js"
import { type Column, fitting, leastWidth } from "./columns.js"
import { Detail, Frame, type FrameState } from "./detail.js"
import { useExport } from "./export.js"
import type { InboxRow } from "./inbox.js"
import { Inbox, type ListProps, Table } from "./list.js"
import { usePaced, usePassing } from "./paced.js"
import { Panes } from "./panes.js"
import type { Listed } from "./rows.js"
import { type Row, useSelection } from "./selection.js"
import { useTicks } from "./tick.js"
import { useWidth } from "./wide.js"

/** From this width on, both panes are seen. */
const wide = window.matchMedia("(min-width: 761px)")

/** From this width on, in pixels, a list that has both is a table. */
const tableFrom = 480

/** What a scroll bar takes of a table at most, in pixels. */
const scrollBar = 16

/** Clears all that narrows a list, but for its tab. */
const noFilters = { search: "", type: "", status: "", topic: "", from: "", to: "" }

/** What is said of a list that its filters leave empty: by its name where that is what the rows are. */
const noMatch = (label: string, search: string | undefined): string => {
  const what = label.endsWith("s") ? `No ${label.toLowerCase()} match` : "Nothing matches"
  return `${what} ${search === undefined ? "the filters" : `“${search}”`}`
}

const isFocusIn = (part: string): boolean => Boolean(document.activeElement?.closest(part))

/** How often what was opened is looked for, and how often its row alone. */
const arrivalTries = 200
const rowTries = 30

/** What is done with the selected row by its key, and with all that are ticked by the bar below the list. */
export interface RowCommand<A> extends Pick<Command, "label" | "icon" | "keys"> {
  /** What it answers later is whether it was done: ticked rows are not ticked any more then. */
  readonly run: (rows: ReadonlyArray<A>) => unknown
  /** Whether it can be done with these rows. */
  readonly isFor?: (rows: ReadonlyArray<A>) => boolean
  /** Whether it is offered for ticked rows. */
  readonly isBulk?: boolean
}

export interface WorkplaceProps<A extends Row> {
  /** What the rows are, in the plural, such as "Requests". */
  readonly label: string
  readonly of: Listed<A>
  readonly state: ListState
  /** The id that the address has. */
  readonly id: string | undefined
  /** The address of a row, or of the list alone. */
  readonly to: (id?: string) => string
  /** What a row is called. */
  readonly nameOf: (row: A) => string
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
  /** What stands at the right while nothing is selected. */
  readonly nothing?: ReactNode
  /** Whether its rows are neither ticked nor saved as a file. */
  readonly isPlain?: boolean
  /** The width of the list, in pixels, until somebody chooses another. */
  readonly width?: number
  /** What stands at the right for an id that is no row, such as a form for a new one. */
  readonly isOther?: (id: string) => boolean
  /** The selected thing: what the list knows of it, and its id. */
  readonly children: (row: A | undefined, id: string) => ReactNode
}

/** An answer, and what was asked: the address of the list, which has its filters. */
interface Answered<A> {
  readonly of: Listed<A>
  readonly question: string
}

/** Keeps what a list showed before its question changed, until the answer to the new one is there. */
const useKept = <A,>(of: Listed<A>, question: string): Answered<A> & { readonly isStale: boolean } => {
  const kept = useRef<Answered<A>>(undefined)
  const isWaiting = of.data === undefined && of.error === undefined
  useEffect(() => {
    if (!isWaiting) kept.current = { of, question }
  })
  return isWaiting && kept.current?.of.data !== undefined
    ? { ...kept.current, isStale: true }
    : { of, question, isStale: false }
}

export const Workplace = <A extends Row>(props: WorkplaceProps<A>): ReactElement => {
  const { children, columns, commands = [], hasTable = false, isPlain = false, label, nameOf } = props
  const { row, search, state, to, width = 392 } = props
  const [pane, paneWidth] = useWidth()
  const shownColumns = fitting(columns, paneWidth - scrollBar)
  const isTableWide = paneWidth >= Math.max(tableFrom, leastWidth(shownColumns) + scrollBar)
  const { of: kept, question, isStale } = useKept(props.of, to())
  const [id, turn] = usePaced(props.id, (id) => state.turn(to(id)))
  const [isPassing, pass] = usePassing()
  const frame = useRef<HTMLDivElement>(null)
  const selection = useSelection(kept.items, id, question)
  const items = selection.rows
  const { row: selected } = selection
  const of = { ...kept, items }
  // What has left the list is not ticked any more.
  const ticks = useTicks(kept.items)
  const { isReading, save, saveAll, stop } = useExport(label, columns, props.of)
  /** Whether the next selected row takes the focus. */
  const takesFocus = useRef(false)
  /** The row that the list selected by itself. */
  const unchosen = useRef<string>(undefined)
  const rowLink = (): HTMLElement | null =>
    frame.current?.querySelector<HTMLElement>("[data-row][tabindex='0']") ?? null
  const moreButton = (): HTMLElement | null =>
    frame.current?.querySelector<HTMLElement>(".detail-pane [aria-label='More actions']") ?? null
  const isOther = id !== undefined && props.isOther?.(id) === true
  const select = (row: A): void => {
    unchosen.current = undefined
    if (id === undefined) state.open(to(row._id))
    else turn(row._id)
  }
  const move = (step: number, isHeld = false): void => {
    const next = selection.after(step)
    if (next === undefined) return
    pass(isHeld)
    takesFocus.current = true
    if (next._id === id) rowLink()?.focus()
    else select(next)
  }
  /** Ticks the selected row, and all to the one that the step leads to. */
  const tickOn = (step: number): void => {
    const next = selection.after(step)
    const places = [selected, next].map((row) => items.findIndex((item) => item._id === row?._id))
    // A row that its own change took elsewhere has others between it and what stood beside it.
    const passed = Math.abs(step) > 1 ? items.slice(Math.min(...places), Math.max(...places)) : []
    const rows = [selected, ...passed, next].flatMap((row) => row?._id ?? [])
    ticks.set([...ticks.ids, ...rows])
  }
  const close = (): void => state.close(to())
  const listAt = to()
  useEffect(() => {
    if (id === undefined) return undefined
    registry.set(back, {
      to: listAt,
      label,
      onClick: onStep(() => {
        takesFocus.current = true
        state.close(listAt)
      })
    })
    return () => registry.set(back, undefined)
  }, [id === undefined, listAt, label])

  // Whoever comes to the list sees its first thing at once where there is room for it; not what was deleted a moment ago.
  const [first] = items
  const last = useRef(id)
  const mayBeGone = kept.isFetching && first?._id === last.current
  useEffect(() => {
    if (id !== undefined) last.current = id
    if (id !== undefined || first === undefined || isStale || mayBeGone || !wide.matches) return
    unchosen.current = first._id
    state.turn(to(first._id))
  }, [id, first, isStale, mayBeGone])

  // The focus goes along with the selection, and is never lost with a row that left.
  useEffect(() => {
    const isLost = document.activeElement === document.body
    if (!takesFocus.current && !isLost) return
    if (takesFocus.current) takesFocus.current = false
    // On a narrow screen the list is not seen beside the thing.
    const isAlone = id !== undefined && !wide.matches
    const title = isAlone ? frame.current?.querySelector<HTMLElement>("[data-detail-title]") : undefined
    ;(title ?? rowLink())?.focus({ preventScroll: false })
  }, [id, items])

  const arrival = useCellValue(arrivals)
  // What the palette opened takes it as soon as it is there; the row may not be among those that are read.
  useEffect(() => {
    if (id === undefined || !isArriving()) return undefined
    let left = arrivalTries
    const timer = setInterval(() => {
      const row = wide.matches && frame.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`)
      const isTitleMeant = !wide.matches || left < arrivalTries - rowTries
      const title = isTitleMeant && frame.current?.querySelector<HTMLElement>("[data-detail-title]")
      const target = row || title
      left -= 1
      if (target && isArriving()) target.focus()
      if (target) arrived()
      if (left === 0 || !isArriving()) clearInterval(timer)
    }, 50)
    return () => clearInterval(timer)
  }, [id, arrival])

  const backToList = (): void => {
    if (!wide.matches) return close()
    if (selection.hasLeft && !isOther) return move(1)
    rowLink()?.focus()
  }

  const runTicked = async (command: RowCommand<A>): Promise<void> => {
    const isDone = await command.run(ticks.rows)
    if (isDone !== true) return
    ticks.clear()
    rowLink()?.focus()
  }

  // What somebody opened is offered again by the palette.
  const opened = selected !== undefined && unchosen.current !== id ? nameOf(selected) : undefined
  const at = id === undefined ? "" : to(id)
  useEffect(() => {
    if (opened !== undefined && !isPlain && !isPassing) remember({ label: opened, about: label, to: at })
  }, [opened, at, isPassing])
  const isOffered = (command: RowCommand<A>, rows: ReadonlyArray<A>): boolean =>
    rows.length > 0 && command.isFor?.(rows) !== false
  useCommands([
    { label: "Next", icon: "next", keys: "j", repeats: true, run: (isHeld) => move(1, isHeld) },
    { label: "Previous", icon: "back", keys: "k", repeats: true, run: (isHeld) => move(-1, isHeld) },
    ...commands.map((command) => ({
      ...command,
      isOffered: () => selected !== undefined && isOffered(command, [selected]),
      run: () => void (selected && command.run([selected]))
    })),
    {
      label: "Tick",
      icon: "check",
      keys: "x",
      isOffered: () => !isPlain && selected !== undefined,
      run: () => selected && ticks.flip(selected._id)
    },
    {
      label: "Clear the ticks",
      icon: "close",
      keys: "Escape",
      isOffered: () => ticks.rows.length > 0 && isFocusIn(".list-scroll, .list-foot"),
      run: () => {
        ticks.clear()
        rowLink()?.focus()
      }
    },
    {
      label: "Copy link",
      icon: "copy",
      keys: "l",
      // A place whose things have links of their own copies those.
      isOffered: () => selected !== undefined && !commands.some(({ keys }) => keys === "l"),
      run: () => void (selected && copyLink(to(selected._id), nameOf(selected)))
    },
    {
      label: "More actions",
      icon: "more",
      keys: ".",
      isOffered: () => moreButton() !== null,
      run: () => moreButton()?.click()
    },
    {
      label: "Back to the list",
      icon: "back",
      keys: "Escape",
      isOffered: () => id !== undefined,
      run: backToList
    }
  ])

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (!(event.target instanceof HTMLElement) || !event.target.matches("[data-row]")) return
    const step = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: 10,
      PageUp: -10,
      Home: -items.length,
      End: items.length
    }[event.key]
    if (step !== undefined && !event.altKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault()
      if (event.shiftKey && !isPlain) tickOn(step)
      move(step, event.repeat)
    } else if (event.key === " " && !isPlain && selection.row !== undefined) {
      event.preventDefault()
      ticks.flip(selection.row._id)
    } else if (event.key === "Enter" && event.target.dataset.row === id && wide.matches) {
      event.preventDefault()
      // Where one answers first, the answer; else the title.
      const start = frame.current?.querySelector<HTMLElement>("[data-detail-start]")
      const title = frame.current?.querySelector<HTMLElement>("[data-detail-title]")
      ;(start ?? title)?.focus()
    }
  }

  const list: ListProps<A> = {
    label,
    name: label + JSON.stringify(state.query) + to(),
    of,
    id,
    stop: selection.stop,
    ticks: isPlain ? undefined : ticks,
    nameOf,
    to: (row) => to(row._id),
    onSelect: (row) => {
      if (ticks.isByPress) return ticks.flip(row._id)
      takesFocus.current = true
      select(row)
    },
    isStale,
    left: selection.hasLeft ? id : undefined
  }
  const total = of.data?.paging.total
  const isAwaited = of.data === undefined && of.error === undefined
  const readCount = kept.items.length
  const counted =
    total === undefined || total === readCount
      ? number(readCount)
      : `${number(readCount)} of ${number(total)}`
  const count = readCount > 0 && `${counted}${total === undefined && of.hasNextPage ? " and more" : ""}`
  const isFiltered = Object.keys(state.query).some((name) => name !== "sort")
  // What is not among the rows is not seen beside none, unless it alone is seen.
  const isWithout = isFiltered && items.length === 0 && kept.data !== undefined && !isOther && wide.matches
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
  const shared: FrameState = {
    to: to(),
    label,
    close,
    next: () => move(1),
    isChosen: id !== undefined && unchosen.current !== id
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the rows have the focus; their keys are handled once here.
    <div className="workplace" ref={frame} onKeyDown={onKeyDown}>
      {/* The list has it, unless a narrow screen shows the thing alone. */}
      {id !== undefined && <h1 className="sr-only md:hidden">{label}</h1>}
      <Panes
        name={label}
        width={width}
        shown={id === undefined ? "list" : "detail"}
        list={
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
            </header>
            <Loaded
              of={of}
              what={label}
              skeleton={<SkeletonRows rows={12} />}
              isEmpty={() => items.length === 0}
              empty={
                isFiltered ? (
                  <Empty icon="search" title={noMatch(label, state.read("search"))}>
                    <Button onClick={() => state.set(noFilters)}>Clear filters</Button>
                  </Empty>
                ) : (
                  props.empty
                )
              }
            >
              {() =>
                row === undefined || (hasTable && isTableWide) ? (
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
                      <Button key={command.label} size="s" onClick={() => void runTicked(command)}>
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
                        <Kbd keys="j" /> <Kbd keys="k" /> move {!isPlain && <Kbd keys="x" />}{" "}
                        {!isPlain && "tick "}
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
                  </span>
                </>
              )}
            </footer>
          </section>
        }
        detail={
          <section className="detail-pane" aria-label={`Selected in ${label.toLowerCase()}`}>
            <Frame value={shared}>
              {isPassing && selected !== undefined ? (
                // What is passed asks for nothing.
                <Detail title={nameOf(selected)}>
                  <SkeletonRows rows={6} />
                </Detail>
              ) : id !== undefined && !isWithout ? (
                children(selection.row, id)
              ) : items.length > 0 ? (
                (props.nothing ?? <Empty icon="next" title="Nothing selected" />)
              ) : isAwaited ? (
                <div aria-hidden="true">
                  <SkeletonRows rows={6} />
                </div>
              ) : null}
            </Frame>
          </section>
        }
      />
    </div>
  )
}
