// Text that is almost a date-time, and what the rules make of it in words, for properties of the parser.
import * as FC from "effect/FastCheck"

export const runs = { fastCheck: { numRuns: 2_000 } }

/** The days of a month, by the engine's own calendar. */
const daysIn = (year: number, month: number): number => {
  const next = new Date(Date.UTC(2000, month, 0))
  next.setUTCFullYear(year, month, 0)
  return next.getUTCDate()
}

const grammar =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?$/

/** The same in the one form that every engine reads by the letter of ECMAScript. */
const plainly = (text: string): string => text.toUpperCase().replace(/([+-]\d\d)(\d\d)$/, "$1:$2")

/** What the rules say in words: the grammar, a day that exists, and then what the engine reads. */
export const oracle = (text: string): Date | undefined => {
  const match = grammar.exec(text)
  if (match === null || text.length > 40) return undefined
  const [year, month, day, hour, minute, second, fraction] = match
    .slice(1, 8)
    .map((part) => Number(part ?? "0"))
  const isDay = month! >= 1 && month! <= 12 && day! >= 1 && day! <= daysIn(year!, month!)
  const isTime = hour! < 24 || (hour === 24 && minute === 0 && second === 0 && fraction === 0)
  return isDay && isTime && minute! < 60 && second! < 60 ? new Date(plainly(text)) : undefined
}

const digits = (most: number, width: number) =>
  FC.integer({ min: 0, max: most }).map((number) => String(number).padStart(width, "0"))

/** Text of the right form, with numbers somewhat beyond what a calendar and a clock hold. */
export const almost = FC.tuple(
  FC.oneof(digits(9999, 4), digits(110, 4)),
  digits(13, 2),
  digits(32, 2),
  digits(25, 2),
  digits(61, 2),
  FC.oneof(
    FC.constant(""),
    digits(61, 2).map((second) => `:${second}`),
    FC.tuple(digits(61, 2), digits(999_999_999, 1)).map(([second, part]) => `:${second}.${part}`)
  ),
  FC.oneof(
    FC.constantFrom("", "Z", "z", "+0100", "+24:00", "-01:60", "+2400", " Z", "Z "),
    FC.tuple(FC.constantFrom("+", "-"), digits(24, 2), FC.constantFrom(":", ""), digits(60, 2)).map((parts) =>
      parts.join("")
    )
  )
).map(([y, mo, d, h, mi, rest, zone]) => `${y}-${mo}-${d}T${h}:${mi}${rest}${zone}`)
