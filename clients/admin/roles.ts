/** Roles and what they allow, for admins. */
import * as Roles from "../../core/roles/operations.js"
import { bind } from "./client.js"

export const list = /*#__PURE__*/ bind(Roles.list)
export const create = /*#__PURE__*/ bind(Roles.create)
export const get = /*#__PURE__*/ bind(Roles.get)
export const update = /*#__PURE__*/ bind(Roles.update)

const remove = /*#__PURE__*/ bind(Roles.remove)

export { remove as delete }
export const addPermission = /*#__PURE__*/ bind(Roles.addPermission)
export const removePermission = /*#__PURE__*/ bind(Roles.removePermission)
