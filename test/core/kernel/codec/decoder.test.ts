// From bytes to values: what is declared is checked, what is not is kept, date-times become Dates, and nothing does harm.
import { describe, expect, it } from "@effect/vitest"
import { Either, FastCheck as FC, Option, Schema } from "effect"
import { DateTime } from "../../../../core/kernel/codec/dates.js"
import * as Decoder from "../../../../core/kernel/codec/decoder.js"
import { type Mismatch, maxDepth } from "../../../../core/kernel/codec/state.js"
import type { Typed } from "../../../../core/kernel/operation/answer.js"
import * as Entity from "../../../../core/kernel/operation/entity.js"
import * as Input from "../../../../core/kernel/operation/input.js"

/** Decodes JSON text as an answer of the schema. */
const decode = <A>(schema: Typed<A>, source: string): Either.Either<A, Decoder.Failure> =>
  Either.flatMap(Decoder.json(source), (value) => Decoder.make(schema)(value, source))
const value = <A>(schema: Typed<A>, source: unknown): A =>
  Either.getOrThrow(decode(schema, JSON.stringify(source)))
const failed = <A>(schema: Typed<A>, source: string) => Either.getOrThrow(Either.flip(decode(schema, source)))
const failure = <A>(schema: Typed<A>, source: unknown) => failed(schema, JSON.stringify(source))

const when = "2024-02-29T10:00:00.000Z"
const date = new Date(when)
const list = (levels: number) => "[".repeat(levels) + "]".repeat(levels)

describe("bytes", () => {
  const utf8 = (...bytes: ReadonlyArray<number>) => Decoder.text(Uint8Array.from(bytes))

  it.prop("of any text are read back", [FC.string({ unit: "binary" })], ([text]) => {
    const whole = text.replaceAll(/\p{Surrogate}/gu, "")
    expect(Decoder.text(new TextEncoder().encode(whole))).toEqual(Either.right(whole.replace(/^\ufeff/, "")))
  })

  it("lose a byte order mark at their start, and no other one", () => {
    expect(utf8(0xef, 0xbb, 0xbf, 0x7b, 0x7d)).toEqual(Either.right("{}"))
    expect(utf8(0x22, 0xef, 0xbb, 0xbf, 0x22)).toEqual(Either.right('"\ufeff"'))
  })
})

describe("text", () => {
  it.prop(
    "cut short anywhere is refused",
    [FC.dictionary(FC.string(), FC.jsonValue()), FC.nat()],
    ([json, at]) => {
      const whole = JSON.stringify(json)
      expect(Either.isLeft(Decoder.json(whole.slice(0, 1 + (at % (whole.length - 1)))))).toBe(true)
    }
  )

  it.prop("of any kind never throws", [FC.string({ unit: "binary" })], ([text]) => {
    expect(() => decode(Schema.Unknown, text)).not.toThrow()
  })
})

describe("a declared field", () => {
  const Comment = Entity.open({ text: Schema.String, by: Schema.optional(Schema.Struct({ id: Entity.Id })) })
  const Request = Entity.open({
    _id: Entity.Id,
    status: Schema.Literal("open", "closed"),
    version: Schema.NonNegativeInt,
    note: Entity.maybe(Schema.String),
    comments: Schema.Array(Comment)
  })
  const right = { _id: "r1", status: "open", version: 0, comments: [] }
  const with_ = (comment: unknown) => ({ ...right, comments: [{ text: "a" }, comment] })

  it.each([right, { ...right, note: null }, { ...right, note: "n" }])(
    "that is right is taken as it is: %j",
    (source) => {
      expect(value(Request, source)).toEqual(source)
    }
  )

  it.each<readonly [string, unknown, string, string]>([
    ["missing", { ...right, _id: undefined }, "_id", "is required"],
    ["null", { ...right, _id: null }, "_id", "must be"],
    ["of another kind", { ...right, version: "0" }, "version", "must be"],
    ["against its rule", { ...right, version: -1 }, "version", "must be"],
    ["empty where it may not be", { ...right, _id: "" }, "_id", "must be a non-empty id"],
    ["none of the known values", { ...right, status: "ajar" }, "status", "must be"],
    ["no list", { ...right, comments: {} }, "comments", "must be a list"],
    ["wrong in a list", with_({ text: 1 }), "comments.1.text", "must be"],
    ["missing in a list", with_({}), "comments.1.text", "is required"],
    ["wrong deep within", with_({ text: "a", by: { id: "" } }), "comments.1.by.id", "must be a non-empty id"],
    ["no object in a list", with_([]), "comments.1", "must be an object"],
    ...[null, [], "text", 7, true].map((source) => ["of no object", source, "", "must be an object"] as const)
  ])("that is %s is refused, with its path", (_, source, field, rule) => {
    expect(failure(Request, source)).toEqual({ reason: "Shape", field, rule: expect.stringContaining(rule) })
  })

  it("that an error names never shows what it held", () => {
    const canary = "canary-4711"
    const said = failure(Request, { ...right, status: canary, [canary]: 1 })
    expect(JSON.stringify(said)).not.toContain(canary)
  })

  it("whose schema takes anything may be missing, as in Schema itself", () => {
    expect(value(Schema.Struct({ a: Schema.Unknown, b: Schema.Any }), {})).toEqual({})
  })
})

