/** The signed-in end user's own account. */
import * as Auth from "../../core/auth/operations.js"
import { bind } from "./client.js"

export const self = /*#__PURE__*/ bind(Auth.self)
export const update = /*#__PURE__*/ bind(Auth.update)
export const updatePassword = /*#__PURE__*/ bind(Auth.updatePassword)
