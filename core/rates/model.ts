/** Exchange rates of a central bank (specification, point 7). */
import * as Entity from "../kernel/operation/entity.js"
import * as Schema from "../kernel/operation/schema.js"

/** The currency, such as `USD`. @category schemas */
export const OfCurrency = /*#__PURE__*/ (() =>
  Schema.Struct({
    /** Code of the currency, such as `USD` (ISO 4217). */
    currency: Schema.NonEmptyString
  }))()
export interface OfCurrency extends Schema.Schema.Type<typeof OfCurrency> {}

/**
 * The exchange rate of a currency, as the central bank gives it for a day: what `quantity` units of it cost in lari.
 * @category schemas
 */
export const ExchangeRate = /*#__PURE__*/ Entity.make({}, () => ({
  /** Code of the currency, such as `USD` (ISO 4217). Assumed: the platform may differ. */
  code: Schema.String,
  /** Name of the currency. Assumed: the platform may differ. */
  name: Schema.String,
  /** How many units of it the rate is for. Assumed: the platform may differ. */
  quantity: Schema.Number,
  /** Their price in lari: read it with `readNumber`. Assumed: the platform may differ. */
  rate: Schema.Number,
  /** The day of the rate, as `2024-05-01`. Assumed: the platform may differ. */
  date: Schema.String
}))
export interface ExchangeRate extends Schema.Schema.Type<typeof ExchangeRate> {}
