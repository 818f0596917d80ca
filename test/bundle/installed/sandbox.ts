/** A platform in memory, in this process and served. */
import * as Sandbox from "@quartet/sandbox"
import * as SandboxServer from "@quartet/sandbox/server"
import * as Testing from "@quartet/sandbox/testing"
import { EndUser } from "@quartet/sdk"
import { createPublicClient } from "@quartet/sdk/promise"
import * as Effect from "effect/Effect"

const inMemory = EndUser.requests
  .create({ payload: { type: "BUY", description: "A flat" } })
  .pipe(Effect.provide(Testing.layer({ seed: 3 })))

const served = Effect.gen(function* () {
  const { url: baseUrl } = yield* SandboxServer.serve({ port: 0 })
  const { apiKey, endUsers } = Sandbox.accounts
  const visitor = createPublicClient({ baseUrl, apiKey })
  const { sessionId } = yield* Effect.promise(() => visitor.auth.login(endUsers.ana))
  yield* Effect.promise(() => visitor.close())
  return typeof sessionId
})

export const sample = async (): Promise<string> => {
  const { type } = await Effect.runPromise(inMemory)
  return `${type}, and a session of a ${await Effect.runPromise(Effect.scoped(served))}`
}
