/** Sign-in, sign-up, and the end user's own account (specification, point 7). */
import * as Entity from "../kernel/operation/entity.js"
import { Operation } from "../kernel/operation/operation.js"
import {
  AdminLogin,
  LegacyLogin,
  Login,
  SelfChange,
  SignedIn,
  SignUp,
  UpdatePassword,
  User
} from "./model.js"

/** Signs an admin in on the new service. Sends no credentials besides the input, and no `projectId`. */
export const adminLogin: Operation<Login, AdminLogin, "admin", "signIn"> = /*#__PURE__*/ Operation.make(
  "auth.login",
  () => ({
    method: "POST",
    path: "auth/admin/login",
    audiences: ["admin"],
    input: Login,
    success: AdminLogin,
    credentials: "none",
    isReadOnly: true
  })
)

/** Signs an admin in on the legacy service. Sends no credentials besides the input, and no `projectId`. */
export const legacyLogin: Operation<Login, LegacyLogin, "admin", "signIn"> = /*#__PURE__*/ Operation.make(
  "auth.legacyLogin",
  () => ({
    method: "POST",
    path: "auth/login",
    host: "legacy",
    audiences: ["admin"],
    input: Login,
    success: LegacyLogin,
    credentials: "none",
    isReadOnly: true
  })
)

/** Signs an end user in; the session configures an end-user client. */
export const login: Operation<Login, SignedIn, "public", "read"> = /*#__PURE__*/ Operation.make(
  "auth.login",
  () => ({
    method: "POST",
    path: "auth/login",
    audiences: ["public"],
    input: Login,
    success: SignedIn,
    isReadOnly: true
  })
)

/** Signs an end user up. */
export const signup: Operation<
  Entity.WithBody<SignUp>,
  SignedIn,
  "public",
  "write"
> = /*#__PURE__*/ Operation.make("auth.signup", () => ({
  method: "POST",
  path: "auth/signup",
  audiences: ["public"],
  input: Entity.withBody(SignUp),
  success: SignedIn
}))

/** Reads the signed-in end user. */
export const self: Operation<Entity.Nothing, User, "endUser", "read"> = /*#__PURE__*/ Operation.make(
  "auth.self",
  () => ({
    method: "GET",
    path: "auth/self",
    audiences: ["endUser"],
    input: Entity.Nothing,
    success: User
  })
)

/** Changes the signed-in end user. */
export const update: Operation<
  Entity.WithBody<SelfChange>,
  User,
  "endUser",
  "write"
> = /*#__PURE__*/ Operation.make("auth.update", () => ({
  method: "POST",
  path: "auth/self/update",
  audiences: ["endUser"],
  input: Entity.withBody(SelfChange),
  success: User
}))

/** Changes the signed-in end user's password. */
export const updatePassword: Operation<UpdatePassword, unknown, "endUser", "write"> =
  /*#__PURE__*/ Operation.make("auth.updatePassword", () => ({
    method: "POST",
    path: "auth/self/updatePassword",
    audiences: ["endUser"],
    input: UpdatePassword,
    success: Entity.Anything
  }))
