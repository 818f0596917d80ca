// The dates of HTTP headers, in every form that RFC 9110 has a recipient accept.
import { describe, expect, it } from "@effect/vitest"
import { readHttpDate } from "../../../../core/kernel/codec/http-date.js"

const now = Date.parse("2026-11-28T00:00:00Z")
const sample = Date.parse("1994-11-06T08:49:37Z")

describe("an HTTP date", () => {
  it.each([
    "Sun, 06 Nov 1994 08:49:37 GMT",
    "Sunday, 06-Nov-94 08:49:37 GMT",
    "Sun Nov  6 08:49:37 1994",
    "  Sun, 06 Nov 1994 08:49:37 GMT "
  ])("is read in each of the three forms: %s", (text) => {
    expect(readHttpDate(text, now)).toBe(sample)
  })

  it.each([
    ["27-Nov-76", "2076-11-27"],
    ["28-Nov-76", "2076-11-28"],
    ["29-Nov-76", "1976-11-29"],
    ["01-Jan-77", "1977-01-01"],
    ["29-Feb-00", "2000-02-29"],
    ["31-Dec-26", "2026-12-31"]
  ])("with a year of two digits, %s, is no more than 50 years ahead: %s", (day, date) => {
    expect(readHttpDate(`Monday, ${day} 00:00:00 GMT`, now)).toBe(Date.parse(`${date}T00:00:00Z`))
  })

  it("with a year of two digits is read anew in the next century", () => {
    const later = Date.parse("2090-01-01T00:00:00Z")
    expect(readHttpDate("Monday, 01-Jan-10 00:00:00 GMT", later)).toBe(Date.parse("2110-01-01T00:00:00Z"))
  })

  it.each([
    undefined,
    "",
    "Sun, 6 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 94 08:49:37 GMT",
    "Sun, 31 Feb 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 24:00:00 GMT",
    "Sun, 06 Nov 1994 08:49:61 GMT",
    "Sun, 06 Foo 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 08:49:37 CET",
    "Sun Nov 6 08:49:37 1994",
    "1994-11-06T08:49:37Z"
  ])("is nothing else: %j", (text) => {
    expect(readHttpDate(text, now)).toBeUndefined()
  })
})
