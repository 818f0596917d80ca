/** Items of the shop (specification, points 3 and 7). */

import * as Row from "../kernel/codec/row.js"
import * as Entity from "../kernel/operation/entity.js"
import * as Input from "../kernel/operation/input.js"
import * as Schema from "../kernel/operation/schema.js"

/** An item of the shop. @category schemas */
export const Item = Entity.open({ _id: Entity.Id })
export interface Item extends Schema.Schema.Type<typeof Item> {}

/** Filters of the item search. Lists are sent joined by commas, and omitted if empty. @category schemas */
export const SearchItems = Schema.Struct(
  {
    inUserIds: Schema.optional(Input.list(Entity.Id)),
    notInUserIds: Schema.optional(Input.list(Entity.Id)),
    typeIn: Schema.optional(Input.list(Schema.String)),
    statusIn: Schema.optional(Input.list(Schema.String)),
    interestsIn: Schema.optional(Input.list(Schema.String))
  },
  Input.open
)
export interface SearchItems extends Schema.Schema.Type<typeof SearchItems> {}

/** What an item of the shop holds, as far as it is assumed. @category schemas */
export const ItemRow = /*#__PURE__*/ Row.row(() => ({
  name: Schema.String,
  type: Schema.String,
  status: Schema.String,
  price: Schema.Number,
  currency: Schema.String,
  /** The end user who offers it. */
  userId: Entity.Id,
  interests: Schema.Array(Schema.String),
  featured: Schema.Boolean
}))
