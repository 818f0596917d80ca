/** Rows about people: admins with their roles, end users, and their preferences and relations. */
import type * as Schema from "effect/Schema"
import * as Auth from "@quartet/sdk/extend/models/auth"
import * as Roles from "@quartet/sdk/extend/models/roles"
import * as Users from "@quartet/sdk/extend/models/users"

export const User: typeof Auth.UserRow = Auth.UserRow
export interface User extends Schema.Schema.Type<typeof User> {}
export const Admin: typeof Users.AdminRow = Users.AdminRow
export interface Admin extends Schema.Schema.Type<typeof Admin> {}
export const Permission: typeof Roles.PermissionRow = Roles.PermissionRow
export interface Permission extends Schema.Schema.Type<typeof Permission> {}
export const Role: typeof Roles.RoleRow = Roles.RoleRow
export interface Role extends Schema.Schema.Type<typeof Role> {}

/** A preference of one admin under a key. */
export interface Preference {
  readonly _id: string
  readonly adminId: string
  readonly key: string
  readonly value: unknown
  readonly updatedAt: Date
}

/** One end user's relation to another; the id combines both. */
export interface Relation {
  readonly _id: string
  readonly from: string
  readonly to: string
  readonly createdAt: Date
}
