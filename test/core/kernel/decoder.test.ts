// From the bytes of an answer to a value: UTF-8, JSON, and one pass over what JSON holds.
import { afterEach, describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as FC from "effect/FastCheck"
import * as Schema from "effect/Schema"
import type { Typed } from "../../../core/kernel/answer.js"
import { DateTime } from "../../../core/kernel/dates.js"
import * as Decoder from "../../../core/kernel/decoder.js"
import * as Entity from "../../../core/kernel/entity.js"
import { maxDepth } from "../../../core/kernel/walk.js"
import "./seed.js"

/** Decodes JSON text as an answer of the schema. */
const decode = <A>(schema: Typed<A>, source: string): Either.Either<A, Decoder.Failure> =>
  Either.flatMap(Decoder.json(source), (value) => Decoder.make(schema)(value, source))

const value = <A>(schema: Typed<A>, source: unknown): A =>
  Either.getOrThrow(decode(schema, JSON.stringify(source)))

const failure = <A>(schema: Typed<A>, source: unknown): Decoder.Failure =>
  Either.getOrThrow(Either.flip(decode(schema, JSON.stringify(source))))

const when = "2024-02-29T10:00:00.000Z"
const date = new Date(when)

describe("bytes", () => {
  const utf8 = (...bytes: ReadonlyArray<number>) => Decoder.text(Uint8Array.from(bytes))

  it.prop("of any text are read back", [FC.string({ unit: "binary" })], ([text]) => {
    const whole = text.replaceAll(/\p{Surrogate}/gu, "")
    const bytes = new TextEncoder().encode(whole)
    expect(Decoder.text(bytes)).toEqual(Either.right(whole.replace(/^\ufeff/, "")))
  })

  it("lose a byte order mark at their start, and no other one", () => {
    expect(utf8(0xef, 0xbb, 0xbf, 0x7b, 0x7d)).toEqual(Either.right("{}"))
    expect(utf8(0x22, 0xef, 0xbb, 0xbf, 0x22)).toEqual(Either.right('"\ufeff"'))
  })

  it.each([
    ["a continuation alone", [0x80]],
    ["a character cut short", [0x22, 0xe2, 0x82]],
    ["an overlong slash", [0xc0, 0xaf]],
    ["half of a surrogate pair", [0xed, 0xa0, 0x80]],
    ["beyond the last character", [0xf4, 0x90, 0x80, 0x80]],
    ["Latin-1", [0x22, 0xe9, 0x22]],
    ["UTF-16", [0xff, 0xfe, 0x7b, 0x00]]
  ])("that are not UTF-8 are refused, never replaced: %s", (_, bytes) => {
    expect(utf8(...bytes)).toEqual(Either.left({ reason: "Encoding", field: "", rule: "is not valid UTF-8" }))
    expect(utf8(0x7b, 0x7d), "the next answer is read afresh").toEqual(Either.right("{}"))
  })
})

describe("text", () => {
  it("that is empty is no value, as a 204 answers it", () => {
    expect(Decoder.json("")).toEqual(Either.right(undefined))
  })

  it.each(["null", "true", "0", '""', "[]", "{}", ' {"a": [1, null]}\n'])("%s is JSON", (text) => {
    expect(Decoder.json(text)).toEqual(Either.right(JSON.parse(text)))
  })

  it.each([
    '{"a":1',
    '{"a":"b',
    "[1,2",
    "{'a':1}",
    "[1,]",
    "NaN",
    "undefined",
    "01",
    "callback({})",
    "{} {}",
    "\u0000",
    " "
  ])("%j is refused: it is not JSON", (text) => {
    expect(Decoder.json(text)).toEqual(
      Either.left({ reason: "NotJson", field: "", rule: "is not valid JSON (cut short, or not JSON at all)" })
    )
  })

  it.each(["<!doctype html><title>Sign in</title>", "\n  <html></html>", "<?xml version='1.0'?>"])(
    "%j is refused: it is a web page, so the base URL may be wrong",
    (text) => {
      expect(Decoder.json(text)).toEqual(
        Either.left({
          reason: "NotJson",
          field: "",
          rule: "is a web page, not JSON: is the base URL that of the API?"
        })
      )
    }
  )

  it.prop(
    "cut short anywhere is refused",
    [FC.dictionary(FC.string(), FC.jsonValue()), FC.nat()],
    ([json, at]) => {
      const whole = JSON.stringify(json)
      const cut = whole.slice(0, 1 + (at % (whole.length - 1)))
      expect(Either.isLeft(Decoder.json(cut))).toBe(true)
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

  it("that is right is taken as it is", () => {
    expect(value(Request, right)).toEqual(right)
  })

  it.each([
    ["missing", { status: "open", version: 0, comments: [] }, "_id", "is required"],
    ["null", { ...right, _id: null }, "_id", "must be"],
    ["of another kind", { ...right, version: "0" }, "version", "must be"],
    ["against its rule", { ...right, version: -1 }, "version", "must be"],
    ["empty where it may not be", { ...right, _id: "" }, "_id", "must be a non-empty id"],
    ["none of the known values", { ...right, status: "ajar" }, "status", "must be"],
    ["no list", { ...right, comments: {} }, "comments", "must be a list"],
    ["wrong in a list", { ...right, comments: [{ text: "a" }, { text: 1 }] }, "comments.1.text", "must be"],
    ["missing in a list", { ...right, comments: [{ text: "a" }, {}] }, "comments.1.text", "is required"],
    [
      "wrong deep within",
      { ...right, comments: [{ text: "a", by: { id: "" } }] },
      "comments.0.by.id",
      "must be a non-empty id"
    ],
    ["no object in a list", { ...right, comments: [[]] }, "comments.0", "must be an object"]
  ])("that is %s is refused, with its path", (_, source, field, rule) => {
    const { reason, ...said } = failure(Request, source)
    expect(reason).toBe("Shape")
    expect(said.field).toBe(field)
    expect(said.rule).toContain(rule)
  })

  it.each([null, [], "text", 7, true])("of a whole answer that is %j is refused without a path", (source) => {
    expect(failure(Request, source)).toMatchObject({ reason: "Shape", field: "" })
  })

  it("that is optional may be missing; one that may be null may be null", () => {
    expect(value(Request, { ...right, note: null })).toEqual({ ...right, note: null })
    expect(value(Request, { ...right, note: "n" })).toEqual({ ...right, note: "n" })
    expect(value(Request, right)).not.toHaveProperty("note")
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

  it("is kept, in open and in closed schemas alike", () => {
    const source = { _id: "a", more: { deep: [1, { x: null }] }, flag: false }
    expect(value(Open, source)).toEqual(source)
    expect(value(Closed, source)).toEqual(source)
  })

  it.prop("is kept whatever JSON it is", [FC.dictionary(FC.string(), FC.jsonValue())], ([more]) => {
    const source = JSON.stringify({ ...more, _id: "a" })
    expect(Either.getOrThrow(decode(Open, source))).toEqual(JSON.parse(source))
  })

  it("is kept within lists of declared things", () => {
    expect(value(Schema.Array(Closed), [{ _id: "a", x: 1 }])).toEqual([{ _id: "a", x: 1 }])
  })

  it("is checked where an index signature says what it is", () => {
    const Counts = Schema.Record({ key: Schema.String, value: Schema.Number })
    expect(value(Counts, { a: 1, b: 2 })).toEqual({ a: 1, b: 2 })
    expect(failure(Counts, { a: 1, b: "2" }).field).toBe("b")
  })
})

describe("date-times", () => {
  const Event = Entity.open({
    title: Schema.String,
    tags: Schema.optional(Schema.Array(Schema.String)),
    state: Schema.optional(Entity.openLiteral("planned")),
    note: Entity.maybe(Schema.String),
    at: Entity.maybe(DateTime)
  })

  it("become Dates in undeclared fields, at any depth", () => {
    expect(value(Event, { title: "t", a: when, b: { c: [when, [{ d: when }]] } })).toEqual({
      title: "t",
      a: date,
      b: { c: [date, [{ d: date }]] }
    })
  })

  it("become Dates where the whole answer is undeclared", () => {
    expect(value(Schema.Unknown, when)).toEqual(date)
    expect(value(Schema.Unknown, [when])).toEqual([date])
  })

  it("become Dates where they are declared as such", () => {
    expect(value(Event, { title: "t", at: when }).at).toEqual(date)
    expect(value(Schema.Array(DateTime), [when])).toEqual([date])
  })

  it("stay text in every field that is declared as text", () => {
    const source = { title: when, tags: [when], state: when, note: when }
    expect(value(Event, source)).toEqual(source)
    expect(value(Schema.Record({ key: Schema.String, value: Schema.String }), { a: when })).toEqual({
      a: when
    })
  })

  it("stay text where they are keys", () => {
    expect(value(Event, { title: "t", [when]: 1 })).toEqual({ title: "t", [when]: 1 })
  })

  it.each(["2024-02-30T10:00:00Z", "2024-02-29T24:00:00Z", "2024-02-29", "soon"])(
    "that are none stay text where nothing is declared, and are refused where one is: %s",
    (text) => {
      expect(value(Event, { title: "t", other: text })).toEqual({ title: "t", other: text })
      expect(failure(Event, { title: "t", at: text })).toMatchObject({ reason: "Shape", field: "at" })
    }
  )
})

describe("hostile keys", () => {
  const names = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf"]
  const Closed = Schema.Struct({ _id: Schema.String })

  it.each(names)("%s stays own data, and no prototype is touched", (name) => {
    const source = `{"_id":"a","${name}":{"isAdmin":true,"at":"${when}"},"in":[{"${name}":"${when}"}]}`
    for (const schema of [Closed, Entity.open({ _id: Schema.String }), Schema.Unknown]) {
      const decoded = Either.getOrThrow(decode<unknown>(schema, source))
      expect(Object.getPrototypeOf(decoded)).toBe(Object.prototype)
      expect(Object.getOwnPropertyDescriptor(decoded, name)?.value).toEqual({ isAdmin: true, at: date })
      expect(decoded).not.toHaveProperty("isAdmin")
      expect(Object.prototype).not.toHaveProperty("isAdmin")
    }
  })

  it.each(names)("%s as a required field is not found on the prototype", (name) => {
    const Needs = Schema.Struct({ [name]: Schema.Unknown.pipe(Schema.filter(() => true)) })
    expect(Either.isLeft(decode(Needs, "{}"))).toBe(true)
    expect(Either.isRight(decode(Needs, `{"${name}":1}`))).toBe(true)
  })
})

describe("a polluted Object.prototype", () => {
  const polluted = ["_id", "items", "evil", "note"]
  afterEach(() => {
    for (const name of polluted) Reflect.deleteProperty(Object.prototype, name)
  })
  const pollute = (value: unknown) => {
    for (const name of polluted)
      Object.defineProperty(Object.prototype, name, {
        value,
        configurable: true,
        writable: true,
        enumerable: true
      })
  }

  it("gives no required field", () => {
    pollute("from the prototype")
    expect(failure(Schema.Struct({ _id: Entity.Id }), {})).toMatchObject({
      field: "_id",
      rule: "is required"
    })
  })

  it("gives no optional field, and adds nothing to a value", () => {
    pollute(when)
    const decoded = value(Entity.open({ a: Schema.Number, note: Entity.maybe(Schema.String) }), { a: 1 })
    expect(Object.keys(decoded)).toEqual(["a"])
    expect(Object.entries(Object.prototype).map(([, held]) => held)).toEqual(polluted.map(() => when))
  })

  it("does not change how a value's own fields are read", () => {
    pollute(() => "wrong")
    expect(value(Schema.Unknown, { evil: when })).toEqual({ evil: date })
    expect(value(Schema.Struct({ a: Schema.Number }), { a: 1, evil: "x" })).toEqual({ a: 1, evil: "x" })
  })
})

describe("nesting", () => {
  const nested = (levels: number, open: string, close: string): string =>
    open.repeat(levels) + close.repeat(levels)
  interface Tree {
    readonly children?: ReadonlyArray<Tree> | undefined
  }
  const Tree: Schema.Schema<Tree> = Schema.Struct({
    children: Schema.optional(Schema.Array(Schema.suspend(() => Tree)))
  })

  it.each([
    ["lists", Schema.Unknown, "[", "]"],
    ["objects", Schema.Unknown, '{"a":', "1}"],
    ["declared things", Tree, '{"children":[', "]}"],
    ["lists in a declared thing", Tree, '{"children":[{"x":', "1}]}"]
  ])("of %s 100,000 deep is refused, not a crash", (_, schema, open, close) => {
    const source = nested(100_000, open, close).replaceAll("1}", "}").replace('":}', '":1}')
    const parsed = Decoder.json(source)
    expect(Either.isRight(parsed), "the text itself is JSON").toBe(true)
    const said = Either.getOrThrow(Either.flip(decode<unknown>(schema, source)))
    expect(said).toMatchObject({
      reason: "TooDeep",
      rule: `must not be nested more than ${maxDepth} levels deep`
    })
  })

  it(`of ${maxDepth} levels is taken, and of one more is not`, () => {
    expect(Either.isRight(decode(Schema.Unknown, nested(maxDepth, "[", "]")))).toBe(true)
    expect(Either.isLeft(decode(Schema.Unknown, nested(maxDepth + 1, "[", "]")))).toBe(true)
  })

  it("is counted along one branch, not over the whole answer", () => {
    const wide = JSON.stringify(Array.from({ length: 5_000 }, () => ({ a: [[{}]] })))
    expect(Either.isRight(decode(Schema.Unknown, wide))).toBe(true)
    expect(Either.isRight(decode(Schema.Array(Schema.Struct({ a: Schema.Unknown })), wide))).toBe(true)
  })
})

describe("a schema that throws", () => {
  it("refuses the answer instead of leaving the call without an end", () => {
    const Throwing = Schema.Struct({
      a: Schema.Number.pipe(
        Schema.filter(() => {
          throw new Error("canary-4711")
        })
      )
    })
    expect(failure(Throwing, { a: 1 })).toEqual({
      reason: "Shape",
      field: "",
      rule: "cannot be read by its schema"
    })
  })

  it("is also Schema itself, over a tag that cannot be made text", () => {
    const Tagged = Schema.Union(
      Schema.Struct({ kind: Schema.Literal("a") }),
      Schema.Struct({ kind: Schema.Literal("b"), b: Schema.Number })
    )
    expect(failure(Tagged, { kind: [{ toString: "" }] }).reason).toBe("Shape")
  })
})
