/** The rows of a list that the screen shows: no more are in the page, however long it is. They are read as one comes near their end. */
import type { InfiniteQueryActions } from "@quartet/react"
import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual"
import { useEffect, useRef } from "react"
import type { QueryView } from "../data/loaded.js"
import { useReadOn } from "../data/read-on.js"
import type { Row } from "./selection.js"

/** What the frame needs to know about a list. */
export type Listed<A> = QueryView<{ readonly paging: { readonly total?: number } }> &
  InfiniteQueryActions<A> & {
    readonly isFetching: boolean
    /** Among how many rows these were looked for, where the page narrows the list itself and has not read all of it. */
    readonly among?: number
    /** Looks through more rows. */
    readonly lookFurther?: () => void
  }

/** How far each list was scrolled when its page was left, by its name and address. */
const offsets = new Map<string, number>()

export interface RowsOptions<A> {
  readonly of: Listed<A>
  readonly height: number
  /** The place of the row that always stays in the page: the selected one. */
  readonly stop: number
  /** By what the list remembers how far it was scrolled. */
  readonly name: string
}

export const useRows = <A extends Row>({ height, name, of, stop }: RowsOptions<A>) => {
  const { items } = of
  const scroller = useRef<HTMLElement>(null)
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    getItemKey: (index) => items[index]?._id ?? index,
    // A list that an address opens shows the row that the address names.
    initialOffset: offsets.get(name) ?? Math.max(0, (stop - 4) * height),
    overscan: 8,
    scrollPaddingStart: height,
    scrollPaddingEnd: height,
    useFlushSync: false,
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), Math.min(stop, items.length - 1)])].sort((a, b) => a - b)
  })
  const isNearEnd = (virtual.range?.endIndex ?? 0) > items.length - 30
  useReadOn(of, isNearEnd)
  useEffect(() => {
    const element = scroller.current
    const remember = (): void => void (element && offsets.set(name, element.scrollTop))
    element?.addEventListener("scroll", remember, { passive: true })
    return () => element?.removeEventListener("scroll", remember)
  }, [name])
  return { scroller, virtual }
}
