/** Admins and their preferences; the end users are those of `auth` (specification, point 3). */

import { DateTime } from "../kernel/codec/dates.js"
import * as Row from "../kernel/codec/row.js"
import * as Entity from "../kernel/operation/entity.js"
import * as Schema from "../kernel/operation/schema.js"

/**
 * An admin of the project: whoever signs in to the console. What they may do follows from their `roles`, whose
 * permissions the access token lists.
 * @category schemas
 */
export const Admin = /*#__PURE__*/ Entity.make(
  {
    /** Its id. */
    _id: Entity.Id,
    /** E-mail address, with which they sign in. */
    email: Entity.maybe(Schema.String),
    /** First and last name. */
    fullName: Entity.maybe(Schema.String)
  },
  () => ({
    /** Ids of the roles that they have. Assumed: the platform may differ. */
    roles: Schema.Array(Entity.Id),
    ...Row.stamps
  })
)
export interface Admin extends Schema.Schema.Type<typeof Admin> {}

/**
 * An admin's preference, stored under a key that their app chose: a theme, the columns of a table. Each admin sees
 * their own alone.
 * @category schemas
 */
export const Preference = /*#__PURE__*/ Entity.make(
  {
    /** Its key, which the admin's app chose. */
    key: Entity.maybe(Schema.String)
  },
  () => ({
    /** What was stored under it. Assumed: the platform may differ. */
    value: Entity.maybe(Schema.Unknown),
    /** When it was stored. Assumed: the platform may differ. */
    updatedAt: DateTime
  })
)
export interface Preference extends Schema.Schema.Type<typeof Preference> {}

/** The key of a preference. @category schemas */
export const ByKey = /*#__PURE__*/ (() =>
  Schema.Struct({
    /** Key of the preference, which the admin's app chooses. */
    key: Entity.Id
  }))()
export interface ByKey extends Schema.Schema.Type<typeof ByKey> {}

/** What an admin's app keeps: anything but null. @category schemas */
export const PreferenceValue: Schema.Schema<NonNullable<unknown>> = /*#__PURE__*/ Schema.make(
  Entity.OwnBody.ast
)

/** The key of a preference, and its new body. @category schemas */
export const SetPreference = /*#__PURE__*/ (() =>
  Schema.Struct({
    /** Key of the preference, which the admin's app chooses. */
    key: Entity.Id,
    /** What is stored under it. */
    payload: PreferenceValue
  }))()
export interface SetPreference extends Schema.Schema.Type<typeof SetPreference> {}

/** What an admin is created with. Assumed: the platform may differ. @category schemas */
export const NewAdmin = /*#__PURE__*/ Entity.body(() => ({
  /** E-mail address, with which they sign in. */
  email: Schema.NonEmptyString,
  /** Their first password. It is never printed. */
  password: Schema.NonEmptyString,
  /** First and last name. */
  fullName: Schema.optional(Schema.String),
  /** Ids of the roles that they have. */
  roles: Schema.optional(Schema.Array(Entity.Id))
}))
export type NewAdmin = Schema.Schema.Type<typeof NewAdmin>

/** What is changed of an admin. Assumed: the platform may differ. @category schemas */
export const AdminChange = /*#__PURE__*/ Row.change(() => Admin)
export type AdminChange = Schema.Schema.Type<typeof AdminChange>
