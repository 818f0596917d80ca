/** The same app, which takes the call from the whole client. */
import * as Effect from "effect/Effect"
import * as FetchTransport from "../../../adapters/fetch/index.js"
import * as Public from "../../../clients/public/index.js"

const listed = Effect.provide(
  Public.boxes.list({ limit: 10 }),
  Public.layer({ baseUrl: "https://api.example.com", apiKey: "key-1" })
)

Effect.runPromise(Effect.provide(listed, FetchTransport.layer)).then(console.log)
