/**
 * ISO 8601 date-times: the one place that decides which text becomes a `Date` (specification, point 1: any response
 * string in ISO date-time form is converted to a date).
 */

import * as AST from "effect/SchemaAST"
import * as Schema from "../operation/schema.js"

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

/**
 * Milliseconds of a zone designator (`Z`, `±HH:mm`, `±HHmm`) that starts at `at` and ends the text, or NaN. `Z` is 0.
 */
const zone = (text: string, at: number): number => {
  const sign = text.charCodeAt(at)
  if (sign === 90 || sign === 122) return at + 1 === text.length ? 0 : Number.NaN
  if (sign !== 43 && sign !== 45) return Number.NaN
  const colon = text.charCodeAt(at + 3) === 58 ? 1 : 0
  if (text.length !== at + 5 + colon) return Number.NaN
  const hours = two(text, at + 1)
  const minutes = two(text, at + 3 + colon)
  if (!(hours < 24 && minutes < 60)) return Number.NaN
  return (sign === 43 ? 1 : -1) * (hours * 60 + minutes) * 60_000
}

/** The year at the start of a text: four digits, or a sign and six. NaN if there is none. */
const yearOf = (text: string, sign: number): number => {
  if (sign !== 43 && sign !== 45) return two(text, 0) * 100 + two(text, 2)
  const year = two(text, 1) * 10_000 + two(text, 3) * 100 + two(text, 5)
  return sign === 43 ? year : year === 0 ? Number.NaN : -year
}

/**
 * Reads `YYYY-MM-DDTHH:mm[:ss[.f…]][Z|±HH:mm|±HHmm]`, also with a year of a sign and six digits, with a small `t` or
 * `z`, and with `24:00:00` for the end of a day: the ISO 8601 date-times that `new Date` reads. Fractions beyond
 * milliseconds are cut off. Without a zone the time is local, as ECMAScript reads it. Returns undefined for other text
 * and for impossible dates (`2024-02-30T10:00:00Z`).
 */
export const parse = (text: string): Date | undefined => {
  const { length } = text
  if (length < 16 || length > 43) return undefined
  const sign = text.charCodeAt(0)
  // A year of a sign and six digits shifts the rest.
  const start = sign === 43 || sign === 45 ? 3 : 0
  if (text.charCodeAt(start + 4) !== 45 || text.charCodeAt(start + 7) !== 45) return undefined
  // A small letter and its capital differ by 32.
  if ((text.charCodeAt(start + 10) | 32) !== 116 || text.charCodeAt(start + 13) !== 58) return undefined
  const year = yearOf(text, sign)
  const month = two(text, start + 5)
  const day = two(text, start + 8)
  const hour = two(text, start + 11)
  const minute = two(text, start + 14)
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month))) return undefined
  if (!(hour <= 24 && minute < 60)) return undefined
  let at = start + 16
  let second = 0
  let millis = 0
  let fraction = 0
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
        fraction |= value
        millis += value * scale
        scale = scale === 100 ? 10 : scale === 10 ? 1 : 0
        at += 1
      }
      if (at === first) return undefined
    }
  }
  if (hour === 24 && (minute | second | fraction) !== 0) return undefined
  // The constructor and Date.UTC read the years 0–99 as 1900–1999; 2000 has every day that such a year may have.
  const isEarly = year >= 0 && year < 100
  const near = isEarly ? 2000 : year
  if (at === length) {
    const local = new Date(near, month - 1, day, hour, minute, second, millis)
    return valid(isEarly ? local.setFullYear(year, month - 1, day + (hour === 24 ? 1 : 0)) : local.getTime())
  }
  const offset = zone(text, at)
  if (Number.isNaN(offset)) return undefined
  const time = Date.UTC(near, month - 1, day, hour, minute, second, millis)
  return valid(
    (isEarly ? new Date(time).setUTCFullYear(year, month - 1, day + (hour === 24 ? 1 : 0)) : time) - offset
  )
}

/** A Date with a time in its range: about 270,000 years around 1970. */
const valid = (time: number): Date | undefined => {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** Marks `DateTime`, so that another copy of the SDK in the same program knows it: that of a platform's module, beside the one of a command. */
const DateTimeId: unique symbol = /*#__PURE__*/ Symbol.for("@quartet/sdk/DateTime")

/** An ISO date-time on the wire, a valid `Date` in the program. @category schemas */
export const DateTime: Schema.Schema<Date, string> = /*#__PURE__*/ Schema.transform(
  Schema.String,
  Schema.ValidDateFromSelf,
  { decode: parse, encode: (date) => date.toISOString() }
).annotations({ identifier: "DateTime", description: "an ISO 8601 date-time", [DateTimeId]: true })

/** Whether a schema node is `DateTime`, annotated further or not. */
export const isDateTime = (ast: AST.AST): boolean =>
  AST.isTransformation(ast) && ast.annotations[DateTimeId] === true
