/** Admins and their preferences; the end users are those of `auth` (specification, point 3). */

import * as Row from "../kernel/codec/row.js"
import * as Entity from "../kernel/operation/entity.js"
import * as Schema from "../kernel/operation/schema.js"

/** An admin of the project. @category schemas */
export const Admin = Entity.open({
  _id: Entity.Id,
  email: Entity.maybe(Schema.String),
  fullName: Entity.maybe(Schema.String)
})
export interface Admin extends Schema.Schema.Type<typeof Admin> {}

/** An admin's preference, stored under a key. @category schemas */
export const Preference = Entity.open({ key: Entity.maybe(Schema.String) })
export interface Preference extends Schema.Schema.Type<typeof Preference> {}

/** The key of a preference. @category schemas */
export const ByKey = Schema.Struct({ key: Entity.Id })
export interface ByKey extends Schema.Schema.Type<typeof ByKey> {}

/** The key of a preference, and its new body. @category schemas */
export const SetPreference = Schema.Struct({ key: Entity.Id, payload: Schema.Unknown })
export interface SetPreference extends Schema.Schema.Type<typeof SetPreference> {}

/** What an administrator holds, as far as it is assumed. @category schemas */
export const AdminRow = /*#__PURE__*/ Row.row(() => ({
  ...Row.requiredFields(Admin),
  email: Schema.NonEmptyString,
  roles: Schema.Array(Entity.Id)
}))

/** What an admin is created with. Assumed. @category schemas */
export const NewAdmin = /*#__PURE__*/ Row.part(() => ({
  email: Schema.NonEmptyString,
  password: Schema.NonEmptyString,
  fullName: Schema.optional(Schema.String),
  roles: Schema.optional(Schema.Array(Entity.Id))
}))
