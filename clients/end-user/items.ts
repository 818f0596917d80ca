/** Items of the shop, for end users. */
import * as Items from "../../core/items/operations.js"
import { bind } from "./client.js"

export const search = /*#__PURE__*/ bind(Items.search)
export const get = /*#__PURE__*/ bind(Items.get)
export const searchFeatured = /*#__PURE__*/ bind(Items.searchFeatured)
export const featured = /*#__PURE__*/ bind(Items.featured)
