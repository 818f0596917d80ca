/** The payments of an order, as far as the platform can tell. */
import { useQuery } from "@quartet/react"
import { admin } from "../app/query-clients.js"
import { type OrderRow, type PaymentRow, payments } from "../app/rows.js"
import type { Related } from "./data.js"

/** At most so many payments are looked through for those of an order. */
const most = 200

const newest = { limit: most, query: { sort: "-createdAt" } }

/** No list of payments is narrowed to an order: those of its customer are looked through, or else the newest of all. */
const paymentsFor = (userId: string | null | undefined) =>
  admin.query(payments.list, userId ? { ...newest, inUserIds: [userId] } : newest)

export const usePaymentsOf = (
  order: Pick<OrderRow, "_id" | "userId"> | undefined,
  isOffered = true
): Related<PaymentRow> => {
  const answer = useQuery(order === undefined || !isOffered ? undefined : paymentsFor(order.userId))
  const rows = answer.data?.items ?? []
  const { total = rows.length < most ? rows.length : Number.POSITIVE_INFINITY } = answer.data?.paging ?? {}
  return {
    ...answer,
    items: rows.filter(({ orderId }) => orderId === order?._id),
    among: rows.length < total ? rows.length : undefined
  }
}
