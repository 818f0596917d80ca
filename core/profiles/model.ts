/** E-commerce profiles, and who follows and blocks whom (specification, points 3 and 7). */

import { personal, User, userStatuses, userTypes } from "../auth/model.js"
import { DateTime } from "../kernel/codec/dates.js"
import * as Row from "../kernel/codec/row.js"
import * as Entity from "../kernel/operation/entity.js"
import * as Filters from "../kernel/operation/filters.js"
import * as Input from "../kernel/operation/input.js"
import * as Schema from "../kernel/operation/schema.js"

/**
 * An end user as others see them in the shop. `profile.getFull` answers the numbers of followers, items and orders,
 * too; the e-mail address is shown to its owner and to admins alone.
 * @category schemas
 */
export const Profile = /*#__PURE__*/ Entity.make(
  {
    /** Its id. */
    _id: Entity.Id
  },
  () => ({
    /** E-mail address; others do not see it. Assumed: the platform may differ. */
    email: Entity.maybe(Schema.String),
    /** First and last name. Assumed: the platform may differ. */
    fullName: Schema.String,
    ...personal(),
    /** Number of profiles that follow it, of a full profile. Assumed: the platform may differ. */
    followers: Entity.maybe(Schema.Number),
    /** Number of profiles that it follows, of a full profile. Assumed: the platform may differ. */
    followings: Entity.maybe(Schema.Number),
    /** Number of its items, of a full profile. Assumed: the platform may differ. */
    items: Entity.maybe(Schema.Number),
    /** Number of its orders, of a full profile. Assumed: the platform may differ. */
    orders: Entity.maybe(Schema.Number),
    ...Row.stamps
  })
)
export interface Profile extends Schema.Schema.Type<typeof Profile> {}

/** Filters of the admin's search. Lists are sent joined by commas, and omitted if empty. @category schemas */
export const SearchProfiles = /*#__PURE__*/ Entity.list(() => ({
  ...Filters.named(Entity.openLiteral(...userTypes), Entity.literal(...userStatuses)),
  /** Only those with one of these interests. */
  interestsIn: Schema.optional(Input.list(Schema.NonEmptyString))
}))
export interface SearchProfiles extends Schema.Schema.Type<typeof SearchProfiles> {}

const wholeFrom = (minimum: number): Schema.Schema<number> =>
  Schema.wholeFrom(minimum, { title: `a whole number, at least ${minimum}` })

/** A profile, and the page of its followers or followings. @category schemas */
export const Connections = /*#__PURE__*/ (() =>
  Schema.Struct({
    /** Id of the profile. */
    id: Entity.Id,
    /** Maximum profiles per page. */
    limit: Schema.optional(wholeFrom(1)),
    /** Number of the page: from 1, unless the platform counts from 0. */
    page: Schema.optional(wholeFrom(0))
  }))()
export interface Connections extends Schema.Schema.Type<typeof Connections> {}

/** What an admin changes of a profile; the body holds its id. Assumed: the platform may differ. @category schemas */
export const ProfileChange = /*#__PURE__*/ Entity.body(() => ({
  /** Its id. */
  _id: Entity.Id,
  /** Telephone number, with the code of its country. */
  phone: Entity.maybe(Schema.String),
  /** City of residence. */
  city: Entity.maybe(Schema.String),
  /** What they say of themselves. */
  about: Entity.maybe(Schema.String),
  /** First and last name. */
  fullName: Schema.optional(Schema.String),
  /** What they are interested in, in words of the project. */
  interests: Schema.optional(Schema.Array(Schema.String)),
  /** Kind of user, such as `resident`, `buyer`, `broker`. */
  type: Schema.optional(Entity.openLiteral(...userTypes)),
  /** State of the account, such as `active`, `inactive`. */
  status: Schema.optional(Entity.openLiteral(...userStatuses))
}))
export type ProfileChange = Schema.Schema.Type<typeof ProfileChange>

/** That one profile follows or blocks another. @category schemas */
export const Relation = /*#__PURE__*/ Entity.make({}, () => ({
  /** Id of the relation. Assumed: the platform may differ. */
  _id: Entity.Id,
  /** Id of the profile that follows or blocks. Assumed: the platform may differ. */
  from: Entity.Id,
  /** Id of the other one. Assumed: the platform may differ. */
  to: Entity.Id,
  /** Since when. Assumed: the platform may differ. */
  createdAt: DateTime
}))
export interface Relation extends Schema.Schema.Type<typeof Relation> {}

/** Whether the caller blocks a profile. @category schemas */
export const BlockState = /*#__PURE__*/ Entity.make({}, () => ({
  /** Whether it is so. Assumed: the platform may differ. */
  isBlocked: Schema.Boolean
}))
export interface BlockState extends Schema.Schema.Type<typeof BlockState> {}

/** What end users change of their own profile. Assumed: the platform may differ. @category schemas */
export const OwnProfileChange = /*#__PURE__*/ Row.change(() => User, "email", "type", "status")
export type OwnProfileChange = Schema.Schema.Type<typeof OwnProfileChange>

/** What profiles are searched by. Assumed: the platform may differ. @category schemas */
export const ProfileSearch = /*#__PURE__*/ Entity.search(() => ({
  ...Filters.search(),
  ...Filters.named(Entity.openLiteral(...userTypes), Entity.literal(...userStatuses)),
  /** Only those with one of these interests. */
  interestsIn: Schema.optional(Schema.Array(Schema.NonEmptyString)),
  /** Only those who live there. */
  city: Schema.optional(Schema.String),
  /** Only those of this type. */
  type: Schema.optional(Entity.openLiteral(...userTypes)),
  /** Only those with this status. */
  status: Schema.optional(Entity.literal(...userStatuses))
}))
export type ProfileSearch = Schema.Schema.Type<typeof ProfileSearch>
