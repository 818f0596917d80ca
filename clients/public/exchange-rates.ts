/** A central bank's exchange rates, for visitors. */
import * as ExchangeRates from "../../core/rates/operations.js"
import { bind } from "./client.js"

export const get = /*#__PURE__*/ bind(ExchangeRates.get)
