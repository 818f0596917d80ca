/** Rows that mention a thing by its id, wherever in them: platforms have no call that answers this. */
import { useQuery } from "@quartet/react"
import type { Page } from "@quartet/sdk/extend"
import { useMemo } from "react"
import type { QueryView } from "./loaded.js"

/** At most so many rows of a list are looked through. */
export const mostLookedThrough = 500

export interface Mentions<A> extends QueryView<Page<A>> {
  readonly items: ReadonlyArray<A>
  /** Among how many rows of the list they were looked for; nothing where those are all. */
  readonly among: number | undefined
}

const nothing: ReadonlyArray<never> = []

/** Whether an id stands in a text by itself: a platform's ids may be short numbers, which are found in longer ones. */
const isIn = (text: string, id: string): boolean =>
  text
    .split(id)
    .some(
      (after, index, parts) =>
        index > 0 && !/[\p{L}\d]$/u.test(parts[index - 1] ?? "") && !/^[\p{L}\d]/u.test(after)
    )

const mentions = (value: unknown, id: string): boolean =>
  typeof value === "string"
    ? isIn(value, id)
    : typeof value === "object" && value !== null && Object.values(value).some((part) => mentions(part, id))

export const useMentions = <A extends { readonly _id: string }, E>(
  id: string,
  query: Parameters<typeof useQuery<Page<A>, E>>[0] | undefined
): Mentions<A> => {
  const answer = useQuery(query)
  const rows: ReadonlyArray<A> = answer.data?.items ?? nothing
  const items = useMemo(() => rows.filter((row) => row._id !== id && mentions(row, id)), [rows, id])
  const { total = rows.length } = answer.data?.paging ?? {}
  return { ...answer, items, among: rows.length >= total ? undefined : rows.length }
}
