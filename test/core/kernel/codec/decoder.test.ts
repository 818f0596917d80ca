// From bytes to values: what is declared is checked, what is not is kept, date-times become Dates, and nothing does harm.
import { describe, expect, it } from "@effect/vitest"
import { Effect, Either, FastCheck as FC, Option, Schema } from "effect"
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
    const rule = "cannot be read by its schema: throws or waits"
    expect(failure(Throwing, { a: 1 })).toEqual({ reason: "Shape", field: "a", rule })
  })

  it("costs the field alone where mismatches are tolerated: the others are decoded, and once", () => {
    const Throws = Schema.transform(Schema.String, Schema.Number, {
      decode: () => JSON.parse("{"),
      encode: String
    })
    const Mine = Schema.Struct({ n: Schema.NumberFromString, all: Schema.Array(Throws), big: Schema.Unknown })
    const mismatches: Array<Mismatch> = []
    const source = '{"n":"7","all":["x"],"big":9007199254740993}'
    const read = Either.flatMap(Decoder.json(source), (value) =>
      Decoder.make(Mine)(value, source, (place) => mismatches.push(place))
    )
    expect(Either.getOrThrow(read)).toEqual({ n: 7, all: ["x"], big: "9007199254740993" })
    expect(mismatches.map(({ path }) => path)).toEqual(["big", "all[]"])
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
    const mismatches: Array<Mismatch> = []
    const decode = Decoder.make<{ readonly content: object }>(Schema.Struct({ content: schema }))
    const { content } = Either.getOrThrow(
      Either.flatMap(Decoder.json(source), (value) =>
        decode(value, source, (place) => mismatches.push(place))
      )
    )
    expect(mismatches).toMatchObject([{ path }])
    expect(Reflect.ownKeys(content)).toEqual(["kind", "answers", "\u0000__proto__", "__proto__"])
    expect(Object.getOwnPropertyDescriptor(content, "__proto__")?.value).toEqual({ at: date })
  })

  it.each(names)("%s as a required field is not found on the prototype", (name) => {
    const Needs = Schema.Struct({ [name]: Schema.Number })
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

describe("schemas that refer to themselves", () => {
  type Deep =
    | { readonly l: Deep | null; readonly op: "and" | "or" }
    | { readonly l: Deep | null; readonly op: "not" | "nor" }
  const Deep: Schema.Schema<Deep> = Schema.Union(
    Schema.Struct({ l: Schema.NullOr(Schema.suspend(() => Deep)), op: Schema.Literal("and", "or") }),
    Schema.Struct({ l: Schema.NullOr(Schema.suspend(() => Deep)), op: Schema.Literal("not", "nor") })
  )
  it("are tried once at each level, also where the tag stands after the child", () => {
    const levels = 200
    const source = `${'{"l":'.repeat(levels)}null${',"op":"not"}'.repeat(levels)}`
    expect(Either.isRight(decode(Deep, source))).toBe(true)
  })

  it("are compiled once, wherever they come again", () => {
    let reached = 0
    const Tree: Schema.suspend<unknown, unknown, never> = Schema.suspend(() => {
      reached += 1
      return Schema.make<unknown>(Schema.Struct({ l: Schema.optional(Tree), r: Schema.optional(Tree) }).ast)
    })
    const read = Decoder.make(Tree)
    for (let path = 0; path < 64; path++) {
      const text = [...path.toString(2)].reduce(
        (inner, bit) => `{"${bit === "0" ? "l" : "r"}":${inner}}`,
        "{}"
      )
      expect(Either.isRight(read(JSON.parse(text), text))).toBe(true)
    }
    expect(reached).toBe(1)
  })

  it("may end by a missing field", () => {
    interface Linked {
      readonly v: number
      readonly next: Linked | undefined
    }
    const Linked: Schema.Schema<Linked, unknown> = Schema.suspend(() =>
      Schema.Struct({ v: Schema.NumberFromString, next: Schema.UndefinedOr(Linked) })
    ) as never
    expect(value(Schema.Struct({ of: Linked }), { of: { v: "1", next: { v: "2" } } })).toEqual({
      of: { v: 1, next: { v: 2 } }
    })
  })
})

it("a union refuses what the member breaks whose tag fits, also where that is transformed", () => {
  const tagged = (tag: string, name: string) =>
    Schema.Struct({ kind: Schema.transformLiteral(tag, `the ${tag}`), [name]: Schema.Number })
  expect(failure(Schema.Union(tagged("c", "r"), tagged("s", "w")), { kind: "s", w: "x" }).field).toBe("w")
})

const of = (parseOptions: object) =>
  Schema.Struct({ in: Schema.Struct({ a: Schema.UndefinedOr(Schema.Number) }) }).annotations({ parseOptions })
const late = Schema.transformOrFail(Schema.String, Schema.String, {
  decode: (text) => Effect.delay(Effect.succeed(text), 1),
  encode: (text) => Effect.succeed(text)
})
const differ = Schema.Struct({ pass: Schema.String, again: Schema.String }).pipe(
  Schema.filter(({ again, pass }) => (again === pass ? undefined : { path: ["again"], message: pass }))
)
const isNumber = (value: unknown): value is number => typeof value === "number"

it.each<readonly [string, Schema.Schema.All, unknown, string, string]>([
  [
    "an undeclared field that parseOptions refuse",
    of({ onExcessProperty: "error" }),
    { in: { a: 1, b: 2 } },
    "",
    "has parseOptions"
  ],
  ["a missing field that parseOptions want", of({ exact: true }), { in: {} }, "", "has parseOptions"],
  [
    "where a filter says",
    differ,
    { pass: "canary", again: "b" },
    "again",
    "must be what its schema takes: describe"
  ],
  ["a transformation that waits", Schema.Struct({ a: late }), { a: "1" }, "a", "throws or waits"],
  [
    "a declaration without a name",
    Schema.declare(isNumber),
    "1",
    "",
    "must be what its schema takes: describe"
  ]
])("a caller's schema refuses %s, in plain words", (_, { ast }, source, field, rule) => {
  const refused = failure(Schema.make<unknown>(ast), source)
  expect(refused).toMatchObject({ field, rule: expect.stringContaining(rule) })
  expect(refused.rule).not.toContain("canary")
  expect(() =>
    Schema.decodeUnknownSync(Schema.make<unknown>(ast), { onExcessProperty: "preserve" })(source)
  ).toThrow()
})

it("a fallback of a schema changes nothing beside the value that it replaces", () => {
  const Item = Schema.Struct({ a: Schema.Number }).annotations({
    decodingFallback: () => Either.right({ a: 0 })
  })
  const items = [...Array.from({ length: 1_100 }, () => ({ a: "x" })), { a: 5 }]
  expect(value(Schema.Array(Item), items).slice(1_099)).toEqual([{ a: 0 }, { a: 5 }])
})

describe("of several signatures of names", () => {
  const Two = Schema.Struct(
    { id: Schema.String },
    { key: Schema.String, value: Schema.Union(Schema.String, Schema.Number) },
    { key: Schema.TemplateLiteral("a", Schema.String), value: Schema.Number }
  )
  it("each that fits a name holds for it", () => {
    expect(value(Two, { id: "i", ab: 1, b: "x" })).toEqual({ id: "i", ab: 1, b: "x" })
    expect(failure(Two, { id: "i", ab: "x" }).field).toBe("ab")
  })
})

type Linked = { readonly next: Option.Option<Linked> | undefined }
const Linked: Schema.Schema<Linked, unknown> = Schema.suspend(() =>
  Schema.Struct({
    next: Schema.optionalWith(
      Schema.suspend(() => Schema.OptionFromNullOr(Linked)),
      { nullable: true }
    )
  })
) as never
const Zero = Schema.Number.annotations({ decodingFallback: () => Either.right(0) })
const OneMore = Schema.transform(Zero, Schema.Number, { decode: (n) => n + 1, encode: (n) => n - 1 })
const texts = Schema.Record({ key: Schema.String, value: Schema.String })
const circle = { kind: "circle", r: "2" }

it.each<readonly [string, Schema.Schema.All, unknown, unknown]>([
  [
    "an Option of null",
    Schema.NullOr(Schema.suspend(() => Schema.OptionFromNullOr(Schema.Null))),
    null,
    Option.none()
  ],
  [
    "an Option of null in itself",
    Linked,
    { next: { next: null } },
    { next: Option.some({ next: Option.none() }) }
  ],
  ["what a fallback makes of null", Schema.NullOr(OneMore), null, 1],
  ["what a composed fallback makes of null", Schema.NullOr(Schema.compose(OneMore, Schema.Int)), null, 1],
  [
    "a tag that is transformed",
    Schema.Union(
      texts,
      Schema.Struct({ kind: Schema.transformLiteral("circle", "Circle"), r: Schema.NumberFromString })
    ),
    circle,
    { kind: "Circle", r: 2 }
  ],
  [
    "the first member where several literals are no tag",
    Schema.Union(
      texts,
      Schema.Struct({ kind: Schema.Literal("circle", "ring"), r: Schema.NumberFromString })
    ),
    circle,
    circle
  ],
  ["any value before a number in text", Schema.Union(Schema.Unknown, Schema.NumberFromString), "5", "5"],
  [
    "a tagged struct before one without a tag",
    Schema.Union(
      Schema.Struct({ x: Schema.String }),
      Schema.TaggedStruct("A", { x: Schema.NumberFromString })
    ),
    { _tag: "A", x: "1" },
    { _tag: "A", x: 1 }
  ],
  [
    "a symbol for a name",
    Schema.Struct({ a: Schema.Number }).pipe(Schema.attachPropertySignature(Symbol.for("kind"), "c")),
    { a: 1 },
    { a: 1, [Symbol.for("kind")]: "c" }
  ]
])("a union's order and a schema's own fields are Schema's: %s", (_, { ast }, source, expected) => {
  const schema = Schema.make<unknown>(ast)
  expect(value(schema, source)).toEqual(expected)
  expect(Schema.decodeUnknownSync(schema, { onExcessProperty: "preserve" })(source)).toEqual(expected)
})

it.each<readonly [string, Schema.Schema.All]>([
  ["declared", Schema.declare((value): value is number => typeof value === "number")],
  ["literal", Schema.Literal(9007199254740992)],
  ["void", Schema.Void]
])("a number that cannot be trusted is refused as such where it is %s", (_, { ast }) => {
  expect(failed(Schema.make<unknown>(ast), "9007199254740993").reason).toBe("Precision")
})

describe("a tolerated answer", () => {
  const tolerated = (schema: Schema.Schema.All, source: string) => {
    const mismatches: Array<Mismatch> = []
    const read = Either.flatMap(Decoder.json(source), (json) =>
      Decoder.make<unknown>(Schema.make(schema.ast))(json, source, (place) => mismatches.push(place))
    )
    return { value: Either.getOrUndefined(read), mismatches, isRefused: Either.isLeft(read) }
  }
  const defaulted = Entity.open({ a: Schema.optionalWith(Schema.Number, { default: () => 7 }) })
  const filtered = Schema.Struct({ n: Schema.NumberFromString }).pipe(Schema.filter(() => false))

  it.each<readonly [string, Schema.Schema.All, string]>([
    ["a struct with a default", defaulted, "null"],
    ["a struct with a default", defaulted, '"text"'],
    ["a class", Person, "null"],
    ["a date", Schema.Date, "5"],
    ["a truth in text", Schema.BooleanFromString, "true"],
    ["a set", Schema.Set(Schema.String), '"hello"'],
    ["a filtered struct whose fields are transformed", filtered, '{"n":"5"}']
  ])("is kept as it came where it should be %s (%#)", (_, schema, source) => {
    const { mismatches, value } = tolerated(schema, source)
    expect(value).toEqual(JSON.parse(source))
    expect(mismatches).toHaveLength(1)
  })

  it("changes nothing that a caller's schema gave before", () => {
    const shared = Object.freeze({ since: when })
    const Shared = Schema.transform(Schema.String, Schema.Unknown, {
      strict: false,
      decode: () => shared,
      encode: String
    })
    const Mine = Schema.Struct({ c: Shared, n: Schema.Number }).pipe(Schema.filter(({ n }) => n > 0))
    expect(tolerated(Schema.Struct({ m: Mine }), '{"m":{"c":"x","n":-1}}').value).toEqual({
      m: { c: "x", n: -1 }
    })
    expect(shared).toEqual({ since: when })
  })

  it("names no data of a union of objects", () => {
    const Mine = Schema.Struct({
      u: Schema.Union(
        Schema.Struct({ by: Schema.Record({ key: Schema.String, value: Schema.Number }) }),
        Schema.Struct({ other: Schema.Number })
      )
    })
    const { mismatches } = tolerated(Mine, '{"u":{"by":{"ann@example.com":"x"}}}')
    expect(mismatches).toMatchObject([{ path: "u", came: "object" }])
  })

  it("is refused where every member of a union lacks what is essential", () => {
    const either = (name: string) => Schema.Struct({ [name]: Entity.essential(Schema.String) })
    const Mine = Schema.Union(either("token"), either("otp"))
    expect(tolerated(Mine, '{"x":1}').isRefused).toBe(true)
    expect(tolerated(Mine, '{"otp":"1"}').isRefused).toBe(false)
  })
})
