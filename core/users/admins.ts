/** The calls for managing admins (specification, point 7). */
import { type Page, page } from "../kernel/operation/answer.js"
import * as Entity from "../kernel/operation/entity.js"
import { Operation } from "../kernel/operation/operation.js"
import * as Level from "../permissions/level.js"
import { Admin, AdminChange, NewAdmin } from "./model.js"

/** Lists the project's admins; filters go into `query`. */
export const list: Operation<Entity.List, Page<Admin>, "admin", "read"> = /*#__PURE__*/ Operation.make(
  "admins.list",
  () => ({
    method: "GET",
    path: "auth/admin",
    audiences: ["admin"],
    input: Entity.List,
    success: page(Admin),
    requires: Level.Read
  })
)

/** Creates an admin. */
export const create: Operation<
  Entity.WithBody<NewAdmin>,
  Admin,
  "admin",
  "write"
> = /*#__PURE__*/ Operation.make("admins.create", () => ({
  method: "POST",
  path: "auth/admin",
  audiences: ["admin"],
  input: Entity.withBody(NewAdmin),
  success: Admin,
  requires: Level.Admin
}))

/** Reads an admin. */
export const get: Operation<Entity.ById, Admin, "admin", "read"> = /*#__PURE__*/ Operation.make(
  "admins.get",
  () => ({
    method: "GET",
    path: "auth/admin/{id}",
    audiences: ["admin"],
    input: Entity.ById,
    success: Admin,
    requires: Level.Read
  })
)

/** Changes an admin. */
export const update: Operation<
  Entity.ByIdWithBody<AdminChange>,
  Admin,
  "admin",
  "write"
> = /*#__PURE__*/ Operation.make("admins.update", () => ({
  method: "PUT",
  path: "auth/admin/{id}",
  audiences: ["admin"],
  input: Entity.byIdWithBody(AdminChange),
  success: Admin,
  requires: Level.Admin
}))

/** Deletes an admin. */
export const remove: Operation<Entity.ById, unknown, "admin", "write"> = /*#__PURE__*/ Operation.make(
  "admins.delete",
  () => ({
    method: "DELETE",
    path: "auth/admin/{id}",
    audiences: ["admin"],
    input: Entity.ById,
    success: Entity.Anything,
    requires: Level.Admin
  })
)
