/** Queries and mutations of the shop's screens. */
import * as Admin from "../../../../clients/admin/index.js"
import { admin } from "../../app/query-clients.js"
import { items as itemCalls, orders as orderCalls, payments as paymentCalls } from "../../app/rows.js"
import { type ListQuery, pageSize } from "../../design/list-state.js"

const range = { limit: pageSize }

export const items = (query: ListQuery) => admin.infiniteQuery(itemCalls.list, query, range)
export const orders = (query: ListQuery) => admin.infiniteQuery(orderCalls.list, query, range)
export const payments = (query: ListQuery) => admin.infiniteQuery(paymentCalls.list, query, range)

export const payment = (id: string) => admin.query(paymentCalls.get, { id })
export const events = (id: string) => admin.query(paymentCalls.events, { id })

/** If it fails without an answer, the payment and its events are read again: they show what happened. */
export const refund = admin.mutation(Admin.payments.refund)
