/** Orders by the second version of the API, for admins. */
import * as Orders from "../../core/orders/operations.js"
import { bind, download } from "./client.js"

export const list = /*#__PURE__*/ bind(Orders.listV2)
export const csv = /*#__PURE__*/ download(Orders.exportCsvV2)
export const get = /*#__PURE__*/ bind(Orders.getV2)
