/** What a list shows stands in the address: it can be shared, reloaded and gone back to. */
import { type Page, Raw } from "@quartet/sdk/extend"
import { decodeSearch, encodeSearch, pushUnsafe, replaceUnsafe, useLocation } from "@swan-io/chicane"
import { type MouseEvent, useMemo } from "react"

type Changes = Readonly<Record<string, string | string[] | undefined>>

/**
 * What a list of the platform is asked for: `sort` is a field, with `-` before it for the reverse; `from` and `to` bound
 * the time of creation, as ISO 8601. What is not asked for is left out.
 */
export type ListQuery = Readonly<Partial<Record<"search" | "sort" | "from" | "to", string>>>

/** A word of an address as a filter takes it: what a filter is not known to take is passed as it is. */
export const wordOf = <Known extends string>(known: ReadonlyArray<Known>, word: string): Known | Raw.Raw =>
  known.find((candidate) => candidate === word) ?? Raw.raw(word)

/** Whether a page of so many rows at most is the whole list. */
export const isWhole = ({ items, paging }: Page<unknown>, limit: number): boolean =>
  paging.total === undefined ? items.length < limit : paging.total <= items.length

/** Items that a list reads at once. */
export const pageSize = 200

/** What the browser's history keeps of a step that was opened from a list. */
const opened = "from the list"

/** Opens details beside the list, in a step of the browser's history. */
const open = (path: string): void => {
  pushUnsafe(path)
  history.replaceState(opened, "")
}

/** The click on a link whose address differs in its query alone, to which the link itself takes no step. */
export const onStep = (take: () => void) => (event: MouseEvent) => {
  if (event.metaKey || event.altKey || event.ctrlKey || event.shiftKey) return
  event.preventDefault()
  take()
}

/** Opens others in their place. */
const turn = (path: string): void => {
  const { state } = history
  replaceUnsafe(path)
  history.replaceState(state, "")
}

/** The same if one is still at the first of the two, and has not gone elsewhere meanwhile. */
const leave = (from: string, to: string): void => {
  if (window.location.pathname === from.split("?")[0]) turn(to)
}

/** Closes them: goes back where the list is the step before, else to its address in their place. */
const close = (path: string): void => {
  const isOpened = history.state === opened
  // Going back takes a moment, in which one may close again.
  if (isOpened) history.replaceState(null, "")
  if (isOpened) history.back()
  else replaceUnsafe(path)
}

/** Whether a text is a whole day that rows may be of; while a year is typed, it is one of antiquity. */
const isDay = (text: string): boolean => /^(19|20)\d\d-\d\d-\d\d$/.test(text)

/** The first or the last moment of a day of the calendar, here. */
const moment = (day: string | undefined, time: string): string | undefined => {
  const date = new Date(isDay(day ?? "") ? `${day}T${time}` : Number.NaN)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

/** What a list is asked for, as its address has it. */
export type Asked = Pick<ListState, "query" | "read">

export const useListState = () => {
  const location = useLocation()
  return useMemo(() => {
    /** A parameter of the address; undefined if it is not there or empty. */
    const read = (name: string): string | undefined => [location.search[name]].flat()[0] || undefined
    /** The present address with other parameters, or another with them. */
    const href = (changes: Changes, path = location.raw.path): string => {
      const next = Object.entries({ ...location.search, ...changes })
      return (
        path +
        encodeSearch(Object.fromEntries(next.flatMap(([name, value]) => (value ? [[name, value]] : []))))
      )
    }
    const filters = {
      search: read("search"),
      sort: read("sort"),
      from: moment(read("from"), "00:00"),
      to: moment(read("to"), "23:59:59.999")
    }
    const query: ListQuery = Object.fromEntries(Object.entries(filters).filter(([, value]) => value))
    /** Changes parameters, without a new step in the browser's history. */
    const set = (changes: Changes): void => replaceUnsafe(href(changes))
    /** Another address with the parameters of this one: the details beside the list, and back. */
    const keep = (path: string): string => {
      const [to, own = ""] = path.split("?")
      return to + encodeSearch({ ...location.search, ...decodeSearch(own) })
    }
    return { query, read, href, set, keep, open, turn, leave, close }
  }, [location])
}

export type ListState = ReturnType<typeof useListState>
