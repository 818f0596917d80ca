/** Which row of a list is selected, and which comes next: also where the selected one has left the list. */
import { useMemo, useRef } from "react"

/** A row of any list. */
export type Row = { readonly _id: string }

/**
 * The place of the row that a step leads to. A selected row that left the list was at `last`: a step down leads to the row that stands
 * there now. -1 in an empty list.
 */
export const placeAfter = (
  ids: ReadonlyArray<string>,
  selected: string | undefined,
  last: number,
  step: number
): number => {
  const present = selected === undefined ? -1 : ids.indexOf(selected)
  const from = present >= 0 ? present : step > 0 ? last - 1 : last
  return Math.min(ids.length - 1, Math.max(0, from + step))
}

/** The id that is selected once rows are gone: the same if it stays, else that of the next one that stays, or of one before. */
export const idAfter = (
  items: ReadonlyArray<Row>,
  id: string | undefined,
  gone: ReadonlyArray<Row>
): string | undefined => {
  const stays = ({ _id }: Row): boolean => !gone.some((row) => row._id === _id)
  const place = items.findIndex(({ _id }) => _id === id)
  if (place < 0) return gone.some(({ _id }) => _id === id) ? undefined : id
  return [...items.slice(place), ...items.slice(0, place).reverse()].find(stays)?._id
}

/** The rows before and after a place. */
interface Neighbours {
  readonly id: string | undefined
  readonly before: string | undefined
  readonly after: string | undefined
}

/**
 * Where a step leads from a row that its own change took to another place, such as a conversation that one has answered: to the row
 * that stood after it, or before it. Undefined if it stands beside one of them still.
 */
export const placeAfterMove = (
  ids: ReadonlyArray<string>,
  stood: Neighbours,
  step: number
): number | undefined => {
  const place = stood.id === undefined ? -1 : ids.indexOf(stood.id)
  const isBeside = ids[place - 1] === stood.before || ids[place + 1] === stood.after
  const [neighbour, end] = step > 0 ? [stood.after, ids.length - 1] : [stood.before, 0]
  if (place < 0 || isBeside) return undefined
  if (neighbour === undefined) return end
  const next = ids.indexOf(neighbour)
  return next < 0 ? undefined : Math.min(ids.length - 1, Math.max(0, next + step - Math.sign(step)))
}

/**
 * The rows of a list, and among them the selected one where it stood: a change may take it out of what the list shows, and it
 * stays there until another row is selected, or the list is asked for something else.
 */
const usePinned = <A extends Row>(items: ReadonlyArray<A>, id: string | undefined, question: string) => {
  const pinned = useRef<{ readonly row: A; readonly place: number; readonly question: string }>(undefined)
  const place = id === undefined ? -1 : items.findIndex((row) => row._id === id)
  const row = items[place]
  const isSame = pinned.current?.row._id === id && pinned.current?.question === question
  if (row !== undefined) pinned.current = { row, place, question }
  else if (!isSame) pinned.current = undefined
  const { current } = pinned
  return useMemo(
    () =>
      row !== undefined || current === undefined
        ? items
        : [...items.slice(0, current.place), current.row, ...items.slice(current.place)],
    [items, row, current]
  )
}

/** The selected row of a list, and where a step from it leads; `question` is what the list was asked for. */
export const useSelection = <A extends Row>(
  items: ReadonlyArray<A>,
  id: string | undefined,
  question: string
) => {
  const last = useRef(0)
  const rows = usePinned(items, id, question)
  const place = id === undefined ? -1 : rows.findIndex((row) => row._id === id)
  if (place >= 0) last.current = place
  const stood = useRef<Neighbours>({ id: undefined, before: undefined, after: undefined })
  if (place >= 0 && stood.current.id !== id)
    stood.current = { id, before: rows[place - 1]?._id, after: rows[place + 1]?._id }
  return {
    /** The rows of the list, with the selected one. */
    rows,
    row: rows[place],
    /** Whether the selected row is not in the list, or not any more. */
    hasLeft: id !== undefined && !items.some((row) => row._id === id),
    /** Where the Tab key reaches the list. */
    stop: Math.max(0, Math.min(rows.length - 1, place >= 0 ? place : last.current)),
    after: (step: number): A | undefined => {
      const ids = rows.map(({ _id }) => _id)
      return rows[placeAfterMove(ids, stood.current, step) ?? placeAfter(ids, id, last.current, step)]
    }
  }
}
