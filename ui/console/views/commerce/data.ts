/** Queries and mutations of the payments. */
import * as Admin from "../../../../clients/admin/index.js"
import { admin } from "../../app/query-clients.js"
import { payments as paymentCalls } from "../../app/rows.js"
import { type ListQuery, pageSize } from "../../design/list-state.js"

export const payments = (query: ListQuery) =>
  admin.infiniteQuery(paymentCalls.list, query, { limit: pageSize })

export const payment = (id: string) => admin.query(paymentCalls.get, { id })
export const events = (id: string) => admin.query(paymentCalls.events, { id })

/** If it fails without an answer, the payment and its events are read again: they show what happened. */
export const refund = admin.mutation(Admin.payments.refund)
