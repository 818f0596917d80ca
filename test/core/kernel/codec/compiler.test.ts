// The compiled decoder says what Schema says: the same values accepted, the same refused, the same answer.
import { describe, expect, it } from "@effect/vitest"
import { Either, FastCheck as FC, Schema } from "effect"
import * as Decoder from "../../../../core/kernel/codec/decoder.js"
import * as Entity from "../../../../core/kernel/operation/entity.js"
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
