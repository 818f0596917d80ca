// Which text becomes a Date, and which stays text.
import { describe, expect, it } from "@effect/vitest"
import * as FC from "effect/FastCheck"
import * as Dates from "../../../core/kernel/codec/dates.js"
import { almost, oracle, runs } from "./arbitrary-date-time.js"

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
    "2024-01-01T24:00:01Z",
    "2024-01-01T24:01:00Z",
    "2024-01-01T24:00:00.0001Z",
    "2024-01-01T25:00:00Z",
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
    "20240101T100000Z",
    "2024-01-01T10:00:00.Z",
    "2024-01-01T10:00:00,5Z",
    "2024-01-01T10:00:Z",
    "2024-01-01T10:00:00+01",
    "2024-01-01T10:00:00+01000",
    "2024-01-01T10:00:00+2400",
    "2024-01-01T10:00:00 +0100",
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
    ["2024-05-01T10:00:00+0400", "2024-05-01T06:00:00.000Z"],
    ["2024-05-01T10:00:00.000+0000", "2024-05-01T10:00:00.000Z"],
    ["2024-05-01T10:00:00.5-0930", "2024-05-01T19:30:00.500Z"],
    ["2024-05-01T10:00+0400", "2024-05-01T06:00:00.000Z"],
    ["+002024-05-01T10:00:00+04:00", "2024-05-01T06:00:00.000Z"],
    ["+002024-05-01T10:00:00+0400", "2024-05-01T06:00:00.000Z"],
    ["-000001-05-01T10:00:00+0400", "-000001-05-01T06:00:00.000Z"],
    ["0000-01-01T00:00:00+23:59", "-000001-12-31T00:01:00.000Z"]
  ])("%s is %s", (text, expected) => {
    expect(Dates.parse(text)?.toISOString()).toBe(expected)
  })
})

describe("the end of a day, 24:00,", () => {
  it.each([
    ["2024-05-01T24:00:00Z", "2024-05-02T00:00:00.000Z"],
    ["2024-05-01T24:00Z", "2024-05-02T00:00:00.000Z"],
    ["2024-12-31T24:00:00.000+02:00", "2024-12-31T22:00:00.000Z"],
    ["2024-02-28T24:00:00+0000", "2024-02-29T00:00:00.000Z"],
    ["0099-12-31T24:00:00Z", "0100-01-01T00:00:00.000Z"]
  ])("%s is %s", (text, expected) => {
    expect(Dates.parse(text)?.toISOString()).toBe(expected)
  })
})

it("a small t or z, which RFC 3339 allows, is as good as a capital", () => {
  expect(Dates.parse("2024-01-01t10:00:00z")?.toISOString()).toBe("2024-01-01T10:00:00.000Z")
})

it.each(["2024-05-01T24:00:00", "2024-05-01T10:00:00", "+002024-05-01T10:00:00", "0050-05-01T24:00:00"])(
  "without a zone the time is local, as the engine reads it: %s",
  (text) => {
    expect(Dates.parse(text)).toEqual(new Date(text))
  }
)

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
