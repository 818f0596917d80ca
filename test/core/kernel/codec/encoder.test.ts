// From input to path, query and body: what is sent where, what is refused, and what is never touched.
import { afterEach, describe, expect, it } from "@effect/vitest"
import { make, path, refusal, written } from "@quartet/support/encoding.js"
import { FastCheck as FC, Schema } from "effect"
import { DateTime } from "../../../../core/kernel/codec/dates.js"
import * as Entity from "../../../../core/kernel/operation/entity.js"
import * as Input from "../../../../core/kernel/operation/input.js"
import * as Raw from "../../../../core/kernel/operation/raw.js"

const optional = Schema.optional
const list = make({})
const flat = make({
  method: "POST",
  path: "things/{id}",
  input: Schema.Struct({
    id: Entity.Id,
    text: Schema.String,
    at: optional(DateTime),
    more: optional(Schema.Unknown)
  })
})
const whole = make({ method: "PUT", path: "things/{id}", input: Entity.ByIdWithPayload })
const maybe = make({ method: "POST", input: Schema.Struct({ payload: optional(Schema.Unknown) }) })
const half = "must not hold half of a surrogate pair"

describe("a path", () => {
  const get = make({
    path: "/things/{id}/parts/{part}",
    input: Schema.Struct({ id: Schema.Unknown, part: Schema.Unknown })
  })

  it("takes its values from the input, which no field of the query can reach", () => {
    expect(path(get, { id: "a/b", part: 7 })).toBe("/things/a%2Fb/parts/7")
    const open = make({ path: "things/{id}", input: Schema.Struct({ id: Entity.Id }, Input.open) })
    const target = path(open, { id: "a", "id/../../x": 1, "{id}": 2 })
    expect(target).toBe("/things/a?id%2F..%2F..%2Fx=1&%7Bid%7D=2")
  })

  // Spec 5.4
  it.each([
    ["", "must not be empty"],
    ["..", 'must not be "." or ".."'],
    [["x"], "must be text or a number"],
    [Number.NaN, "must be a finite number"]
  ])("refuses %j as a value, with the field", (part, rule) => {
    expect(refusal(get, { id: "a", part })).toEqual({ field: "part", rule: expect.stringContaining(rule) })
  })

  it("takes an id back as the platform answered it: a number too, in the path, the query and the body", () => {
    const counted = { ...Entity.ById.fields, userId: Entity.Id, inUserIds: Input.list(Entity.Id) }
    const input = { id: 7, userId: 0, inUserIds: [1, "b", 3] } as never
    const read = make({ path: "things/{id}", input: Schema.Struct(counted) })
    expect(path(read, input)).toBe("/things/7?userId=0&inUserIds=1%2Cb%2C3")
    const write = make({ path: "things/{id}", method: "POST", input: Schema.Struct(counted) })
    expect(written(write, input)).toEqual(["/things/7", '{"userId":0,"inUserIds":[1,"b",3]}'])
    for (const id of [7.5, 2 ** 53, Number.NaN, "", null, true])
      expect(refusal(read, { ...(input as object), id })).toMatchObject({ field: "id" })
  })

  it("stands behind the prefix of the base URL", () => {
    expect(path(make({ path: "things" }, { prefix: "/v9/api" }), {})).toBe("/v9/api/things")
  })
})

describe("the project", () => {
  const around = { projectId: "p 1", projectInQuery: true }
  const inPath = { path: "project/{projectId}", input: Entity.open({}) }

  it("stays away from calls that do not name it, and is required where a path needs it", () => {
    expect(path(make({}, { projectId: "p", projectInQuery: false }), {})).toBe("/things")
    expect(refusal(make(inPath), {})).toEqual({ field: "projectId", rule: "is required" })
  })

  it("is the caller's where the input names another, save where a body has a field of that name", () => {
    const otherProject = { projectId: "p2" }
    expect(path(make({}, around), otherProject)).toBe("/things?projectId=p2")
    expect(path(make(inPath, around), otherProject)).toBe("/project/p2")
    const create = make({ method: "POST" }, around)
    expect(written(create, otherProject)).toEqual(["/things?projectId=p%201", '{"projectId":"p2"}'])
  })
})

/** Fields of the query as a server reads them. */
const queryOf = (target: string) => [...new URL(`https://x.test${target}`).searchParams]

