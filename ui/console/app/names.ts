/** The names of end users by their ids, and lists that are read whole. */

import { type InfiniteQuery, useInfiniteQuery } from "@quartet/react"
import { useMemo } from "react"
import { useReadOn } from "../data/read-on.js"
import { inline, number } from "../design/format.js"
import { admin } from "./query-clients.js"
import { users } from "./rows.js"

/** All end users, the newest first. */
export const everyone = admin.infiniteQuery(users.list, { query: { sort: "-createdAt" } }, { limit: 500 })

/** At most so many rows of a list are read whole. */
const most = 10_000

/** A list that is read to its end, and which of its rows are there: all, or the newest of them. */
export const useWhole = <A, E>(query: InfiniteQuery<A, E>) => {
  const list = useInfiniteQuery(query)
  const { data, items } = list
  useReadOn(list, items.length < most)
  const total = Math.max(data?.paging.total ?? 0, items.length)
  return {
    ...list,
    total,
    part: items.length < total && `the newest ${number(items.length)} of ${number(total)}`
  }
}

/** The name of an end user; empty if it is unknown. */
export const useNames = (): ((id: string | null | undefined) => string) => {
  const { items } = useWhole(everyone)
  return useMemo(() => {
    const names = new Map(items.map(({ _id, fullName }) => [_id, inline(fullName ?? "")]))
    return (id) => names.get(id ?? "") ?? ""
  }, [items])
}
