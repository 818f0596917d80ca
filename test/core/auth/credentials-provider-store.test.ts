// A credentials provider keeps its session in a store, and works without it where the store fails.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as TestClock from "effect/TestClock"
import { CredentialsError } from "../../../core/kernel/errors/errors.js"
import type { StoredSession } from "../../../core/ports/session-store.js"
import { after, credentials, make, memory, session, tokenOf } from "./sample-credentials-provider.js"

describe("a store", () => {
  it.effect("that holds a session spares the sign-in", () =>
    Effect.gen(function* () {
      const { log, store } = memory(session(7))
      const { credentialsProvider, count, current } = make({ store })
      expect((yield* credentialsProvider.obtain).headers.authorization).toBe("token-7")
      expect(yield* current).toBe("token-7")
      expect(count.begun).toBe(0)
      expect(log).toEqual(["load"])
    })
  )

  it.effect("that holds one which has ended does not", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_000_000)
      const { held, store } = memory(session(7))
      const times: Array<number> = []
      const isFresh = (_: StoredSession, time: number) => {
        times.push(time)
        return false
      }
      const { credentialsProvider } = make({ store, isFresh })
      expect(tokenOf(yield* after(credentialsProvider.obtain))).toEqual(Either.right("token-1"))
      expect(times).toEqual([1_000_000])
      expect(held()).toEqual(session(1))
    })
  )

  it.effect("that holds one which cannot be used does not", () =>
    Effect.gen(function* () {
      const { store } = memory(session(7))
      const unusable = new CredentialsError({ operation: "client", reason: "Malformed", advice: "no" })
      const present = (kept: StoredSession) =>
        kept.sessionId === "session-7" ? Effect.fail(unusable) : Effect.succeed(credentials(kept))
      const { credentialsProvider } = make({ store, present })
      expect(tokenOf(yield* after(credentialsProvider.obtain))).toEqual(Either.right("token-1"))
    })
  )

  it.effect("whose session the platform refuses is given another one", () =>
    Effect.gen(function* () {
      const { held, store } = memory(session(7))
      const { credentialsProvider, renew } = make({ store })
      const stored = yield* credentialsProvider.obtain
      expect(tokenOf(yield* after(renew(stored)))).toEqual(Either.right("token-1"))
      expect(held()).toEqual(session(1))
    })
  )

  it.effect("keeps every session that is signed in for", () =>
    Effect.gen(function* () {
      const { held, store } = memory()
      const { credentialsProvider } = make({ store })
      yield* after(credentialsProvider.obtain)
      expect(held()).toEqual(session(1))
    })
  )

  it.effect("that fails costs a sign-in and nothing else", () =>
    Effect.gen(function* () {
      const { store, trouble } = memory(session(7))
      trouble.load = true
      trouble.save = true
      const { credentialsProvider, current } = make({ store })
      expect(tokenOf(yield* after(credentialsProvider.obtain))).toEqual(Either.right("token-1"))
      expect(yield* current).toBe("token-1")
    })
  )

  it.effect("that never answers does not keep calls waiting for ever", () =>
    Effect.gen(function* () {
      const { store, trouble } = memory(session(7))
      trouble.delay = 1e9
      const { credentialsProvider, current } = make({ store })
      expect(tokenOf(yield* after(credentialsProvider.obtain, "30 seconds"))).toEqual(Either.right("token-1"))
      expect(yield* current).toBe("token-1")
    })
  )
})
