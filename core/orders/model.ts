/** Orders and their groups (specification, points 3 and 7). */

import * as Entity from "../kernel/operation/entity.js"
import * as Input from "../kernel/operation/input.js"
import * as Schema from "../kernel/operation/schema.js"

/** An order. Only `_id` is known. @category schemas */
export const Order = Entity.open({ _id: Entity.Id })
export interface Order extends Schema.Schema.Type<typeof Order> {}

/** Orders that belong together. Only `_id` is known. @category schemas */
export const OrderGroup = Entity.open({ _id: Entity.Id })
export interface OrderGroup extends Schema.Schema.Type<typeof OrderGroup> {}

/** Filters of the admin's search. Lists are sent joined by commas, and omitted if empty. @category schemas */
export const SearchOrders = Schema.Struct(
  {
    inUserIds: Schema.optional(Input.list(Entity.Id)),
    notInUserIds: Schema.optional(Input.list(Entity.Id)),
    typeIn: Schema.optional(Input.list(Schema.NonEmptyString)),
    statusIn: Schema.optional(Input.list(Schema.NonEmptyString))
  },
  Input.open
)
export interface SearchOrders extends Schema.Schema.Type<typeof SearchOrders> {}
