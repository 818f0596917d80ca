/** Items of the shop, for admins. */
import * as Items from "../../core/items/operations.js"
import { bind } from "./client.js"

export const search = /*#__PURE__*/ bind(Items.search)
export const get = /*#__PURE__*/ bind(Items.get)
export const list = /*#__PURE__*/ bind(Items.list)
