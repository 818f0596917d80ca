/** Content, for admins. */
import * as Content from "../../core/content/operations.js"
import { bind } from "./client.js"

export const paginated = /*#__PURE__*/ bind(Content.paginated)
export const get = /*#__PURE__*/ bind(Content.adminGet)
export const create = /*#__PURE__*/ bind(Content.create)
export const update = /*#__PURE__*/ bind(Content.update)
const remove = /*#__PURE__*/ bind(Content.remove)

export { remove as delete }
export const translate = /*#__PURE__*/ bind(Content.translate)
export const reorder = /*#__PURE__*/ bind(Content.reorder)
