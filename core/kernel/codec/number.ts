/** Reads what is to be a number, such as a sum of money: many platforms write sums as text. */
import { judgeNumber } from "./written.js"

/**
 * The number that a field holds which is assumed to be one: `"12.50"` added to `"3"` would be `"12.503"`. Takes a
 * finite number, text that is one in the notation of JSON (`"12.50"`, `"-3"`, `"1e3"`) with blanks around it at most,
 * and a bigint that a number holds exactly. All else is undefined: text that people read in two ways (`"12,50"`,
 * `"1,000"`, `"0x10"`, `"007"`, `"+5"`, `".5"`), text with a currency, empty text, text with more digits than a
 * number holds, infinities, NaN, null, lists and objects. Sums of money are in whole units of their currency, not
 * cents.
 *
 * It takes anything, also a field that is misspelt, which is `unknown` and so undefined here. With
 * `"noPropertyAccessFromIndexSignature": true` in `tsconfig.json` a misspelt field does not compile.
 *
 * @example
 * ```ts
 * import { readNumber } from "@quartet/sdk/promise"
 *
 * const { items } = await admin.orders.search()
 * // A total that cannot be read shows: the sum is NaN, and not too small.
 * const total = items.reduce((sum, order) => sum + (readNumber(order.total) ?? Number.NaN), 0)
 * ```
 * @category combinators
 */
export const readNumber = (value: unknown): number | undefined => {
  switch (typeof value) {
    case "number":
      return Number.isFinite(value) ? value : undefined
    case "bigint":
    case "string": {
      const text = String(value).trim()
      return judgeNumber(text) === "Kept" ? Number(text) : undefined
    }
    default:
      return undefined
  }
}
