// Which text becomes a Date, and which stays text.
import { describe, expect, it } from "@effect/vitest"
import { Arbitrary, Either, FastCheck as FC, Schema } from "effect"
import { afterEach, vi } from "vitest"
import * as Dates from "../../../../core/kernel/codec/dates.js"
import { almost, oracle, runs } from "./arbitrary-date-time.js"

const changed = FC.tuple(almost, FC.nat(), FC.constantFrom(..."0123456789-+:.TZ t/٣")).map(
  ([text, place, character]) => {
    const at = place % text.length
    return text.slice(0, at) + character + text.slice(at + 1)
  }
)
const between = (min: Date, max: Date) => FC.date({ min, max, noInvalidDate: true })

describe("a date-time", () => {
  it.prop(
    "is read exactly as the calendar and the engine read it, with one character changed, too, and any other text",
    [FC.oneof(almost, changed, FC.string({ maxLength: 60 }))],
    ([text]) => {
      expect(Dates.parse(text)).toEqual(oracle(text))
    },
    { fastCheck: { numRuns: 6_000 } }
  )

  it.prop(
    "of every valid Date survives a round trip, from the year −271821 to 275760",
    [
      FC.oneof(
        between(new Date(-8.64e15), new Date(8.64e15)),
        between(new Date("0000-01-01T00:00:00Z"), new Date("9999-12-31T23:59:59.999Z"))
      )
    ],
    ([date]) => {
      expect(Dates.parse(date.toISOString())?.getTime()).toBe(date.getTime())
    },
    { fastCheck: { numRuns: 4_000 } }
  )

  // Spec 1.8
  it.each([
    ["-271821-04-20T00:00:00.000Z", "-271821-04-20T00:00:00.000Z"],
    ["+275760-09-13T00:00:00.000Z", "+275760-09-13T00:00:00.000Z"],
    ["0000-02-29T00:00:00.000Z", "0000-02-29T00:00:00.000Z"],
    ["0099-12-31T23:59:59.999Z", "0099-12-31T23:59:59.999Z"],
    ["1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z"],
    ["2024-02-29T12:00:00Z", "2024-02-29T12:00:00.000Z"],
    // RFC 3339 allows small letters.
    ["2024-01-01t10:00:00z", "2024-01-01T10:00:00.000Z"],
    // What goes beyond milliseconds is cut off.
    ["2024-01-01T10:00:00.1Z", "2024-01-01T10:00:00.100Z"],
    ["2024-01-01T10:00:00.12Z", "2024-01-01T10:00:00.120Z"],
    ["2024-01-01T10:00:00.1239Z", "2024-01-01T10:00:00.123Z"],
    ["2024-01-01T10:00:00.999999999Z", "2024-01-01T10:00:00.999Z"],
    ["2024-01-01T10:00:00.000999Z", "2024-01-01T10:00:00.000Z"],
    // Offsets.
    ["2024-01-01T10:00:00+00:00", "2024-01-01T10:00:00.000Z"],
    ["2024-01-01T10:00:00-00:00", "2024-01-01T10:00:00.000Z"],
    ["2024-01-01T01:00:00+04:00", "2023-12-31T21:00:00.000Z"],
    ["2024-12-31T23:00:00-02:30", "2025-01-01T01:30:00.000Z"],
    ["2024-01-01T10:00+05:45", "2024-01-01T04:15:00.000Z"],
    ["2024-05-01T10:00:00+0400", "2024-05-01T06:00:00.000Z"],
    ["2024-05-01T10:00:00.000+0000", "2024-05-01T10:00:00.000Z"],
    ["2024-05-01T10:00:00.5-0930", "2024-05-01T19:30:00.500Z"],
    ["2024-05-01T10:00+0400", "2024-05-01T06:00:00.000Z"],
    ["+002024-05-01T10:00:00+04:00", "2024-05-01T06:00:00.000Z"],
    ["+002024-05-01T10:00:00+0400", "2024-05-01T06:00:00.000Z"],
    ["-000001-05-01T10:00:00+0400", "-000001-05-01T06:00:00.000Z"],
    ["0000-01-01T00:00:00+23:59", "-000001-12-31T00:01:00.000Z"],
    // The end of a day.
    ["2024-05-01T24:00:00Z", "2024-05-02T00:00:00.000Z"],
    ["2024-05-01T24:00Z", "2024-05-02T00:00:00.000Z"],
    ["2024-12-31T24:00:00.000+02:00", "2024-12-31T22:00:00.000Z"],
    ["2024-02-28T24:00:00+0000", "2024-02-29T00:00:00.000Z"],
    ["0099-12-31T24:00:00Z", "0100-01-01T00:00:00.000Z"]
  ])("%s is %s", (text, expected) => {
    expect(Dates.parse(text)?.toISOString()).toBe(expected)
  })

  // Spec 1.8
  it.each([
    ...["2024-02-30T10:00:00Z", "2023-02-29T10:00:00Z", "1900-02-29T10:00:00Z", "2024-04-31T10:00:00Z"],
    ...["2024-00-10T10:00:00Z", "2024-13-10T10:00:00Z", "2024-01-00T10:00:00Z", "+012024-02-30T10:00:00Z"],
    ...["2024-01-01T24:00:01Z", "2024-01-01T24:01:00Z", "2024-01-01T24:00:00.0001Z", "2024-01-01T25:00:00Z"],
    ...["2024-01-01T10:60:00Z", "2024-01-01T10:00:60Z", "2016-12-31T23:59:60Z", "2024-01-01T10:00:00+24:00"],
    ...["2024-01-01T10:00:00+01:60", "+275760-09-13T00:00:00.001Z", "-271821-04-19T23:59:59.999Z"],
    "-000000-01-01T00:00:00Z"
  ])("that is impossible stays text: %s", (text) => {
    expect(Dates.parse(text)).toBeUndefined()
  })

  it.each([
    ...["", "2024", "2024-01-01", "2024-01-01T10", "2024-01-01 10:00:00Z", "20240101T100000Z"],
    ...["2024-01-01T10:00:00.Z", "2024-01-01T10:00:00,5Z", "2024-01-01T10:00:Z", "2024-01-01T10:00:00+01"],
    ...["2024-01-01T10:00:00+01000", "2024-01-01T10:00:00+2400", "2024-01-01T10:00:00 +0100"],
    ...[
      "2024-01-01T10:00:00+1:00",
      "2024-01-01T10:00:00ZZ",
      "2024-01-01T10:00:00Z ",
      " 2024-01-01T10:00:00Z"
    ],
    ...["2024-01-01T10:00:00[Europe/Berlin]", "２０２４-01-01T10:00:00Z", "2024-01-01T10:00:0٣Z"],
    ...["2024-W01-1T10:00:00Z", "12345678901234567890"]
  ])("that is not whole stays text: %j", (text) => {
    expect(Dates.parse(text)).toBeUndefined()
  })

  const million = 1_000_000
  it.each([
    ["a million digits", "1".repeat(million)],
    ["a fraction of a million digits", `2024-01-01T10:00:00.${"1".repeat(million)}Z`],
    ["a million signs", "+".repeat(million)],
    ["an extended year and a million zeros", `+002024-01-01T00:00:00.${"0".repeat(million)}`],
    ["a million blanks after a date", `2024-01-01T10:00:00${" ".repeat(million)}Z`]
  ])("takes no time worth naming to be told from %s", (_, text) => {
    for (let time = 0; time < 10_000; time++) Dates.parse(text)
    expect(Dates.parse(text)).toBeUndefined()
  })
})

