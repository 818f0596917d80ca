/** Boxes, for visitors. */
import * as Boxes from "../../core/boxes/operations.js"
import { bind } from "./client.js"

export const list = /*#__PURE__*/ bind(Boxes.list)
export const create = /*#__PURE__*/ bind(Boxes.create)
export const get = /*#__PURE__*/ bind(Boxes.get)
export const update = /*#__PURE__*/ bind(Boxes.update)

const remove = /*#__PURE__*/ bind(Boxes.remove)

export { remove as delete }
