/** Payment transactions and their events (specification, points 3 and 7). */

import { DateTime } from "../kernel/codec/dates.js"
import * as Row from "../kernel/codec/row.js"
import * as Entity from "../kernel/operation/entity.js"
import * as Filters from "../kernel/operation/filters.js"
import * as Schema from "../kernel/operation/schema.js"

/** A payment. Only `_id` is known. @category schemas */
export const Transaction = Entity.open({ _id: Entity.Id })
export interface Transaction extends Schema.Schema.Type<typeof Transaction> {}

/** An event of a transaction. @category schemas */
export const TransactionEvent = Entity.open({ _id: Entity.maybe(Entity.Id) })
export interface TransactionEvent extends Schema.Schema.Type<typeof TransactionEvent> {}

/** The statuses of a payment, as far as they are assumed. @category constants */
export const transactionStatuses = /*#__PURE__*/ Object.freeze([
  "pending",
  "succeeded",
  "failed",
  "partially_refunded",
  "refunded"
] as const)

/** The types of payments, as far as they are assumed. @category constants */
export const transactionTypes = /*#__PURE__*/ Object.freeze(["card", "transfer", "link"] as const)

/** Filters of payments, the same as those of orders. Assumed. @category schemas */
export const ListTransactions = /*#__PURE__*/ Entity.list(() =>
  Filters.ofShop(Entity.literal(...transactionTypes), Entity.literal(...transactionStatuses))
)
export interface ListTransactions extends Schema.Schema.Type<typeof ListTransactions> {}

/** A page of the events of one transaction. @category schemas */
export const ListEvents = /*#__PURE__*/ Entity.list(() => ({ id: Entity.Id }))
export interface ListEvents extends Schema.Schema.Type<typeof ListEvents> {}

/**
 * What is refunded: the whole without an `amount`. A field that is overlooked, such as `amout`, would refund the whole, so others are refused,
 * and so is an amount that is undefined.
 * @category schemas
 */
export const RefundBody = Schema.Struct({
  amount: Schema.optional(
    Schema.Number.pipe(
      Schema.filter((amount) => amount > 0 && amount < Number.POSITIVE_INFINITY, {
        description: "a number above 0"
      })
    )
  ),
  reason: Schema.optional(Schema.String)
}).pipe(
  Schema.filter((body) => !Object.hasOwn(body, "amount") || body.amount !== undefined, {
    description: "without an amount that is undefined: leave it out to refund the whole"
  })
)
export interface RefundBody extends Schema.Schema.Type<typeof RefundBody> {}

/** A transaction to refund; the body is optional. @category schemas */
export const Refund = Schema.Struct({ id: Entity.Id, payload: Schema.optional(RefundBody) })
export interface Refund extends Schema.Schema.Type<typeof Refund> {}

/** What a payment holds, as far as it is assumed. @category schemas */
export const TransactionRow = /*#__PURE__*/ Row.row(() => ({
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
}))

/** What a payment by link is created with. Assumed. @category schemas */
export const NewLink = /*#__PURE__*/ Row.part(() => ({
  amount: Schema.Number,
  currency: Schema.optional(Schema.String),
  description: Schema.optional(Schema.String),
  userId: Schema.optional(Entity.Id),
  orderId: Schema.optional(Entity.Id)
}))

/** What an event of a payment holds, as far as it is assumed. @category schemas */
export const TransactionEventRow = /*#__PURE__*/ Row.part(() => ({
  _id: Entity.Id,
  transactionId: Entity.Id,
  type: Schema.String,
  amount: Schema.Number,
  currency: Schema.String,
  /** Why it happened, where somebody said so. */
  reason: Entity.maybe(Schema.String),
  createdAt: DateTime
}))
