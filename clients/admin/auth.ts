/** Sign-in, for admins. The client signs in by itself; these are the bare calls. */
import * as Auth from "../../core/auth/operations.js"
import { bind } from "./client.js"

export const login = /*#__PURE__*/ bind(Auth.adminLogin)
export const legacyLogin = /*#__PURE__*/ bind(Auth.legacyLogin)