describe("what is not declared", () => {
  const Open = Entity.open({ _id: Entity.Id })
  const Closed = Schema.Struct({ _id: Entity.Id })

  // Spec 3.22
  it("is kept, in open and in closed schemas alike", () => {
    const source = { _id: "a", more: { deep: [1, { x: null }] }, flag: false }
    for (const schema of [Open, Closed]) expect(value(schema, source)).toEqual(source)
    expect(value(Schema.Array(Closed), [{ _id: "a", x: 1 }])).toEqual([{ _id: "a", x: 1 }])
  })

  // Spec 7.51
  it.prop("is kept whatever JSON it is", [FC.dictionary(FC.string(), FC.jsonValue())], ([more]) => {
    const source = JSON.stringify({ ...more, _id: "a" })
    expect(Either.getOrThrow(decode(Open, source))).toEqual(JSON.parse(source))
  })

  it("is checked where an index signature says what it is", () => {
    const Counts = Schema.Record({ key: Schema.String, value: Schema.Number })
    expect(value(Counts, { a: 1, b: 2 })).toEqual({ a: 1, b: 2 })
    expect(failure(Counts, { a: 1, b: "2" }).field).toBe("b")
  })
})

/** Unions, transformations and classes keep the same promises as all other schemas. */
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

describe("date-times", () => {
  const Event = Entity.open({
    title: Schema.String,
    tags: Schema.optional(Schema.Array(Schema.String)),
    state: Schema.optional(Entity.openLiteral("planned")),
    note: Entity.maybe(Schema.String),
    at: Entity.maybe(DateTime)
  })

  // Spec 1.8, 7.50
  it("become Dates in undeclared fields, at any depth", () => {
    const deep = value(Event, { title: "t", a: when, b: { c: [when, [{ d: when }]] } })
    expect(deep).toEqual({ title: "t", a: date, b: { c: [date, [{ d: date }]] } })
  })

  // Spec 1.8
  it("become Dates where the whole answer is undeclared", () => {
    expect(value(Schema.Unknown, [when, { at: when }])).toEqual([date, { at: date }])
    expect(value(Schema.Unknown, when)).toEqual(date)
  })

  const Open = Schema.Union(
    Schema.Struct({ kind: Schema.Literal("a"), at: DateTime }, Input.open),
    Schema.Struct({ kind: Schema.Literal("b") }, Input.open)
  )
  const defaulted = Schema.Struct({ title: Schema.optionalWith(Schema.String, { default: () => "none" }) })
  const optional = Schema.Struct({ title: Schema.optionalWith(Schema.String, { as: "Option" }) })
  const template = Schema.Struct({ at: Schema.TemplateLiteral(Schema.String, "T", Schema.String) })
  const untagged = Schema.Union(Schema.Struct({ a: Schema.String }), Schema.Struct({ b: Schema.Number }))
  const fields: ReadonlyArray<readonly [string, Schema.Schema.All, unknown, unknown?]> = [
    ["Dates where they are declared", Event, { title: "t", at: when }, { title: "t", at: date }],
    ["Dates in a list of them", Schema.Array(DateTime), [when], [date]],
    ["text in fields that are", Event, { title: when, tags: [when], state: when, note: when }],
    ["text in a record of text", Schema.Record({ key: Schema.String, value: Schema.String }), { a: when }],
    ["text as a key", Event, { title: "t", [when]: 1 }],
    ["text in a union of structs", Content, { kind: "news", title: when }],
    ["text in its other member", Content, { kind: "poll", answers: [when] }],
    ["text in a union without a tag", untagged, { a: when }],
    ["text in a tuple", Schema.Tuple(Schema.String, Schema.Unknown), [when, when], [when, date]],
    ["text that is trimmed", Schema.Struct({ title: Schema.Trim }), { title: when }],
    ["text in a template", template, { at: when }],
    ["text in a field with a default", defaulted, { title: when }],
    ["the default where they are missing", defaulted, {}, { title: "none" }],
    ["text in an Option", optional, { title: when }, { title: Option.some(when) }],
    [
      "Dates beside a union's fields",
      Content,
      { kind: "news", title: "t", x: [when] },
      { kind: "news", title: "t", x: [date] }
    ],
    [
      "Dates where another member declares text",
      Content,
      { kind: "poll", answers: [], title: when },
      { kind: "poll", answers: [], title: date }
    ],
    ["Dates in open members", Open, { kind: "a", at: when, x: when }, { kind: "a", at: date, x: date }],
    ["text that is none", Event, { title: "t", other: "2024-02-30T10:00:00Z" }]
  ]
  const rows = fields.map(
    ([name, { ast }, source, expected = source]) => [name, ast, source, expected] as const
  )
  it.each(rows)("are %s", (_, ast, source, expected) => {
    expect(value(Schema.make<unknown>(ast), source)).toEqual(expected)
  })

  it("are text and Dates in a class", () => {
    const person = value(Person, { name: when, extra: when })
    expect(person).toBeInstanceOf(Person)
    expect([person.name, person.extra]).toEqual([when, date])
  })
})

