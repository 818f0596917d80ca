/** An app that uses two calls: what a bundle's check must see. */
import * as Effect from "effect/Effect"
import * as FetchTransport from "../../../adapters/fetch/index.js"
import * as boxes from "../../../clients/public/boxes.js"
import { layer } from "../../../clients/public/index.js"
import * as items from "../../../clients/public/items.js"

const read = Effect.provide(
  Effect.all([boxes.list(), items.get({ id: "i1" })]),
  layer({ baseUrl: "https://api.example.com", apiKey: "key-1" })
)

Effect.runPromise(Effect.provide(read, FetchTransport.layer)).then(console.log)
