/** An app that uses one call, taken from its slice. */
import * as Effect from "effect/Effect"
import * as FetchTransport from "../../../adapters/fetch/index.js"
import * as boxes from "../../../clients/public/boxes.js"
import { layer } from "../../../clients/public/index.js"

const listed = Effect.provide(
  boxes.list({ limit: 10 }),
  layer({ baseUrl: "https://api.example.com", apiKey: "key-1" })
)

Effect.runPromise(Effect.provide(listed, FetchTransport.layer)).then(console.log)
