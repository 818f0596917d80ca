/** The filters that the lists of several slices take alike, each described here alone. */
import * as Entity from "./entity.js"
import * as Input from "./input.js"
import * as Schema from "./schema.js"

/** The filters that the specification names for searches (point 5). Lists are sent joined by commas, and left out when empty. */
export const named = <Type, TypeI, Status, StatusI>(
  type: Schema.Schema<Type, TypeI>,
  status: Schema.Schema<Status, StatusI>
) => ({
  /** Only what belongs to one of these users. In a query, an empty list filters nothing. */
  inUserIds: Schema.optional(Input.list(Entity.Id)),
  /** Only what belongs to none of these users. In a query, an empty list filters nothing. */
  notInUserIds: Schema.optional(Input.list(Entity.Id)),
  /** Only what is of one of these types. In a query, an empty list filters nothing. */
  typeIn: Schema.optional(Input.list(type)),
  /** Only what has one of these statuses. In a query, an empty list filters nothing. */
  statusIn: Schema.optional(Input.list(status))
})

/** The same, and whose it is: what the shop's lists of orders and of payments take. */
export const ofShop = <Type, TypeI, Status, StatusI>(
  type: Schema.Schema<Type, TypeI>,
  status: Schema.Schema<Status, StatusI>
) => ({
  ...named(type, status),
  /** Only what belongs to this user. Assumed: the platform may differ. */
  userId: Schema.optional(Entity.Id)
})

/** What a search takes in its body, beside its filters. */
export const search = () => ({
  ...Entity.paging(),
  /** A text that is looked for. Assumed: the platform may differ. */
  search: Schema.optional(Schema.String),
  /** The field to sort by, with `-` before it for the reverse. Assumed: the platform may differ. */
  sort: Schema.optional(Schema.String)
})
