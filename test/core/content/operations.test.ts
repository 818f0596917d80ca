// What questions to the content put on the wire, and which are refused before anything is sent.
import { describe, expect, it } from "@effect/vitest"
import { encode } from "@quartet/support/encoding.js"
import { Arbitrary, Either } from "effect"
import * as Content from "../../../core/content/operations.js"
import { Filter, Sort } from "../../../core/content/query.js"
import * as QueryText from "../../../core/content/query-text.js"
import type { Operation } from "../../../core/kernel/operation/operation.js"

const pairsOf = <I>(operation: Operation<I, unknown, never>, input: I): ReadonlyArray<[string, string]> => {
  const { path } = Either.getOrThrow(encode(operation, input))
  return [...new URL(path, "http://localhost").searchParams]
}

describe("content.listV2", () => {
  it.each([
    [{ k: "title", v: "<5" }],
    [{ k: "title", v: ">5", op: "like" }],
    [{ k: "views", v: 5, op: "!=" }]
  ])("refuses %o, which v2 cannot say", (filter) => {
    expect(encode(Content.listV2, { apiId: "news", filter: [filter] })).toEqual(
      Either.left({
        field: "filter.0",
        rule: "must be a filter that v2 can say: by its condition, or without one by =, like, < or >, where a value compared by = or like does not begin with < or >"
      })
    )
  })

  it("sends filters and searches by their condition, whatever operator and type say", () => {
    const conditions = [
      { k: "price", v: 5, condition: "lt", op: "<=" },
      { k: "title", v: "<5", condition: "contains", op: "!=", t: "NUMERIC" },
      { k: "views", v: 5, condition: "gt", op: "near", t: "GEO" }
    ] as const
    expect(pairsOf(Content.listV2, { apiId: "news", filter: conditions, search: conditions })).toEqual([
      ["f.price", "<5"],
      ["f.title", "<5"],
      ["f.views", ">5"],
      ["s.price", "<5"],
      ["s.title", "<5"],
      ["s.views", ">5"]
    ])
  })
})

describe("content.list", () => {
  const refusalOf = (input: object) => Either.getOrThrow(Either.flip(encode(Content.list, input)))

  const value = "must be text, a finite number, a boolean or a valid Date"
  const empty = "must be the name of a field, not empty"
  const half = "must not hold half of a surrogate pair"
  const filtered = (more: object) => ({ filter: [{ k: "a", ...more }] })
  it.each<readonly [says: string, input: object, field: string, rule: unknown]>([
    ["an empty key", filtered({ k: "", v: 1 }), "filter.0.k", empty],
    ["a missing key", { search: [{ v: 1 }] }, "search.0.k", "is required"],
    ["a missing value", filtered({}), "filter.0.v", "is required"],
    ["NaN", filtered({ v: Number.NaN }), "filter.0.v", value],
    ["infinity", filtered({ v: Number.POSITIVE_INFINITY }), "filter.0.v", value],
    ["null", filtered({ v: null }), "filter.0.v", value],
    ["an impossible Date", filtered({ v: new Date(Number.NaN) }), "filter.0.v", "must be a valid Date"],
    ["a list", filtered({ v: [1] }), "filter.0.v", value],
    [
      "a condition that there is not",
      filtered({ v: 1, condition: "gte" }),
      "filter.0.condition",
      expect.stringContaining('"contains" | "lt" | "gt"')
    ],
    [
      "an unknown field",
      filtered({ v: 1, operator: ">" }),
      "filter.0.operator",
      "is not a field of this input"
    ],
    ["a filter that is no list", { filter: { k: "a", v: 1 } }, "filter", "must be a list"],
    ["half a surrogate pair", filtered({ v: "\ud800" }), "filter", half],
    ["an empty language", { lang: "" }, "lang", expect.stringContaining("must be")],
    ["an empty sort key", { sort: [{ k: "", v: "asc" }] }, "sort.0.k", empty]
  ])("refuses %s", (_, input, field, rule) => {
    expect(refusalOf({ apiId: "news", ...input })).toEqual({ field, rule })
  })

  it.each([
    ["filter.1.op", { filter: [filtered({ v: 1 }).filter[0], { k: "a", v: 1, op: "=|" }] }],
    ["filter.0.op", { filter: [{ k: "a", v: 1, op: "" }] }],
    ["search.0.t", { search: [{ k: "a", v: 1, t: "TEXT|" }] }],
    ["sort.0.v", { sort: [{ k: "a", v: "asc|TEXT" }] }],
    ["sort.0.t", { sort: [{ k: "a", v: "asc", t: "" }] }]
  ])("refuses a bar or nothing in %s", (field, input) => {
    const refusal = refusalOf({ apiId: "news", ...input })
    expect(refusal.field).toBe(field)
    expect(refusal.rule).toContain("non-empty text without |")
  })

  // Spec public.content.list
  it.prop(
    "what the platform reads is what was asked",
    [Arbitrary.make(Filter), Arbitrary.make(Filter), Arbitrary.make(Sort)],
    ([filter, search, sort]) => {
      const pairs = pairsOf(Content.list, { apiId: "news", filter: [filter], search: [search], sort: [sort] })
      const read = Either.getOrThrow(QueryText.parseQueryV3(pairs))
      expect(pairsOf(Content.list, { apiId: "news", ...read })).toEqual(pairs)
      expect([read.filter[0]?.k, read.search[0]?.k, read.sort[0]?.k]).toEqual([filter.k, search.k, sort.k])
    }
  )
})