describe("a query", () => {
  it.each<readonly [string, unknown, string]>([
    ["takes every field, in the caller's order", { b: 1, a: "x y", c: true }, "/things?b=1&a=x%20y&c=true"],
    ["is not there where there is nothing to say", {}, "/things"],
    ["is not there without an input", undefined, "/things"],
    ["leaves out what is undefined", { a: undefined }, "/things"],
    ["writes Dates in ISO form", { since: new Date(0) }, "/things?since=1970-01-01T00%3A00%3A00.000Z"],
    ["takes an object without a prototype", Object.assign(Object.create(null), { a: 1 }), "/things?a=1"],
    ["joins lists by commas", { in: ["a", "b c"], size: [1, 2] }, "/things?in=a%2Cb%20c&size=1%2C2"],
    ["leaves out empty lists", { statusIn: [], page: 2 }, "/things?page=2"]
  ])("%s", (_, input, target) => {
    expect(path(list, input)).toBe(target)
  })

  it("is what GET and DELETE send; they never send a body", () => {
    for (const method of ["GET", "DELETE"] as const)
      expect(written(make({ method }), { a: 1 })).toEqual(["/things?a=1"])
  })

  const wellFormed = FC.string({ unit: "binary" }).map((text) => text.replaceAll(/\p{Surrogate}/gu, ""))
  it.prop(
    "of any names and texts is read back by URL decoding",
    [FC.uniqueArray(FC.tuple(wellFormed, wellFormed), { selector: ([name]) => name })],
    ([pairs]) => {
      const input: object = Object.fromEntries(pairs)
      const target = path(list, input)
      expect(queryOf(target)).toEqual(Object.entries(input))
      expect(target).toMatch(/^[\u0021-\u007e]*$/)
    }
  )

  it.each([
    ["half of a character pair", { q: "a\udfffb" }, "q", half],
    ["half of one in a name", { "\ud800": "q" }, "\ud800", half],
    ["an object", { wrong: {} }, "wrong", "must be text, a number, a boolean or a Date"],
    ["a list in a list", { wrong: [["a"]] }, "wrong", "must be text, a number, a boolean or a Date"],
    ["an invalid date", { wrong: new Date(Number.NaN) }, "wrong", "must be a valid date"],
    ["a BigInt", { fine: 1, wrong: 1n }, "wrong", "must not be a BigInt: pass it as text"],
    ["a comma", { in: ["a,b"] }, "in", "must not hold a comma, which parts the values of a list"],
    ["an empty item", { s: [""] }, "s", "must not hold an empty value: the values are sent as one list"]
  ])("refuses %s, with the field", (_, input, field, rule) => {
    expect(refusal(list, input)).toEqual({ field, rule })
  })
})

it("list parameters refuse an item that breaks the rule of items, with its place", () => {
  const encode = make({ input: Schema.Struct({ inUserIds: optional(Input.list(Entity.Id)) }) })
  const broken = { field: "inUserIds.1", rule: "must be a non-empty id" }
  expect(refusal(encode, { inUserIds: ["a", ""] })).toEqual(broken)
})

describe("a body", () => {
  const search = make({
    method: "POST",
    input: Schema.Struct({ payload: Schema.Unknown, lang: Schema.String }),
    query: ["lang"]
  })
  const at = new Date(0)
  const fields = { id: "a", text: "t" }
  const iso = '{"text":"t","at":"1970-01-01T00:00:00.000Z"}'
  it.each([
    [
      "of named fields is a flat object",
      flat,
      { ...fields, more: [1] },
      "/things/a",
      '{"text":"t","more":[1]}'
    ],
    ["writes Dates in ISO form", flat, { ...fields, at }, "/things/a", iso],
    ["of a payload is the payload", whole, { id: "a", payload: { n: 1 } }, "/things/a", '{"n":1}'],
    ["has no fields that the query takes", search, { payload: [1], lang: "ka" }, "/things?lang=ka", "[1]"],
    ["is not there without an optional payload", maybe, {}, "/things"],
    ["is not there where that is undefined", maybe, { payload: undefined }, "/things"]
  ] as const)("%s", (_, encode, input, ...expected) => {
    expect(written(encode, input)).toEqual(expected)
  })

  it.prop(
    "of any payload arrives byte for byte as JSON.stringify writes it",
    [FC.jsonValue()],
    ([payload]) => {
      const expected = ["/things/a", JSON.stringify(payload)]
      if (payload !== null) expect(written(whole, { id: "a", payload })).toEqual(expected)
      expect(written(whole, { id: "a", payload: Raw.raw(payload) })).toEqual(expected)
    }
  )

  it("is not null unless the caller says so by Input.raw", () => {
    expect(refusal(whole, { id: "a", payload: null })).toEqual({
      field: "payload",
      rule: "must not be null; Input.raw passes it"
    })
  })

  // Spec 5.4
  it.each([
    ["NaN", Number.NaN, "must be a finite number"],
    ["a BigInt", 1n, "must not be a BigInt: pass it as text"],
    ["a Map", new Map(), expect.stringContaining("must be plain data")]
  ])("refuses %s anywhere in it, with the exact field", (_, deep, rule) => {
    const payload = { list: [{ deep }] }
    expect(refusal(whole, { id: "a", payload })).toEqual({ field: "payload.list.0.deep", rule })
    expect(refusal(flat, { id: "a", text: "t", more: { deep } })).toEqual({ field: "more.deep", rule })
  })
})

