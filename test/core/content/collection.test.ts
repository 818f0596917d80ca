// A collection asks with its own fields and answers its own type.
import { describe, expect, it } from "@effect/vitest"
import { generate } from "@quartet/cli/codegen"
import { effect } from "@quartet/support/effect.js"
import * as Fake from "@quartet/support/fake-transport.js"
import { load } from "@quartet/support/written.js"
import { Chunk, Effect, Layer, Schema, Stream } from "effect"
import * as Public from "../../../clients/public/index.js"
import { DateTime } from "../../../core/kernel/codec/dates.js"
import { pages } from "../../../core/kernel/dispatch/streaming.js"

const News = Schema.Struct({
  _id: Schema.String,
  title: Schema.String,
  views: Schema.Number,
  published: DateTime
})

const entry = { _id: "1", title: "Lamp", views: 120, published: "2024-05-01T00:00:00.000Z", extra: true }

const news = Public.content.collection("news", News)

/** Tests with a client over a transport that answers so. */
const over = (script: Fake.Script) =>
  effect.within<[Fake.Fake], Public.Client>((use) => {
    const fake = Fake.make(script)
    const client = Public.layer({ baseUrl: "https://api.example.test", apiKey: "key-1" })
    return Effect.provide(use(fake), Layer.provide(client, fake.layer))
  })

const pathsOf = (fake: Fake.Fake) => fake.requests().map(({ path }) => decodeURIComponent(path))

describe("a collection", () => {
  it("writes filters and sorts", () => {
    expect(news.where("views", ">=", 100)).toEqual({ k: "views", op: ">=", v: 100 })
    expect(news.orderBy("published")).toEqual({ k: "published", v: "asc" })
    expect(news.orderBy("published", "desc")).toEqual({ k: "published", v: "desc" })
  })

  it("is not made without a model or a schema", () => {
    const collection = Public.content.collection as (apiId?: unknown, schema?: unknown) => unknown
    const refused = (field: string) => expect.objectContaining({ operation: "content.collection", field })
    expect(() => collection(5, News)).toThrow(refused("apiId"))
    expect(() => collection("", News)).toThrow(refused("apiId"))
    expect(() => collection("news")).toThrow(refused("schema"))
    expect(() => collection("news", { title: "text" })).toThrow(refused("schema"))
  })

  it("filters and sorts by no field that its schema does not list", () => {
    const refused = (operation: string) =>
      expect.objectContaining({
        operation,
        field: "field",
        rule: 'must be one of _id, title, views, published (did you mean "views"?)'
      })
    expect(() => news.where("view" as "views", ">=", 100)).toThrow(refused("content.where"))
    expect(() => news.orderBy("view" as "views")).toThrow(refused("content.orderBy"))
    const open = Schema.Struct({ title: Schema.String }, { key: Schema.String, value: Schema.Unknown })
    expect(Public.content.collection("news", open).orderBy("rank" as "title")).toEqual({
      k: "rank",
      v: "asc"
    })
  })

  over([])(
    "is not asked with a value that nothing compares with, nor in an order that is none",
    function* (fake) {
      const where = news.where as (...args: ReadonlyArray<unknown>) => never
      const orderBy = news.orderBy as (...args: ReadonlyArray<unknown>) => never
      for (const [input, field, rule] of [
        [{ filter: [where("views", "=", {})] }, "filter.0.v", /^must be text, a finite number, a boolean or/],
        [{ filter: [where("published", "=", new Date(Number.NaN))] }, "filter.0.v", /^must be a valid Date$/],
        [{ filter: [where("views", 1, 1)] }, "filter.0.op", /^must be text, such as =/],
        [{ sort: [orderBy("views", "a|b")] }, "sort.0.v", /^must be non-empty text without \|, such as asc/]
      ] as const) {
        const error = yield* Effect.flip(news.list(input))
        expect(error).toMatchObject({ _tag: "InputError", field, rule: expect.stringMatching(rule) })
      }
      expect(pathsOf(fake)).toEqual([])
    }
  )

  over([Fake.json(200, { items: [entry], paging: { total: 1 } })])(
    "lists the entries that were asked for, as its own type",
    function* (fake) {
      const page = yield* news.list({
        lang: "en",
        filter: [news.where("views", ">=", 100), { k: "published", v: new Date(0), condition: "gt" }],
        search: [news.where("title", "like", "amp")],
        sort: [news.orderBy("published", "desc")],
        limit: 10
      })
      expect(pathsOf(fake)).toEqual([
        "/v3/cms/content/api/news?lang=en&p.views=>=|100|NUMERIC&p.published=>|1970-01-01T00:00:00.000Z|TEXT" +
          "&s.title=like|amp|TEXT&o.published=desc&limit=10"
      ])
      expect(page.items).toEqual([{ ...entry, published: new Date(entry.published) }])
    }
  )

  over([Fake.json(200, [])])("asks for everything where nothing is said", function* (fake) {
    yield* news.list()
    expect(pathsOf(fake)).toEqual(["/v3/cms/content/api/news"])
  })

  over([Fake.json(200, [entry, { ...entry, views: "many" }])])(
    "fails where an entry is not of its type",
    function* (_fake) {
      const error = yield* Effect.flip(news.list())
      expect(error).toMatchObject({ _tag: "AnswerError", operation: "content.list", field: "1.views" })
    }
  )

  over([Fake.json(200, entry)])("reads one entry in a language", function* (fake) {
    const { published } = yield* news.get({ id: "1", lang: "ka" })
    expect(published).toEqual(new Date(entry.published))
    expect(pathsOf(fake)).toEqual(["/v3/cms/content/1?lang=ka"])
  })

  over([
    Fake.json(200, { items: [entry], paging: { page: 1, pages: 2 } }),
    Fake.json(200, { items: [{ ...entry, _id: "2" }], paging: { page: 2, pages: 2 } })
  ])("is walked page after page", function* (fake) {
    const all = yield* Stream.runCollect(pages(news.list, { sort: [news.orderBy("views")] }, { limit: 1 }))
    expect(Chunk.toReadonlyArray(all).map(({ _id }) => _id)).toEqual(["1", "2"])
    expect(pathsOf(fake)).toEqual([
      "/v3/cms/content/api/news?o.views=asc&page=1&limit=1",
      "/v3/cms/content/api/news?o.views=asc&page=2&limit=1"
    ])
  })

  over([])("refuses an API id that cannot stand in a path", function* (fake) {
    const error = yield* Effect.flip(Public.content.collection("..", News).list())
    expect(error).toMatchObject({ _tag: "InputError", field: "apiId" })
    expect(fake.exchanges).toHaveLength(0)
  })
})

