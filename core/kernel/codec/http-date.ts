/** The dates of HTTP headers, in the three forms that a recipient has to accept (RFC 9110, 5.6.7). */

/** `Sun, 06 Nov 1994 08:49:37 GMT`: what is written today. */
const imf =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\d\d) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) GMT$/
/** `Sunday, 06-Nov-94 08:49:37 GMT`, of RFC 850: its year has two digits. */
const rfc850 =
  /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) GMT$/
/** `Sun Nov  6 08:49:37 1994`, of C's `asctime()`. */
const asctime =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?<month>[A-Z][a-z]{2}) (?<day>\d\d| \d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/

const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ")

/** A time in milliseconds since 1970; undefined where there is no such day or time. A minute may have a leap second. */
const timeOf = (year: number, month: number, day: number, time: string): number | undefined => {
  const [hour = 0, minute = 0, second = 0] = time.split(":").map(Number)
  const date = new Date(0)
  date.setUTCFullYear(year, month, day)
  const isDay = date.getUTCMonth() === month && date.getUTCDate() === day
  return isDay && hour < 24 && minute < 60 && second <= 60
    ? date.setUTCHours(hour, minute, second)
    : undefined
}

/**
 * The time of an HTTP date, in milliseconds since 1970. Undefined for anything else. `now` is in milliseconds as well: a
 * year of two digits is the latest one that is no more than 50 years ahead of it.
 */
export const readHttpDate = (header: string | undefined, now: number): number | undefined => {
  const text = header?.trim() ?? ""
  const {
    day,
    month = "",
    time = "",
    year
  } = (imf.exec(text) ?? rfc850.exec(text) ?? asctime.exec(text))?.groups ?? {}
  const at = (full: number): number | undefined => timeOf(full, months.indexOf(month), Number(day), time)
  if (year === undefined || !months.includes(month)) return undefined
  if (year.length === 4) return at(Number(year))
  const latest = new Date(now)
  latest.setUTCFullYear(latest.getUTCFullYear() + 50)
  let full = Math.floor(latest.getUTCFullYear() / 100) * 100 + Number(year)
  // A day such as 29 February may be in the earlier year alone.
  if ((at(full) ?? Number.POSITIVE_INFINITY) > latest.getTime()) full -= 100
  return at(full)
}
