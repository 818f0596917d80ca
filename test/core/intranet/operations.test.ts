// What the intranet's calls put on the wire: the report's later types, and days given as Dates or as text.
import { describe, expect, test } from "@effect/vitest"
import { encode, written } from "@quartet/support/encoding.js"
import * as Either from "effect/Either"
import { holidayCheck, holidayReport } from "../../../core/intranet/operations.js"
import { raw } from "../../../core/kernel/operation/raw.js"

describe("intranet.holidayReport", () => {
  const path = (input: object) => written((input) => encode(holidayReport, input), input)

  // Spec 3.12
  test("sends a type that the platform added later, where it is passed as it is", () => {
    expect(path({ type: raw("study"), query: { year: 2024 } })).toEqual([
      "/intranet/holiday/report?type=study&year=2024"
    ])
    expect(path({ type: "study" })).toMatchObject({ field: "type" })
  })
})

describe("intranet.holidayCheck", () => {
  const path = (startDate: unknown, endDate: string) =>
    written((input) => encode(holidayCheck, input), { startDate, endDate })

  // Spec endUser.intranet.holidayCheck
  test("sends a Date as its ISO date-time and text as it is", () => {
    const check = "/intranet/holiday/check?startDate=2024-05-01T"
    const noon = new Date(Date.UTC(2024, 4, 1))
    expect(path(noon, "2024-05-03")).toEqual([`${check}00%3A00%3A00.000Z&endDate=2024-05-03`])
    const text = path("2024-05-01T09:00:00+04:00", "2024-02-29")
    expect(text).toEqual([`${check}09%3A00%3A00%2B04%3A00&endDate=2024-02-29`])
  })

  const texts = ["2024-02-30", "2023-02-29", "2024-5-1", "01.05.2024", "tomorrow", "", "2024-05-01T25:00:00Z"]
  test.each<unknown>([...texts, 20240501, null, {}, new Date(Number.NaN)])("refuses %o as a day", (day) => {
    const rule = "must be a valid Date, or text that is an ISO 8601 date or date-time"
    expect(path(day, "2024-05-03")).toEqual({ field: "startDate", rule })
  })

  test("needs both days", () => {
    const missing = { field: "endDate", rule: "is required" }
    expect(encode(holidayCheck, { startDate: "2024-05-01" })).toEqual(Either.left(missing))
  })
})