describe("a date-time without a zone", () => {
  const zone = process.env.TZ
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  })
  const isRead = (text: string, place: string) => {
    process.env.TZ = place
    expect(Dates.parse(text)?.getTime()).toBe(new Date(text).getTime())
  }

  const local = FC.tuple(
    between(new Date("0000-01-02T00:00:00Z"), new Date("9999-12-30T00:00:00Z")),
    FC.constantFrom(16, 19, 23)
  ).map(([date, length]) => date.toISOString().slice(0, length))
  const places = [
    "UTC",
    "America/New_York",
    "Europe/Berlin",
    "Asia/Tbilisi",
    "Australia/Lord_Howe",
    "Pacific/Apia"
  ]
  describe.each(places)("in %s", (place) => {
    it.prop("is local, as the engine reads it", [local], ([text]) => isRead(text, place), runs)
  })

  /** The small hours of the weeks in which clocks are changed, of any year. */
  const nights = FC.tuple(
    FC.integer({ min: 1970, max: 2100 }),
    FC.constantFrom("03", "04", "09", "10", "11"),
    FC.integer({ min: 1, max: 30 }),
    FC.integer({ min: 0, max: 4 }),
    FC.integer({ min: 0, max: 59 })
  ).map(([year, month, day, hour, minute]) => {
    const [days, minutes] = [day, minute].map((number) => String(number).padStart(2, "0"))
    return `${year}-${month}-${days}T0${hour}:${minutes}`
  })
  it.prop(
    "around a change of clocks is read as the engine reads it",
    [nights, FC.constantFrom("America/New_York", "Europe/Berlin", "Australia/Lord_Howe")],
    ([text, place]) => isRead(text, place),
    { fastCheck: { numRuns: 5_000 } }
  )

  // Spec 1.8
  it("in an hour that only another year's clock change skipped is an hour like any other", () => {
    process.env.TZ = "America/New_York"
    expect(Dates.parse("2024-04-02T02:30")?.toISOString()).toBe("2024-04-02T06:30:00.000Z")
  })

  it.each(["2024-03-10T02:30", "2024-05-01T24:00:00", "+002024-05-01T10:00:00", "0050-05-01T24:00:00"])(
    "in an hour that this year's clock change skipped, at a day's end, in any year: %s",
    (text) => isRead(text, "America/New_York")
  )
})

