/** Rows of the shop: items, orders, groups of orders, and payments. */
import * as Schema from "effect/Schema"
import { DateTime, Entity } from "@quartet/sdk/extend"
import { stamps } from "./fields.js"

export const Item = Entity.open({
  ...stamps,
  name: Schema.String,
  type: Schema.String,
  status: Schema.String,
  price: Schema.Number,
  currency: Schema.String,
  /** The end user who offers it. */
  userId: Entity.Id,
  interests: Schema.Array(Schema.String),
  featured: Schema.Boolean
})
export interface Item extends Schema.Schema.Type<typeof Item> {}

const Line = Schema.Struct({
  itemId: Entity.Id,
  name: Schema.String,
  quantity: Schema.Number,
  price: Schema.Number
})

export const Order = Entity.open({
  ...stamps,
  number: Schema.String,
  userId: Entity.Id,
  groupId: Entity.Id,
  status: Schema.String,
  type: Schema.String,
  total: Schema.Number,
  currency: Schema.String,
  lines: Schema.Array(Line)
})
export interface Order extends Schema.Schema.Type<typeof Order> {}

/** What of an order is changed; the body holds its id. */
export const OrderChange = Entity.open({
  _id: Entity.Id,
  status: Schema.optional(Schema.String),
  type: Schema.optional(Schema.String)
})

export const OrderGroup = Entity.open({
  ...stamps,
  userId: Entity.Id,
  status: Schema.String,
  orders: Schema.Array(Entity.Id),
  total: Schema.Number,
  currency: Schema.String
})
export interface OrderGroup extends Schema.Schema.Type<typeof OrderGroup> {}

export const Transaction = Entity.open({
  ...stamps,
  userId: Entity.maybe(Entity.Id),
  orderId: Entity.maybe(Entity.Id),
  amount: Schema.Number,
  currency: Schema.String,
  status: Schema.String,
  type: Schema.String,
  provider: Schema.String,
  description: Entity.maybe(Schema.String),
  /** The sum of its refunds. */
  refundedAmount: Entity.maybe(Schema.Number),
  /** What can still be refunded of it. */
  refundableAmount: Entity.maybe(Schema.Number)
})
export interface Transaction extends Schema.Schema.Type<typeof Transaction> {}

/** What a payment by link is created with. */
export const NewLink = Entity.open({
  amount: Schema.Number,
  currency: Schema.optional(Schema.String),
  description: Schema.optional(Schema.String),
  userId: Schema.optional(Entity.Id),
  orderId: Schema.optional(Entity.Id)
})

/** One event of a payment. */
export const TransactionEvent = Entity.open({
  _id: Entity.Id,
  transactionId: Entity.Id,
  type: Schema.String,
  amount: Schema.Number,
  currency: Schema.String,
  /** Why it happened, where somebody said so. */
  reason: Entity.maybe(Schema.String),
  createdAt: DateTime
})
export interface TransactionEvent extends Schema.Schema.Type<typeof TransactionEvent> {}
