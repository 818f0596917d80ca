// The schema of a date-time reads, writes and generates what the parser reads.
import { describe, expect, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Either from "effect/Either"
import * as FC from "effect/FastCheck"
import * as Schema from "effect/Schema"
import * as Dates from "../../../core/kernel/codec/dates.js"
import { almost, oracle } from "./arbitrary-date-time.js"

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
