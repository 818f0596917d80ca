// Effect's own HttpClient over fetch with a Schema that turns dates, one runPromise per call like Quartet.

import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Effect from "effect/Effect"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Schema from "effect/Schema"

const Item = Schema.Struct({
  _id: Schema.String,
  title: Schema.String,
  status: Schema.String,
  version: Schema.Number,
  createdAt: Schema.Date,
  updatedAt: Schema.Date,
  author: Schema.Struct({ _id: Schema.String, name: Schema.String })
})

const Page = Schema.Struct({
  items: Schema.Array(Item),
  paging: Schema.Struct({ page: Schema.Number, limit: Schema.Number, total: Schema.Number })
})

const decodeItem = HttpClientResponse.schemaBodyJson(Item)
const decodePage = HttpClientResponse.schemaBodyJson(Page)

/** @type {import("./index.mjs").Contender} */
export const contender = {
  name: "platform",
  dates: true,
  setup: async (baseUrl) => {
    const runtime = ManagedRuntime.make(FetchHttpClient.layer)
    return {
      small: () => runtime.runPromise(Effect.flatMap(HttpClient.get(`${baseUrl}/small`), decodeItem)),
      page: () => runtime.runPromise(Effect.flatMap(HttpClient.get(`${baseUrl}/page`), decodePage)),
      large: () => runtime.runPromise(Effect.flatMap(HttpClient.get(`${baseUrl}/large`), decodePage)),
      close: () => runtime.dispose()
    }
  }
}
