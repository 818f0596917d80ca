/** Roles and the permissions that they hold (specification, points 3 and 6). */

import * as Row from "../kernel/codec/row.js"
import * as Entity from "../kernel/operation/entity.js"
import * as Schema from "../kernel/operation/schema.js"

/**
 * A permission that roles can hold: an action on a resource, at a level from 0 to 9 (point 6 of the specification).
 * `*` stands for every resource, or every action. The most specific one decides.
 * @category schemas
 */
export const Permission = /*#__PURE__*/ Entity.make(
  {
    /** Its id. */
    _id: Entity.Id,
    /** What it is for, such as `requests`; `*` is everything. */
    resource: Entity.maybe(Schema.String),
    /** What may be done, such as `markSeen`; `*` is everything. */
    action: Entity.maybe(Schema.String),
    /** How much of it, from 0 for nothing to 9. */
    level: Entity.maybe(Schema.Number)
  },
  () => Row.stamps
)
export interface Permission extends Schema.Schema.Type<typeof Permission> {}

/**
 * A role: a name and the ids of the permissions that those who have it get. `roles.addPermission` and
 * `roles.removePermission` change them; the form of its permissions is not specified.
 * @category schemas
 */
export const Role = /*#__PURE__*/ Entity.make(
  {
    /** Its id. */
    _id: Entity.Id
  },
  () => ({
    /** Its name. Assumed: the platform may differ. */
    name: Schema.NonEmptyString,
    /** Ids of the permissions that it holds. Assumed: the platform may differ. */
    permissions: Schema.Array(Entity.Id),
    ...Row.stamps
  })
)
export interface Role extends Schema.Schema.Type<typeof Role> {}

/** A role, and the permission to add or remove. @category schemas */
export const RolePermission = /*#__PURE__*/ (() =>
  Schema.Struct({
    /** Id of the role. */
    id: Entity.Id,
    /** Id of the permission. */
    permissionId: Entity.Id
  }))()
export interface RolePermission extends Schema.Schema.Type<typeof RolePermission> {}

/** What a role is created with. Assumed: the platform may differ. @category schemas */
export const NewRole = /*#__PURE__*/ Entity.body(() => ({
  /** Its name for people. */
  name: Schema.NonEmptyString,
  /** Ids of its permissions. */
  permissions: Schema.optional(Schema.Array(Entity.Id))
}))
export type NewRole = Schema.Schema.Type<typeof NewRole>

/** What is changed of a role. Assumed: the platform may differ. @category schemas */
export const RoleChange = /*#__PURE__*/ Row.change(() => Role)
export type RoleChange = Schema.Schema.Type<typeof RoleChange>
