/**
 * How the console writes amounts, numbers, dates and sizes, and what it reads of what people type: in one locale, with a
 * clock of 24 hours. No other file of the console formats any of these by itself.
 */

/** The console's one locale. */
export const locale = "en-GB"

/** Signs that stand for one currency where the console runs; `$` alone is the US dollar. Others are told by their code. */
const ownSigns: ReadonlySet<string> = new Set(["USD", "GEL", "EUR", "GBP"])
const known: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"))

/** At most this many digits after the point: none that somebody entered is rounded away. */
const most = 6
const plain = new Intl.NumberFormat(locale, { maximumFractionDigits: most })
const ungrouped = new Intl.NumberFormat(locale, { maximumFractionDigits: most, useGrouping: false })

/** A number: `1,200.5`; without separators where it names something, such as a year. */
export const number = (value: number, isName = false): string => (isName ? ungrouped : plain).format(value)

const knownCode = (currency: string | null | undefined): string | undefined => {
  const code = currency?.trim().toUpperCase()
  return code !== undefined && known.has(code) ? code : undefined
}

const digitsAfter = (code: string): number =>
  new Intl.NumberFormat(locale, { style: "currency", currency: code }).resolvedOptions()
    .maximumFractionDigits ?? 2

/** How many digits an amount of a currency has after the point; two where no standard knows the currency. */
export const decimals = (currency: string | null | undefined): number =>
  digitsAfter(knownCode(currency) ?? "USD")

/** An amount in its currency: `$1,200.00`, or `1,200 XYZ` where no standard knows it; without one, the number alone. */
export const money = (amount: number, currency?: string | null): string => {
  const code = knownCode(currency)
  if (code === undefined) return [number(amount), currency?.trim()].filter(Boolean).join(" ")
  const digits = digitsAfter(code)
  return new Intl.NumberFormat(locale, {
    style: "currency",
    currency: code,
    currencyDisplay: ownSigns.has(code) ? "narrowSymbol" : "symbol",
    // An amount with more digits than its currency has is shown as it is, not rounded.
    ...(Number(amount.toFixed(digits)) === amount ? {} : { maximumFractionDigits: most })
  }).format(amount)
}

const byDay = { day: "numeric", month: "short", year: "numeric" } as const
const byClock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const
const days = new Intl.DateTimeFormat(locale, byDay)
const calendarDays = new Intl.DateTimeFormat(locale, { ...byDay, timeZone: "UTC" })
const calendarDaysOfYear = new Intl.DateTimeFormat(locale, {
  day: "numeric",
  month: "short",
  timeZone: "UTC"
})
const daysOfYear = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" })
const clocks = new Intl.DateTimeFormat(locale, byClock)
const seconds = new Intl.DateTimeFormat(locale, { ...byClock, second: "2-digit" })
const moments = new Intl.DateTimeFormat(locale, { ...byDay, ...byClock })
const months = new Intl.DateTimeFormat(locale, { month: "long", year: "numeric", timeZone: "UTC" })
const weekdays = new Intl.DateTimeFormat(locale, { weekday: "long", timeZone: "UTC" })

/** A day with its year, always: `3 May 2026`. */
export const day = (date: Date): string => days.format(date)

/** A day and the time of it: `3 May 2026, 14:05`. */
export const moment = (date: Date): string => moments.format(date)

/** A time of day: `14:05`. */
export const clock = (date: Date): string => clocks.format(date)

/** A time of day to the second: `14:05:09`. */
export const preciseClock = (date: Date): string => seconds.format(date)

/** A month of UTC: `May 2026`. */
export const month = (date: Date): string => months.format(date)

/** A day of the week, of UTC: `Monday`. */
export const weekday = (date: Date): string => weekdays.format(date)

/** When something was, as short as it can be told: `14:05` today, `Yesterday`, `3 May` this year, else `3 May 2025`. */
export const when = (date: Date, now = new Date()): string => {
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)
  if (date.toDateString() === now.toDateString()) return clock(date)
  if (date.toDateString() === yesterday.toDateString()) return "Yesterday"
  return (date.getFullYear() === now.getFullYear() ? daysOfYear : days).format(date)
}

const languages = new Intl.DisplayNames(locale, { type: "language" })

/** A language by its code: `Georgian`; what is no code stays as it is. */
export const language = (code: string): string => {
  try {
    return languages.of(code) ?? code
  } catch {
    return code
  }
}

const units = ["bytes", "kB", "MB", "GB"] as const

/** A size in bytes: `12 bytes`, `1.2 kB`, `340 kB`. */
export const size = (bytes: number): string => {
  if (bytes === 1) return "1 byte"
  const step = bytes < 1_000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1_000 ** step
  return `${step === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${units[step]}`
}

/** A day of the calendar, `2026-05-03`: no moment, and of no time zone. */
const isDayText = (text: string): boolean => {
  const date = new Date(`${text}T00:00Z`)
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
  )
}

/** A day of the calendar in words, `3 May 2026`; what is none stays as it is. */
export const dayText = (iso: string): string =>
  isDayText(iso) ? calendarDays.format(new Date(`${iso}T00:00Z`)) : iso

/**
 * The days from one to another: `3–9 May 2026`, `From 3 May 2026`, `Until 9 May 2026`; empty without either. Where the year stands
 * above them, `3–9 May`.
 */
