/** The same app, which takes all from the root entry and from Effect's. */

import { Public } from "@quartet/sdk"
import * as Transport from "@quartet/sdk/transport"
import { Effect } from "effect"

const listed = Effect.provide(
  Public.boxes.list({ limit: 10 }),
  Public.layer({ baseUrl: "https://api.example.com", apiKey: "key-1" })
)

Effect.runPromise(Effect.provide(listed, Transport.layer)).then(console.log)
