/** Rows about people: admins with their roles, end users, and their preferences and relations. */
import * as Schema from "effect/Schema"
import * as Auth from "@quartet/sdk/models/auth"
import { Entity } from "@quartet/sdk/extend"
import * as Roles from "@quartet/sdk/models/roles"
import * as Users from "@quartet/sdk/models/users"
import { held, stamps } from "./fields.js"

/** An end user, who is also a profile of the shop. */
export const User = Entity.open({
  ...stamps,
  ...held(Auth.User),
  email: Schema.NonEmptyString,
  phone: Entity.maybe(Schema.String),
  city: Entity.maybe(Schema.String),
  about: Entity.maybe(Schema.String),
  interests: Schema.Array(Schema.String),
  type: Schema.String,
  status: Schema.String
})
export interface User extends Schema.Schema.Type<typeof User> {}

export const Admin = Entity.open({
  ...stamps,
  ...held(Users.Admin),
  email: Schema.NonEmptyString,
  roles: Schema.Array(Entity.Id)
})
export interface Admin extends Schema.Schema.Type<typeof Admin> {}

/** What an admin is created with. */
export const NewAdmin = Entity.open({
  email: Schema.NonEmptyString,
  password: Schema.NonEmptyString,
  fullName: Schema.optional(Schema.String),
  roles: Schema.optional(Schema.Array(Entity.Id))
})

/** What an end user is created with; one without a password cannot sign in yet. */
export const NewUser = Entity.open({
  email: Schema.NonEmptyString,
  password: Schema.optional(Schema.NonEmptyString),
  fullName: Schema.optional(Schema.String),
  phone: Schema.optional(Schema.String),
  city: Schema.optional(Schema.String),
  about: Schema.optional(Schema.String),
  interests: Schema.optional(Schema.Array(Schema.String)),
  type: Schema.optional(Schema.String),
  status: Schema.optional(Schema.String)
})

const { _id, about, city, phone } = User.fields

/** What an admin changes of a profile; the body holds its id. */
export const ProfileChange = Entity.open({
  ...{ _id, phone, city, about },
  fullName: Schema.optional(Schema.String),
  interests: Schema.optional(Schema.Array(Schema.String)),
  type: Schema.optional(Schema.String),
  status: Schema.optional(Schema.String)
})

/** What an end user signs up with. */
export const SignUp = Entity.open({ ...NewUser.fields, password: Schema.NonEmptyString })

export const Permission = Entity.open({ ...stamps, ...held(Roles.Permission) })
export interface Permission extends Schema.Schema.Type<typeof Permission> {}

/** A role; `permissions` holds ids. */
export const Role = Entity.open({
  ...stamps,
  name: Schema.NonEmptyString,
  permissions: Schema.Array(Entity.Id)
})
export interface Role extends Schema.Schema.Type<typeof Role> {}

/** What a role is created with. */
export const NewRole = Entity.open({
  name: Schema.NonEmptyString,
  permissions: Schema.optional(Schema.Array(Entity.Id))
})

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
