// Numbers that JSON can say and a JavaScript number cannot hold: reported, never rounded in silence.
import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as FC from "effect/FastCheck"
import * as Schema from "effect/Schema"
import * as Decoder from "../../../core/kernel/codec/decoder.js"
import { findLossy } from "../../../core/kernel/codec/json.js"

const decode = (source: string): Either.Either<unknown, Decoder.Failure> =>
  Either.flatMap(Decoder.json(source), (value) => Decoder.make(Schema.Unknown)(value, source))

const reasonOf = (source: string): string =>
  Either.match(decode(source), { onLeft: ({ reason }) => reason, onRight: () => "none" })

describe("a number that is not what the server wrote is refused:", () => {
  it.each([
    ["2⁵³ + 1", "9007199254740993"],
    ["−2⁵³ − 1", "-9007199254740993"],
    ["a 64-bit id", "9223372036854775807"],
    ["an unsigned 64-bit id", "18446744073709551615"],
    ["a whole number of 400 digits", "1".repeat(400)],
    ["a one with 400 zeros", `1${"0".repeat(400)}`],
    ["1e400, which would be Infinity", "1e400"],
    ["-1e400", "-1e400"],
    ["a decimal that would be Infinity", `${"9".repeat(400)}.5`]
  ])("%s", (_, text) => {
    expect(reasonOf(`{"id":${text}}`)).toBe("Precision")
    expect(reasonOf(`[[${text}]]`)).toBe("Precision")
    expect(reasonOf(text)).toBe("Precision")
  })

  it("wherever it stands among numbers that are large and exact", () => {
    expect(reasonOf('{"a":1e300,"b":9007199254740992,"c":[12345678901234567]}')).toBe("Precision")
  })

  it("also in a field that is declared a number", () => {
    const source = '{"version":9007199254740993}'
    const decoded = Decoder.make(Schema.Struct({ version: Schema.Number }))(JSON.parse(source), source)
    expect(Either.getOrThrow(Either.flip(decoded)).reason).toBe("Precision")
  })
})

describe("a number that survives is kept:", () => {
  it.each([
    ["2⁵³", "9007199254740992", 2 ** 53],
    ["−2⁵³", "-9007199254740992", -(2 ** 53)],
    ["digits that are written again as they were read", "48338500198963450", Number("48338500198963450")],
    ["10¹⁶ in digits", "10000000000000000", 1e16],
    ["1e300", "1e300", 1e300],
    ["a large decimal", "12345678901234567.5", Number("12345678901234567.5")],
    ["many decimals", "0.1234567890123456789", Number("0.1234567890123456789")],
    ["the largest of all", "1.7976931348623157e308", Number.MAX_VALUE],
    ["minus nothing", "-0", -0]
  ])("%s", (_, text, value) => {
    expect(Either.getOrThrow(decode(text))).toBe(value)
  })

  it("and digits within text are no number", () => {
    const source = '{"id":"9007199254740993","note":"a \\"9007199254740993\\" b","big":9007199254740992}'
    expect(Either.getOrThrow(decode(source))).toEqual({
      id: "9007199254740993",
      note: 'a "9007199254740993" b',
      big: 2 ** 53
    })
  })

  it("and digits in a key are no number", () => {
    const source = '{"9007199254740993":1e300}'
    expect(Either.getOrThrow(decode(source))).toEqual({ "9007199254740993": 1e300 })
  })
})

describe("the search for a number that is lost", () => {
  const whole = FC.bigInt({ min: -(2n ** 80n), max: 2n ** 80n })

  it.prop(
    "finds each whole number that changes, and no other",
    [FC.array(whole, { maxLength: 5 })],
    ([numbers]) => {
      const survives = (number: bigint) =>
        BigInt(Number(number)) === number || String(Number(number)) === String(number)
      const lost = numbers.find((number) => !survives(number))
      expect(findLossy(`[${numbers.join(",")}]`)).toBe(lost === undefined ? undefined : String(lost))
    }
  )

  it.prop(
    "is never misled by what stands in text",
    [
      FC.array(
        FC.oneof(FC.string({ unit: "grapheme" }), FC.constantFrom('"', "\\", '\\"', "9007199254740993"))
      )
    ],
    ([texts]) => {
      expect(findLossy(JSON.stringify(texts))).toBeUndefined()
      expect(findLossy(JSON.stringify([...texts, 1]).replace(/1\]$/, "9007199254740993]"))).toBe(
        "9007199254740993"
      )
    }
  )

  it.each([
    ["a text of 30 million characters", `{"id":9007199254740993,"t":"${"x".repeat(30e6)}"}`],
    ["a text of 15 million quotes", `{"t":"${'\\"'.repeat(15e6)}","id":9007199254740993}`],
    ["a million digits before a point", `{"n":${"1".repeat(1e6)}.5}`],
    ["a million digits before an exponent", `{"n":${"1".repeat(1e6)}e5}`],
    ["a million digits", `{"n":${"1".repeat(1e6)}}`]
  ])("bears %s", (_, source) => {
    const began = performance.now()
    expect(reasonOf(source)).toBe("Precision")
    expect(performance.now() - began).toBeLessThan(10_000)
  })
})

it("a fraction of a million zeros before its last digit takes no time by their square", () => {
  expect(findLossy(`[9007199254740993.${"0".repeat(1_000_000)}1]`)).toBeUndefined()
  expect(findLossy(`[9007199254740993.${"0".repeat(1_000_000)}]`)).toBeDefined()
})
