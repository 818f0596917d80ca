/** Orders and their groups (specification, points 3 and 7). */

import * as Row from "../kernel/codec/row.js"
import * as Entity from "../kernel/operation/entity.js"
import * as Filters from "../kernel/operation/filters.js"
import * as Schema from "../kernel/operation/schema.js"

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

/** The statuses of a group of orders, as far as they are assumed. @category constants */
export const orderGroupStatuses = /*#__PURE__*/ Object.freeze(["open", "closed"] as const)

/**
 * A line of an order: an item as it was when it was ordered, and how many of it. What has become of the item since
 * does not change it.
 * @category schemas
 */
export const OrderLine = /*#__PURE__*/ Entity.make({}, () => ({
  /** Id of the item. Assumed: the platform may differ. */
  itemId: Entity.Id,
  /** Name of the item when it was ordered. Assumed: the platform may differ. */
  name: Schema.String,
  /** How many of it. Assumed: the platform may differ. */
  quantity: Schema.Number,
  /** Price of one, in whole units of the order's `currency`, not cents: read it with `readNumber`. Assumed: the platform may differ. */
  price: Schema.Number
}))
export interface OrderLine extends Schema.Schema.Type<typeof OrderLine> {}

/**
 * An order of an end user. `admin.orders.search`, `ordersV2.list` and the end user's `orders.search` list them. Sums
 * are in whole units of `currency`, not cents; read them with `readNumber`, since a platform may answer text.
 * @category schemas
 */
export const Order = /*#__PURE__*/ Entity.make(
  {
    /** Its id. */
    _id: Entity.Id
  },
  () => ({
    /** Its number for people, such as `RH-10001`. Assumed: the platform may differ. */
    number: Schema.String,
    /** Id of the end user who ordered. Assumed: the platform may differ. */
    userId: Entity.Id,
    /** Id of its group. Assumed: the platform may differ. */
    groupId: Entity.Id,
    /** How far it is, such as `new`, `confirmed`, `paid`, `delivered`, `cancelled`. Assumed: the platform may differ. */
    status: Entity.openLiteral(...orderStatuses),
    /** Kind of order, such as `sale`, `rent`, `service`. Assumed: the platform may differ. */
    type: Entity.openLiteral(...orderTypes),
    /** Sum of its lines, in whole units of `currency`, not cents: read it with `readNumber`. Assumed: the platform may differ. */
    total: Schema.Number,
    /** Code of its currency, such as `USD` (ISO 4217). Assumed: the platform may differ. */
    currency: Schema.String,
    /** What was ordered. Assumed: the platform may differ. */
    lines: Schema.Array<OrderLine, OrderLine>(OrderLine),
    ...Row.stamps
  })
)
export interface Order extends Schema.Schema.Type<typeof Order> {}

/**
 * Orders of one end user that belong together. It holds the ids of its orders, which `orders.get` reads, and their
 * sum in whole units of `currency`, not cents.
 * @category schemas
 */
export const OrderGroup = /*#__PURE__*/ Entity.make(
  {
    /** Its id. */
    _id: Entity.Id
  },
  () => ({
    /** Id of the end user who ordered. Assumed: the platform may differ. */
    userId: Entity.Id,
    /** Whether all of it is done, such as `open`, `closed`. Assumed: the platform may differ. */
    status: Entity.openLiteral(...orderGroupStatuses),
    /** Ids of its orders. Assumed: the platform may differ. */
    orders: Schema.Array(Entity.Id),
    /** Sum of its orders, in whole units of `currency`, not cents: read it with `readNumber`. Assumed: the platform may differ. */
    total: Schema.Number,
    /** Code of its currency, such as `USD` (ISO 4217). Assumed: the platform may differ. */
    currency: Schema.String,
    ...Row.stamps
  })
)
export interface OrderGroup extends Schema.Schema.Type<typeof OrderGroup> {}

/** Filters of the admin's lists. Lists are sent joined by commas, and omitted if empty. @category schemas */
export const SearchOrders = /*#__PURE__*/ Entity.list(() =>
  Filters.ofShop(Entity.literal(...orderTypes), Entity.literal(...orderStatuses))
)
export interface SearchOrders extends Schema.Schema.Type<typeof SearchOrders> {}

/** What of an order is changed; the body holds its id. Assumed: the platform may differ. @category schemas */
export const OrderChange = /*#__PURE__*/ Entity.body(() => ({
  /** Its id. */
  _id: Entity.Id,
  /** How far it is from now on, such as `confirmed`. */
  status: Schema.optional(Entity.openLiteral(...orderStatuses)),
  /** Kind of order, such as `sale`, `rent`, `service`. */
  type: Schema.optional(Entity.openLiteral(...orderTypes))
}))
export type OrderChange = Schema.Schema.Type<typeof OrderChange>

/** What an end user searches orders by. Assumed: the platform may differ. @category schemas */
export const OrderSearch = /*#__PURE__*/ Entity.search(() => ({
  ...Filters.search(),
  ...Filters.ofShop(Entity.literal(...orderTypes), Entity.literal(...orderStatuses)),
  /** Only those with this status. */
  status: Schema.optional(Entity.literal(...orderStatuses)),
  /** Only those of this type. */
  type: Schema.optional(Entity.literal(...orderTypes))
}))
export type OrderSearch = Schema.Schema.Type<typeof OrderSearch>

/** What groups of orders are searched by. Assumed: the platform may differ. @category schemas */
export const OrderGroupSearch = /*#__PURE__*/ Entity.search(() => ({
  ...Filters.search(),
  /** Only those of this user. */
  userId: Schema.optional(Entity.Id),
  /** Only those with this status. */
  status: Schema.optional(Entity.literal(...orderGroupStatuses))
}))
export type OrderGroupSearch = Schema.Schema.Type<typeof OrderGroupSearch>
