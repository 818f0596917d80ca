/** A collection takes its own fields with values of their types, and answers its own type. */
import { type Effect, Schema } from "effect"
import * as Public from "../../clients/public/index.js"
import { DateTime } from "../../core/kernel/codec/dates.js"
import type { CallError } from "../../core/kernel/errors/errors.js"
import type { Page } from "../../core/kernel/operation/answer.js"

const News = Schema.Struct({
  _id: Schema.String,
  title: Schema.String,
  views: Schema.Number,
  pinned: Schema.optional(Schema.NullOr(Schema.Boolean)),
  published: DateTime,
  section: Schema.Literal("home", "world"),
  tags: Schema.Array(Schema.String)
})
type News = typeof News.Type

const news = Public.content.collection("news", News)

const listed: Effect.Effect<Page<News>, CallError, Public.Client> = news.list({
  filter: [
    news.where("views", ">=", 100),
    news.where("pinned", "=", true),
    news.where("published", "<", new Date(0)),
    { k: "title", v: "lamp", condition: "contains" }
  ],
  search: [news.where("section", "=", "home")],
  sort: [news.orderBy("published", "desc"), { k: "views", v: "asc", t: "NUMERIC" }],
  lang: "en"
})
const read: Effect.Effect<News, CallError, Public.Client> = news.get({ id: "1", lang: "en" })
export const all = [listed, read, news.list()]

// @ts-expect-error there is no such field
news.where("author", "=", "Nino")
// @ts-expect-error views are a number
news.where("views", ">=", "100")
// @ts-expect-error a Date is not text
news.where("published", "<", "2024-05-01")
// @ts-expect-error a section that there is not
news.where("section", "=", "sports")
// @ts-expect-error null is not something to compare with
news.where("pinned", "=", null)
// @ts-expect-error an operator that there is not
news.where("views", "~", 100)
// @ts-expect-error a list is not something to compare with
news.where("tags", "=", ["a"])
// @ts-expect-error there is no such field to sort by
news.orderBy("author")
// @ts-expect-error lists have no order
news.orderBy("tags")
// @ts-expect-error a filter on a field that there is not
news.list({ filter: [{ k: "author", v: "Nino" }] })
// @ts-expect-error a filter with another field's type
news.list({ filter: [{ k: "views", v: true }] })
// @ts-expect-error a search with another field's type
news.list({ search: [{ k: "views", v: "100" }] })
// @ts-expect-error a sort by a field that there is not
news.list({ sort: [{ k: "author", v: "asc" }] })
// @ts-expect-error a question has no such part
news.list({ where: [] })
// @ts-expect-error one entry is read by its id
news.get({ lang: "en" })

const events = Public.content.collection(
  "events",
  Schema.Struct({ views: Schema.Number, place: Schema.String })
)
// @ts-expect-error another collection's filter
news.list({ filter: [events.where("place", "=", "Tbilisi")] })

// @ts-expect-error the answer is the collection's own type
export const wrong: Effect.Effect<{ readonly author: string }, CallError, Public.Client> = news.get({
  id: "1"
})
