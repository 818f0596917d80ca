/** Items of the shop (specification, points 3 and 7). */

import * as Row from "../kernel/codec/row.js"
import * as Entity from "../kernel/operation/entity.js"
import * as Filters from "../kernel/operation/filters.js"
import * as Input from "../kernel/operation/input.js"
import * as Schema from "../kernel/operation/schema.js"

/** An item of the shop. @category schemas */
export const Item = Entity.open({ _id: Entity.Id })
export interface Item extends Schema.Schema.Type<typeof Item> {}

/** Filters of the item search. Lists are sent joined by commas, and omitted if empty. @category schemas */
export const SearchItems = /*#__PURE__*/ Entity.list(() => ({
  ...Filters.named(Schema.String, Schema.String),
  /** Only those with one of these interests. */
  interestsIn: Schema.optional(Input.list(Schema.String))
}))
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