export const dayRange = (from: string | undefined, to: string | undefined, hasYear = true): string => {
  if (from && to)
    return isDayText(from) && isDayText(to)
      ? (hasYear ? calendarDays : calendarDaysOfYear)
          .formatRange(new Date(`${from}T00:00Z`), new Date(`${to}T00:00Z`))
          // How wide the spaces around the dash are depends on the browser.
          .replaceAll(/\s*–\s*/g, (_dash, at: number, all: string) =>
            /[a-z]/i.test(all.slice(0, at)) ? " – " : "–"
          )
      : `${from} – ${to}`
  if (from) return `From ${dayText(from)}`
  return to ? `Until ${dayText(to)}` : ""
}

const monthNames = Array.from({ length: 12 }, (_, index) =>
  new Intl.DateTimeFormat(locale, { month: "long", timeZone: "UTC" })
    .format(Date.UTC(2000, index))
    .toLowerCase()
)

/**
 * The day that somebody wrote, as `2026-05-03`: `3 May 2026`, `3 May` of this year, `3/5/2026`, `3.5.26`, or as it is. The
 * day stands before the month. Undefined where it is no day.
 */
export const readDay = (text: string, now = new Date()): string | undefined => {
  const written = text.trim()
  if (isDayText(written)) return written
  const [, dayOfMonth, name, year] =
    /^(\d{1,2})[\s./-]+([a-z]{3,}|\d{1,2})\.?(?:[\s./,-]+(\d{4}|\d\d))?$/i.exec(written) ?? []
  if (dayOfMonth === undefined || name === undefined) return undefined
  const named = monthNames.findIndex((full) => full.startsWith(name.toLowerCase()))
  const monthOfYear = /^\d/.test(name) ? Number(name) : named + 1
  const whole = year === undefined ? now.getFullYear() : Number(year) + (year.length === 2 ? 2_000 : 0)
  const iso = [whole, String(monthOfYear).padStart(2, "0"), dayOfMonth.padStart(2, "0")].join("-")
  return isDayText(iso) ? iso : undefined
}

/** The time of day that somebody wrote, as `14:05`, or `14:05:09` with its seconds: `14.05`, `9:30`, `9`. Undefined where it is none. */
export const readClock = (text: string): string | undefined => {
  const [, hour, minute = "00", second] =
    /^(\d{1,2})(?:[:.](\d\d)(?::(\d\d(?:\.\d{1,3})?))?)?$/.exec(text.trim()) ?? []
  if (hour === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second ?? 0) >= 60)
    return undefined
  return [hour.padStart(2, "0"), minute, ...(second === undefined ? [] : [second])].join(":")
}

type Parts = readonly [whole: string, afterPoint: string]

/** The digits before and after the point of a number that somebody wrote, as `readNumber` reads it. */
const partsOf = (text: string): Parts | undefined => {
  const written = text.replaceAll(/[\s'’]/g, "").replace(/^\u2212/, "-")
  if (!/^-?(\d[\d.,]*|[.,]\d+)$/.test(written)) return undefined
  const last = Math.max(written.lastIndexOf("."), written.lastIndexOf(","))
  const groups = (sign: string, whole: string): boolean =>
    new RegExp(`^-?[1-9]\\d{0,2}(\\${sign}\\d{3})+$`).test(whole)
  const separators = written.replaceAll(/[^.,]/g, "")
  const parts = (whole: string, afterPoint = ""): Parts => [whole.replaceAll(/[.,]/g, ""), afterPoint]
  if (separators === "") return parts(written)
  if (/^,+$/.test(separators) && groups(",", written)) return parts(written)
  if (separators.length > 1 && /^\.+$/.test(separators))
    return groups(".", written) ? parts(written) : undefined
  const whole = written.slice(0, last)
  const rest = separators.slice(0, -1)
  const isGrouped =
    rest === "" || (rest[0] !== undefined && rest[0] !== separators.at(-1) && groups(rest[0], whole))
  return isGrouped ? parts(whole, written.slice(last + 1)) : undefined
}

/**
 * The number that somebody wrote: `1200.50`, `1,200.50`, `1 200,50`, `1200,50`. Of two kinds of separators the last one is
 * the decimal one; a comma alone before three digits groups them, as the console writes it. Undefined where it is none.
 */
export const readNumber = (text: string): number | undefined => {
  const parts = partsOf(text)
  return parts && Number(parts.join("."))
}

/** What is wrong with an amount that somebody wrote, of which at most so much is left; in words, if anything. */
export const moneyProblem = (
  text: string,
  currency: string | null | undefined,
  left = Number.POSITIVE_INFINITY
): string | undefined => {
  const amount = readNumber(text)
  const digits = decimals(currency)
  if (amount === undefined || amount <= 0) return "Enter an amount above 0."
  if (amount > left) return `At most ${money(left, currency)} is left.`
  // What a platform says is left may itself have more digits than its currency. `1.000` may be meant as a thousand.
  const afterPoint = partsOf(text)?.[1] ?? ""
  if (amount === left ? afterPoint.length <= most : afterPoint.length <= digits) return undefined
  return digits === 0 ? "Enter a whole amount." : `At most ${digits} decimal places.`
}

/** The explicit marks of the direction of text: they have no sign of their own, and turn around what stands beside them. */
const directions = /[\u202A-\u202E\u2066-\u2069]/g
const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]|\uD802|\uD803|\uD83A|\uD83B/

/** Text without marks of direction. */
export const undirected = (text: string): string => text.replaceAll(directions, "")

/** A name as part of a line or a sentence: whatever its direction, it leaves that of the words beside it alone. */
export const inline = (name: string): string => {
  const text = undirected(name)
  return rightToLeft.test(text) ? `\u2068${text}\u2069` : text
}
