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

/** A transaction to refund; the body is optional. @category schemas */
export const Refund = Schema.Struct({ id: Entity.Id, payload: Schema.optional(Schema.Unknown) })
export interface Refund extends Schema.Schema.Type<typeof Refund> {}
