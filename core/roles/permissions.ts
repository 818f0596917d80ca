/** The calls that read the existing permissions (specification, point 7). */
import { type Page, page } from "../kernel/operation/answer.js"
import * as Entity from "../kernel/operation/entity.js"
import { Operation } from "../kernel/operation/operation.js"
import * as Level from "../permissions/level.js"
import { Permission } from "./model.js"

/** Lists the permissions that roles can hold. */
export const list: Operation<Entity.List, Page<Permission>, "admin", "read"> = /*#__PURE__*/ Operation.make(
  "permissions.list",
  () => ({
    method: "GET",
    path: "auth/permission",
    audiences: ["admin"],
    input: Entity.List,
    success: page(Permission),
    requires: Level.Read
  })
)

/** Reads one permission. */
export const get: Operation<Entity.ById, Permission, "admin", "read"> = /*#__PURE__*/ Operation.make(
  "permissions.get",
  () => ({
    method: "GET",
    path: "auth/permission/{id}",
    audiences: ["admin"],
    input: Entity.ById,
    success: Permission,
    requires: Level.Read
  })
)
