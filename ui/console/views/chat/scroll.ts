/**
 * Where a thread stands: it begins at the first unread message, or at its end; at its end it follows what comes, and whoever reads
 * above stays there, and is told how much has come.
 */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react"
import type { Shown } from "./messages.js"

/** So near to its end, in pixels, a thread is at its end. */
const near = 48

export interface ThreadScroll {
  readonly messages: ReadonlyArray<Shown>
  /** How many are on their way out. */
  readonly outgoing: number
  /** Whether all messages so far were read. */
  readonly isReady: boolean
}

export const useThreadScroll = ({ isReady, messages, outgoing }: ThreadScroll) => {
  const scroller = useRef<HTMLElement>(null)
  const content = useRef<HTMLOListElement>(null)
  const isAtEnd = useRef(true)
  /** The distance from the end that is kept while earlier messages come before what is read. */
  const kept = useRef<number>(undefined)
  const last = useRef<string>(undefined)
  const [missed, setMissed] = useState(0)

  const toEnd = useCallback((): void => {
    isAtEnd.current = true
    setMissed(0)
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight })
  }, [])
  const measure = useCallback((): void => {
    const element = scroller.current
    if (element === null) return
    isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < near
    if (isAtEnd.current) setMissed(0)
  }, [])

  useLayoutEffect(() => {
    if (!isReady) return
    const first = content.current?.querySelector("[data-new]")
    if (!first) return
    first.scrollIntoView({ block: "start" })
    measure()
  }, [isReady, measure])

  // What is written here is what one wants to see.
  useLayoutEffect(() => {
    if (outgoing > 0) toEnd()
  }, [outgoing, toEnd])

  const newest = messages.at(-1)?.key
  useLayoutEffect(() => {
    const before = messages.findIndex(({ key }) => key === last.current)
    const added = before < 0 ? [] : messages.slice(before + 1)
    last.current = newest
    const theirs = added.filter(({ author }) => author?.isOurs !== true).length
    if (!isAtEnd.current && theirs > 0) setMissed((count) => count + theirs)
  }, [newest])

  // The pane or what it holds has another height: the end stays the end.
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current) toEnd()
    })
    for (const { current } of [scroller, content]) if (current !== null) observer.observe(current)
    return () => observer.disconnect()
  }, [toEnd])

  const [earlier, setEarlier] = useState(0)
  useLayoutEffect(() => {
    const element = scroller.current
    if (element !== null && kept.current !== undefined)
      element.scrollTop = element.scrollHeight - kept.current
    kept.current = undefined
  }, [earlier])
  /** Shows earlier messages, and keeps in its place what is read. */
  const showEarlier = (): void => {
    const element = scroller.current
    if (element !== null) kept.current = element.scrollHeight - element.scrollTop
    setEarlier((steps) => steps + 1)
  }
  return { scroller, content, missed, toEnd, onScroll: measure, earlier, showEarlier }
}
