/** Items of the shop, for servers. */
import * as Items from "../../core/items/operations.js"
import { bind } from "./client.js"

export const list = /*#__PURE__*/ bind(Items.list)
