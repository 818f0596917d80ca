/** Rows of the shop: items, orders, groups of orders, and payments. */
import type * as Schema from "effect/Schema"
import * as Items from "@quartet/sdk/extend/models/items"
import * as Orders from "@quartet/sdk/extend/models/orders"
import * as Payments from "@quartet/sdk/extend/models/payments"

export const Item: typeof Items.ItemRow = Items.ItemRow
export interface Item extends Schema.Schema.Type<typeof Item> {}
export const Order: typeof Orders.OrderRow = Orders.OrderRow
export interface Order extends Schema.Schema.Type<typeof Order> {}
export const OrderGroup: typeof Orders.OrderGroupRow = Orders.OrderGroupRow
export interface OrderGroup extends Schema.Schema.Type<typeof OrderGroup> {}
export const Transaction: typeof Payments.TransactionRow = Payments.TransactionRow
export interface Transaction extends Schema.Schema.Type<typeof Transaction> {}
export const TransactionEvent: typeof Payments.TransactionEventRow = Payments.TransactionEventRow
export interface TransactionEvent extends Schema.Schema.Type<typeof TransactionEvent> {}
