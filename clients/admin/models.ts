/** CMS models and their fields, for admins. */
import * as Models from "../../core/models/operations.js"
import { bind } from "./client.js"

export const list = /*#__PURE__*/ bind(Models.list)
export const create = /*#__PURE__*/ bind(Models.create)
export const get = /*#__PURE__*/ bind(Models.get)
export const update = /*#__PURE__*/ bind(Models.update)
const remove = /*#__PURE__*/ bind(Models.remove)

export { remove as delete }
export const addField = /*#__PURE__*/ bind(Models.addField)
export const updateField = /*#__PURE__*/ bind(Models.updateField)
export const deleteField = /*#__PURE__*/ bind(Models.deleteField)
