/** An app that uses one call and is written as the README's first example. */

import * as Public from "@quartet/sdk/public"
import * as Transport from "@quartet/sdk/transport"
import * as Effect from "effect/Effect"

const program = Effect.gen(function* () {
  const { items } = yield* Public.boxes.list({ limit: 10 })
  return `${items.length} boxes`
})

const visitor = Public.layer({ baseUrl: "https://api.example.com", apiKey: "key-1" })
Effect.runPromise(program.pipe(Effect.provide(visitor), Effect.provide(Transport.layer))).then(console.log)
