/** The end user's order groups. */
import * as Orders from "../../core/orders/operations.js"
import { bind } from "./client.js"

export const get = /*#__PURE__*/ bind(Orders.getGroup)
export const search = /*#__PURE__*/ bind(Orders.searchGroups)