describe("a schema that throws", () => {
  it("refuses the answer instead of leaving the call without an end", () => {
    const broken = (): boolean => {
      throw new Error("canary-4711")
    }
    const Throwing = Schema.Struct({ a: Schema.Number.pipe(Schema.filter(broken)) })
    const rule = "cannot be read by its schema"
    expect(failure(Throwing, { a: 1 })).toEqual({ reason: "Shape", field: "a", rule })
  })

  it("costs the field alone where mismatches are tolerated: the others are decoded, and once", () => {
    const Throws = Schema.transform(Schema.String, Schema.Number, {
      decode: () => JSON.parse("{"),
      encode: String
    })
    const Mine = Schema.Struct({ n: Schema.NumberFromString, all: Schema.Array(Throws), big: Schema.Unknown })
    const found: Array<Mismatch> = []
    const source = '{"n":"7","all":["x"],"big":9007199254740993}'
    const read = Either.flatMap(Decoder.json(source), (value) =>
      Decoder.make(Mine)(value, source, (place) => found.push(place))
    )
    expect(Either.getOrThrow(read)).toEqual({ n: 7, all: ["x"], big: "9007199254740993" })
    expect(found.map(({ path }) => path)).toEqual(["big", "all[]"])
  })

  it("is also Schema itself, over a tag that cannot be made text", () => {
    expect(failure(Content, { kind: [{ toString: "" }] }).reason).toBe("Shape")
  })
})

