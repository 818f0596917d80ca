// Collections of content with a type of the caller's own, from a Promise client.
import * as Schema from "effect/Schema"
import { expect, test } from "vitest"
import { serve } from "./served.js"

const { server, targets, visitor } = await serve()

const News = Schema.Struct({ _id: Schema.String, title: Schema.String, views: Schema.Number })

test("a collection lists, gives its pages and its entries, and rejects one that is not of its type", async () => {
  const entry = { _id: "n1", title: "Größe", views: 7 }
  server.play(({ json, target }) => json(target.includes("api/news") ? [entry] : { ...entry, views: "many" }))
  const news = visitor().content.collection("news", News)
  const filter = { filter: [news.where("views", ">=", 5)], sort: [news.orderBy("title", "desc")] }
  const { items } = await news.list(filter)
  const views: ReadonlyArray<number> = items.map((item) => item.views)
  expect(views).toEqual([7])
  expect(targets()).toEqual(["GET /v3/cms/content/api/news?p.views=%3E%3D%7C5%7CNUMERIC&o.title=desc"])
  for await (const { title } of news.list.pages({}, { limit: 5 })) {
    expect(title).toBe("Größe")
    break
  }
  await expect(news.get({ id: "n1" })).rejects.toMatchObject({ tag: "AnswerError", field: "views" })
})
