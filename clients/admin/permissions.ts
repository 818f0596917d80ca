/** The permissions that roles can hold, for admins. */
import * as Permissions from "../../core/roles/permissions.js"
import { bind } from "./client.js"

export const list = /*#__PURE__*/ bind(Permissions.list)
export const get = /*#__PURE__*/ bind(Permissions.get)
