/** Queries and mutations of the shop's screens. */
import * as Admin from "../../../../clients/admin/index.js"
import { source } from "../../../rx/index.js"
import { admin } from "../../app/query-clients.js"
import { items as itemCalls, orders as orderCalls, payments as paymentCalls } from "../../app/rows.js"
import { save } from "../../app/save.js"

const found = (search: string): { readonly search?: string } => (search === "" ? {} : { search })

export const items = (search: string) => admin.infiniteQuery(itemCalls.list, found(search), { limit: 20 })
export const orders = (search: string) => admin.infiniteQuery(orderCalls.list, found(search), { limit: 20 })
export const payments = (search: string) =>
  admin.infiniteQuery(paymentCalls.list, found(search), { limit: 20 })

export const payment = (id: string) => admin.query(paymentCalls.get, { id })
export const events = (id: string) => admin.query(paymentCalls.events, { id })

/** If it fails without an answer, the payment and its events are read again: they show what happened. */
export const refund = admin.mutation(Admin.payments.refund)

/** All orders as a file. */
export const exportOrders = admin.mutation(
  source("ordersV2.export", () => save(Admin.ordersV2.csv(), "orders.csv", "text/csv")),
  { invalidates: [] }
)

/** All payments as a file. */
export const exportPayments = admin.mutation(
  source("payments.export", () => save(Admin.payments.csv(), "payments.csv", "text/csv")),
  { invalidates: [] }
)
