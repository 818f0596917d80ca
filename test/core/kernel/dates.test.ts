// Which text becomes a Date, and which stays text.
import { describe, expect, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Either from "effect/Either"
import * as FC from "effect/FastCheck"
import * as Schema from "effect/Schema"
import { afterEach } from "vitest"
import * as Dates from "../../../core/kernel/dates.js"
import "./seed.js"

const runs = { fastCheck: { numRuns: 2_000 } }

/** The days of a month, by the engine's own calendar. */
const daysIn = (year: number, month: number): number => {
  const next = new Date(Date.UTC(2000, month, 0))
  next.setUTCFullYear(year, month, 0)
  return next.getUTCDate()
}

const grammar =
  /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/

/** What the rules say in words: the grammar, a day that exists, and then what the engine reads. */
const oracle = (text: string): Date | undefined => {
  const match = grammar.exec(text)
  if (match === null || text.length > 40) return undefined
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? "0"))
  const isDay = month! >= 1 && month! <= 12 && day! >= 1 && day! <= daysIn(year!, month!)
  return isDay && hour! < 24 && minute! < 60 && second! < 60 ? new Date(text) : undefined
}

const digits = (most: number, width: number) =>
  FC.integer({ min: 0, max: most }).map((number) => String(number).padStart(width, "0"))

/** Text of the right form, with numbers somewhat beyond what a calendar and a clock hold. */
const almost = FC.tuple(
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
    FC.constantFrom("", "Z", "z", "+0100", "+24:00", "-01:60", " Z", "Z "),
    FC.tuple(FC.constantFrom("+", "-"), digits(24, 2), digits(60, 2)).map(
      ([sign, h, m]) => `${sign}${h}:${m}`
    )
  )
).map(([y, mo, d, h, mi, rest, zone]) => `${y}-${mo}-${d}T${h}:${mi}${rest}${zone}`)

describe("a date-time", () => {
  it.prop(
    "is read exactly as the calendar and the engine read it",
    [almost],
    ([text]) => {
      expect(Dates.parse(text)).toEqual(oracle(text))
    },
    runs
  )

  it.prop(
    "with one character changed is still read as the rules say",
    [almost, FC.nat(), FC.constantFrom(..."0123456789-+:.TZ t/٣")],
    ([text, place, character]) => {
      const at = place % text.length
      const changed = text.slice(0, at) + character + text.slice(at + 1)
      expect(Dates.parse(changed)).toEqual(oracle(changed))
    },
    runs
  )

  it.prop(
    "that is any other text stays text",
    [FC.string({ maxLength: 60 })],
    ([text]) => {
      expect(Dates.parse(text)).toEqual(oracle(text))
    },
    runs
  )

  it.prop(
    "of every valid Date survives a round trip, from the year −271821 to 275760",
    [FC.date({ min: new Date(-8.64e15), max: new Date(8.64e15), noInvalidDate: true })],
    ([date]) => {
      expect(Dates.parse(date.toISOString())?.getTime()).toBe(date.getTime())
    },
    runs
  )

  it.prop(
    "of the first ten thousand years survives a round trip",
    [
      FC.date({
        min: new Date("0000-01-01T00:00:00Z"),
        max: new Date("9999-12-31T23:59:59.999Z"),
        noInvalidDate: true
      })
    ],
    ([date]) => {
      expect(Dates.parse(date.toISOString())?.getTime()).toBe(date.getTime())
    },
    runs
  )

  it.each([
    ["-271821-04-20T00:00:00.000Z", -8.64e15],
    ["+275760-09-13T00:00:00.000Z", 8.64e15],
    ["0000-01-01T00:00:00.000Z", -62_167_219_200_000],
    ["0000-02-29T00:00:00.000Z", -62_162_121_600_000],
    ["0099-12-31T23:59:59.999Z", -59_011_459_200_001],
    ["1970-01-01T00:00:00Z", 0],
    ["2024-02-29T12:00:00Z", 1_709_208_000_000]
  ])("%s is the time %d", (text, time) => {
    expect(Dates.parse(text)?.getTime()).toBe(time)
  })
})