const field = (apiId: string, type: string) => ({ apiId, name: apiId, type })
const models = [
  {
    apiId: "things",
    fields: ["TEXT", "NUMERIC", "BOOLEAN", "DATE", "FILE"].map((type) => field(type.toLowerCase(), type))
  }
]
const kinds = [null, 5, "x", "12", true, 0, 1_700_000_000_000, "2024-05-06", ["a"], { url: "/f.png" }]
/** Every value under every type of a field. */
const things = kinds.map((value, at) => ({
  _id: at === 0 ? 7 : `${at}`,
  ...Object.fromEntries(["text", "numeric", "boolean", "date", "file"].map((name) => [name, value]))
}))

describe.each(["effect", "promise"] as const)("a collection that was generated (%s)", (face) => {
  const written = load(generate({ models, contentModels: [] }, face)) as {
    readonly Things: Schema.Schema<unknown>
    readonly things: Public.content.Collection<unknown>
  }
  const drifts: Array<string> = []
  const client = (answers: "tolerant" | "strict") =>
    Layer.provide(
      Public.layer({
        baseUrl: "https://api.example.test",
        apiKey: "key-1",
        answers,
        logDrift: false,
        onDrift: ({ came, operation, path }) =>
          Effect.sync(() => drifts.push(`${operation} ${path}: ${came}`))
      }),
      Fake.make([Fake.json(200, things)]).layer
    )

  effect("answers each entry as it came, and reports where that is not as it was guessed", function* () {
    const { items } = yield* Effect.provide(written.things.list(), client("tolerant"))
    expect(JSON.stringify(items)).toBe(JSON.stringify(things))
    expect(drifts).toEqual(
      expect.arrayContaining([
        "content.list []._id: number",
        "content.list [].file: object",
        "content.list [].date: number",
        "content.list [].date: text",
        "content.list [].numeric: text",
        "content.list [].text: list"
      ])
    )
    expect(drifts).not.toContain("content.list [].text: text")
  })

  effect("is refused by a client whose answers are strict", function* () {
    const error = yield* Effect.flip(Effect.provide(written.things.list(), client("strict")))
    expect(error).toMatchObject({ _tag: "AnswerError", field: "0._id" })
  })

  it("writes back what it has read", () => {
    const stored = { _id: "1", text: "a", numeric: 1, date: "2024-05-06T07:08:09.000Z", file: null }
    const entry = Schema.decodeUnknownSync(written.Things)(stored)
    expect(entry).toMatchObject({ date: new Date(stored.date) })
    expect(Schema.encodeSync(written.Things)(entry)).toEqual(stored)
  })
})
