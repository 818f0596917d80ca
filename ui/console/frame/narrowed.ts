/**
 * A list that the page narrows: the platform cannot, or passes over what it is asked for. The page reads on to a bound, which moves on
 * demand, and tells among how many rows it looked.
 */
import { type InfiniteQuery, useInfiniteQuery } from "@quartet/react"
import { useMemo, useState } from "react"
import type { Asked } from "../data/list-state.js"
import { useReadOn } from "../data/read-on.js"
import type { Listed } from "./rows.js"
import type { Row } from "./selection.js"

/** Rows that are looked through at once. */
const step = 500

/** Whether any field of a row has a text, which is in small letters. */
export const holds = (row: object, text: string): boolean => JSON.stringify(row).toLowerCase().includes(text)

export interface Narrowing<A> {
  readonly isWanted: (row: A) => boolean
  /** What is wanted, in a word: the rows are chosen anew where it changes. */
  readonly by: string
  /** Whether the page alone narrows the list; otherwise it does where rows come that are not wanted. */
  readonly isOwn?: boolean
}

export const useNarrowed = <A>(
  list: Listed<A>,
  { by: question, isOwn = false, isWanted }: Narrowing<A>
): Listed<A> => {
  const [asked, setAsked] = useState({ question, bound: step })
  const { data, error, hasNextPage, items } = list
  // The word says what the function does.
  const wanted = useMemo(() => items.filter(isWanted), [items, question])
  const isNarrowed = isOwn || wanted.length < items.length
  const bound = asked.question === question ? asked.bound : step
  const goesOn = isNarrowed && hasNextPage && error === undefined && items.length < bound
  useReadOn(list, goesOn)
  if (!isNarrowed) return list
  const isFound = wanted.length > 0 || !goesOn
  return {
    ...list,
    items: wanted,
    // How many there are of these, nobody knows before all are read.
    data: data && isFound ? { paging: hasNextPage ? {} : { total: wanted.length } } : undefined,
    hasNextPage: false,
    ...(hasNextPage && {
      among: items.length,
      lookFurther: () => setAsked({ question, bound: items.length + step })
    })
  }
}

/** Whether one list begins as another does, as far as both were read. */
const beginsAs = (one: ReadonlyArray<Row>, other: ReadonlyArray<Row>): boolean => {
  const common = Math.min(one.length, other.length)
  return common > 0 && one.slice(0, common).every(({ _id }, place) => other[place]?._id === _id)
}

/**
 * A list that is searched, and narrowed further. A platform that passes the search over answers what it answers without one: the page
 * then looks for the text itself.
 */
export const useSearched = <A extends Row, E>(
  listOf: (asked: Asked) => InfiniteQuery<A, E>,
  { query, read }: Asked,
  further?: Narrowing<A>
): Listed<A> => {
  const { search, ...others } = query
  const text = search?.trim().toLowerCase() ?? ""
  const found = useInfiniteQuery(listOf({ query, read }))
  // Equal queries are one: what is not needed asks for nothing more.
  const all = useInfiniteQuery(listOf({ query: text === "" ? query : others, read }))
  const isPassedOver =
    text !== "" &&
    beginsAs(found.items, all.items) &&
    (found.hasNextPage || found.items.length >= all.items.length)
  const isKnown = text === "" || all.data !== undefined || all.error !== undefined
  return useNarrowed(isKnown ? found : { ...found, data: undefined, items: [] }, {
    isWanted: (row) => further?.isWanted(row) !== false && (!isPassedOver || holds(row, text)),
    by: JSON.stringify([query, further?.by, isPassedOver]),
    ...(further?.isOwn && { isOwn: true })
  })
}
