/** Roles and the permissions that they hold (specification, points 3 and 6). */

import * as Row from "../kernel/codec/row.js"
import * as Entity from "../kernel/operation/entity.js"
import * as Schema from "../kernel/operation/schema.js"

/** A permission that roles can hold. @category schemas */
export const Permission = Entity.open({
  _id: Entity.Id,
  resource: Entity.maybe(Schema.String),
  action: Entity.maybe(Schema.String),
  level: Entity.maybe(Schema.Number)
})
export interface Permission extends Schema.Schema.Type<typeof Permission> {}

/** A role; the form of its permissions is not specified. @category schemas */
export const Role = Entity.open({ _id: Entity.Id, permissions: Entity.maybe(Schema.Unknown) })
export interface Role extends Schema.Schema.Type<typeof Role> {}

/** A role, and the permission to add or remove. @category schemas */
export const RolePermission = Schema.Struct({ id: Entity.Id, permissionId: Entity.Id })
export interface RolePermission extends Schema.Schema.Type<typeof RolePermission> {}

/** What a permission holds, as far as it is assumed. @category schemas */
export const PermissionRow = /*#__PURE__*/ Row.row(() => Row.requiredFields(Permission))

/** What a role, with the ids of its permissions, holds, as far as it is assumed. @category schemas */
export const RoleRow = /*#__PURE__*/ Row.row(() => ({
  name: Schema.NonEmptyString,
  permissions: Schema.Array(Entity.Id)
}))

/** What a role is created with. Assumed. @category schemas */
export const NewRole = /*#__PURE__*/ Row.part(() => ({
  name: Schema.NonEmptyString,
  permissions: Schema.optional(Schema.Array(Entity.Id))
}))
