/** The same app, which takes all from the root entry and from Effect's. */
import { Effect } from "effect"
import * as Transport from "../../../adapters/transport/index.js"
import { Public } from "../../../clients/index.js"

const listed = Effect.provide(
  Public.boxes.list({ limit: 10 }),
  Public.layer({ baseUrl: "https://api.example.com", apiKey: "key-1" })
)

Effect.runPromise(Effect.provide(listed, Transport.layer)).then(console.log)
