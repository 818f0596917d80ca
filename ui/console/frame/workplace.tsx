/**
 * The frame of every place: a list at the left, the selected thing at the right, and the keys that move through the list. The selected
 * thing stands in the address, so that it can be shared, reloaded and gone back to.
 */
import { type KeyboardEvent, type ReactElement, type ReactNode, useEffect, useRef } from "react"
import { arrivals, arrived, isArriving } from "../app/arrival.js"
import { back } from "../app/back.js"
import { registry, useCellValue } from "../app/cells.js"
import { useCommands } from "../app/commands.js"
import { copyLink } from "../app/copy.js"
import { remember } from "../app/recent.js"
import { onStep } from "../data/list-state.js"
import { Empty, SkeletonDetail, SkeletonRows } from "../design/state.js"
import { Detail, Frame, type FrameState } from "./detail.js"
import type { ListProps } from "./list.js"
import { isFiltered, isOffered, ListPane, type ListPaneProps, type RowCommand } from "./list-pane.js"
import { usePaced, usePassing } from "./paced.js"
import { Panes } from "./panes.js"
import type { Listed } from "./rows.js"
import { type Row, useSelection } from "./selection.js"
import { useTicks } from "./tick.js"

/** From this width on, both panes are seen. */
const wide = window.matchMedia("(min-width: 761px)")

const isFocusIn = (part: string): boolean => Boolean(document.activeElement?.closest(part))

/** How often what was opened is looked for, and how often its row alone. */
const arrivalTries = 200
const rowTries = 30

export interface WorkplaceProps<A extends Row> extends ListPaneProps<A> {
  /** The id that the address has. */
  readonly id: string | undefined
  /** The address of a row, or of the list alone. */
  readonly to: (id?: string) => string
  /** What a row is called. */
  readonly nameOf: (row: A) => string
  /** What stands at the right while nothing is selected. */
  readonly nothing?: ReactNode
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
  const { children, commands = [], isPlain = false, label, nameOf, state, to, width = 392 } = props
  const { of: kept, question, isStale } = useKept(props.of, to())
  const [id, turn] = usePaced(props.id, (id) => state.turn(to(id)))
  const [isPassing, pass] = usePassing()
  const frame = useRef<HTMLDivElement>(null)
  const selection = useSelection(kept.items, id, question)
  const items = selection.rows
  const { row: selected } = selection
  // What has left the list is not ticked any more.
  const ticks = useTicks(kept.items)
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
    of: { ...kept, items },
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
  const isAwaited = kept.data === undefined && kept.error === undefined
  // What is not among the rows is not seen beside none, unless it alone is seen.
  const isWithout =
    isFiltered(state) && items.length === 0 && kept.data !== undefined && !isOther && wide.matches
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
          <ListPane {...props} list={list} ticks={ticks} readCount={kept.items.length} onTicked={runTicked} />
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
                  <SkeletonDetail />
                </div>
              ) : null}
            </Frame>
          </section>
        }
      />
    </div>
  )
}
