/** Admins, for admins. */
import * as Admins from "../../core/users/admins.js"
import { bind } from "./client.js"

export const list = /*#__PURE__*/ bind(Admins.list)
export const create = /*#__PURE__*/ bind(Admins.create)
export const get = /*#__PURE__*/ bind(Admins.get)
export const update = /*#__PURE__*/ bind(Admins.update)

const remove = /*#__PURE__*/ bind(Admins.remove)

export { remove as delete }
