/** The calls on roles (specification, point 7). */
import { type Page, page } from "../kernel/operation/answer.js"
import * as Entity from "../kernel/operation/entity.js"
import { Operation } from "../kernel/operation/operation.js"
import * as Level from "../permissions/level.js"
import { NewRole, Role, RoleChange, RolePermission } from "./model.js"

/** Lists the project's roles; filters go into `query`. */
export const list: Operation<Entity.List, Page<Role>, "admin", "read"> = /*#__PURE__*/ Operation.make(
  "roles.list",
  () => ({
    method: "GET",
    path: "auth/role",
    audiences: ["admin"],
    input: Entity.List,
    success: page(Role),
    requires: Level.Read
  })
)

/** Creates a role. */
export const create: Operation<
  Entity.WithBody<NewRole>,
  Role,
  "admin",
  "write"
> = /*#__PURE__*/ Operation.make("roles.create", () => ({
  method: "POST",
  path: "auth/role",
  audiences: ["admin"],
  input: Entity.withBody(NewRole),
  success: Role,
  requires: Level.Admin
}))

/** Reads a role. */
export const get: Operation<Entity.ById, Role, "admin", "read"> = /*#__PURE__*/ Operation.make(
  "roles.get",
  () => ({
    method: "GET",
    path: "auth/role/{id}",
    audiences: ["admin"],
    input: Entity.ById,
    success: Role,
    requires: Level.Read
  })
)

/** Changes a role. */
export const update: Operation<
  Entity.ByIdWithBody<RoleChange>,
  Role,
  "admin",
  "write"
> = /*#__PURE__*/ Operation.make("roles.update", () => ({
  method: "PUT",
  path: "auth/role/{id}",
  audiences: ["admin"],
  input: Entity.byIdWithBody(RoleChange),
  success: Role,
  requires: Level.Admin
}))

/** Deletes a role. */
export const remove: Operation<Entity.ById, unknown, "admin", "write"> = /*#__PURE__*/ Operation.make(
  "roles.delete",
  () => ({
    method: "DELETE",
    path: "auth/role/{id}",
    audiences: ["admin"],
    input: Entity.ById,
    success: Entity.Anything,
    requires: Level.Admin
  })
)

/** Adds a permission to a role. */
export const addPermission: Operation<
  RolePermission,
  Entity.Guess<Role>,
  "admin",
  "write"
> = /*#__PURE__*/ Operation.make("roles.addPermission", () => ({
  method: "POST",
  path: "auth/role/{id}/permission/{permissionId}",
  audiences: ["admin"],
  input: RolePermission,
  success: Entity.guess(Role),
  requires: Level.Admin
}))

/** Removes a permission from a role. */
export const removePermission: Operation<
  RolePermission,
  Entity.Guess<Role>,
  "admin",
  "write"
> = /*#__PURE__*/ Operation.make("roles.removePermission", () => ({
  method: "DELETE",
  path: "auth/role/{id}/permission/{permissionId}",
  audiences: ["admin"],
  input: RolePermission,
  success: Entity.guess(Role),
  requires: Level.Admin
}))
