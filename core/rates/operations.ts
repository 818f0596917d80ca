/** The call for a central bank's exchange rates (specification, point 7). */
import * as Entity from "../kernel/operation/entity.js"
import { Operation } from "../kernel/operation/operation.js"
import { ExchangeRate, OfCurrency } from "./model.js"

/** Reads the central bank's rate of a currency; the answer's shape is not specified. */
export const get: Operation<
  OfCurrency,
  Entity.Guess<ExchangeRate>,
  "public",
  "read"
> = /*#__PURE__*/ Operation.make("exchangeRates.get", () => ({
  method: "GET",
  path: "v1/nbg/{currency}",
  audiences: ["public"],
  input: OfCurrency,
  success: Entity.guess(ExchangeRate)
}))
