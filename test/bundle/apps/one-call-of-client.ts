/** The same app, which takes the call from the whole client. */

import * as FetchTransport from "@quartet/sdk/adapters/fetch"
import * as Public from "@quartet/sdk/public"
import * as Effect from "effect/Effect"

const listed = Effect.provide(
  Public.boxes.list({ limit: 10 }),
  Public.layer({ baseUrl: "https://api.example.com", apiKey: "key-1" })
)

Effect.runPromise(Effect.provide(listed, FetchTransport.layer)).then(console.log)
