// From input to path, query and body.
import { afterEach, describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as FC from "effect/FastCheck"
import * as Schema from "effect/Schema"
import { DateTime } from "../../../core/kernel/dates.js"
import * as Encoder from "../../../core/kernel/encoder.js"
import * as Entity from "../../../core/kernel/entity.js"
import * as Input from "../../../core/kernel/input.js"
import type { Declared } from "../../../core/kernel/operation.js"
import "./seed.js"

const make = (declared: Partial<Declared>, around: Partial<Encoder.Surroundings> = {}) =>
  Encoder.make(
    {
      method: "GET",
      path: "things",
      audiences: ["admin"],
      input: Entity.AnyQuery,
      success: Entity.Anything,
      ...declared
    },
    { prefix: "", projectId: undefined, projectInQuery: false, ...around }
  )

const path = (encode: Encoder.Encode, input: unknown): string => Either.getOrThrow(encode(input)).path
const refusal = (encode: Encoder.Encode, input: unknown): Input.Refusal =>
  Either.getOrThrow(Either.flip(encode(input)))
const jsonOf = (encode: Encoder.Encode, input: unknown): string | undefined => {
  const { body } = Either.getOrThrow(encode(input))
  return body?._tag === "Json" ? body.text : undefined
}

/** A value and all that it holds, unchangeable: whoever writes to it throws. */
const frozen = <A>(value: A): A => {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(frozen)
  return value
}

/** Fields of the query as a server reads them. */
const queryOf = (target: string) => [...new URL(`https://x.test${target}`).searchParams]

describe("a query", () => {
  const list = make({})

  it("takes every field that does not stand in the path, in the caller's order", () => {
    expect(path(list, { b: 1, a: "x y", c: true })).toBe("/things?b=1&a=x%20y&c=true")
  })

  it("is not there where there is nothing to say", () => {
    expect(path(list, {})).toBe("/things")
    expect(path(list, undefined)).toBe("/things")
    expect(path(list, { a: undefined })).toBe("/things")
  })

  it("is what GET and DELETE send; they never send a body", () => {
    for (const method of ["GET", "DELETE"] as const) {
      expect(make({ method })({ a: 1 })).toEqual(Either.right({ path: "/things?a=1", body: undefined }))
    }
  })

  it("writes Dates in ISO form", () => {
    expect(queryOf(path(list, { since: new Date(0) }))).toEqual([["since", "1970-01-01T00:00:00.000Z"]])
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

  it.each(["\ud800", "a\udfffb"])("refuses half of a character pair in a value or in a name: %j", (half) => {
    const rule = "must not hold half of a surrogate pair"
    expect(refusal(list, { q: half })).toEqual({ field: "q", rule })
    expect(refusal(list, { [half]: "q" })).toEqual({ field: half, rule })
  })

  it.each([
    ["an object", {}, "must be text"],
    ["a list that is not declared as one", ["a"], "must be text"],
    ["null", null, "must be text"],
    ["NaN", Number.NaN, "must be a finite number"],
    ["a BigInt", 1n, "must not be a BigInt"],
    ["an invalid Date", new Date(Number.NaN), "must be a valid date"]
  ])("refuses %s, with the field", (_, value, rule) => {
    const found = refusal(list, { fine: 1, wrong: value })
    expect(found.field).toBe("wrong")
    expect(found.rule).toContain(rule)
  })
})

describe("list parameters", () => {
  const encode = make({
    input: Schema.Struct(
      {
        inUserIds: Schema.optional(Input.list(Entity.Id)),
        statusIn: Schema.optional(Input.list(Schema.String))
      },
      Input.open
    )
  })

  it("are joined by commas", () => {
    expect(queryOf(path(encode, { inUserIds: ["a", "b"], statusIn: ["open"] }))).toEqual([
      ["inUserIds", "a,b"],
      ["statusIn", "open"]
    ])
  })

  it("are left out when they are empty", () => {
    expect(path(encode, { inUserIds: [], statusIn: undefined, page: 2 })).toBe("/things?page=2")
  })

  it("refuse a comma in a value: it would become a second value in silence", () => {
    expect(refusal(encode, { statusIn: ["open,closed"] })).toEqual({
      field: "statusIn",
      rule: "must not hold a comma: the list is sent joined by commas"
    })
  })

  it("refuse an item that breaks the rule of items, with its place", () => {
    expect(refusal(encode, { inUserIds: ["a", ""] })).toEqual({
      field: "inUserIds.1",
      rule: "must be a non-empty id"
    })
  })
})

describe("a path", () => {
  const get = make({
    path: "/things/{id}/parts/{part}",
    input: Schema.Struct({ id: Schema.Unknown, part: Schema.Unknown })
  })

  it("takes its values from the input and leaves the rest to the query", () => {
    expect(path(get, { id: "a/b", part: 7 })).toBe("/things/a%2Fb/parts/7")
  })

  it.each([
    ["", "must not be empty"],
    [".", 'must not be "."'],
    ["..", '".."'],
    ["\ud800", "surrogate"],
    [{ toString: () => "x" }, "must be text or a number"],
    [["x"], "must be text or a number"],
    [Number.NaN, "must be a finite number"],
    [null, "must be text or a number"]
  ])("refuses %j as a value, with the field", (value, rule) => {
    const found = refusal(get, { id: "a", part: value })
    expect(found.field).toBe("part")
    expect(found.rule).toContain(rule)
  })

  it("stands behind the prefix of the base URL", () => {
    expect(path(make({ path: "things" }, { prefix: "/v9/api" }), {})).toBe("/v9/api/things")
  })

  it("has values that a query field of the same call cannot reach", () => {
    const open = make({ path: "things/{id}", input: Schema.Struct({ id: Entity.Id }, Input.open) })
    expect(path(open, { id: "a", "id/../../x": 1, "{id}": 2 })).toBe(
      "/things/a?id%2F..%2F..%2Fx=1&%7Bid%7D=2"
    )
  })
})

describe("the project", () => {
  const around = { projectId: "p 1", projectInQuery: true }

  it("fills {projectId} in a path", () => {
    expect(path(make({ path: "project/{projectId}/provider", input: Entity.Nothing }, around), {})).toBe(
      "/project/p%201/provider"
    )
  })

  it("is a query parameter of other calls", () => {
    expect(path(make({}, around), { page: 1 })).toBe("/things?page=1&projectId=p%201")
    expect(path(make({ method: "POST", input: Entity.WithPayload }, around), { payload: {} })).toBe(
      "/things?projectId=p%201"
    )
  })

  it("stays away from calls that do not name it", () => {
    expect(path(make({}, { projectId: "p", projectInQuery: false }), {})).toBe("/things")
  })

  it("is the caller's where the input names another", () => {
    expect(path(make({}, around), { projectId: "p2" })).toBe("/things?projectId=p2")
    const inPath = make({ path: "project/{projectId}", input: Entity.AnyQuery }, around)
    expect(path(inPath, { projectId: "p2" })).toBe("/project/p2")
  })

  it("stays in the query where a body has a field of that name", () => {
    const create = make({ method: "POST", input: Entity.AnyQuery }, around)
    expect(create({ projectId: "p2" })).toEqual(
      Either.right({ path: "/things?projectId=p%201", body: { _tag: "Json", text: '{"projectId":"p2"}' } })
    )
  })

  it("is required where a path needs it and the client has none", () => {
    expect(refusal(make({ path: "project/{projectId}", input: Entity.Nothing }), {})).toEqual({
      field: "projectId",
      rule: "is required"
    })
  })
})

describe("a body", () => {
  const flat = make({
    method: "POST",
    path: "things/{id}",
    input: Schema.Struct({
      id: Entity.Id,
      text: Schema.String,
      at: Schema.optional(DateTime),
      more: Schema.optional(Schema.Unknown)
    })
  })
  const whole = make({ method: "PUT", path: "things/{id}", input: Entity.ByIdWithPayload })

  it("of named fields is one flat object without those of the path", () => {
    expect(flat({ id: "a", text: "t", more: [1] })).toEqual(
      Either.right({ path: "/things/a", body: { _tag: "Json", text: '{"text":"t","more":[1]}' } })
    )
  })

  it("of a payload is the payload itself", () => {
    expect(whole({ id: "a", payload: { text: "t" } })).toEqual(
      Either.right({ path: "/things/a", body: { _tag: "Json", text: '{"text":"t"}' } })
    )
  })

  it.prop(
    "of any payload arrives byte for byte as JSON.stringify writes it",
    [FC.jsonValue()],
    ([payload]) => {
      expect(jsonOf(whole, { id: "a", payload })).toBe(JSON.stringify(payload))
    }
  )

  it("is not there where the payload is optional and left out", () => {
    const review = make({
      method: "POST",
      input: Schema.Struct({ payload: Schema.optional(Schema.Unknown) })
    })
    expect(review({})).toEqual(Either.right({ path: "/things", body: undefined }))
    expect(review({ payload: undefined })).toEqual(Either.right({ path: "/things", body: undefined }))
  })

  it("writes Dates in ISO form", () => {
    expect(jsonOf(flat, { id: "a", text: "t", at: new Date(0) })).toBe(
      '{"text":"t","at":"1970-01-01T00:00:00.000Z"}'
    )
  })

  it("sends named fields to the query where the declaration says so", () => {
    const search = make({
      method: "POST",
      input: Schema.Struct({ payload: Schema.Unknown, lang: Schema.String }),
      query: ["lang"]
    })
    expect(search({ payload: [1], lang: "ka" })).toEqual(
      Either.right({ path: "/things?lang=ka", body: { _tag: "Json", text: "[1]" } })
    )
  })

  it.each(["__proto__", "constructor", "toString"])("keeps a field named %s", (name) => {
    const open = make({ method: "POST", input: Entity.AnyQuery })
    const input: unknown = JSON.parse(`{"${name}":{"isAdmin":true},"a":1}`)
    expect(jsonOf(open, input)).toBe(`{"${name}":{"isAdmin":true},"a":1}`)
    expect({}).not.toHaveProperty("isAdmin")
  })

  it.each([
    ["NaN", Number.NaN, "must be a finite number"],
    ["a BigInt", 1n, "must not be a BigInt: pass it as text"],
    ["an invalid Date", new Date(Number.NaN), "must be a valid date"],
    ["a symbol", Symbol("s"), "must not be a symbol"],
    ["a function", () => 1, "must not be a function"]
  ])("refuses %s anywhere in it, with the exact field", (_, value, rule) => {
    expect(refusal(whole, { id: "a", payload: { list: [{ deep: value }] } })).toEqual({
      field: "payload.list.0.deep",
      rule
    })
    expect(refusal(flat, { id: "a", text: "t", more: { deep: value } })).toEqual({ field: "more.deep", rule })
  })

  it("refuses a cycle, a Map and undefined in a list, with the exact field", () => {
    const cycle: Record<string, unknown> = {}
    cycle.self = cycle
    expect(refusal(whole, { id: "a", payload: cycle }).field).toBe("payload.self")
    expect(refusal(whole, { id: "a", payload: { m: new Map() } }).field).toBe("payload.m")
    expect(refusal(whole, { id: "a", payload: [undefined] }).field).toBe("payload.0")
  })
})

describe("an input", () => {
  const closed = make({
    path: "things/{id}",
    input: Schema.Struct({ id: Entity.Id, n: Schema.optional(Schema.Int) })
  })

  it.each([
    [{ id: "a", extra: 1 }, "extra", "is not a field of this input"],
    [{ n: 1 }, "id", "is required"],
    [{ id: "a", n: 1.5 }, "n", "must be"],
    [{ id: "a", n: "1" }, "n", "must be"],
    [[], "input", "must be an object"],
    ["a", "input", "must be an object"],
    [null, "input", "must be an object"]
  ])("%j is refused before anything is sent", (input, field, rule) => {
    const found = refusal(closed, input)
    expect(found.field).toBe(field)
    expect(found.rule).toContain(rule)
  })

  it("is never changed: one that is frozen through and through works", () => {
    const input = frozen({
      id: "a",
      payload: { at: new Date(0), list: [{ when: "2024-02-29T10:00:00Z" }], empty: {} }
    })
    const before = JSON.stringify(input)
    const encode = make({ method: "PUT", path: "things/{id}", input: Entity.ByIdWithPayload })
    expect(jsonOf(encode, input)).toBe(JSON.stringify(input.payload))
    expect(JSON.stringify(input)).toBe(before)
    expect(path(make({}), frozen({ since: new Date(0), q: "a" }))).toContain("q=a")
  })

  it("may be an object without a prototype", () => {
    expect(path(make({}), Object.assign(Object.create(null), { a: 1 }))).toBe("/things?a=1")
  })
})

describe("defaults", () => {
  const report = make({
    input: Schema.Struct({ type: Schema.optional(Schema.String), year: Schema.optional(Schema.Int) }),
    defaults: { type: "holiday" }
  })

  it("stand in for what is left out or undefined", () => {
    expect(path(report, {})).toBe("/things?type=holiday")
    expect(path(report, { type: undefined, year: 2024 })).toBe("/things?type=holiday&year=2024")
  })

  it("give way to what is given", () => {
    expect(path(report, { type: "unpaid" })).toBe("/things?type=unpaid")
  })

  it("do not stay in the caller's input", () => {
    const input = {}
    path(report, input)
    expect(input).toEqual({})
  })
})

describe("a polluted Object.prototype", () => {
  const pollute = (name: string, value: unknown) =>
    Object.defineProperty(Object.prototype, name, {
      value,
      configurable: true,
      enumerable: true,
      writable: true
    })
  const names = ["id", "projectId", "payload", "evil"]
  afterEach(() => {
    for (const name of names) Reflect.deleteProperty(Object.prototype, name)
  })

  it("gives a call no id, no project, no payload and no query", () => {
    const around = { projectId: "p", projectInQuery: true }
    const open = make(
      { path: "things/{id}", input: Schema.Struct({ id: Schema.optional(Entity.Id) }, Input.open) },
      around
    )
    const inPath = make({ path: "project/{projectId}", input: Entity.AnyQuery }, around)
    const create = make(
      { method: "POST", input: Schema.Struct({ payload: Schema.optional(Schema.Unknown) }) },
      around
    )
    for (const name of names) pollute(name, "evil")
    expect(refusal(open, {})).toEqual({ field: "id", rule: "is required" })
    expect(path(open, { id: "a" })).toBe("/things/a?projectId=p")
    expect(path(inPath, {})).toBe("/project/p")
    expect(create({})).toEqual(Either.right({ path: "/things?projectId=p", body: undefined }))
  })
})
