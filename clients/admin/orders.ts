/** Orders, for admins. */
import * as Orders from "../../core/orders/operations.js"
import { bind } from "./client.js"

export const search = /*#__PURE__*/ bind(Orders.adminSearch)
export const get = /*#__PURE__*/ bind(Orders.get)
export const update = /*#__PURE__*/ bind(Orders.adminUpdate)
