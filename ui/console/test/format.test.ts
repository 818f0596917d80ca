/** What people read of amounts, dates and sizes, and what is read of what they write. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it, test } from "vitest"
import * as Format from "../design/format.js"

/** A text without the kinds of spaces that browsers choose between. */
const even = (text: string): string => text.replaceAll(/\s/g, " ")

describe("an amount", () => {
  it.each([
    [1_200, "USD", "$1,200.00"],
    [1_200.5, "GEL", "₾1,200.50"],
    [1_200, "usd", "$1,200.00"],
    [-3, "EUR", "-€3.00"],
    [1_200, "AUD", "A$1,200.00"],
    [1_200, "KWD", "KWD 1,200.000"],
    [1_200, "XYZ", "1,200 XYZ"],
    [1_200, "loyalty points", "1,200 loyalty points"],
    [1_200.5, undefined, "1,200.5"],
    [1_200.5, null, "1,200.5"],
    [1_200.5, " ", "1,200.5"]
  ])("of %d in %j is %j", (amount, currency, text) => expect(even(Format.money(amount, currency))).toBe(text))

  it("is not rounded where it has more digits than its currency", () => {
    expect(even(Format.money(0.004, "USD"))).toBe("$0.004")
    expect(even(Format.money(12.5, "JPY"))).toBe("JP¥12.5")
  })

  it("has as many decimal places as its currency", () =>
    expect([
      Format.decimals("USD"),
      Format.decimals("JPY"),
      Format.decimals("KWD"),
      Format.decimals("??")
    ]).toEqual([2, 0, 3, 2]))
})

describe("a date", () => {
  const at = new Date(2026, 4, 3, 14, 5, 9)

  it("is written with its day first and a clock of 24 hours", () =>
    expect([Format.day(at), Format.moment(at), Format.clock(at), Format.preciseClock(at)]).toEqual([
      "3 May 2026",
      "3 May 2026, 14:05",
      "14:05",
      "14:05:09"
    ]))

  it.each([
    [new Date(2026, 4, 3, 23), "14:05"],
    [new Date(2026, 4, 4, 0, 1), "Yesterday"],
    [new Date(2026, 4, 5), "3 May"],
    [new Date(2027, 0, 1), "3 May 2026"]
  ])("is as short as %s allows", (now, text) => expect(Format.when(at, now)).toBe(text))

  it("of midnight is 00:00", () => expect(Format.clock(new Date(2026, 4, 3))).toBe("00:00"))

  it.each([
    ["2026-05-03", "2026-05-09", "3–9 May 2026"],
    ["2026-05-03", "2026-06-09", "3 May – 9 Jun 2026"],
    ["2026-05-03", undefined, "From 3 May 2026"],
    [undefined, "2026-05-03", "Until 3 May 2026"],
    [undefined, undefined, ""]
  ])("from %s to %s is %j", (from, to, text) => expect(even(Format.dayRange(from, to))).toBe(text))

  it.each([
    ["2026-05-03", "2026-05-03"],
    ["3 May 2026", "2026-05-03"],
    ["3 may", "2026-05-03"],
    ["03/05/2026", "2026-05-03"],
    ["3.5.26", "2026-05-03"],
    ["9 Sept 2026", "2026-09-09"],
    ["9 september 2026", "2026-09-09"],
    ["31 February 2026", undefined],
    ["3 Foo 2026", undefined],
    ["2026-13-01", undefined],
    ["soon", undefined],
    ["", undefined]
  ])("that is written as %j is read as %j", (text, iso) => expect(Format.readDay(text, at)).toBe(iso))

  it("is read as it is written", () => {
    for (let month = 1; month <= 12; month++) {
      const iso = `2026-${String(month).padStart(2, "0")}-28`
      expect(Format.readDay(Format.dayText(iso))).toBe(iso)
    }
  })
})

describe("a time", () => {
  it.each([
    ["14:05", "14:05"],
    ["14.05", "14:05"],
    ["9:30", "09:30"],
    ["9", "09:00"],
    ["14:05:09", "14:05:09"],
    ["24:00", undefined],
    ["12:60", undefined],
    ["2:05 pm", undefined],
    ["noon", undefined]
  ])("that is written as %j is read as %j", (text, clock) => expect(Format.readClock(text)).toBe(clock))
})

describe("a number", () => {
  it.each([
    ["1200.50", 1_200.5],
    ["1,200.50", 1_200.5],
    ["1200,50", 1_200.5],
    ["1 200,50", 1_200.5],
    ["1.200,50", 1_200.5],
    ["1,200", 1_200],
    ["1,200,000", 1_200_000],
    ["0,125", 0.125],
    ["1.200", 1.2],
    [".5", 0.5],
    ["-12", -12],
    ["1,2,3", undefined],
    ["1.2.3", undefined],
    ["1,20.5,0", undefined],
    ["12 apples", undefined],
    ["1e5", undefined],
    ["", undefined]
  ])("that is written as %j is read as %j", (text, value) => expect(Format.readNumber(text)).toBe(value))

  it.each([0, 7, 999, 1_000, 12_345.678, 1_234_567.89, -4_200.5])("%d is read as it is written", (value) =>
    expect(Format.readNumber(Format.number(value))).toBe(value)
  )
})

test("a size is told in the unit that makes it short", () =>
  expect([0, 1, 999, 1_200, 340_000, 5_500_000].map(Format.size)).toEqual([
    "0 bytes",
    "1 byte",
    "999 bytes",
    "1.2 kB",
    "340 kB",
    "5.5 MB"
  ]))

test("no other file of the console makes a format of its own", () => {
  const root = new URL("../", import.meta.url).pathname
  const paths = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
    (path) => /\.tsx?$/.test(path) && !/^(test|node_modules)\//.test(path) && path !== "design/format.ts"
  )
  expect(paths).toContain("design/show.tsx")
  const isFormatting = (path: string): boolean =>
    /\bIntl\.|\.toLocale(Date|Time)?String\(/.test(readFileSync(join(root, path), "utf8"))
  expect(paths.filter(isFormatting)).toEqual([])
})

describe("an amount that somebody wrote", () => {
  test.each([
    ["40", "USD", undefined],
    ["40.5", "USD", undefined],
    ["1,200.50", "USD", undefined],
    ["1.200", "USD", "At most 2 decimal places."],
    ["1.000", "JPY", "Enter a whole amount."],
    ["1,000", "JPY", undefined],
    ["0", "USD", "Enter an amount above 0."],
    ["none", "USD", "Enter an amount above 0."],
    ["2,000", "USD", "At most $1,500.00 is left."]
  ])("%s %s", (text, currency, problem) => expect(Format.moneyProblem(text, currency, 1_500)).toBe(problem))
})

describe("a name as part of a sentence", () => {
  test.each([
    ["Ana Beridze", "Ana Beridze"],
    ["ანა ბერიძე", "ანა ბერიძე"],
    ["Nino \u202E00.0001$ dnufeR", "Nino 00.0001$ dnufeR"],
    ["משה", "\u2068משה\u2069"],
    ["\u2069\u202Eא", "\u2068א\u2069"]
  ])("%j is %j", (name, shown) => expect(Format.inline(name)).toBe(shown))
})
