/** What a list shows stands in the address: it can be shared, reloaded and gone back to. */
import { decodeSearch, encodeSearch, pushUnsafe, replaceUnsafe, useLocation } from "@swan-io/chicane"
import { useMemo } from "react"

type Changes = Readonly<Record<string, string | string[] | undefined>>

/** What a list of the platform is asked for; what is not asked for is left out. */
export type ListQuery = {
  readonly search?: string
  /** A field, with `-` before it for the reverse. */
  readonly sort?: string
  /** The time of creation, as ISO 8601. */
  readonly from?: string
  readonly to?: string
}

/** Items that a list reads at once. */
export const pageSize = 200

export interface ListState {
  readonly query: ListQuery
  /** A parameter of the address; undefined if it is not there or empty. */
  readonly read: (name: string) => string | undefined
  /** The present address with other parameters. */
  readonly href: (changes: Changes) => string
  /** Changes parameters, without a new step in the browser's history. */
  readonly set: (changes: Changes) => void
  /** Another address with the parameters of this one: the details beside the list, and back. */
  readonly keep: (path: string) => string
  /** Opens details beside the list, in a step of the browser's history. */
  readonly open: (path: string) => void
  /** Opens others in their place. */
  readonly turn: (path: string) => void
  /** Closes them: goes back where the list is the step before, else to its address in their place. */
  readonly close: (path: string) => void
}

/** What the browser's history keeps of a step that was opened from a list. */
const opened = "from the list"

const open = (path: string): void => {
  pushUnsafe(path)
  history.replaceState(opened, "")
}

const turn = (path: string): void => {
  const { state } = history
  replaceUnsafe(path)
  history.replaceState(state, "")
}

const close = (path: string): void => {
  const isOpened = history.state === opened
  // Going back takes a moment, in which one may close again.
  if (isOpened) history.replaceState(null, "")
  if (isOpened) history.back()
  else replaceUnsafe(path)
}

/** Whether a text is a whole day that rows may be of; while a year is typed, it is one of antiquity. */
export const isDay = (text: string): boolean => /^(19|20)\d\d-\d\d-\d\d$/.test(text)

/** The first or the last moment of a day of the calendar, here. */
const moment = (day: string | undefined, time: string): string | undefined => {
  const date = new Date(isDay(day ?? "") ? `${day}T${time}` : Number.NaN)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

export const useListState = (): ListState => {
  const location = useLocation()
  return useMemo(() => {
    const read = (name: string): string | undefined => [location.search[name]].flat()[0] || undefined
    const href = (changes: Changes): string => {
      const next = Object.entries({ ...location.search, ...changes })
      const set = next.flatMap(([name, value]) =>
        value === undefined || value === "" ? [] : [[name, value]]
      )
      return location.raw.path + encodeSearch(Object.fromEntries(set))
    }
    const asked = {
      search: read("search"),
      sort: read("sort"),
      from: moment(read("from"), "00:00"),
      to: moment(read("to"), "23:59:59.999")
    }
    const query: ListQuery = Object.fromEntries(Object.entries(asked).filter(([, value]) => value))
    const keep = (path: string): string => {
      const [to, own = ""] = path.split("?")
      return to + encodeSearch({ ...location.search, ...decodeSearch(own) })
    }
    return { query, read, href, set: (changes) => replaceUnsafe(href(changes)), keep, open, turn, close }
  }, [location])
}
