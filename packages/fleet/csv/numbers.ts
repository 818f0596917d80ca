/** Numbers that texts hold. A text that a number would change, such as a long id, is refused. */

import { judgeNumber } from "@quartet/sdk/extend"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"

const rules = {
  NoNumber: "must be a number as JSON writes it, such as 12.50",
  TooLarge: "is larger than any number: leave it a text",
  Changed: "has more digits than a number holds: leave it a text"
} as const

/** The number of a text, or the rule that the text breaks. */
export const numberOf = (text: string): Either.Either<number, string> => {
  const judged = judgeNumber(text)
  // No number is minus nothing.
  return judged === "Kept" ? Either.right(Number(text) || 0) : Either.left(rules[judged])
}

/**
 * A number that a cell holds as JSON writes it, such as `12.50`. A text that the number would change is refused: one with more digits than
 * a number holds, `0x10`, `007`, `1e400`, and one with spaces or thousands.
 * @category schemas
 */
export const NumberFromCell: Schema.Schema<number, string> = /*#__PURE__*/ Schema.transformOrFail(
  Schema.String,
  Schema.Number,
  {
    strict: true,
    decode: (text, _, ast) => Either.mapLeft(numberOf(text), (rule) => new ParseResult.Type(ast, text, rule)),
    encode: (number, _, ast) =>
      Number.isFinite(number)
        ? Either.right(String(number))
        : Either.left(new ParseResult.Type(ast, number, "must be a finite number"))
  }
)
