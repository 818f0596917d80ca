/** Items of the shop, for visitors. */
import * as Items from "../../core/items/operations.js"
import { bind } from "./client.js"

export const search = /*#__PURE__*/ bind(Items.publicSearch)
export const get = /*#__PURE__*/ bind(Items.publicGet)
