/** Payment transactions and their events (specification, points 3 and 7). */

import * as Entity from "../kernel/operation/entity.js"
import * as Input from "../kernel/operation/input.js"
import * as Schema from "../kernel/operation/schema.js"

/** A payment. Only `_id` is known. @category schemas */
export const Transaction = Entity.open({ _id: Entity.Id })
export interface Transaction extends Schema.Schema.Type<typeof Transaction> {}

/** An event of a transaction. @category schemas */
export const TransactionEvent = Entity.open({ _id: Entity.maybe(Entity.Id) })
export interface TransactionEvent extends Schema.Schema.Type<typeof TransactionEvent> {}

/** The events of one transaction; further fields go to the query. @category schemas */
export const ListEvents = Schema.Struct({ id: Entity.Id }, Input.open)
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
