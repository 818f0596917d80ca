/** Sign-in and sign-up of end users. */
import * as Auth from "../../core/auth/operations.js"
import { bind } from "./client.js"

export const login = /*#__PURE__*/ bind(Auth.login)
export const signup = /*#__PURE__*/ bind(Auth.signup)