describe("hostile keys", () => {
  const names = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf"]
  const Closed = Schema.Struct({ _id: Schema.String })

  it.each(names)("%s stays own data, and no prototype is touched", (name) => {
    const source = `{"_id":"a","kind":"poll","answers":[],"${name}":{"isAdmin":true,"at":"${when}"},"in":[{"${name}":"${when}"}]}`
    for (const schema of [Closed, Entity.open({ _id: Schema.String }), Schema.Unknown, Content]) {
      const decoded = Either.getOrThrow(decode<unknown>(schema, source))
      expect(Object.getPrototypeOf(decoded)).toBe(Object.prototype)
      expect(decoded).not.toHaveProperty("isAdmin")
      expect(Object.prototype).not.toHaveProperty("isAdmin")
      expect(Object.getOwnPropertyDescriptor(decoded, name)?.value).toEqual({ isAdmin: true, at: date })
    }
  })

  const Throws = Schema.transform(Content, Schema.Any, {
    decode: () => JSON.parse("{"),
    encode: (value) => value
  })
  it.each([
    ["is tolerated", Content, "content.answers"],
    ["makes a schema throw", Throws, "content"]
  ])("__proto__ stays own data where a mismatch %s, whatever stands beside it", (_, schema, path) => {
    const answers = schema === Throws ? [] : "none"
    const source = `{"content":{"kind":"poll","answers":${JSON.stringify(answers)},"\\u0000__proto__":1,"__proto__":{"at":"${when}"}}}`
    const found: Array<Mismatch> = []
    const decode = Decoder.make<{ readonly content: object }>(Schema.Struct({ content: schema }))
    const { content } = Either.getOrThrow(
      Either.flatMap(Decoder.json(source), (value) => decode(value, source, (place) => found.push(place)))
    )
    expect(found).toMatchObject([{ path }])
    expect(Reflect.ownKeys(content)).toEqual(["kind", "answers", "\u0000__proto__", "__proto__"])
    expect(Object.getOwnPropertyDescriptor(content, "__proto__")?.value).toEqual({ at: date })
  })

  it.each(names)("%s as a required field is not found on the prototype", (name) => {
    const Needs = Schema.Struct({ [name]: Schema.Unknown.pipe(Schema.filter(() => true)) })
    expect(Either.isLeft(decode(Needs, "{}"))).toBe(true)
    expect(Either.isRight(decode(Needs, `{"${name}":1}`))).toBe(true)
  })
})

describe("nesting", () => {
  interface Tree {
    readonly children?: ReadonlyArray<Tree> | undefined
  }
  const Tree: Schema.Schema<Tree> = Schema.Struct({
    children: Schema.optional(Schema.Array(Schema.suspend(() => Tree)))
  })
  type Branch = { readonly kind: "leaf" } | { readonly kind: "branch"; readonly of: Branch }
  const Branch: Schema.Schema<Branch> = Schema.Union(
    Schema.Struct({ kind: Schema.Literal("leaf") }),
    Schema.Struct({ kind: Schema.Literal("branch"), of: Schema.suspend(() => Branch) })
  )
  const deep = (open: string, end: string, close: string, levels = 100_000) =>
    open.repeat(levels) + end + close.repeat(levels)
  const branches = (levels?: number) => deep('{"kind":"branch","of":', '{"kind":"leaf"}', "}", levels)

  it.each<readonly [string, Schema.Schema.All, string]>([
    ["lists", Schema.Unknown, list(100_000)],
    ["objects", Schema.Unknown, deep('{"a":', "1", "}")],
    ["declared things", Tree, deep('{"children":[', "", "]}")],
    ["lists in a declared thing", Tree, deep('{"children":[{"x":', "1", "}]}")],
    ["members of a union", Branch, branches()],
    ["lists in a member of a union", Content, `{"kind":"news","title":"t","x":${list(100_000)}}`]
  ])("of %s 100,000 deep is refused, not a crash", (_, schema, source) => {
    const rule = `must not be nested more than ${maxDepth} levels deep`
    expect(failed(Schema.make<unknown>(schema.ast), source)).toMatchObject({ reason: "TooDeep", rule })
  })

  it(`of ${maxDepth} levels is taken, and of one more is not`, () => {
    expect(Either.isRight(decode(Schema.Unknown, list(maxDepth)))).toBe(true)
    expect(Either.isLeft(decode(Schema.Unknown, list(maxDepth + 1)))).toBe(true)
    expect(Either.isRight(decode(Branch, branches(maxDepth - 1)))).toBe(true)
  })

  it("is counted along one branch, not over the whole answer", () => {
    const wide = JSON.stringify(Array.from({ length: 5_000 }, () => ({ a: [[{}]] })))
    for (const schema of [Schema.Unknown, Schema.Array(Schema.Struct({ a: Schema.Unknown }))])
      expect(Either.isRight(decode<unknown>(schema, wide))).toBe(true)
  })
})

it("numbers that cannot be trusted are refused as such, in unions and tuples too", () => {
  expect(failed(Content, '{"kind":"news","title":"t","id":9007199254740993}').reason).toBe("Precision")
  expect(failed(Schema.Tuple(Schema.Number, Schema.String), '[9007199254740993,"a"]').reason).toBe(
    "Precision"
  )
})
