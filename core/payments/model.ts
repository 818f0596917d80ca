/** Payment transactions and their events (specification, points 3 and 7). */

import { DateTime } from "../kernel/codec/dates.js"
import * as Row from "../kernel/codec/row.js"
import * as Entity from "../kernel/operation/entity.js"
import * as Filters from "../kernel/operation/filters.js"
import * as Schema from "../kernel/operation/schema.js"

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

/** What happens to a payment, as far as it is assumed. @category constants */
export const transactionEventTypes = /*#__PURE__*/ Object.freeze([
  "created",
  "authorised",
  "captured",
  "declined",
  "refunded"
] as const)

/**
 * A payment, in whole units of `currency`, not cents. `payments.list` lists them, `payments.events` tells what
 * happened to one, and `payments.refund` gives back a part or the whole. What can still be given back is
 * `refundableAmount`.
 * @category schemas
 */
export const Transaction = /*#__PURE__*/ Entity.make(
  {
    /** Its id. */
    _id: Entity.Id
  },
  () => ({
    /** Id of the end user who pays. Assumed: the platform may differ. */
    userId: Entity.maybe(Entity.Id),
    /** Id of the order that is paid. Assumed: the platform may differ. */
    orderId: Entity.maybe(Entity.Id),
    /** What is paid, in whole units of `currency`, not cents: read it with `readNumber`. Assumed: the platform may differ. */
    amount: Schema.Number,
    /** Code of its currency, such as `USD` (ISO 4217). Assumed: the platform may differ. */
    currency: Schema.String,
    /** How far it is, such as `pending`, `succeeded`, `failed`, `partially_refunded`, `refunded`. Assumed: the platform may differ. */
    status: Entity.openLiteral(...transactionStatuses),
    /** The way of paying, such as `card`, `transfer`, `link`. Assumed: the platform may differ. */
    type: Entity.openLiteral(...transactionTypes),
    /** Who moves the money, such as `Stripe`. Assumed: the platform may differ. */
    provider: Schema.String,
    /** What it is for. Assumed: the platform may differ. */
    description: Entity.maybe(Schema.String),
    /** The sum of its refunds, in units of `currency`: read it with `readNumber`. Assumed: the platform may differ. */
    refundedAmount: Entity.maybe(Schema.Number),
    /** What can still be refunded of it, in units of `currency`: read it with `readNumber`. Assumed: the platform may differ. */
    refundableAmount: Entity.maybe(Schema.Number),
    ...Row.stamps
  })
)
export interface Transaction extends Schema.Schema.Type<typeof Transaction> {}

/**
 * What happened to a payment, such as that it was captured or refunded, and how much of it that is about.
 * `payments.events` lists them.
 * @category schemas
 */
export const TransactionEvent = /*#__PURE__*/ Entity.make(
  {
    /** Its id. */
    _id: Entity.maybe(Entity.Id)
  },
  () => ({
    /** Id of the payment. Assumed: the platform may differ. */
    transactionId: Entity.Id,
    /** What happened, such as `created`, `authorised`, `captured`, `declined`, `refunded`. Assumed: the platform may differ. */
    type: Entity.openLiteral(...transactionEventTypes),
    /** How much of the payment it is about, in whole units of `currency`: read it with `readNumber`. Assumed: the platform may differ. */
    amount: Schema.Number,
    /** Code of its currency, such as `USD` (ISO 4217). Assumed: the platform may differ. */
    currency: Schema.String,
    /** Why it happened, where somebody said so. Assumed: the platform may differ. */
    reason: Entity.maybe(Schema.String),
    /** When it happened. Assumed: the platform may differ. */
    createdAt: DateTime
  })
)
export interface TransactionEvent extends Schema.Schema.Type<typeof TransactionEvent> {}

/** Filters of payments, the same as those of orders. Assumed: the platform may differ. @category schemas */
export const ListTransactions = /*#__PURE__*/ Entity.list(() =>
  Filters.ofShop(Entity.literal(...transactionTypes), Entity.literal(...transactionStatuses))
)
export interface ListTransactions extends Schema.Schema.Type<typeof ListTransactions> {}

/** A page of the events of one transaction. @category schemas */
export const ListEvents = /*#__PURE__*/ Entity.list(() => ({
  /** Id of the payment. */
  id: Entity.Id
}))
export interface ListEvents extends Schema.Schema.Type<typeof ListEvents> {}

const Amount: Schema.Schema<number> = /*#__PURE__*/ Schema.Number.pipe(
  Schema.filter((amount: number) => amount > 0 && amount < Number.POSITIVE_INFINITY, {
    description: "a number above 0"
  })
)

/**
 * What is refunded: the whole without an `amount`. A field that is overlooked, such as `amout`, would refund the whole, so others are refused
 * unless they come through `Input.raw`, and so is an amount that is undefined.
 * @category schemas
 */
export const RefundBody = /*#__PURE__*/ (() =>
  Entity.checkedBody(
    Schema.Struct({
      /** What is refunded, in whole units of the payment's currency, not cents: the whole if omitted. */
      amount: Schema.optional(Amount),
      /** Why it is refunded. */
      reason: Schema.optional(Schema.String)
    }).pipe(
      Schema.filter((body) => !Object.hasOwn(body, "amount") || body.amount !== undefined, {
        description: "without an amount that is undefined: leave it out to refund the whole"
      })
    )
  ))()
export type RefundBody = Schema.Schema.Type<typeof RefundBody>

/** A transaction to refund; the body is optional. @category schemas */
export const Refund = /*#__PURE__*/ (() =>
  Schema.Struct({
    /** Id of the payment. */
    id: Entity.Id,
    /** What is refunded: the whole if omitted; undefined is refused. */
    payload: Schema.optionalExact(RefundBody)
  }))()
export interface Refund extends Schema.Schema.Type<typeof Refund> {}

/** What a payment by link is created with. Assumed: the platform may differ. @category schemas */
export const NewLink = /*#__PURE__*/ (() =>
  Entity.checkedBody(
    Schema.Struct({
      /** What is to be paid, in whole units of `currency`, not cents. */
      amount: Amount,
      /** Code of its currency, such as `USD` (ISO 4217). */
      currency: Schema.optional(Schema.String),
      /** What it is for. */
      description: Schema.optional(Schema.String),
      /** Id of the end user who pays. */
      userId: Schema.optional(Entity.Id),
      /** Id of the order that is paid. */
      orderId: Schema.optional(Entity.Id)
    })
  ))()
export type NewLink = Schema.Schema.Type<typeof NewLink>

/**
 * A payment by link as `payments.payWithLink` begins it: send `link` to whom is to pay. `payments.get` with its `_id`
 * says later whether it was paid.
 * @category schemas
 */
export const PaymentLink = /*#__PURE__*/ Entity.make({}, () => ({
  /** Id of the payment. Assumed: the platform may differ. */
  _id: Entity.Id,
  /** Id of the payment, too. Assumed: the platform may differ. */
  transactionId: Entity.Id,
  /** What is to be paid, in whole units of `currency`, not cents: read it with `readNumber`. Assumed: the platform may differ. */
  amount: Schema.Number,
  /** Code of its currency, such as `USD` (ISO 4217). Assumed: the platform may differ. */
  currency: Schema.String,
  /** The address at which the receiver pays. Assumed: the platform may differ. */
  link: Schema.String
}))
export interface PaymentLink extends Schema.Schema.Type<typeof PaymentLink> {}
