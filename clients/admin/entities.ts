/** Entities of a project's own kinds, for admins. */
import * as Entities from "../../core/entities/operations.js"
import { bind } from "./client.js"

export const list = /*#__PURE__*/ bind(Entities.list)
export const create = /*#__PURE__*/ bind(Entities.create)
export const get = /*#__PURE__*/ bind(Entities.get)
export const update = /*#__PURE__*/ bind(Entities.update)

const remove = /*#__PURE__*/ bind(Entities.remove)

export { remove as delete }
