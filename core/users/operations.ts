/** The calls for managing users (specification, point 7). */

import { NewUser, User, UserChange } from "../auth/model.js"
import { type Page, page } from "../kernel/operation/answer.js"
import * as Entity from "../kernel/operation/entity.js"
import { Operation } from "../kernel/operation/operation.js"
import * as Level from "../permissions/level.js"

/** Lists the project's users; filters go into `query`. */
export const list: Operation<Entity.List, Page<User>, "admin", "read"> = /*#__PURE__*/ Operation.make(
  "users.list",
  () => ({
    method: "GET",
    path: "auth/user",
    audiences: ["admin"],
    input: Entity.List,
    success: page(User),
    requires: Level.Read
  })
)

/** Creates a user. */
export const create: Operation<
  Entity.WithBody<NewUser>,
  User,
  "admin",
  "write"
> = /*#__PURE__*/ Operation.make("users.create", () => ({
  method: "POST",
  path: "auth/user",
  audiences: ["admin"],
  input: Entity.withBody(NewUser),
  success: User,
  requires: Level.Write
}))

/** Reads a user. */
export const get: Operation<Entity.ById, User, "admin", "read"> = /*#__PURE__*/ Operation.make(
  "users.get",
  () => ({
    method: "GET",
    path: "auth/user/{id}",
    audiences: ["admin"],
    input: Entity.ById,
    success: User,
    requires: Level.Read
  })
)

/** Changes a user. */
export const update: Operation<
  Entity.ByIdWithBody<UserChange>,
  User,
  "admin",
  "write"
> = /*#__PURE__*/ Operation.make("users.update", () => ({
  method: "PUT",
  path: "auth/user/{id}",
  audiences: ["admin"],
  input: Entity.byIdWithBody(UserChange),
  success: User,
  requires: Level.Write
}))

/** Deletes a user. */
export const remove: Operation<Entity.ById, unknown, "admin", "write"> = /*#__PURE__*/ Operation.make(
  "users.delete",
  () => ({
    method: "DELETE",
    path: "auth/user/{id}",
    audiences: ["admin"],
    input: Entity.ById,
    success: Entity.Anything,
    requires: Level.Write
  })
)
