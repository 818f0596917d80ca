/** Content over real HTTP, as visitors ask for it: filtered, searched, sorted and translated, by both versions of the API. */
import { expect } from "@effect/vitest"
import * as Public from "@quartet/sdk/public"
import { rejected, story } from "@quartet/support/clients.js"
import { Effect, Schema } from "effect"

// Spec public.content.listV2
story("v2 filters by containment, less and greater, and searches in any of the fields", function* () {
  const { items } = yield* Public.cms.list({ apiId: "news", limit: 500 })
  const filtered = yield* Public.content.listV2({
    apiId: "news",
    filter: [
      { k: "title", v: "vake", condition: "contains" },
      { k: "views", v: 1_000, condition: "gt" }
    ],
    limit: 500
  })
  expect(filtered.items.length).toBeGreaterThan(0)
  expect(filtered.items).toEqual(
    items.filter((entry) => String(entry.title).includes("Vake") && Number(entry.views) > 1_000)
  )
  const few = yield* Public.content.listV2({
    apiId: "news",
    filter: [{ k: "views", v: 500, condition: "lt" }],
    limit: 500
  })
  expect(few.items).toEqual(items.filter((entry) => Number(entry.views) < 500))
  const [some] = few.items
  const bound = Number(some?.views)
  // `op` says otherwise: v2 compares by the condition, v3 by the operator.
  const filter = [{ k: "views", v: bound, condition: "lt", op: "<=" }] as const
  const below = yield* Public.content.listV2({ apiId: "news", filter, limit: 500 })
  expect(below.items).toEqual(items.filter((entry) => Number(entry.views) < bound))
  const most = yield* Public.content.list({ apiId: "news", filter, limit: 500 })
  expect(most.items.map(({ _id }) => _id)).toContain(some?._id)
  expect(most.items).toHaveLength(items.filter((entry) => Number(entry.views) <= bound).length)
  const matches = yield* Public.content.listV2({
    apiId: "news",
    search: [
      { k: "title", v: "Vera" },
      { k: "category", v: "finance" }
    ],
    limit: 500
  })
  expect(matches.items).toEqual(
    items.filter((entry) => String(entry.title).includes("Vera") || entry.category === "finance")
  )
})

// Spec 3.19, public.content.list
story("v3 filters with operators and types, sorts by several fields, and pages", function* () {
  const { items } = yield* Public.cms.list({ apiId: "news", limit: 500 })
  const matches = yield* Public.content.list({
    apiId: "news",
    filter: [
      { k: "views", v: 500, op: ">=" },
      { k: "featured", v: false, op: "=" },
      { k: "category", v: "finance", op: "!=" }
    ],
    sort: [
      { k: "category", v: "asc" },
      { k: "views", v: "desc" }
    ],
    limit: 500
  })
  const expected = items
    .filter((entry) => Number(entry.views) >= 500 && entry.featured === false && entry.category !== "finance")
    .sort((a, b) => String(a.category).localeCompare(String(b.category)) || Number(b.views) - Number(a.views))
  expect(matches.items.length).toBeGreaterThan(5)
  expect(matches.items.map((entry) => entry._id)).toEqual(expected.map((entry) => entry._id))
  const second = yield* Public.content.list({ apiId: "news", page: 2, limit: 25 })
  expect(second.paging).toEqual({ page: 2, limit: 25, total: 60, pages: 3 })

  const since = new Date("2025-03-01T00:00:00Z")
  const recent = yield* Public.content.list({
    apiId: "news",
    filter: [{ k: "publishedAt", v: since, op: ">" }],
    limit: 500
  })
  expect(recent.items.length).toBe(items.filter((entry) => (entry.publishedAt as Date) > since).length)
})

story("contains and like find their value as it stands: % and _ are no wildcards", function* () {
  for (const v of ["%", "_", "v%e", "%vake%", "v_ke", ".*"]) {
    const contains = [{ k: "title", v, condition: "contains" }] as const
    const like = [{ k: "title", v, op: "like" }] as const
    for (const query of [{ filter: contains }, { search: contains }, { filter: like }, { search: like }]) {
      const second = yield* Public.content.listV2({ apiId: "news", ...query, limit: 500 })
      const third = yield* Public.content.list({ apiId: "news", ...query, limit: 500 })
      expect([v, second.items, third.items]).toEqual([v, [], []])
    }
  }
})

// Spec public.content.get
story("v3 answers, filters and searches in the language that is asked for", function* () {
  const georgian = yield* Public.content.list({
    apiId: "news",
    lang: "ka",
    filter: [{ k: "category", v: "ფინანსები" }],
    search: [{ k: "title", v: "სიახლე", condition: "contains" }],
    limit: 500
  })
  const english = yield* Public.content.list({
    apiId: "news",
    lang: "en",
    filter: [{ k: "category", v: "finance" }],
    limit: 500
  })
  expect(georgian.items.length).toBeGreaterThan(0)
  expect(georgian.items.map((entry) => entry._id)).toEqual(english.items.map((entry) => entry._id))
  const [first] = georgian.items
  expect(yield* Public.content.get({ id: first?._id ?? "", lang: "ka" })).toEqual(first)
  yield* rejected(Public.content.list({ apiId: "news", lang: "xx" }), "lang")
})

story("a question by an unknown field, operator or direction is refused with its name", function* () {
  const field = yield* Effect.flip(
    Public.content.list({ apiId: "news", filter: [{ k: "colour", v: "red" }] })
  )
  expect(field).toMatchObject({ _tag: "Rejected", field: "p.colour" })
  yield* rejected(Public.content.listV2({ apiId: "news", search: [{ k: "colour", v: "red" }] }), "s.colour")
  yield* rejected(Public.content.list({ apiId: "news", filter: [{ k: "title", v: "x", op: "~" }] }), "title")
  yield* rejected(Public.content.list({ apiId: "news", sort: [{ k: "title", v: "sideways" }] }), "o.title")
})

story("a collection of the caller's own schema asks and answers in its types", function* () {
  const News = Schema.Struct({ _id: Schema.String, title: Schema.String, views: Schema.Number })
  const news = Public.content.collection("news", News)
  const page = yield* news.list({
    filter: [news.where("views", ">", 4_000)],
    sort: [news.orderBy("views", "desc")],
    limit: 3
  })
  const views = page.items.map((entry) => entry.views)
  expect(views).toEqual([...views].sort((a, b) => b - a))
  expect(views.every((count) => count > 4_000)).toBe(true)
})
