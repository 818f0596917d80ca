/** What belongs to a customer: their orders, payments, requests and conversations, as far as the platform can tell. */
import { useQuery } from "@quartet/react"
import type { Page } from "@quartet/sdk/extend"
import { admin } from "../app/query-clients.js"
import { conversations, orders, payments, requests, users } from "../app/rows.js"
import type { QueryView } from "../data/loaded.js"

/** At most so many rows of a list are looked through for those of a customer. */
const most = 200

const newest = { limit: most, query: { sort: "-createdAt" } }

export const customer = (id: string) => admin.query(users.get, { id })

export const requestsOf = (id: string) => admin.query(requests.list, { ...newest, inUserIds: [id] })
export const ordersOf = (id: string) => admin.query(orders.list, { ...newest, inUserIds: [id] })
export const paymentsOf = (id: string) => admin.query(payments.list, { ...newest, inUserIds: [id] })
/** Conversations are not narrowed by the platform: the newest are looked through. */
export const conversationsOf = () => admin.query(conversations.list, { limit: most })

type Owned = { readonly _id: string; readonly userId?: string | null | undefined }

/** The rows of a list that are a customer's. */
export interface Belongings<A> extends QueryView<Page<A>> {
  readonly items: ReadonlyArray<A>
  /** Among how many rows of the list they were looked for, where the platform has not narrowed it to the customer. */
  readonly among: number | undefined
}

/**
 * The rows of a list that are a customer's. A platform may pass over the filter: then they are those among the rows that came, and it
 * is said among how many.
 */
export const useBelongings = <A extends Owned, E>(
  id: string | undefined,
  query: Parameters<typeof useQuery<Page<A>, E>>[0] | undefined
): Belongings<A> => {
  const answer = useQuery(id === undefined ? undefined : query)
  const rows = answer.data?.items ?? []
  const items = rows.filter(({ userId }) => userId === id)
  const { total = rows.length } = answer.data?.paging ?? {}
  const isWhole = rows.length >= total
  return { ...answer, items, among: items.length === rows.length || isWhole ? undefined : rows.length }
}
