/** What belongs to a customer: their orders, payments, requests and conversations, as far as the platform can tell. */

import { type InfiniteQuery, useQuery } from "@quartet/react"
import { readNumber } from "@quartet/sdk/extend"
import { queueOf } from "@quartet/sdk/extend/models/requests"
import { registry } from "../app/cells.js"
import { admin } from "../app/query-clients.js"
import {
  type ConversationRow,
  conversations,
  type OrderRow,
  orders,
  type PaymentRow,
  payments,
  type RequestRow,
  requests,
  type UserRow,
  users
} from "../app/rows.js"
import { money } from "../app/settled.js"
import type { QueryView } from "../data/loaded.js"
import { inline } from "../design/format.js"
import { words } from "../design/show.js"
import { exact, isSettled, refundedOf } from "./payment.js"

/** So many rows of a list are looked through at once for those of a customer. */
const most = 200

const newest = { query: { sort: "-createdAt" } }

export const customer = (id: string) => admin.query(users.get, { id })

export const requestsOf = (id: string) =>
  admin.infiniteQuery(requests.list, { ...newest, inUserIds: [id] }, { limit: most })
export const ordersOf = (id: string) =>
  admin.infiniteQuery(orders.list, { ...newest, inUserIds: [id] }, { limit: most })
export const paymentsOf = (id: string) =>
  admin.infiniteQuery(payments.list, { ...newest, inUserIds: [id] }, { limit: most })
/** Conversations are not narrowed by the platform: the newest are looked through. */
export const conversationsOf = () => admin.infiniteQuery(conversations.list, {}, { limit: most })

type Owned = { readonly _id: string; readonly userId?: string | null | undefined }

/** Rows of a list that belong to a thing, as far as they were found. */
export interface Related<A> extends QueryView<unknown> {
  /** Those that are read. */
  readonly items: ReadonlyArray<A>
  /** How many there are, as far as that is known; as many as are read without it. */
  readonly total?: number
  /** Among how many rows of the list they were looked for, where the platform has not narrowed it. */
  readonly among: number | undefined
  /** Reads further; nothing where all is read. */
  readonly readMore?: (() => void) | undefined
}

/** The rows of a list that are a customer's. */
export interface Belongings<A> extends Related<A> {
  readonly total: number
  readonly readMore: (() => void) | undefined
}

/**
 * The rows of a list that are a customer's. A platform may pass over the filter: then they are those among the rows that came, and it
 * is said among how many.
 */
export const useBelongings = <A extends Owned, E>(
  id: string | undefined,
  query: InfiniteQuery<A, E> | undefined
): Belongings<A> => {
  const answer = useQuery(id === undefined ? undefined : query)
  const { done = false, items: rows = [], paging } = answer.data ?? {}
  const items = rows.filter(({ userId }) => userId === id)
  const isTheirs = items.length === rows.length
  const isWhole = done || rows.length >= (paging?.total ?? Number.POSITIVE_INFINITY)
  return {
    ...answer,
    items,
    total: isTheirs ? Math.max(paging?.total ?? 0, items.length) : items.length,
    among: isTheirs || isWhole ? undefined : rows.length,
    readMore: isWhole || query === undefined ? undefined : () => registry.set(query, undefined)
  }
}

/** What a customer is called. */
export const customerName = (of: Pick<UserRow, "email" | "fullName"> | undefined): string =>
  inline(of?.fullName || of?.email || "Customer without a name")

/** Amounts by currency, each in it, the largest first. */
const sums = (
  of: ReadonlyArray<{ readonly amount: number; readonly currency: string | null | undefined }>
): string => {
  const byCurrency = new Map<string, number>()
  for (const { amount, currency } of of) {
    const code = currency ?? ""
    byCurrency.set(code, (byCurrency.get(code) ?? 0) + amount)
  }
  return [...byCurrency]
    .filter(([, amount]) => amount !== 0)
    .sort(([, left], [, right]) => right - left)
    .map(([code, amount]) => money(exact(amount), code))
    .join(" + ")
}

/** What somebody ordered, without what was cancelled. */
export const ordered = (of: ReadonlyArray<OrderRow>): string =>
  sums(
    of
      .filter(({ status }) => status !== "cancelled")
      .map(({ currency, total }) => ({ amount: readNumber(total) ?? 0, currency }))
  )

/** What somebody paid, without what was given back. */
export const paid = (of: ReadonlyArray<PaymentRow>): string =>
  sums(
    of.filter(isSettled).map((payment) => ({
      amount: (readNumber(payment.amount) ?? 0) - refundedOf(payment),
      currency: payment.currency
    }))
  )

/** Whether a request waits for an answer or for its customer. */
export const isOpenRequest = ({ status }: RequestRow): boolean => queueOf(status) !== "closed"

/** Whether an order still has to be paid. */
export const isUnpaid = ({ status }: OrderRow): boolean => status === "new" || status === "confirmed"

export const isOpenConversation = ({ status }: ConversationRow): boolean => status === "open"

export const orderName = ({ number, type }: OrderRow): string =>
  inline(number || (type ? `${words(type)} order` : "Order"))

export const requestName = ({ title, type }: RequestRow): string => inline(title || words(type ?? "Request"))

export const conversationName = ({ lastMessage, topic }: ConversationRow): string =>
  inline(lastMessage || topic || "Conversation")

export const paymentName = ({ description, type }: PaymentRow): string =>
  inline(description || (type ? `Payment by ${words(type).toLowerCase()}` : "Payment"))
