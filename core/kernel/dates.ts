/**
 * ISO 8601 date-times: the one place that decides which text becomes a `Date` (specification, point 1: any response
 * string in ISO date-time form is converted to a date).
 */
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"

const digit = (text: string, at: number): number => {
  const code = text.charCodeAt(at) - 48
  return code >= 0 && code <= 9 ? code : Number.NaN
}
const two = (text: string, at: number): number => digit(text, at) * 10 + digit(text, at + 1)

/** Days of a month; `month` counts from 1. */
const daysIn = (year: number, month: number): number =>
  month === 2
    ? year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
      ? 29
      : 28
    : month === 4 || month === 6 || month === 9 || month === 11
      ? 30
      : 31

/** Milliseconds of a zone designator that stands at `at` and ends the text, or NaN. `Z` is 0. */
const zone = (text: string, at: number): number => {
  const sign = text.charCodeAt(at)
  if (sign === 90) return at + 1 === text.length ? 0 : Number.NaN
  if ((sign !== 43 && sign !== 45) || text.length !== at + 6 || text.charCodeAt(at + 3) !== 58)
    return Number.NaN
  const hours = two(text, at + 1)
  const minutes = two(text, at + 4)
  if (!(hours < 24 && minutes < 60)) return Number.NaN
  return (sign === 43 ? 1 : -1) * (hours * 60 + minutes) * 60_000
}

/** Years beyond 0–9999 carry a sign and six digits; the engine reads those, checked here for a real day. */
const extended = /^[+-]\d{6}-(\d{2})-(\d{2})T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z$/

const parseExtended = (text: string): Date | undefined => {
  const match = text.length <= 38 ? extended.exec(text) : null
  if (match === null || text.startsWith("-000000")) return undefined
  const date = new Date(text)
  const same = date.getUTCMonth() + 1 === Number(match[1]) && date.getUTCDate() === Number(match[2])
  return Number.isFinite(date.getTime()) && same ? date : undefined
}

/**
 * Reads `YYYY-MM-DDTHH:mm[:ss[.f…]][Z|±HH:mm]`. Fractions beyond milliseconds are cut off. Without a zone the time is
 * local, as ECMAScript reads it. Answers undefined for other text and for impossible dates (`2024-02-30T10:00:00Z`).
 */
export const parse = (text: string): Date | undefined => {
  const length = text.length
  if (length < 16 || length > 40) return undefined
  if (text.charCodeAt(10) !== 84 || text.charCodeAt(4) !== 45) return parseExtended(text)
  if (text.charCodeAt(7) !== 45 || text.charCodeAt(13) !== 58) return undefined
  const year = two(text, 0) * 100 + two(text, 2)
  const month = two(text, 5)
  const day = two(text, 8)
  const hour = two(text, 11)
  const minute = two(text, 14)
  if (!(year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month))) return undefined
  if (!(hour < 24 && minute < 60)) return undefined
  let at = 16
  let second = 0
  let millis = 0
  if (text.charCodeAt(at) === 58) {
    second = two(text, at + 1)
    if (!(second < 60)) return undefined
    at += 3
    if (text.charCodeAt(at) === 46) {
      at += 1
      const first = at
      let scale = 100
      while (at < length) {
        const value = digit(text, at)
        if (!(value >= 0)) break
        millis += value * scale
        scale = scale === 100 ? 10 : scale === 10 ? 1 : 0
        at += 1
      }
      if (at === first) return undefined
    }
  }
  if (at === length) {
    // The constructor reads the years 0–99 as 1900–1999; the engine's own parser does not.
    return year < 100 ? new Date(text) : new Date(year, month - 1, day, hour, minute, second, millis)
  }
  const offset = zone(text, at)
  if (Number.isNaN(offset)) return undefined
  // Date.UTC reads the years 0–99 as 1900–1999.
  if (year < 100)
    return new Date(
      new Date(Date.UTC(2000, month - 1, day, hour, minute, second, millis)).setUTCFullYear(year) - offset
    )
  return new Date(Date.UTC(year, month - 1, day, hour, minute, second, millis) - offset)
}

/** An ISO date-time on the wire, a valid `Date` in the program. */
export const DateTime: Schema.Schema<Date, string> = Schema.transformOrFail(
  Schema.String,
  Schema.ValidDateFromSelf,
  {
    strict: true,
    decode: (text, _, ast) => {
      const date = parse(text)
      return date === undefined
        ? ParseResult.fail(new ParseResult.Type(ast, text, "must be an ISO 8601 date-time"))
        : ParseResult.succeed(date)
    },
    encode: (date) => ParseResult.succeed(date.toISOString())
  }
).annotations({ identifier: "DateTime", description: "an ISO 8601 date-time" })

/** Whether a schema node is `DateTime`, annotated further or not. */
export const isDateTime = (ast: AST.AST): boolean =>
  AST.isTransformation(ast) &&
  AST.isTransformation(DateTime.ast) &&
  ast.transformation === DateTime.ast.transformation