describe("an impossible date-time stays text:", () => {
  it.each([
    "2024-02-30T10:00:00Z",
    "2023-02-29T10:00:00Z",
    "1900-02-29T10:00:00Z",
    "2024-04-31T10:00:00Z",
    "2024-00-10T10:00:00Z",
    "2024-13-10T10:00:00Z",
    "2024-01-00T10:00:00Z",
    "2024-01-01T24:00:00Z",
    "2024-01-01T10:60:00Z",
    "2024-01-01T10:00:60Z",
    "2016-12-31T23:59:60Z",
    "2024-01-01T10:00:00+24:00",
    "2024-01-01T10:00:00+01:60",
    "+275760-09-13T00:00:00.001Z",
    "-271821-04-19T23:59:59.999Z",
    "+012024-02-30T10:00:00Z",
    "-000000-01-01T00:00:00Z"
  ])("%s", (text) => {
    expect(Dates.parse(text)).toBeUndefined()
  })
})

describe("text that is no whole date-time stays text:", () => {
  it.each([
    "",
    "2024",
    "2024-01-01",
    "2024-01-01T10",
    "2024-01-01 10:00:00Z",
    "2024-01-01t10:00:00z",
    "20240101T100000Z",
    "2024-01-01T10:00:00.Z",
    "2024-01-01T10:00:00,5Z",
    "2024-01-01T10:00:Z",
    "2024-01-01T10:00:00+0100",
    "2024-01-01T10:00:00+1:00",
    "2024-01-01T10:00:00ZZ",
    "2024-01-01T10:00:00Z ",
    " 2024-01-01T10:00:00Z",
    "2024-01-01T10:00:00[Europe/Berlin]",
    "２０２４-01-01T10:00:00Z",
    "2024-01-01T10:00:0٣Z",
    "2024-W01-1T10:00:00Z",
    "12345678901234567890"
  ])("%j", (text) => {
    expect(Dates.parse(text)).toBeUndefined()
  })
})

describe("a fraction", () => {
  it.each([
    ["2024-01-01T10:00:00.1Z", 100],
    ["2024-01-01T10:00:00.12Z", 120],
    ["2024-01-01T10:00:00.123Z", 123],
    ["2024-01-01T10:00:00.1239Z", 123],
    ["2024-01-01T10:00:00.999999999Z", 999],
    ["2024-01-01T10:00:00.000999Z", 0]
  ])("%s has %d milliseconds: what goes beyond them is cut off", (text, millis) => {
    expect(Dates.parse(text)?.getUTCMilliseconds()).toBe(millis)
  })
})

describe("an offset", () => {
  it.each([
    ["2024-01-01T10:00:00+00:00", "2024-01-01T10:00:00.000Z"],
    ["2024-01-01T10:00:00-00:00", "2024-01-01T10:00:00.000Z"],
    ["2024-01-01T01:00:00+04:00", "2023-12-31T21:00:00.000Z"],
    ["2024-12-31T23:00:00-02:30", "2025-01-01T01:30:00.000Z"],
    ["2024-01-01T10:00+05:45", "2024-01-01T04:15:00.000Z"],
    ["0000-01-01T00:00:00+23:59", "-000001-12-31T00:01:00.000Z"]
  ])("%s is %s", (text, expected) => {
    expect(Dates.parse(text)?.toISOString()).toBe(expected)
  })
})