/** A Promise as other libraries make them. */
class Later {
  readonly _state = 0
  // biome-ignore lint/suspicious/noThenProperty: a thenable is what the test is about.
  then(): void {}
}

/** A value and all that it holds, unchangeable: whoever writes to it throws. */
const frozen = <A>(value: A): A => {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(frozen)
  return value
}

describe("an input", () => {
  const closed = make({
    path: "things/{id}",
    input: Schema.Struct({ id: Entity.Id, n: optional(Schema.Int) })
  })
  const open = make({ path: "things/{id}", input: Schema.Struct({ id: Entity.Id }, Input.open) })
  class Inheriting extends class {
    id = "a"
  } {
    get unknown() {
      return "no field of its own"
    }
  }
  class Computing {
    id = "a"
    get n() {
      return 1
    }
  }

  it.each<readonly [unknown, string, string]>([
    [{ id: "a", extra: 1 }, "extra", "is not a field of this input"],
    [{ id: "a", extra: null }, "extra", "is not a field of this input"],
    [{ n: 1 }, "id", "is required"],
    [{ id: undefined }, "id", "must be"],
    [Object.assign(Object.create({ id: "a" }), { n: 1 }), "id", "must be an own field"],
    [new Computing(), "n", "must be an own field"],
    [Object.defineProperty({ id: "a" }, "n", { value: 1 }), "n", "must be an own field"],
    [{ id: "a", n: 1.5 }, "n", "must be"],
    [{ id: "a", n: "1" }, "n", "must be"],
    [[], "input", "must be an object"],
    ["a", "input", "must be an object"],
    [null, "input", "must be an object"]
  ])("%j is refused before anything is sent", (input, field, rule) => {
    expect(refusal(closed, input)).toEqual({ field, rule: expect.stringContaining(rule) })
  })

  it.each<readonly [string, ReturnType<typeof make>, unknown, string]>([
    ["a field that is undefined", closed, { id: "a", n: undefined, extra: undefined }, "/things/a"],
    ["any field where it is open", open, { id: "a", at: "2024-02-29" }, "/things/a?at=2024-02-29"],
    ["null for a payload", maybe, { payload: null }, "/things"],
    ["a class's own fields", closed, new Inheriting(), "/things/a"]
  ])("may hold %s", (_, encode, input, target) => {
    expect(path(encode, input)).toBe(target)
  })

  it("wants a payload to be given", () => {
    expect(refusal(make({ method: "POST", input: Entity.WithPayload }), {})).toEqual({
      field: "payload",
      rule: "is required"
    })
  })

  it.each([
    [new Date(0), "must be a plain object"],
    [new Map([["q", "a"]]), "must be a plain object"],
    [new (class Empty {})(), "must be a plain object"],
    [new AbortController().signal, "must be a plain object"],
    [new URLSearchParams("q=a"), "must be a plain object"],
    [new Uint8Array(3), "must be a plain object"],
    [Promise.resolve({ q: "a" }), "must be a plain object, not a Promise: await it"],
    [new Later(), "must be a plain object, not a Promise: await it"]
  ])("that says nothing in fields of its own does not pass for an empty one: %s", (input, rule) => {
    expect(refusal(list, input)).toEqual({ field: "input", rule })
    const nested = make({ input: Schema.Struct({ at: Schema.Struct({ from: optional(Schema.String) }) }) })
    expect(refusal(nested, { at: input })).toEqual({ field: "at", rule })
  })

  it("is never changed: one that is frozen through and through works, and its date-like text stays text", () => {
    const payload = { at: new Date(0), list: [{ when: "2024-02-29T10:00:00Z" }], empty: {} }
    const text = JSON.stringify(payload)
    expect(written(whole, frozen({ id: "a", payload }))).toEqual(["/things/a", text])
    expect(JSON.stringify(payload)).toBe(text)
    expect(path(list, frozen({ since: new Date(0), q: "a" }))).toContain("q=a")
  })

  it("has defaults for what is left out or undefined, which do not stay in it", () => {
    const input = Schema.Struct({ type: optional(Schema.String), year: optional(Schema.Int) })
    const report = make({ input, defaults: { type: "holiday" } })
    const unset = frozen({ type: undefined, year: 2024 })
    expect(path(report, frozen({}))).toBe("/things?type=holiday")
    expect(path(report, unset)).toBe("/things?type=holiday&year=2024")
    expect(path(report, { type: "unpaid" })).toBe("/things?type=unpaid")
  })
})

