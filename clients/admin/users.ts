/** End users, for the admins who manage them. */
import * as Users from "../../core/users/operations.js"
import { bind } from "./client.js"

export const list = /*#__PURE__*/ bind(Users.list)
export const create = /*#__PURE__*/ bind(Users.create)
export const get = /*#__PURE__*/ bind(Users.get)
export const update = /*#__PURE__*/ bind(Users.update)

const remove = /*#__PURE__*/ bind(Users.remove)

export { remove as delete }
