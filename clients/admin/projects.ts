/** Projects, for admins. */
import * as Projects from "../../core/projects/operations.js"
import { bind } from "./client.js"

export const list = /*#__PURE__*/ bind(Projects.list)
export const get = /*#__PURE__*/ bind(Projects.get)
export const update = /*#__PURE__*/ bind(Projects.update)
