/** A list that is narrowed here, because no platform narrows it so: it is read on, to a bound that the reader moves. */
import { useMemo, useState } from "react"
import type { Listed } from "../../frame/rows.js"

/** So many rows are read before one is asked. */
const step = 2_000

export const useNarrowed = <A>(
  list: Listed<A>,
  isWanted: (row: A) => boolean,
  /** What it is narrowed to, in a word; nothing if it is not. */
  by: string
) => {
  const [bound, setBound] = useState(step)
  const { data, hasNextPage, items } = list
  const isBound = hasNextPage && items.length >= bound
  // The word says what the function does.
  const wanted = useMemo(() => (by === "" ? items : items.filter(isWanted)), [items, by])
  if (by === "") return { of: list, among: undefined, lookFurther: undefined }
  const of: Listed<A> = {
    ...list,
    items: wanted,
    // How many there are of these, nobody knows before all are read.
    data: data && { paging: hasNextPage ? {} : { total: wanted.length } },
    hasNextPage: hasNextPage && !isBound
  }
  return {
    of,
    among: hasNextPage ? items.length : undefined,
    lookFurther: isBound ? () => setBound(items.length + step) : undefined
  }
}
