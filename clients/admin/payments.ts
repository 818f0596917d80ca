/** Payments, for admins. */
import * as Payments from "../../core/payments/operations.js"
import { bind, download } from "./client.js"

export const list = /*#__PURE__*/ bind(Payments.list)
export const get = /*#__PURE__*/ bind(Payments.get)
export const events = /*#__PURE__*/ bind(Payments.events)
export const csv = /*#__PURE__*/ download(Payments.exportCsv)
export const refund = /*#__PURE__*/ bind(Payments.refund)
