// The compiled decoder says what Schema says: the same values accepted, the same refused, the same answer.
import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as FC from "effect/FastCheck"
import * as Schema from "effect/Schema"
import { compile } from "../../../core/kernel/codec/compiler.js"
import * as Decoder from "../../../core/kernel/codec/decoder.js"
import { makeState, wrong } from "../../../core/kernel/codec/state.js"
import * as Entity from "../../../core/kernel/operation/entity.js"
import * as Input from "../../../core/kernel/operation/input.js"
import { cases } from "./arbitrary-schema.js"

const oracle = (schema: Schema.Schema<unknown>, source: string) =>
  Schema.decodeUnknownEither(schema, { onExcessProperty: "preserve" })(JSON.parse(source))

const ours = (schema: Schema.Schema<unknown>, source: string) =>
  Decoder.make(schema)(JSON.parse(source), source)

describe("the compiled decoder", () => {
  it.prop(
    "accepts what Schema accepts, with the same value, and refuses the rest",
    [cases],
    ([{ schema, source }]) => {
      const expected = oracle(schema, source)
      const found = ours(schema, source)
      expect(Either.isRight(found)).toBe(Either.isRight(expected))
      if (Either.isRight(expected)) expect(Either.getOrThrow(found)).toEqual(expected.right)
    },
    { fastCheck: { numRuns: 2_000 }, timeout: 60_000 }
  )

  it("has cases of both kinds to judge by", () => {
    const verdicts = FC.sample(cases, 500).map(({ schema, source }) => Either.isRight(oracle(schema, source)))
    expect(verdicts.filter((accepted) => accepted).length).toBeGreaterThan(150)
    expect(verdicts.filter((accepted) => !accepted).length).toBeGreaterThan(100)
  })
})

describe("the path of a fault", () => {
  const Item = Schema.Struct({ name: Entity.Id, price: Schema.Number, tags: Schema.Array(Schema.String) })
  const Order = Entity.open({ _id: Entity.Id, items: Schema.Array(Item), by: Schema.Struct({ of: Item }) })
  const item = { name: "n", price: 1, tags: ["s", "t"] }
  const order = { _id: "o", items: [item, item, item], by: { of: item } }

  /** The paths of all leaves. */
  const leavesOf = (value: unknown): ReadonlyArray<ReadonlyArray<string>> =>
    typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([key, held]) => leavesOf(held).map((path) => [key, ...path]))
      : [[]]

  const replaced = (value: unknown, [key, ...rest]: ReadonlyArray<string>, by: unknown): unknown => {
    if (key === undefined) return by
    if (Array.isArray(value))
      return value.map((held, at) => (String(at) === key ? replaced(held, rest, by) : held))
    return Object.fromEntries(
      Object.entries(value as object).map(([name, held]) => [
        name,
        name === key ? replaced(held, rest, by) : held
      ])
    )
  }

  it.prop(
    "is that of the one leaf that is wrong",
    [FC.constantFrom(...leavesOf(order)), FC.constantFrom(null, {}, [], true)],
    ([path, by]) => {
      const found = ours(Schema.make(Order.ast), JSON.stringify(replaced(order, path, by)))
      expect(Either.getOrThrow(Either.flip(found)).field).toBe(path.join("."))
    }
  )
})

describe("a compiled input check", () => {
  const check = (schema: Schema.Schema.All, value: unknown) => {
    const state = makeState()
    const result = compile(schema.ast, "input")(value, state)
    return result === wrong ? { field: state.path, rule: state.rule } : "accepted"
  }
  const Closed = Schema.Struct({ id: Entity.Id, note: Schema.optional(Schema.String) })

  it("refuses a field that a closed input does not have, whatever its value", () => {
    const refusal = { field: "extra", rule: "is not a field of this input" }
    expect(check(Closed, { id: "a", extra: 1 })).toEqual(refusal)
    expect(check(Closed, { id: "a", extra: null })).toEqual(refusal)
  })

  it("takes a field that is undefined for one that is left out", () => {
    expect(check(Closed, { id: "a", note: undefined, extra: undefined })).toBe("accepted")
    expect(check(Closed, { id: undefined })).toMatchObject({ field: "id" })
  })

  it("takes any further field where the input is open", () => {
    expect(check(Schema.Struct({ id: Entity.Id }, Input.open), { id: "a", extra: 1 })).toBe("accepted")
  })

  it("wants a field that takes anything to be given", () => {
    expect(check(Entity.WithPayload, {})).toEqual({ field: "payload", rule: "is required" })
    expect(check(Entity.WithPayload, { payload: null })).toBe("accepted")
  })

  it("leaves date-like text as text", () => {
    const input = { id: "2024-02-29T10:00:00.000Z", at: "2024-02-29T10:00:00.000Z" }
    expect(check(Schema.Struct({ id: Entity.Id }, Input.open), input)).toBe("accepted")
    expect(input).toEqual({ id: "2024-02-29T10:00:00.000Z", at: "2024-02-29T10:00:00.000Z" })
  })

  it("refuses what is no object: null, a list, text", () => {
    for (const value of [null, [], "text", 7]) {
      expect(check(Closed, value)).toEqual({ field: "", rule: "must be an object" })
    }
  })

  it("knows a class's own fields, and none that it inherits", () => {
    class Base {
      id = "a"
    }
    class Derived extends Base {
      get note() {
        return 7
      }
    }
    expect(check(Closed, new Derived())).toBe("accepted")
    expect(check(Closed, Object.assign(Object.create({ id: "a" }), { note: "b" }))).toEqual({
      field: "id",
      rule: "is required"
    })
  })
})
