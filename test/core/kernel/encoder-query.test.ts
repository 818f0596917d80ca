// From input to query: its fields in order, lists joined by commas.
import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as FC from "effect/FastCheck"
import * as Schema from "effect/Schema"
import * as Entity from "../../../core/kernel/operation/entity.js"
import * as Input from "../../../core/kernel/operation/input.js"
import { make, path, refusal } from "./sample-encoder.js"

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
    ["a list in a list", [["a"]], "must be text"],
    ["a list with a gap", [undefined], "must be text"],
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

describe("a list in a field that is not declared", () => {
  const list = make({})

  it("is joined by commas, whatever plain values it holds", () => {
    expect(
      queryOf(path(list, { statusIn: ["a", "b c"], size: [1, 2], at: [new Date(0)], done: [true] }))
    ).toEqual([
      ["statusIn", "a,b c"],
      ["size", "1,2"],
      ["at", "1970-01-01T00:00:00.000Z"],
      ["done", "true"]
    ])
  })

  it("is left out when it is empty", () => {
    expect(path(list, { statusIn: [], page: 2 })).toBe("/things?page=2")
    expect(path(list, { statusIn: [] })).toBe("/things")
  })

  it("refuses a comma and an empty text in a value: it would become other values in silence", () => {
    expect(refusal(list, { statusIn: ["open", "a,b"] })).toEqual({
      field: "statusIn",
      rule: "must not hold a comma: the list is sent joined by commas"
    })
    expect(refusal(list, { statusIn: [""] })).toEqual({
      field: "statusIn",
      rule: "must not hold an empty value: the list is sent joined by commas"
    })
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

  // Spec 5.3
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
