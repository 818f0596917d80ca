/** Items of the shop (specification, points 3 and 7). */

import * as Row from "../kernel/codec/row.js"
import * as Entity from "../kernel/operation/entity.js"
import * as Filters from "../kernel/operation/filters.js"
import * as Input from "../kernel/operation/input.js"
import * as Schema from "../kernel/operation/schema.js"

/** Whether an item can be had, as far as the words are assumed. @category constants */
export const itemStatuses = /*#__PURE__*/ Object.freeze(["available", "reserved", "sold"] as const)

/**
 * An item of the shop: something to buy, to rent or to order. An item that is a place has city, area and rooms, too.
 * Its price is in whole units of `currency`, not cents; read it with `readNumber`.
 * @category schemas
 */
export const Item = /*#__PURE__*/ Entity.make(
  {
    /** Its id. */
    _id: Entity.Id
  },
  () => ({
    /** Its name. Assumed: the platform may differ. */
    name: Schema.String,
    /** Kind of item, in words of the project, such as `service`. Assumed: the platform may differ. */
    type: Schema.String,
    /** Whether it can be had, such as `available`, `reserved`, `sold`. Assumed: the platform may differ. */
    status: Entity.openLiteral(...itemStatuses),
    /** Price of one, in whole units of `currency`, not cents: read it with `readNumber`. Assumed: the platform may differ. */
    price: Schema.Number,
    /** Code of the price's currency, such as `USD` (ISO 4217). Assumed: the platform may differ. */
    currency: Schema.String,
    /** Id of the end user who offers it. Assumed: the platform may differ. */
    userId: Entity.Id,
    /** What it is of interest for, in words of the project. Assumed: the platform may differ. */
    interests: Schema.Array(Schema.String),
    /** Whether it is shown before others. Assumed: the platform may differ. */
    featured: Schema.Boolean,
    /** City, of an item that is a place. Assumed: the platform may differ. */
    city: Entity.maybe(Schema.String),
    /** Part of the city, of an item that is a place. Assumed: the platform may differ. */
    district: Entity.maybe(Schema.String),
    /** Size in square metres, of an item that is a place. Assumed: the platform may differ. */
    area: Entity.maybe(Schema.Number),
    /** Number of its floor, 0 for the ground floor, of an item that is a place. Assumed: the platform may differ. */
    floor: Entity.maybe(Schema.Number),
    /** Number of rooms, of an item that is a place. Assumed: the platform may differ. */
    rooms: Entity.maybe(Schema.Number),
    ...Row.stamps
  })
)
export interface Item extends Schema.Schema.Type<typeof Item> {}

/** Filters of the item search. Lists are sent joined by commas, and omitted if empty. @category schemas */
export const SearchItems = /*#__PURE__*/ Entity.list(() => ({
  ...Filters.named(Schema.String, Entity.literal(...itemStatuses)),
  /** Only those with one of these interests. */
  interestsIn: Schema.optional(Input.list(Schema.String))
}))
export interface SearchItems extends Schema.Schema.Type<typeof SearchItems> {}

/** What a visitor searches items by. Assumed: the platform may differ. @category schemas */
export const ItemSearch = /*#__PURE__*/ Entity.search(() => ({
  ...Filters.search(),
  ...Filters.named(Schema.String, Entity.literal(...itemStatuses)),
  /** A text that is looked for. */
  text: Schema.optional(Schema.String),
  /** Only those with one of these interests. */
  interestsIn: Schema.optional(Schema.Array(Schema.String)),
  /** Only those of this type. */
  type: Schema.optional(Schema.String),
  /** Only those with this status. */
  status: Schema.optional(Entity.literal(...itemStatuses)),
  /** Only those that cost at least this much. */
  minPrice: Schema.optional(Schema.Number),
  /** Only those that cost at most this much. */
  maxPrice: Schema.optional(Schema.Number)
}))
export type ItemSearch = Schema.Schema.Type<typeof ItemSearch>
