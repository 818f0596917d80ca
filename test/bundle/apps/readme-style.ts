/** An app that uses one call and is written as the README's first example: all from the root entries. */
import { Effect } from "effect"
import * as FetchTransport from "../../../adapters/fetch/index.js"
import { Public } from "../../../clients/index.js"

const program = Effect.gen(function* () {
  const { items } = yield* Public.boxes.list({ limit: 10 })
  return `${items.length} boxes`
})

const visitor = Public.layer({ baseUrl: "https://api.example.com", apiKey: "key-1" })
Effect.runPromise(program.pipe(Effect.provide(visitor), Effect.provide(FetchTransport.layer))).then(
  console.log
)
