// Numbers that may be text: what is one without a doubt is read, and nothing else.
import { describe, expect, it } from "@effect/vitest"
import { FastCheck as FC } from "effect"
import { readNumber } from "../../../../core/kernel/codec/number.js"

describe("a number", () => {
  it.each<readonly [unknown, number]>([
    [12.5, 12.5],
    [0, 0],
    [-3, -3],
    ["12.50", 12.5],
    [" 12.50 ", 12.5],
    ["-3", -3],
    ["0", 0],
    ["1e3", 1000],
    ["1E-2", 0.01],
    [25n, 25]
  ])("is read of %s", (value, number) => {
    expect(readNumber(value)).toBe(number)
  })

  it.each<unknown>([
    "12,50",
    "1,000",
    "1 000",
    "1.000.000",
    "0x10",
    "0b1",
    "007",
    "+5",
    ".5",
    "5.",
    "12.50 USD",
    "$12.50",
    "",
    " ",
    "Infinity",
    "NaN",
    "1e999",
    "12345678901234567890",
    "0.1000000000000000055511",
    12345678901234567890n,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    true,
    null,
    undefined,
    [12.5],
    { amount: 12.5 },
    new Date(0),
    Symbol("12")
  ])("is not read of %s", (value) => {
    expect(readNumber(value)).toBeUndefined()
  })

  it.prop(
    "is read of itself and of its own text",
    [FC.double({ noNaN: true, noDefaultInfinity: true })],
    ([number]) => {
      expect(readNumber(number)).toBe(number)
      expect(readNumber(String(number).replace("+", ""))).toBe(number === 0 ? 0 : number)
    }
  )
})
