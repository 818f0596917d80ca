/** Numbers of cells: kept exactly, or refused. */
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { NumberFromCell, numberOf } from "../../csv/numbers.js"

const refused = (text: string) => Either.getOrThrow(Either.flip(numberOf(text)))

describe("the number of a cell", () => {
  it.each([
    ["0", 0],
    ["-0", 0],
    ["7", 7],
    ["-12.50", -12.5],
    ["2.500", 2.5],
    ["0.1", 0.1],
    ["1e3", 1000],
    ["1.5E-7", 1.5e-7],
    ["9007199254740992", 2 ** 53],
    ["0.30000000000000004", 0.30000000000000004]
  ])("is what %s says", (text, number) => expect(numberOf(text)).toEqual(Either.right(number)))

  it.each([
    "12345678901234567890",
    "9007199254740993",
    "-9007199254740993.0",
    "0.1000000000000000055511151231257827",
    "123456789.123456789012",
    "1e-400"
  ])("is refused where a number would change it: %s", (text) =>
    expect(refused(text)).toBe("has more digits than a number holds: leave it a text")
  )

  it.each(["1e400", "-1e309", `1e${"9".repeat(5000)}`])(
    "is refused where no number is as large: %s",
    (text) => expect(refused(text)).toBe("is larger than any number: leave it a text")
  )

  it.each([
    ["hex", "0x10"],
    ["octal", "0o17"],
    ["binary", "0b11"],
    ["a code with zeros before it", "007"],
    ["nothing", ""],
    ["a space", " "],
    ["spaces around it", " 5 "],
    ["a line end", "5\n"],
    ["thousands by commas", "1,000"],
    ["thousands by spaces", "1 000"],
    ["thousands by lines below", "1_000"],
    ["a decimal comma", "2,5"],
    ["no digit before the point", ".5"],
    ["no digit behind the point", "5."],
    ["a plus", "+5"],
    ["a currency", "$5"],
    ["a percentage", "5%"],
    ["words", "Infinity"],
    ["no number", "NaN"],
    ["a BigInt", "5n"],
    ["a minus of typographers", "−5"],
    ["digits of another script", "٥"],
    ["digits in full width", "５"]
  ])("is not guessed from %s", (_, text) =>
    expect(refused(text)).toBe("must be a number as JSON writes it, such as 12.50")
  )

  it("is the one that was written, for every number", () =>
    FastCheck.assert(
      FastCheck.property(FastCheck.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(numberOf(JSON.stringify(number))).toEqual(Either.right(number === 0 ? 0 : number))
      })
    ))

  it("is a field of a schema, which says the rule and never the cell", () => {
    expect(Schema.decodeSync(NumberFromCell)("12.50")).toBe(12.5)
    expect(Schema.encodeSync(NumberFromCell)(12.5)).toBe("12.5")
    const error = Either.getOrThrow(Either.flip(Schema.decodeEither(NumberFromCell)("0x10")))
    expect(error.message).toContain("must be a number as JSON writes it")
    expect(Either.isLeft(Schema.encodeEither(NumberFromCell)(Number.POSITIVE_INFINITY))).toBe(true)
  })
})
