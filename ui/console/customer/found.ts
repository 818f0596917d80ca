/**
 * A list of what belongs to customers, such as orders: narrowed to one of them, and searched by its own texts and by whose they are.
 * The platform searches its rows, in which a customer is an id alone, so the customers are found first, then what is theirs.
 */
import { type InfiniteQuery, useInfiniteQuery, useQuery } from "@quartet/react"
import { useMemo } from "react"
import { type Asked, wordOf } from "../data/list-state.js"
import { useNarrowed, useSearched } from "../frame/narrowed.js"
import type { Listed } from "../frame/rows.js"
import type { Row } from "../frame/selection.js"
import { customersWith } from "./find.js"

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
  { query, read }: Asked,
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
  /** Why customers could not be looked for by the text, where they could not. */
  readonly customersError: unknown
  /** Whether more customers may have the text than were looked for. */
  readonly isCut: boolean
}

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

/** The least of what is known. */
const least = (...numbers: ReadonlyArray<number | undefined>): number | undefined => {
  const known = numbers.filter((number) => number !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}

export const useFound = <A extends Owned, E>(
  state: Asked,
  queryOf: (narrowing: Narrowing) => InfiniteQuery<A, E>
): Found<A> => {
  const { query, read } = state
  const { sort = newest } = query
  const text = query.search?.trim().toLowerCase() || undefined
  const one = read("customer")
  const ones = one === undefined ? [] : [one]
  const isByName = text !== undefined && one === undefined
  const who = useQuery(isByName ? customersWith(text) : undefined)
  const { ids = [], isCut = false } = who.data ?? {}
  const own = useSearched(({ query: { search } }) => queryOf({ search, inUserIds: ones }), state, {
    isWanted: ({ userId }) => one === undefined || userId === one,
    by: one ?? ""
  })
  const isNamed = ids.length > 0
  // Equal queries are one: where nobody has the text, this asks for nothing more.
  const theirs = useNarrowed(
    useInfiniteQuery(
      queryOf(isNamed ? { search: undefined, inUserIds: ids } : { search: query.search, inUserIds: ones })
    ),
    { isWanted: ({ userId }) => !isNamed || ids.includes(userId ?? ""), by: JSON.stringify([query, ids]) }
  )
  const items = useMemo(() => {
    if (!isNamed) return own.items
    const known = new Set(own.items.map(({ _id }) => _id))
    const named = theirs.items.filter(({ _id }) => !known.has(_id))
    return named.length === 0 ? own.items : [...own.items, ...named].sort(byField(sort))
  }, [own.items, theirs.items, isNamed, sort])
  const isAsked = isByName && who.data === undefined && who.error === undefined
  const lists = isNamed ? [own, theirs] : [own]
  const hasAnswer = !isAsked && (items.length > 0 || lists.every(({ data }) => data !== undefined))
  const hasNextPage = lists.some(({ hasNextPage }) => hasNextPage)
  const among = least(...lists.map(({ among }) => among))
  const counted = hasNextPage || among !== undefined ? {} : { total: items.length }
  return {
    data: hasAnswer ? { paging: isNamed ? counted : (own.data?.paging ?? {}) } : undefined,
    error: lists.find(({ error }) => error !== undefined)?.error,
    updatedAt: own.updatedAt,
    items,
    isFetching: isAsked || lists.some(({ isFetching }) => isFetching),
    hasNextPage,
    fetchNextPage: () => {
      for (const list of lists) if (list.hasNextPage) list.fetchNextPage()
    },
    refetch: () => {
      for (const list of lists) list.refetch()
    },
    ...(among !== undefined && {
      among,
      lookFurther: () => {
        for (const { lookFurther } of lists) lookFurther?.()
      }
    }),
    customersError: isByName ? who.error : undefined,
    isCut
  }
}
