/** A run whose client cannot sign in at first. */

import * as Sandbox from "@quartet/sandbox"
import * as Admin from "@quartet/sdk/admin"
import { type TransportService as Service, Transport } from "@quartet/sdk/extend"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { expect, it } from "vitest"
import * as Fleet from "../jobs/index.js"
import { file } from "./stores.js"

const { transport } = Effect.runSync(Sandbox.make({ seed: 5 }))
const { admin, projectId } = Sandbox.accounts

const create = Fleet.job("create", {
  input: Schema.Struct({}),
  key: () => "all",
  source: () => Stream.range(0, 7),
  each: (n, { idempotencyKey }) => Admin.entities.create({ kind: "x", payload: { n } }, { idempotencyKey }),
  onUnknown: Fleet.sendAgain
})

it("waits while the platform cannot be reached for the sign-in, and through the client's pause after it", async () => {
  let refusals = 3
  const absent: Service = {
    start: (request, settle) => {
      if (refusals === 0) return transport.start(request, settle)
      refusals -= 1
      settle({ _tag: "Failed", reason: "Refused", sent: false, cause: undefined })
      return () => false
    }
  }
  const ended = await Effect.gen(function* () {
    const runner = Fleet.layer({
      jobs: [create],
      store: yield* file,
      clients: Admin.layer({
        baseUrl: "http://sandbox.test",
        projectId,
        ...admin,
        signInCooldown: 300,
        policy: { attempts: 1 }
      })
    })
    return yield* Effect.provide(
      Effect.flatMap(create.start({}), ({ wait }) => wait),
      runner
    )
  }).pipe(Effect.provideService(Transport, absent), Effect.scoped, Effect.runPromise)
  expect(ended).toMatchObject({ state: "done", done: 8, failed: 0, unknown: 0 })
})
