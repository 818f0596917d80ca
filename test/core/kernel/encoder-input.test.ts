// What an encoder takes for an input, what it adds of its own, and what it never touches.
import { afterEach, describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Entity from "../../../core/kernel/operation/entity.js"
import * as Input from "../../../core/kernel/operation/input.js"
import { jsonOf, make, path, refusal } from "./sample-encoder.js"

/** A value and all that it holds, unchangeable: whoever writes to it throws. */
const frozen = <A>(value: A): A => {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(frozen)
  return value
}

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

  it.each([
    [new Date(0), "must be a plain object"],
    [new Map([["q", "a"]]), "must be a plain object"],
    [new (class Empty {})(), "must be a plain object"],
    [Promise.resolve({ q: "a" }), "must be a plain object, not a Promise: await it"]
  ])("that says nothing in fields of its own does not pass for an empty one: %s", (input, rule) => {
    expect(refusal(make({}), input)).toEqual({ field: "input", rule })
    const nested = make({
      input: Schema.Struct({ at: Schema.Struct({ from: Schema.optional(Schema.String) }) })
    })
    expect(refusal(nested, { at: input })).toEqual({ field: "at", rule })
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
