/** An app that uses one call, taken from its slice. */

import * as FetchTransport from "@quartet/sdk/adapters/fetch"
import { layer } from "@quartet/sdk/public"
import * as boxes from "@quartet/sdk/public/boxes"
import * as Effect from "effect/Effect"

const listed = Effect.provide(
  boxes.list({ limit: 10 }),
  layer({ baseUrl: "https://api.example.com", apiKey: "key-1" })
)

Effect.runPromise(Effect.provide(listed, FetchTransport.layer)).then(console.log)
