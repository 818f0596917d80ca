/**
 * A list of what belongs to customers, such as orders: narrowed to one of them, and searched by its own texts and by whose they are.
 * The platform searches its rows, in which a customer is an id alone, so the customers are found first, then what is theirs.
 */
import { type InfiniteQuery, useInfiniteQuery, useQuery } from "@quartet/react"
import { useMemo, useState } from "react"
import { type ListState, wordOf } from "../data/list-state.js"
import type { Listed } from "../frame/rows.js"
import type { Row } from "../frame/selection.js"
import { customersWith, holds } from "./find.js"

type Owned = Row & { readonly userId?: string | null | undefined }

/** What the platform is asked for beside the filters of the list. */
export interface Narrowing {
  readonly search: string | undefined
  readonly inUserIds: ReadonlyArray<string>
}

/** The order of a list where no other is asked for. */
const newest = "-createdAt"

/** What a list of orders or of payments is asked for: its tab, type, status and days, whose they are, and what is looked for. */
export const shopInput = <Type extends string, Status extends string>(
  { query, read }: Pick<ListState, "query" | "read">,
  { inUserIds, search }: Narrowing,
  of: {
    readonly types: ReadonlyArray<Type>
    readonly statuses: ReadonlyArray<Status>
    /** The statuses of the tab, where no other is chosen. */
    readonly ofTab: ReadonlyArray<Status>
  }
) => {
  const { search: _, ...further } = query
  const [type, status] = [read("type"), read("status")]
  return {
    query: { sort: newest, ...further, ...(search === undefined ? {} : { search }) },
    inUserIds,
    typeIn: type === undefined ? [] : [wordOf(of.types, type)],
    statusIn: status === undefined ? of.ofTab : [wordOf(of.statuses, status)]
  }
}

export interface Found<A> extends Listed<A> {
  /** Among how many rows they were looked for, where the platform did not look by itself; undefined where it did, or all were read. */
  readonly among: number | undefined
  /** Looks through more rows. */
  readonly lookFurther: () => void
  /** Why customers could not be looked for by the text, where they could not. */
  readonly customersError: unknown
}

/** Rows that are looked through at once, where the platform does not look by itself. */
const step = 500

const numberOf = (value: unknown): number | undefined =>
  value instanceof Date ? value.getTime() : typeof value === "number" ? value : undefined

/** The order of two rows by a field, with `-` before it for the reverse; those without it are last. */
const byField =
  (sort: string) =>
  (left: object, right: object): number => {
    const field = sort.replace(/^-/, "")
    const [a, b]: ReadonlyArray<unknown> = [Reflect.get(left, field), Reflect.get(right, field)]
    if (a === undefined || a === null) return b === undefined || b === null ? 0 : 1
    if (b === undefined || b === null) return -1
    const [first, second] = [numberOf(a), numberOf(b)]
    const order =
      first === undefined || second === undefined ? String(a).localeCompare(String(b)) : first - second
    return sort.startsWith("-") ? -order : order
  }

const isSamePage = (left: ReadonlyArray<Row>, right: ReadonlyArray<Row>): boolean =>
  left.length > 0 && left.every(({ _id }, place) => right[place]?._id === _id)

export const useFound = <A extends Owned, E>(
  { query, read }: Pick<ListState, "query" | "read">,
  queryOf: (narrowing: Narrowing) => InfiniteQuery<A, E>
): Found<A> => {
  const { sort = newest } = query
  const [most, setMost] = useState(step)
  const text = query.search?.trim().toLowerCase() || undefined
  const one = read("customer")
  const ones = one === undefined ? [] : [one]
  const isByName = text !== undefined && one === undefined
  const who = useQuery(isByName ? customersWith(text) : undefined)
  const ids = who.data?.ids ?? []
  // Equal queries are one: what is not needed asks for nothing more.
  const all = useInfiniteQuery(queryOf({ search: undefined, inUserIds: ones }))
  const own = useInfiniteQuery(queryOf({ search: query.search, inUserIds: ones }))
  const theirs = useInfiniteQuery(
    queryOf(
      ids.length === 0 ? { search: query.search, inUserIds: ones } : { search: undefined, inUserIds: ids }
    )
  )
  /** Whether the platform passes the search over: it answers what it answers without one. */
  const isPassedOver = text !== undefined && isSamePage(all.items, own.items)
  const items = useMemo(() => {
    const mine = own.items.filter(
      (row) =>
        (one === undefined || row.userId === one) && (!isPassedOver || text === undefined || holds(row, text))
    )
    if (ids.length === 0) return mine
    const known = new Set(mine.map(({ _id }) => _id))
    const named = theirs.items.filter(({ _id, userId }) => !known.has(_id) && ids.includes(userId ?? ""))
    return named.length === 0 ? mine : [...mine, ...named].sort(byField(sort))
  }, [own.items, theirs.items, who.data, isPassedOver, text, one, sort])
  const lists = ids.length === 0 ? [own] : [own, theirs]
  const isAsked = isByName && who.data === undefined && who.error === undefined
  const hasAnswer = !isAsked && lists.every(({ data }) => data !== undefined)
  const error = lists.find((list) => list.error !== undefined)?.error
  const count = Math.max(...lists.map(({ items }) => items.length))
  const isAtEnd = lists.every(({ hasNextPage }) => !hasNextPage)
  // Rows that were asked for and are not it: the platform does not narrow the list, and all of it would be read.
  const isSieved =
    isPassedOver ||
    own.items.some(({ userId }) => one !== undefined && userId !== one) ||
    (ids.length > 0 && theirs.items.some(({ userId }) => !ids.includes(userId ?? "")))
  const isNarrowed = !isSieved && ids.length === 0
  const counted = isAtEnd ? { total: items.length } : {}
  return {
    data: hasAnswer ? { paging: isNarrowed ? (own.data?.paging ?? {}) : counted } : undefined,
    error,
    updatedAt: own.updatedAt,
    items,
    isFetching: isAsked || lists.some(({ isFetching }) => isFetching),
    hasNextPage: !isAtEnd && (!isSieved || count < most),
    fetchNextPage: () => {
      for (const list of lists) if (list.hasNextPage) list.fetchNextPage()
    },
    refetch: () => {
      for (const list of lists) list.refetch()
    },
    among: isSieved && !isAtEnd ? count : undefined,
    lookFurther: () => setMost(count + step),
    customersError: isByName ? who.error : undefined
  }
}
