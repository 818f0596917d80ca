// Credentials that are not at hand are obtained before a call is sent, and taken anew for each attempt.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { json } from "../../support/fake-transport.js"
import { renewing, tokenOf } from "./fake-credentials-provider.js"
import * as Sample from "./sample-dispatcher.js"
import { thing } from "./sample-dispatcher.js"
import * as Things from "./sample-operations.js"

describe("a call without credentials at hand", () => {
  it.effect("obtains them first, together with all others", () =>
    Effect.gen(function* () {
      const { credentialsProvider, count, forget } = renewing()
      forget()
      const { fake, dispatcher } = Sample.make([thing], { credentialsProvider })
      const calls = yield* Effect.fork(
        Effect.all(
          Array.from({ length: 50 }, () => dispatcher.call(Things.get, { id: "a" })),
          { concurrency: "unbounded" }
        )
      )
      yield* TestClock.adjust("999 millis")
      expect(fake.exchanges).toHaveLength(0)
      yield* TestClock.adjust("1 millis")
      yield* Fiber.join(calls)
      expect(count.renewals).toBe(1)
      expect(new Set(fake.requests().map(tokenOf))).toEqual(new Set(["token-2"]))
    })
  )

  it.effect("that is repeated takes those that are at hand by then", () =>
    Effect.gen(function* () {
      const { credentialsProvider, forget } = renewing()
      const { fake, dispatcher } = Sample.make([json(503, {}, { "retry-after": "5" }), thing], {
        credentialsProvider
      })
      const call = yield* Effect.fork(dispatcher.call(Things.get, { id: "a" }))
      yield* Effect.yieldNow()
      forget()
      yield* Effect.fork(Effect.clockWith(credentialsProvider.getCredentials))
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.join(call)
      expect(fake.requests().map(tokenOf)).toEqual(["token-1", "token-2"])
    })
  )
})