describe("without a zone", () => {
  const zone = process.env.TZ
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  })

  const local = FC.tuple(
    FC.date({
      min: new Date("0000-01-02T00:00:00Z"),
      max: new Date("9999-12-30T00:00:00Z"),
      noInvalidDate: true
    }),
    FC.constantFrom(16, 19, 23)
  ).map(([date, length]) => date.toISOString().slice(0, length))

  describe.each([
    "UTC",
    "America/New_York",
    "Europe/Berlin",
    "Asia/Tbilisi",
    "Australia/Lord_Howe",
    "Pacific/Apia"
  ])("in %s", (place) => {
    it.prop(
      "the time is local, as the engine reads it",
      [local],
      ([text]) => {
        process.env.TZ = place
        expect(Dates.parse(text)?.getTime()).toBe(new Date(text).getTime())
      },
      runs
    )
  })

  /** The small hours of the weeks in which clocks are changed, of any year. */
  const nights = FC.tuple(
    FC.integer({ min: 1970, max: 2100 }),
    FC.constantFrom("03", "04", "09", "10", "11"),
    FC.integer({ min: 1, max: 30 }),
    FC.integer({ min: 0, max: 4 }),
    FC.integer({ min: 0, max: 59 })
  ).map(([year, month, day, hour, minute]) =>
    [`${year}-${month}-${String(day).padStart(2, "0")}T0${hour}`, String(minute).padStart(2, "0")].join(":")
  )

  it.prop(
    "the hours around a change of clocks are read as the engine reads them",
    [nights, FC.constantFrom("America/New_York", "Europe/Berlin", "Australia/Lord_Howe")],
    ([text, place]) => {
      process.env.TZ = place
      expect(Dates.parse(text)?.getTime()).toBe(new Date(text).getTime())
    },
    { fastCheck: { numRuns: 5_000 } }
  )

  it("the hour that another year's clock change skipped is an hour like any other", () => {
    process.env.TZ = "America/New_York"
    expect(Dates.parse("2024-04-02T02:30")?.toISOString()).toBe("2024-04-02T06:30:00.000Z")
  })

  it("an hour that this year's clock change skipped is read as the engine reads it", () => {
    process.env.TZ = "America/New_York"
    expect(Dates.parse("2024-03-10T02:30")?.getTime()).toBe(new Date("2024-03-10T02:30").getTime())
  })
})

describe("reading takes no time worth naming for", () => {
  const million = 1_000_000
  it.each([
    ["a million digits", "1".repeat(million)],
    ["a fraction of a million digits", `2024-01-01T10:00:00.${"1".repeat(million)}Z`],
    ["a million signs", "+".repeat(million)],
    ["an extended year and a million zeros", `+002024-01-01T00:00:00.${"0".repeat(million)}`],
    ["a million blanks after a date", `2024-01-01T10:00:00${" ".repeat(million)}Z`]
  ])("%s", (_, text) => {
    const began = performance.now()
    for (let time = 0; time < 1_000; time++) Dates.parse(text)
    expect(Dates.parse(text)).toBeUndefined()
    expect(performance.now() - began).toBeLessThan(2_000)
  })
})

describe("the schema DateTime", () => {
  const decode = Schema.decodeUnknownEither(Dates.DateTime)

  it.prop("writes what it reads", [FC.date({ noInvalidDate: true })], ([date]) => {
    expect(Either.getOrThrow(decode(Schema.encodeSync(Dates.DateTime)(date)))).toEqual(date)
  })

  it.prop("reads what the parser reads", [almost], ([text]) => {
    expect(Either.getOrElse(decode(text), () => undefined)).toEqual(oracle(text))
  })

  it.each([
    ["text that is no date-time", "yesterday"],
    ["a number", 0],
    ["null", null],
    ["a Date", new Date(0)]
  ])("refuses %s", (_, value) => {
    expect(Either.isLeft(decode(value))).toBe(true)
  })

  it("refuses to write an invalid Date", () => {
    expect(Either.isLeft(Schema.encodeEither(Dates.DateTime)(new Date(Number.NaN)))).toBe(true)
  })

  it("makes only valid Dates where tests generate values", () => {
    for (const date of FC.sample(Arbitrary.make(Dates.DateTime), 100)) expect(date.getTime()).not.toBeNaN()
  })

  it("is known again, annotated or not, and nothing else is taken for it", () => {
    expect(Dates.isDateTime(Dates.DateTime.ast)).toBe(true)
    expect(Dates.isDateTime(Dates.DateTime.annotations({ description: "when it was made" }).ast)).toBe(true)
    expect(Dates.isDateTime(Schema.Date.ast)).toBe(false)
    expect(Dates.isDateTime(Schema.String.ast)).toBe(false)
  })
})
