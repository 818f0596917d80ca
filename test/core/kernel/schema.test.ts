// The models' schemas are schemas of Effect: all that takes one takes them, and reads the same of them.
import { describe, expect, it, test } from "@effect/vitest"
import {
  Arbitrary,
  Array as Arr,
  Either,
  Equivalence,
  FastCheck as FC,
  JSONSchema,
  Option,
  Pretty,
  Schema
} from "effect"
import { Box } from "../../../core/boxes/model.js"
import * as Entity from "../../../core/kernel/operation/entity.js"
import * as Input from "../../../core/kernel/operation/input.js"
import * as Ours from "../../../core/kernel/operation/schema.js"

const at = new Date("2024-05-01T09:30:00Z")

const callers = {
  a: Schema.propertySignature(Schema.NumberFromString).pipe(Schema.fromKey("b")),
  c: Schema.optionalWith(Schema.String, { default: () => "none" }),
  d: Schema.optionalWith(Schema.Date, { as: "Option" })
}

/** Each constructor, ours and Schema's. */
const pairs: ReadonlyArray<readonly [name: string, ours: Schema.Schema.All, theirs: Schema.Schema.All]> = [
  ["String", Ours.String, Schema.String],
  ["Number", Ours.Number, Schema.Number],
  ["Boolean", Ours.Boolean, Schema.Boolean],
  ["Unknown", Ours.Unknown, Schema.Unknown],
  ["Finite", Ours.Finite, Schema.Finite],
  ["NonEmptyString", Ours.NonEmptyString, Schema.NonEmptyString],
  ["NonNegativeInt", Ours.NonNegativeInt, Schema.NonNegativeInt],
  ["DateFromSelf", Ours.DateFromSelf, Schema.DateFromSelf],
  ["ValidDateFromSelf", Ours.ValidDateFromSelf, Schema.ValidDateFromSelf],
  ["Literal", Ours.Literal("a", 1, null), Schema.Literal("a", 1, null)],
  ["Union", Ours.Union(Ours.String, Ours.Number), Schema.Union(Schema.String, Schema.Number)],
  ["NullOr", Ours.NullOr(Ours.String), Schema.NullOr(Schema.String)],
  ["Array", Ours.Array(Ours.Finite), Schema.Array(Schema.Finite)],
  [
    "Struct",
    Ours.Struct({ a: Ours.String, b: Ours.optional(Ours.Number) }),
    Schema.Struct({ a: Schema.String, b: Schema.optional(Schema.Number) })
  ],
  [
    "an open Struct",
    Ours.Struct({ a: Ours.String }, Input.open),
    Schema.Struct({ a: Schema.String }, { key: Schema.String, value: Schema.Unknown })
  ],
  ["a Struct of a caller's fields", Ours.Struct(callers), Schema.Struct(callers)]
]

const scalars = ["", "a", 1, 0, -1, 1.5, 2 ** 53, Number.NaN, Infinity, null, undefined, true, at]
const values: FC.Arbitrary<unknown> = FC.oneof(
  FC.constantFrom<unknown>(...scalars, new Date(Number.NaN)),
  FC.array(FC.oneof(FC.double(), FC.string()), { maxLength: 2 }),
  FC.record(
    {
      a: FC.constantFrom<unknown>("x", 1),
      b: FC.constantFrom<unknown>("1", 2, undefined),
      c: FC.string(),
      d: FC.constant("2024-05-01")
    },
    { requiredKeys: [], noNullPrototype: true }
  )
)

/** One of each name that Schema knows, and of others. */
const annotations = {
  identifier: "I",
  title: "t",
  description: "d",
  examples: [1] as const,
  default: 1,
  documentation: "doc",
  jsonSchema: { type: "null" },
  schemaId: "id",
  message: () => "m",
  missingMessage: () => "mm",
  typeConstructor: { _tag: "T" },
  arbitrary: () => () => FC.constant(1),
  pretty: () => () => "p",
  equivalence: () => Equivalence.strict(),
  concurrency: 1,
  batching: true,
  parseIssueTitle: () => "p",
  parseOptions: { exact: true },
  decodingFallback: () => Either.right(1),
  [Symbol.for("own")]: "own",
  own: "own"
}

describe.each(pairs)("%s", (_, { ast: ourAst }, { ast: theirAst }) => {
  const ours = Ours.make<unknown>(ourAst)
  const theirs = Schema.make<unknown>(theirAst)

  it.prop("takes and gives what Schema's own does", [values], ([value]) => {
    const read = (schema: Schema.Schema<unknown>) => [
      Schema.decodeUnknownEither(schema)(value),
      Schema.encodeUnknownEither(schema)(value),
      Schema.validateEither(schema)(value)
    ]
    for (const [mine, effects] of Arr.zip(read(ours), read(theirs))) {
      expect(Either.isRight(mine)).toBe(Either.isRight(effects))
      if (Either.isRight(mine) && Either.isRight(effects)) expect(mine.right).toEqual(effects.right)
    }
  })

  test("prints like Schema's own, and its values can be made up, compared and shown", () => {
    expect(Schema.isSchema(ours)).toBe(true)
    expect(String(ours)).toBe(String(theirs))
    for (const value of FC.sample(Arbitrary.make(ours), 20)) {
      expect(Schema.is(theirs)(value)).toBe(true)
      expect(Schema.equivalence(ours)(value, value)).toBe(Schema.equivalence(theirs)(value, value))
      expect(Pretty.make(ours)(value)).toBe(Pretty.make(theirs)(value))
    }
  })

  test("keeps every annotation, as Schema does", () => {
    expect(ours.annotations({ ...annotations }).ast.annotations).toEqual({
      ...ourAst.annotations,
      ...Schema.Unknown.annotations({ ...annotations }).ast.annotations
    })
  })
})

test("a model's fields make other schemas, by Schema's own functions", () => {
  const Mine = Schema.Struct({ ...Box.fields, mine: Schema.NumberFromString })
  expect(Schema.decodeUnknownSync(Mine)({ _id: "b", mine: "7" })).toEqual({ _id: "b", mine: 7 })
  expect(() => Schema.decodeUnknownSync(Mine)({ _id: "", mine: "7" })).toThrow("a non-empty id")
  const More = Schema.extend(Ours.Struct({ a: Ours.String }), Schema.Struct({ b: Schema.Number }))
  expect(Schema.encodeSync(More)({ a: "a", b: 1 })).toEqual({ a: "a", b: 1 })
  expect(Schema.decodeUnknownSync(Schema.partial(Ours.Struct({ a: Ours.String })))({})).toEqual({})
  expect(Ours.Struct({ a: Ours.String }).annotations({ title: "t" }).fields.a).toBe(Ours.String)
  expect(JSONSchema.make(Ours.Struct({ a: Ours.optional(Ours.Number) }))).toMatchObject({
    properties: { a: { type: "number" } }
  })
})

test("an open entity takes fields with defaults and Options", () => {
  const Own = Entity.open({ title: callers.c, at: callers.d })
  expect(Schema.decodeUnknownSync(Own)({ more: 1 })).toEqual({ title: "none", at: Option.none(), more: 1 })
})
