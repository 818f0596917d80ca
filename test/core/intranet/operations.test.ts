// What the intranet's calls put on the wire: the report's default, and days given as Dates or as text.
import * as Either from "effect/Either"
import { describe, expect, test } from "vitest"
import { holidayCheck, holidayReport } from "../../../core/intranet/operations.js"
import * as Encoder from "../../../core/kernel/codec/encoder.js"
import type { Operation } from "../../../core/kernel/operation/operation.js"

const around: Encoder.Surroundings = { prefix: "", projectId: undefined, projectInQuery: false }

const encode = <I>(operation: Operation<I, unknown, never>, input: unknown) =>
  Encoder.make(operation.declaration(), around)(input)

const pathOf = <I>(operation: Operation<I, unknown, never>, input: I) =>
  Either.map(encode(operation, input), ({ path }) => path)

describe("intranet.holidayReport", () => {
  // Spec 7.11
  test("reports holidays where no type is named", () => {
    expect(pathOf(holidayReport, {})).toEqual(Either.right("/intranet/holiday/report?type=holiday"))
  })

  test("reports another type, with further filters", () => {
    expect(pathOf(holidayReport, { type: "sick_day", year: 2024 })).toEqual(
      Either.right("/intranet/holiday/report?type=sick_day&year=2024")
    )
  })

  // Spec 3.12
  test("sends a type that the platform added later", () => {
    expect(pathOf(holidayReport, { type: "study" })).toEqual(
      Either.right("/intranet/holiday/report?type=study")
    )
  })
})

describe("intranet.holidayCheck", () => {
  // Spec 7.48
  test("sends a Date as its ISO date-time and text as it is", () => {
    const input = { startDate: new Date(Date.UTC(2024, 4, 1)), endDate: "2024-05-03" }
    expect(pathOf(holidayCheck, input)).toEqual(
      Either.right("/intranet/holiday/check?startDate=2024-05-01T00%3A00%3A00.000Z&endDate=2024-05-03")
    )
  })

  test("takes an ISO date-time as text", () => {
    const input = { startDate: "2024-05-01T09:00:00+04:00", endDate: "2024-02-29" }
    expect(pathOf(holidayCheck, input)).toEqual(
      Either.right("/intranet/holiday/check?startDate=2024-05-01T09%3A00%3A00%2B04%3A00&endDate=2024-02-29")
    )
  })

  test.each([
    "2024-02-30",
    "2023-02-29",
    "2024-5-1",
    "01.05.2024",
    "tomorrow",
    "",
    "2024-05-01T25:00:00Z",
    20240501,
    null,
    {},
    new Date(Number.NaN)
  ])("refuses %o as a day", (day) => {
    expect(encode(holidayCheck, { startDate: day, endDate: "2024-05-03" })).toEqual(
      Either.left({
        field: "startDate",
        rule: "must be a valid Date, or text that is an ISO 8601 date or date-time"
      })
    )
  })

  test("needs both days", () => {
    expect(encode(holidayCheck, { startDate: "2024-05-01" })).toEqual(
      Either.left({ field: "endDate", rule: "is required" })
    )
  })
})
