// Collections of content with a type of the caller's own, from a Promise client.
import * as Schema from "effect/Schema"
import { describe, expect, test } from "vitest"
import { createPublicClient } from "../../clients/promise/index.js"
import { serve } from "./admin.js"

const { server, targets } = await serve()

describe("a collection of content", () => {
  const News = Schema.Struct({ _id: Schema.String, title: Schema.String, views: Schema.Number })
  const collection = () =>
    createPublicClient({ baseUrl: server.url, apiKey: "key-1" }).content.collection("news", News)
  const entry = { _id: "n1", title: "Größe", views: 7 }

  test("is listed by filters and sorts on its fields, and answers its type", async () => {
    server.play(({ json }) => json([entry]))
    const news = collection()
    const { items } = await news.list({
      filter: [news.where("views", ">=", 5)],
      sort: [news.orderBy("title", "desc")]
    })
    const views: ReadonlyArray<number> = items.map((item) => item.views)
    expect(views).toEqual([7])
    expect(targets()).toEqual(["GET /v3/cms/content/api/news?p.views=%3E%3D%7C5%7CNUMERIC&o.title=desc"])
  })

  test("gives its pages and its entries", async () => {
    server.play(({ json, target }) =>
      json(target.includes("page=1") ? [entry] : target.includes("page=") ? [] : entry)
    )
    const titles: Array<string> = []
    for await (const { title } of collection().list.pages({}, { limit: 5 })) titles.push(title)
    expect(titles).toEqual(["Größe"])
    expect(await collection().get({ id: "n1" })).toEqual(entry)
  })

  test("rejects an entry that is not of its type", async () => {
    server.play(({ json }) => json({ ...entry, views: "many" }))
    await expect(collection().get({ id: "n1" })).rejects.toMatchObject({ tag: "AnswerError", field: "views" })
  })
})
