/** Orders and their groups (specification, points 3 and 7). */

import * as Row from "../kernel/codec/row.js"
import * as Entity from "../kernel/operation/entity.js"
import * as Filters from "../kernel/operation/filters.js"
import * as Schema from "../kernel/operation/schema.js"

/** An order. Only `_id` is known. @category schemas */
export const Order = Entity.open({ _id: Entity.Id })
export interface Order extends Schema.Schema.Type<typeof Order> {}

/** Orders that belong together. Only `_id` is known. @category schemas */
export const OrderGroup = Entity.open({ _id: Entity.Id })
export interface OrderGroup extends Schema.Schema.Type<typeof OrderGroup> {}

/** The statuses of an order, as far as they are assumed. @category constants */
export const orderStatuses = /*#__PURE__*/ Object.freeze([
  "new",
  "confirmed",
  "paid",
  "delivered",
  "cancelled"
] as const)

/** The types of orders, as far as they are assumed. @category constants */
export const orderTypes = /*#__PURE__*/ Object.freeze(["sale", "rent", "service"] as const)

/** Filters of the admin's lists. Lists are sent joined by commas, and omitted if empty. @category schemas */
export const SearchOrders = /*#__PURE__*/ Entity.list(() =>
  Filters.ofShop(Entity.literal(...orderTypes), Entity.literal(...orderStatuses))
)
export interface SearchOrders extends Schema.Schema.Type<typeof SearchOrders> {}

const Line = /*#__PURE__*/ (() =>
  Schema.Struct({
    itemId: Entity.Id,
    name: Schema.String,
    quantity: Schema.Number,
    price: Schema.Number
  }))()

/** What an order holds, as far as it is assumed. @category schemas */
export const OrderRow = /*#__PURE__*/ Row.row(() => ({
  number: Schema.String,
  userId: Entity.Id,
  groupId: Entity.Id,
  status: Schema.String,
  type: Schema.String,
  total: Schema.Number,
  currency: Schema.String,
  lines: Schema.Array(Line)
}))

/** What of an order is changed; the body holds its id. Assumed. @category schemas */
export const OrderChange = /*#__PURE__*/ Row.part(() => ({
  _id: Entity.Id,
  status: Schema.optional(Schema.String),
  type: Schema.optional(Schema.String)
}))

/** What a group of orders holds, as far as it is assumed. @category schemas */
export const OrderGroupRow = /*#__PURE__*/ Row.row(() => ({
  userId: Entity.Id,
  status: Schema.String,
  orders: Schema.Array(Entity.Id),
  total: Schema.Number,
  currency: Schema.String
}))