describe("the schema DateTime", () => {
  const decode = Schema.decodeUnknownEither(Dates.DateTime)

  it.prop("writes what it reads", [FC.date({ noInvalidDate: true })], ([date]) => {
    expect(Either.getOrThrow(decode(Schema.encodeSync(Dates.DateTime)(date)))).toEqual(date)
  })

  it.prop("reads what the parser reads", [almost], ([text]) => {
    expect(Either.getOrElse(decode(text), () => undefined)).toEqual(oracle(text))
  })

  it.each([["yesterday"], [0], [null], [new Date(0)]])("refuses %s", (value) => {
    expect(Either.isLeft(decode(value))).toBe(true)
  })

  it("writes and makes only valid Dates", () => {
    expect(Either.isLeft(Schema.encodeEither(Dates.DateTime)(new Date(Number.NaN)))).toBe(true)
    for (const date of FC.sample(Arbitrary.make(Dates.DateTime), 100)) expect(date.getTime()).not.toBeNaN()
  })

  it("is known again, annotated or not, and nothing else is taken for it", () => {
    const annotated = Dates.DateTime.annotations({ description: "when it was made" })
    const schemas = [Dates.DateTime, annotated, Schema.Date, Schema.String]
    expect(schemas.map(({ ast }) => Dates.isDateTime(ast))).toEqual([true, true, false, false])
  })

  it("is known by another copy of the SDK, as one that a module of a platform brings", async () => {
    vi.resetModules()
    const other = await import("../../../../core/kernel/codec/dates.js")
    expect(other.DateTime).not.toBe(Dates.DateTime)
    expect(other.isDateTime(Dates.DateTime.ast)).toBe(true)
  })
})
