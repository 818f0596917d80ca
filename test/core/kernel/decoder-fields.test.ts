// What is declared of an answer is checked, what is not is kept, and date-times become Dates.
import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as FC from "effect/FastCheck"
import * as Schema from "effect/Schema"
import { DateTime } from "../../../core/kernel/codec/dates.js"
import * as Entity from "../../../core/kernel/operation/entity.js"
import { date, decode, failure, value, when } from "./sample-decoder.js"

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

  // Spec 3.22
  it("is kept, in open and in closed schemas alike", () => {
    const source = { _id: "a", more: { deep: [1, { x: null }] }, flag: false }
    expect(value(Open, source)).toEqual(source)
    expect(value(Closed, source)).toEqual(source)
  })

  // Spec 7.51
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

  // Spec 1.8, 7.50
  it("become Dates in undeclared fields, at any depth", () => {
    expect(value(Event, { title: "t", a: when, b: { c: [when, [{ d: when }]] } })).toEqual({
      title: "t",
      a: date,
      b: { c: [date, [{ d: date }]] }
    })
  })

  // Spec 1.8
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

  it.each(["2024-02-30T10:00:00Z", "2024-02-29T24:00:01Z", "2024-02-29", "soon"])(
    "that are none stay text where nothing is declared, and are refused where one is: %s",
    (text) => {
      expect(value(Event, { title: "t", other: text })).toEqual({ title: "t", other: text })
      expect(failure(Event, { title: "t", at: text })).toMatchObject({ reason: "Shape", field: "at" })
    }
  )
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
