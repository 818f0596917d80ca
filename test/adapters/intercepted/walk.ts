/** Calls of a program under test, in both faces, over one transport: what they answer, and how they fail. */
import { Public } from "@quartet/sdk"
import * as FetchTransport from "@quartet/sdk/adapters/fetch"
import * as UndiciTransport from "@quartet/sdk/adapters/undici"
import { Transport } from "@quartet/sdk/extend"
import { createPublicClient, Errors } from "@quartet/sdk/promise"
import * as DefaultTransport from "@quartet/sdk/transport"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"

const transports: Readonly<Record<string, Layer.Layer<Transport>>> = {
  default: DefaultTransport.layer,
  fetch: FetchTransport.layer,
  undici: UndiciTransport.layer
}

/** How a call fails, with the platform's words. */
const failureOf = (error: unknown): ReadonlyArray<unknown> => {
  if (!Errors.isCallError(error)) throw error
  return [error._tag, "serverMessage" in error ? error.serverMessage : undefined]
}

export const walk = (name: string, baseUrl: string): Promise<ReadonlyArray<unknown>> => {
  const config = { baseUrl, apiKey: "key-1", policy: { attempts: 1 } }
  const program = Effect.gen(function* () {
    const visitor = createPublicClient({ ...config, transport: yield* Transport })
    const box = yield* Public.boxes.get({ id: "b1" })
    const created = yield* Effect.promise(() => visitor.boxes.create({ payload: { type: "QUIZ_RESULT" } }))
    const { items } = yield* Effect.promise(() => visitor.boxes.list({ page: 2, limit: 1 }))
    const missing = yield* Effect.promise(() => visitor.boxes.get({ id: "none" }).catch(failureOf))
    return [box._id, created.type, items.length, missing]
  })
  const layer = transports[name]
  if (layer === undefined) throw new Error(`there is no transport ${name}`)
  return Effect.runPromise(program.pipe(Effect.provide(Public.layer(config)), Effect.provide(layer)))
}
