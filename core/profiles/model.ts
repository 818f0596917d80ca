/** E-commerce profiles, and who follows and blocks whom (specification, points 3 and 7). */

import * as Row from "../kernel/codec/row.js"
import * as Entity from "../kernel/operation/entity.js"
import * as Filters from "../kernel/operation/filters.js"
import * as Input from "../kernel/operation/input.js"
import * as Schema from "../kernel/operation/schema.js"

/** A profile. Only `_id` is known. @category schemas */
export const Profile = Entity.open({ _id: Entity.Id })
export interface Profile extends Schema.Schema.Type<typeof Profile> {}

/** Filters of the admin's search. Lists are sent joined by commas, and omitted if empty. @category schemas */
export const SearchProfiles = /*#__PURE__*/ Entity.list(() => ({
  ...Filters.named(Schema.NonEmptyString, Schema.NonEmptyString),
  /** Only those with one of these interests. */
  interestsIn: Schema.optional(Input.list(Schema.NonEmptyString))
}))
export interface SearchProfiles extends Schema.Schema.Type<typeof SearchProfiles> {}

const wholeFrom = (minimum: number): Schema.Schema<number> =>
  Schema.wholeFrom(minimum, { title: `a whole number, at least ${minimum}` })

/** A profile, and the page of its followers or followings. @category schemas */
export const Connections = Schema.Struct({
  id: Entity.Id,
  /** Maximum profiles per page. */
  limit: Schema.optional(wholeFrom(1)),
  /** Number of the page: from 1, unless the platform counts from 0. */
  page: Schema.optional(wholeFrom(0))
})
export interface Connections extends Schema.Schema.Type<typeof Connections> {}

/** What an admin changes of a profile; the body holds its id. Assumed. @category schemas */
export const ProfileChange = /*#__PURE__*/ Row.part(() => ({
  _id: Entity.Id,
  phone: Entity.maybe(Schema.String),
  city: Entity.maybe(Schema.String),
  about: Entity.maybe(Schema.String),
  fullName: Schema.optional(Schema.String),
  interests: Schema.optional(Schema.Array(Schema.String)),
  type: Schema.optional(Schema.String),
  status: Schema.optional(Schema.String)
}))
