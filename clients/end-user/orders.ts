/** The end user's orders. */
import * as Orders from "../../core/orders/operations.js"
import { bind } from "./client.js"

export const get = /*#__PURE__*/ bind(Orders.get)
export const search = /*#__PURE__*/ bind(Orders.search)
export const update = /*#__PURE__*/ bind(Orders.update)
