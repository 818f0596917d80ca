/** An app that uses two calls: what a bundle's check must see. */

import * as FetchTransport from "@quartet/sdk/adapters/fetch"
import { layer } from "@quartet/sdk/public"
import * as boxes from "@quartet/sdk/public/boxes"
import * as items from "@quartet/sdk/public/items"
import * as Effect from "effect/Effect"

const read = Effect.provide(
  Effect.all([boxes.list(), items.get({ id: "i1" })]),
  layer({ baseUrl: "https://api.example.com", apiKey: "key-1" })
)

Effect.runPromise(Effect.provide(read, FetchTransport.layer)).then(console.log)
