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

export const useMentions = <A extends { readonly _id: string }, E>(
  id: string,
  query: Parameters<typeof useQuery<Page<A>, E>>[0] | undefined
): Mentions<A> => {
  const answer = useQuery(query)
  const rows: ReadonlyArray<A> = answer.data?.items ?? nothing
  const items = useMemo(
    () => rows.filter((row) => row._id !== id && JSON.stringify(row).includes(id)),
    [rows, id]
  )
  const { total = rows.length } = answer.data?.paging ?? {}
  return { ...answer, items, among: rows.length >= total ? undefined : rows.length }
}