describe("a polluted Object.prototype", () => {
  const names = ["id", "projectId", "payload", "evil"]
  afterEach(() => {
    for (const name of names) Reflect.deleteProperty(Object.prototype, name)
  })

  it("gives a call no id, no project, no payload and no query", () => {
    const around = { projectId: "p", projectInQuery: true }
    const id = Schema.Struct({ id: optional(Entity.Id) }, Input.open)
    const open = make({ path: "things/{id}", input: id }, around)
    const inPath = make({ path: "project/{projectId}" }, around)
    const attributes = { value: "evil", configurable: true, enumerable: true, writable: true }
    for (const name of names) Object.defineProperty(Object.prototype, name, attributes)
    expect(refusal(open, {})).toEqual({ field: "id", rule: "is required" })
    expect(path(open, { id: "a" })).toBe("/things/a?projectId=p")
    expect(path(inPath, {})).toBe("/project/p")
    expect(written(maybe, {})).toEqual(["/things"])
  })
})

describe("an input of several kinds", () => {
  const A = Schema.Struct({ kind: Schema.Literal("a"), payload: Schema.Struct({ x: Schema.Number }) })
  const B = Schema.Struct({ kind: Schema.Literal("b"), text: Schema.optional(Schema.String) })
  class Whole extends Schema.Class<Whole>("Whole")({ kind: Schema.String, payload: Schema.Unknown }) {}
  const either = make({ method: "POST", query: ["kind"], input: Schema.Union(A, B) })

  it.each<readonly [string, Schema.Schema.All, object]>([
    ["a union", Schema.Union(A, B), { kind: "a", payload: { x: 1 } }],
    ["suspended", Schema.suspend(() => Schema.make<unknown>(A.ast)), { kind: "a", payload: { x: 1 } }],
    ["a class", Whole, new Whole({ kind: "a", payload: { x: 1 } })]
  ])("sends its payload as the whole body where it is %s", (_, { ast }, input) => {
    const sent = written(make({ method: "POST", query: ["kind"], input: Schema.make<unknown>(ast) }), input)
    expect(sent).toEqual(["/things?kind=a", '{"x":1}'])
  })

  it("refuses fields that its kind does not declare, and what is no plain object", () => {
    expect(refusal(either, { kind: "b", typo: 2 })).toEqual({
      field: "typo",
      rule: "is not a field of this input"
    })
    const open = make({
      input: Schema.Union(
        Schema.Struct({ a: optional(Schema.String) }),
        Schema.Struct({ b: optional(Schema.String) })
      )
    })
    expect(refusal(open, Promise.resolve({})).rule).toContain("must be")
    expect(refusal(open, { a: "1", typo: 2 }).field).toBe("typo")
  })

  it("says that a filter without a description refused it", () => {
    const input = Schema.Struct({ a: Schema.String.pipe(Schema.filter((text) => text.length < 3)) })
    expect(refusal(make({ input }), { a: "long" })).toEqual({
      field: "a",
      rule: "must be what its schema takes: describe that"
    })
  })
})
