// JSON without silent changes: what JSON.stringify would bend or drop is refused, and numbers that would be rounded are reported.
import { describe, expect, it } from "@effect/vitest"
import { Either, FastCheck as FC, Schema } from "effect"
import * as Decoder from "../../../../core/kernel/codec/decoder.js"
import * as Json from "../../../../core/kernel/codec/json.js"
import { maxDepth } from "../../../../core/kernel/codec/state.js"

const refusal = (value: unknown) => Either.getOrThrow(Either.flip(Json.encode(value, "payload")))

describe("plain data", () => {
  it.prop("is written as JSON.stringify writes it, and read back the same", [FC.jsonValue()], ([value]) => {
    const text = Either.getOrThrow(Json.encode(value, "payload"))
    expect(text).toBe(JSON.stringify(value))
    expect(JSON.stringify(JSON.parse(text))).toBe(text)
  })

  it.prop(
    "with any keys and any text keeps them",
    [FC.dictionary(FC.string(), FC.string({ unit: "binary" }))],
    ([value]) => {
      const text = Either.getOrThrow(Json.encode(value, "payload"))
      expect(Object.entries(JSON.parse(text) as object)).toEqual(Object.entries(value))
    }
  )

  const twice = { c: 1 }
  it.each<readonly [title: string, value: unknown, text: string]>([
    ["Dates", { a: [new Date(0)] }, '{"a":["1970-01-01T00:00:00.000Z"]}'],
    ["objects without a prototype", { c: Object.assign(Object.create(null), { d: 1 }) }, '{"c":{"d":1}}'],
    ["the same thing twice", { a: twice, b: [twice, twice] }, '{"a":{"c":1},"b":[{"c":1},{"c":1}]}'],
    ["what says of itself how it is written", { a: { toJSON: () => ({ b: 5 }) } }, '{"a":{"b":5}}'],
    ["undefined in a field, which is left out", { a: undefined, b: 1 }, '{"b":1}'],
    ['a field of its own named "__proto__"', JSON.parse('{"__proto__":{"a":1}}'), '{"__proto__":{"a":1}}']
  ])("may hold %s", (_, value, text) => {
    expect(Json.encode(value, "payload")).toEqual(Either.right(text))
  })
})

describe("what JSON cannot say is refused, with its field:", () => {
  const bigInt = "must not be a BigInt: pass it as text"
  const cycle: Record<string, unknown> = { a: {} }
  cycle.a = { b: [cycle] }
  const plain = "must be plain data: a plain object, list, text, number, boolean, Date or null"

  it.each([
    ["NaN", Number.NaN, "must be a finite number"],
    ["Infinity", Number.POSITIVE_INFINITY, "must be a finite number"],
    ["a BigInt", 9007199254740993n, bigInt],
    ["an invalid Date", new Date(Number.NaN), "must be a valid date"],
    ["a function", () => 1, "must not be a function"],
    ["a symbol", Symbol("s"), "must not be a symbol"],
    ["a Map", new Map([["a", 1]]), plain],
    ["a Set", new Set([1]), plain],
    ["a RegExp", /a/, plain],
    ["bytes", new Uint8Array([1]), plain],
    ["a Buffer", Buffer.from("hi"), plain],
    ["an instance of a class", new (class Thing {})(), plain],
    ["an Error", new Error("x"), plain],
    ["a Promise", Promise.resolve(1), plain],
    ["a boxed number", Object(1), plain]
  ])("%s", (_, value, rule) => {
    expect(refusal(value)).toEqual({ field: "payload", rule })
    expect(refusal({ a: { "b.c": [0, { d: value }] } })).toEqual({ field: "payload.a.b.c.1.d", rule })
    expect(refusal([value])).toEqual({ field: "payload.0", rule })
  })

  it(`nesting beyond ${maxDepth} levels, which is no crash`, () => {
    let deep: unknown = 1
    for (let level = 0; level < 100_000; level++) deep = [deep]
    const { field, rule } = refusal(deep)
    expect(rule).toBe(`must not be nested more than ${maxDepth} levels deep`)
    expect(field.split(".")).toHaveLength(maxDepth + 1)
  })

  const list: Array<unknown> = []
  list.push(list)
  const answers: Array<unknown> = [1, Number.NaN]
  const changing = Object.defineProperty({}, "a", { enumerable: true, get: () => answers.shift() })
  const hole = "must not be undefined inside a list: pass null or leave it out"
  it.each<readonly [title: string, value: unknown, field: string, rule: string]>([
    ["undefined in a list, which would become null", { a: [1, undefined] }, "payload.a.1", hole],
    ["a hole in a list", new Array<number>(1), "payload.0", hole],
    ["a thing that holds itself", cycle, "payload.a.b.0", "must not hold itself"],
    ["a list that holds itself", list, "payload.0", "must not hold itself"],
    ["what a thing says of itself", { a: { toJSON: () => ({ b: 1n }) } }, "payload.a.b", bigInt],
    ["a getter that answers otherwise later", changing, "payload", "must not change while it is read"]
  ])("%s", (_, value, field, rule) => {
    expect(refusal(value)).toEqual({ field, rule })
  })

  it("a field of a flat body, by its own name", () => {
    expect(Json.encode({ price: Number.NaN }, "")).toEqual(
      Either.left({ field: "price", rule: "must be a finite number" })
    )
  })

  it.prop("never with the value itself in the rule", [FC.bigInt()], ([value]) => {
    expect(refusal({ a: value }).rule).not.toContain(String(value))
  })
})

const decoded = (source: string): Either.Either<unknown, Decoder.Failure> =>
  Either.flatMap(Decoder.json(source), (value) => Decoder.make(Schema.Unknown)(value, source))

const reasonOf = (source: string): string =>
  Either.match(decoded(source), { onLeft: ({ reason }) => reason, onRight: () => "none" })

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
    expect(Either.getOrThrow(decoded(text))).toBe(value)
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
      expect(Json.findLossy(`[${numbers.join(",")}]`)).toBe(lost === undefined ? undefined : String(lost))
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
      expect(Json.findLossy(JSON.stringify(texts))).toBeUndefined()
      expect(Json.findLossy(JSON.stringify([...texts, 1]).replace(/1\]$/, "9007199254740993]"))).toBe(
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
    expect(reasonOf(source)).toBe("Precision")
  })
})

it("a fraction of a million zeros before its last digit takes no time by their square", () => {
  expect(Json.findLossy(`[9007199254740993.${"0".repeat(1_000_000)}1]`)).toBeUndefined()
  expect(Json.findLossy(`[9007199254740993.${"0".repeat(1_000_000)}]`)).toBeDefined()
})
