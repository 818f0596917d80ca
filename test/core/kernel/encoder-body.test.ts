// From input to body: named fields, payloads, and what no body may hold.
import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as FC from "effect/FastCheck"
import * as Schema from "effect/Schema"
import { DateTime } from "../../../core/kernel/codec/dates.js"
import * as Entity from "../../../core/kernel/operation/entity.js"
import { jsonOf, make, refusal } from "./sample-encoder.js"

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

  // Spec 5.4
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
