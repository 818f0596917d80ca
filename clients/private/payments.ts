/** Payments, for servers. */
import * as Payments from "../../core/payments/operations.js"
import { bind } from "./client.js"

export const payWithLink = /*#__PURE__*/ bind(Payments.payWithLink)
export const get = /*#__PURE__*/ bind(Payments.get)
