/** Numbers that texts hold. A text that a number would change, such as a long id, is refused. */
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"

/** A number as JSON writes it. Other forms mean different things in different places: `0x10`, `010`, `1,000`, `1 000`. */
const written = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** The digits that count and their power of ten: the same for all forms of one number, such as `2.50` and `25e-1`. */
const canonical = (text: string): string | undefined => {
  const [match, sign = "", whole = "", fraction = "", exponent = "0"] = written.exec(text) ?? []
  if (match === undefined) return undefined
  const digits = whole + fraction
  let first = 0
  while (digits[first] === "0") first += 1
  // Not a regular expression: on zeros before the end of the text it would take quadratic time.
  let end = digits.length
  while (end > first && digits[end - 1] === "0") end -= 1
  const power = Number(exponent) - fraction.length + digits.length - end
  return first === end ? "0" : `${sign}${digits.slice(first, end)}e${power}`
}

/** The number of a text, or the rule that the text breaks. */
export const numberOf = (text: string): Either.Either<number, string> => {
  const value = canonical(text)
  if (value === undefined) return Either.left("must be a number as JSON writes it, such as 12.50")
  const number = Number(text)
  if (!Number.isFinite(number)) return Either.left("is larger than any number: leave it a text")
  if (canonical(String(number)) !== value)
    return Either.left("has more digits than a number holds: leave it a text")
  return Either.right(number === 0 ? 0 : number)
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
