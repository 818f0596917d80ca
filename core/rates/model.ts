/** Exchange rates of a central bank (specification, point 7). */
import * as Schema from "../kernel/operation/schema.js"

/** The currency, such as `USD`. @category schemas */
export const OfCurrency = Schema.Struct({ currency: Schema.NonEmptyString })
export interface OfCurrency extends Schema.Schema.Type<typeof OfCurrency> {}
