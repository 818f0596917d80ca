/** The callers: admins, read from their access token, and end users; two separate kinds of identity. */

import * as Row from "../kernel/codec/row.js"
import * as Entity from "../kernel/operation/entity.js"
import * as Schema from "../kernel/operation/schema.js"
import { Admin } from "../users/model.js"

/** The input of all sign-ins. @category schemas */
export const Login = /*#__PURE__*/ (() =>
  Schema.Struct({
    /** E-mail address of the account. */
    email: Schema.NonEmptyString,
    /** Its password. It is never printed. */
    password: Schema.NonEmptyString
  }))()
export interface Login extends Schema.Schema.Type<typeof Login> {}

/**
 * The new service's answer to an admin's sign-in: the access token, whose claims say who the admin is, what they may
 * do and when it ends, and the admin. Clients sign in by themselves and keep both.
 * @category schemas
 */
export const AdminLogin = /*#__PURE__*/ (() =>
  Entity.make(
    {
      /** The token that later calls carry; it says who the admin is and when it ends. */
      accessToken: Entity.essential(Schema.NonEmptyString)
    },
    () => ({
      /** The admin who signed in. Assumed: the platform may differ. */
      user: Entity.named<Admin, Schema.Schema.Encoded<typeof Admin>>(Admin)
    })
  ))()
export interface AdminLogin extends Schema.Schema.Type<typeof AdminLogin> {}

/**
 * A session id: text or, where a platform counts its sessions, a number. Clients take text that is not blank, and whole numbers within ±(2⁵³ − 1).
 * @category schemas
 */
export type SessionId = string | number
export const SessionId: Schema.Schema<SessionId> = /*#__PURE__*/ (() =>
  Schema.Union(Schema.String, Schema.Number))()

/** The legacy service's answer to an admin's sign-in. @category schemas */
export const LegacyLogin = /*#__PURE__*/ (() =>
  Entity.open({
    /** Id of the session, which later calls carry. */
    sessionId: Entity.essential(SessionId)
  }))()
export interface LegacyLogin extends Schema.Schema.Type<typeof LegacyLogin> {}

/** The kinds of end users, as far as they are assumed. @category constants */
export const userTypes = /*#__PURE__*/ Object.freeze(["resident", "buyer", "broker"] as const)

/** The states of an end user's account, as far as they are assumed. @category constants */
export const userStatuses = /*#__PURE__*/ Object.freeze(["active", "inactive"] as const)

/** What an end user is assumed to hold, who is also a profile of the shop. @category models */
export const personal = () => ({
  /** Telephone number, with the code of its country. Assumed: the platform may differ. */
  phone: Entity.maybe(Schema.String),
  /** City of residence. Assumed: the platform may differ. */
  city: Entity.maybe(Schema.String),
  /** What they say of themselves. Assumed: the platform may differ. */
  about: Entity.maybe(Schema.String),
  /** What they are interested in, in words of the project. Assumed: the platform may differ. */
  interests: Schema.Array(Schema.String),
  /** Kind of user, such as `resident`, `buyer`, `broker`. Assumed: the platform may differ. */
  type: Entity.openLiteral(...userTypes),
  /** State of the account, such as `active`, `inactive`. Assumed: the platform may differ. */
  status: Entity.openLiteral(...userStatuses)
})

/**
 * An end user: whoever uses the project's apps with an account. Admins list and change them by `users`; they sign in
 * by `public.auth.login`, and change themselves by `endUser.auth.update`. Their password is never answered.
 * @category schemas
 */
export const User = /*#__PURE__*/ Entity.make(
  {
    /** Its id. */
    _id: Entity.Id,
    /** E-mail address, with which they sign in. */
    email: Entity.maybe(Schema.String),
    /** First and last name. */
    fullName: Entity.maybe(Schema.String)
  },
  () => ({ ...personal(), ...Row.stamps })
)
export interface User extends Schema.Schema.Type<typeof User> {}

/** The answer to a public sign-in or sign-up: a session, if the platform opens one. @category schemas */
export const SignedIn = /*#__PURE__*/ (() =>
  Entity.open({
    /** Id of the session, if the platform opens one. */
    sessionId: Entity.maybe(SessionId),
    /** The end user who signed in or up. */
    user: Entity.maybe<User, Schema.Schema.Encoded<typeof User>>(User)
  }))()
export interface SignedIn extends Schema.Schema.Type<typeof SignedIn> {}

/** The end user's change of password. @category schemas */
export const UpdatePassword = /*#__PURE__*/ (() =>
  Schema.Struct({
    /** The password so far. It is never printed. */
    oldPassword: Schema.NonEmptyString,
    /** The password from now on. It is never printed. */
    newPassword: Schema.NonEmptyString
  }))()
export interface UpdatePassword extends Schema.Schema.Type<typeof UpdatePassword> {}

const newUser = () => ({
  /** E-mail address, with which they sign in. */
  email: Schema.NonEmptyString,
  /** Password; without one they cannot sign in yet. */
  password: Schema.optional(Schema.NonEmptyString),
  /** First and last name. */
  fullName: Schema.optional(Schema.String),
  /** Telephone number, with the code of its country. */
  phone: Schema.optional(Schema.String),
  /** City of residence. */
  city: Schema.optional(Schema.String),
  /** What they say of themselves. */
  about: Schema.optional(Schema.String),
  /** What they are interested in, in words of the project. */
  interests: Schema.optional(Schema.Array(Schema.String)),
  /** Kind of user, such as `resident`, `buyer`, `broker`. */
  type: Schema.optional(Entity.openLiteral(...userTypes)),
  /** State of the account, such as `active`, `inactive`. */
  status: Schema.optional(Entity.openLiteral(...userStatuses))
})

/** What an end user is created with; one without a password cannot sign in yet. Assumed: the platform may differ. @category schemas */
export const NewUser = /*#__PURE__*/ Entity.body(newUser)
export type NewUser = Schema.Schema.Type<typeof NewUser>

/** What an end user signs up with. Assumed: the platform may differ. @category schemas */
export const SignUp = /*#__PURE__*/ Entity.body(() => ({
  ...newUser(),
  /** The password that they choose. It is never printed. */
  password: Schema.NonEmptyString
}))
export type SignUp = Schema.Schema.Type<typeof SignUp>

/** What an admin changes of an end user. Assumed: the platform may differ. @category schemas */
export const UserChange = /*#__PURE__*/ Row.change(() => User)
export type UserChange = Schema.Schema.Type<typeof UserChange>

/** What end users change of themselves. Assumed: the platform may differ. @category schemas */
export const SelfChange = /*#__PURE__*/ Row.change(() => User, "type", "status")
export type SelfChange = Schema.Schema.Type<typeof SelfChange>
