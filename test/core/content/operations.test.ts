// What questions to the content put on the wire, and which are refused before anything is sent.
import { describe, expect, it } from "@effect/vitest"
import { Arbitrary, Either } from "effect"
import * as Content from "../../../core/content/operations.js"
import { Filter, Sort } from "../../../core/content/query.js"
import * as QueryText from "../../../core/content/query-text.js"
import type { Operation } from "../../../core/kernel/operation/operation.js"
import * as Sample from "../../support/dispatcher.js"
import { effect } from "../../support/effect.js"
import { encode } from "../../support/encoding.js"
import * as Fake from "../../support/fake-transport.js"

const pairsOf = <I>(operation: Operation<I, unknown, never>, input: I): ReadonlyArray<[string, string]> => {
  const { path } = Either.getOrThrow(encode(operation, input))
  return [...new URL(path, "http://localhost").searchParams]
}

describe("content.listV2", () => {
  // Spec public.content.listV2
  it("sends filters as f.<k> and searches as s.<k>, beside further fields", () => {
    const input = {
      apiId: "news",
      filter: [
        { k: "views", v: 100, condition: "gt" as const },
        { k: "views", v: 900, condition: "lt" as const }
      ],
      search: [{ k: "title", v: "a|b", condition: "contains" as const }],
      page: 2
    }
    expect(encode(Content.listV2, input)).toEqual(
      Either.right({
        path: "/v2/cms/content/news?f.views=%3E100&f.views=%3C900&s.title=a%7Cb&page=2",
        body: undefined
      })
    )
  })

  it.each([
    [{ k: "title", v: "<5" }],
    [{ k: "title", v: ">5", condition: "contains" }],
    [{ k: "views", v: 5, op: "!=" }]
  ])("refuses %o, which v2 cannot say", (filter) => {
    expect(encode(Content.listV2, { apiId: "news", filter: [filter] })).toEqual(
      Either.left({
        field: "filter.0",
        rule: "must be a filter that v2 can say: =, like, < or >, and no leading < or > in a value without one of these two"
      })
    )
  })
})

describe("content.list", () => {
  const refusalOf = (input: object) => Either.getOrThrow(Either.flip(encode(Content.list, input)))

  // Spec public.content.list
  it("sends the language, filters as p.<k>, searches as s.<k> and sorts as o.<k>", () => {
    const input = {
      apiId: "news",
      lang: "ka",
      filter: [{ k: "views", v: 100, op: ">=" }],
      search: [{ k: "title", v: "lamp", condition: "contains" as const }],
      sort: [
        { k: "published", v: "desc" },
        { k: "views", v: "asc", t: "NUMERIC" }
      ]
    }
    expect(pairsOf(Content.list, input)).toEqual([
      ["lang", "ka"],
      ["p.views", ">=|100|NUMERIC"],
      ["s.title", "like|lamp|TEXT"],
      ["o.published", "desc"],
      ["o.views", "asc|NUMERIC"]
    ])
  })

  it("asks for everything where nothing is said", () => {
    expect(encode(Content.list, { apiId: "news", filter: [], sort: [] })).toEqual(
      Either.right({ path: "/v3/cms/content/api/news", body: undefined })
    )
  })

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

describe("content.get", () => {
  it("sends the language of a visitor", () => {
    expect(encode(Content.get, { id: "a/b", lang: "en" })).toEqual(
      Either.right({ path: "/v3/cms/content/a%2Fb?lang=en", body: undefined })
    )
  })
})

describe("content.paginated", () => {
  // Spec admin.content.paginated
  effect("answers the items under content, and the paging", function* () {
    const answer = { content: [{ _id: "1", at: "2024-05-01T00:00:00.000Z" }], paging: { page: 1, total: 7 } }
    const legacyUrl = "https://legacy.example.test"
    const { fake, dispatcher } = Sample.make([Fake.json(200, answer)], { config: { legacyUrl } })
    const items = [{ _id: "1", at: new Date("2024-05-01T00:00:00.000Z") }]
    expect(yield* dispatcher.call(Content.paginated, { page: 1 })).toEqual({ items, paging: answer.paging })
    const { origin, path } = fake.at(0).request
    expect(origin + path).toBe(`${legacyUrl}/content/paginated?page=1`)
  })
})

describe("content.translate", () => {
  it("sends key and text", () => {
    expect(encode(Content.translate, { key: "title", text: "Hello" })).toEqual(
      Either.right({
        path: "/content/translate",
        body: { _tag: "Json", text: '{"key":"title","text":"Hello"}' }
      })
    )
  })
})
