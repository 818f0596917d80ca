/** Content models of the legacy service, for admins. */
import * as ContentModels from "../../core/content-models/operations.js"
import { bind } from "./client.js"

export const list = /*#__PURE__*/ bind(ContentModels.list)
export const create = /*#__PURE__*/ bind(ContentModels.create)
export const get = /*#__PURE__*/ bind(ContentModels.get)
export const update = /*#__PURE__*/ bind(ContentModels.update)
const remove = /*#__PURE__*/ bind(ContentModels.remove)

export { remove as delete }
