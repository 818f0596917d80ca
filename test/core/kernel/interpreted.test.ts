// Schemas that the compiler leaves to Schema's own parser keep the same promises as all others.
import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { DateTime } from "../../../core/kernel/codec/dates.js"
import * as Decoder from "../../../core/kernel/codec/decoder.js"
import { maxDepth } from "../../../core/kernel/codec/state.js"
import type { Typed } from "../../../core/kernel/operation/answer.js"
import * as Input from "../../../core/kernel/operation/input.js"

const decode = <A>(schema: Typed<A>, source: string): Either.Either<A, Decoder.Failure> =>
  Either.flatMap(Decoder.json(source), (value) => Decoder.make(schema)(value, source))
const value = <A>(schema: Typed<A>, source: unknown): A =>
  Either.getOrThrow(decode(schema, JSON.stringify(source)))
const reason = <A>(schema: Typed<A>, source: string): string =>
  Either.getOrThrow(Either.flip(decode(schema, source))).reason

const when = "2024-02-29T10:00:00.000Z"
const date = new Date(when)

const News = Schema.Struct({
  kind: Schema.Literal("news"),
  title: Schema.String,
  at: Schema.optional(DateTime)
})
const Poll = Schema.Struct({ kind: Schema.Literal("poll"), answers: Schema.Array(Schema.String) })
const Content = Schema.Union(News, Poll)

class Person extends Schema.Class<Person>("Person")({
  name: Schema.String,
  extra: Schema.optional(Schema.Unknown)
}) {}

describe("date-times stay text where text is declared:", () => {
  it("in a union of structs", () => {
    expect(value(Content, { kind: "news", title: when })).toEqual({ kind: "news", title: when })
    expect(value(Content, { kind: "poll", answers: [when] })).toEqual({ kind: "poll", answers: [when] })
  })

  it("in a union of structs without a tag", () => {
    const Either = Schema.Union(Schema.Struct({ a: Schema.String }), Schema.Struct({ b: Schema.Number }))
    expect(value(Either, { a: when })).toEqual({ a: when })
  })

  it("in a tuple", () => {
    expect(value(Schema.Tuple(Schema.String, Schema.Unknown), [when, when])).toEqual([when, date])
  })

  it("in transformed text and in a template", () => {
    expect(value(Schema.Struct({ title: Schema.Trim }), { title: when })).toEqual({ title: when })
    const Template = Schema.TemplateLiteral(Schema.String, "T", Schema.String)
    expect(value(Schema.Struct({ at: Template }), { at: when })).toEqual({ at: when })
  })

  it("in a field with a default", () => {
    const schema = Schema.Struct({ title: Schema.optionalWith(Schema.String, { default: () => "none" }) })
    expect(value(schema, { title: when })).toEqual({ title: when })
    expect(value(schema, {})).toEqual({ title: "none" })
  })

  it("in an Option", () => {
    const schema = Schema.Struct({ title: Schema.optionalWith(Schema.String, { as: "Option" }) })
    expect(value(schema, { title: when })).toEqual({ title: Option.some(when) })
  })

  it("in a class", () => {
    const person = value(Person, { name: when, extra: when })
    expect(person).toBeInstanceOf(Person)
    expect(person.name).toBe(when)
    expect(person.extra).toEqual(date)
  })
})

describe("date-times become Dates where nothing is declared:", () => {
  it("in further fields of a union's members, at any depth", () => {
    expect(value(Content, { kind: "news", title: "t", more: { list: [when] } })).toEqual({
      kind: "news",
      title: "t",
      more: { list: [date] }
    })
  })

  it("in a field that only another member declares as text", () => {
    expect(value(Content, { kind: "poll", answers: [], title: when })).toEqual({
      kind: "poll",
      answers: [],
      title: date
    })
  })

  it("in open members, and where they are declared as such", () => {
    const Open = Schema.Union(
      Schema.Struct({ kind: Schema.Literal("a"), at: DateTime }, Input.open),
      Schema.Struct({ kind: Schema.Literal("b") }, Input.open)
    )
    expect(value(Open, { kind: "a", at: when, more: when })).toEqual({ kind: "a", at: date, more: date })
  })
})

describe("hostile answers", () => {
  it("set no prototype", () => {
    const found = Either.getOrThrow(
      decode(
        Content,
        '{"kind":"news","title":"t","__proto__":{"isAdmin":true},"x":{"__proto__":{"isAdmin":true}}}'
      )
    )
    expect(found).not.toHaveProperty("isAdmin")
    expect(Object.getPrototypeOf(found)).toBe(Object.prototype)
    expect(Object.prototype).not.toHaveProperty("isAdmin")
  })

  it("that are nested 100,000 deep are refused as such, also within a recursive union", () => {
    interface Leaf {
      readonly kind: "leaf"
    }
    interface Branch {
      readonly kind: "branch"
      readonly of: Tree
    }
    type Tree = Leaf | Branch
    const Tree: Schema.Schema<Tree> = Schema.Union(
      Schema.Struct({ kind: Schema.Literal("leaf") }),
      Schema.Struct({ kind: Schema.Literal("branch"), of: Schema.suspend(() => Tree) })
    )
    const deep = (levels: number) =>
      `${'{"kind":"branch","of":'.repeat(levels)}{"kind":"leaf"}${"}".repeat(levels)}`
    expect(reason(Tree, deep(100_000))).toBe("TooDeep")
    expect(
      reason(Content, `{"kind":"news","title":"t","x":${"[".repeat(100_000)}${"]".repeat(100_000)}}`)
    ).toBe("TooDeep")
    expect(Either.isRight(decode(Tree, deep(maxDepth - 1)))).toBe(true)
  })

  it("with numbers that cannot be trusted are refused as such", () => {
    expect(reason(Content, '{"kind":"news","title":"t","id":9007199254740993}')).toBe("Precision")
    const Pair = Schema.Tuple(Schema.Number, Schema.String)
    expect(reason(Pair, '[9007199254740993,"a"]')).toBe("Precision")
  })
})
