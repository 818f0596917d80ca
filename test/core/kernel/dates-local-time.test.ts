// A date-time without a zone is read as local time, as the engine reads it.
import { describe, expect, it } from "@effect/vitest"
import * as FC from "effect/FastCheck"
import { afterEach } from "vitest"
import * as Dates from "../../../core/kernel/codec/dates.js"
import { runs } from "./arbitrary-date-time.js"

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
