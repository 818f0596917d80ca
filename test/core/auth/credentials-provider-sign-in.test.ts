// A credentials provider obtains credentials by signing in: once for all calls, and after a failure no sooner than its
// cooldown.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { CredentialsError, NetworkError } from "../../../core/kernel/errors/errors.js"
import { after, cooldown, fork, make, memory, session, tokenOf } from "./sample-credentials-provider.js"

const rejected = new CredentialsError({ operation: "auth.login", reason: "Rejected", advice: "no" })

describe("signing in", () => {
  it.effect("waits for the first call", () =>
    Effect.gen(function* () {
      const { count, current } = make()
      yield* TestClock.adjust("1 minute")
      expect(count.begun).toBe(0)
      expect(yield* current).toBeUndefined()
    })
  )

  it.effect("happens once for a thousand calls at once, and once for all that follow", () =>
    Effect.gen(function* () {
      const { credentialsProvider, count, current } = make()
      const all = Effect.all(
        Array.from({ length: 1_000 }, () => credentialsProvider.obtain),
        { concurrency: "unbounded" }
      )
      const obtained = Either.getOrThrow(yield* after(all))
      expect(new Set(obtained).size).toBe(1)
      expect(yield* current).toBe("token-1")
      yield* TestClock.adjust("1 hour")
      yield* credentialsProvider.obtain
      expect(count).toEqual({ begun: 1, done: 1, stopped: 0 })
    })
  )

  // Spec 4.7, 7.50
  it.effect("keeps the user with the token and the session id", () =>
    Effect.gen(function* () {
      const kept = { ...session(1), user: { _id: "ada" } }
      const { held, store } = memory()
      const { credentialsProvider } = make({ signIn: Effect.succeed(kept), store })
      expect(yield* credentialsProvider.user).toEqual({ _id: "ada" })
      expect(held()).toEqual(kept)
      const next = make({ store })
      expect(yield* next.credentialsProvider.user).toEqual({ _id: "ada" })
      expect(next.count.begun).toBe(0)
    })
  )

  it.effect("goes on for the others when the call that began it is interrupted", () =>
    Effect.gen(function* () {
      const { credentialsProvider, count } = make()
      const first = yield* fork(credentialsProvider.obtain)
      const second = yield* fork(credentialsProvider.obtain)
      yield* Fiber.interrupt(first)
      yield* TestClock.adjust("1 second")
      expect(tokenOf(yield* Fiber.join(second))).toEqual(Either.right("token-1"))
      expect(count).toEqual({ begun: 1, done: 1, stopped: 0 })
    })
  )

  it.effect(
    "is stopped when all calls that wait for it are interrupted, and begins anew without a cooldown",
    () =>
      Effect.gen(function* () {
        const { credentialsProvider, count } = make()
        const calls = yield* Effect.all([fork(credentialsProvider.obtain), fork(credentialsProvider.obtain)])
        yield* Fiber.interruptAll(calls)
        yield* TestClock.adjust("10 millis")
        expect(count).toEqual({ begun: 1, done: 0, stopped: 1 })
        expect(tokenOf(yield* after(credentialsProvider.obtain))).toEqual(Either.right("token-2"))
      })
  )
})

describe("a sign-in that fails", () => {
  it.effect("fails all calls that wait for it, alike", () =>
    Effect.gen(function* () {
      const { credentialsProvider, count, failWith } = make()
      failWith(rejected)
      const all = Effect.all(
        Array.from({ length: 100 }, () => Effect.flip(credentialsProvider.obtain)),
        { concurrency: "unbounded" }
      )
      expect(new Set(Either.getOrThrow(yield* after(all)))).toEqual(new Set([rejected]))
      expect(count.begun).toBe(1)
    })
  )

  it.effect("is not tried again before its cooldown has passed", () =>
    Effect.gen(function* () {
      const { credentialsProvider, count, failWith } = make()
      failWith(rejected)
      yield* after(credentialsProvider.obtain)
      yield* TestClock.adjust(cooldown - 1)
      const refused = yield* Effect.flip(credentialsProvider.obtain)
      expect(refused).toMatchObject({ _tag: "CredentialsError", reason: "Cooldown" })
      expect(refused.cause).toBe(rejected)
      expect(count.begun).toBe(1)
      failWith(undefined)
      yield* TestClock.adjust(1)
      expect(tokenOf(yield* after(credentialsProvider.obtain))).toEqual(Either.right("token-2"))
    })
  )

  it.effect("for any reason has the cooldown: an outage is no reason to hammer", () =>
    Effect.gen(function* () {
      const { credentialsProvider, count, failWith } = make()
      failWith(new NetworkError({ operation: "auth.login", reason: "Refused" }))
      yield* after(credentialsProvider.obtain)
      for (let call = 0; call < 100; call++) yield* Effect.flip(credentialsProvider.obtain)
      expect(count.begun).toBe(1)
    })
  )

  it.effect("because its session cannot be used counts as failed", () =>
    Effect.gen(function* () {
      const unusable = new CredentialsError({ operation: "client", reason: "Malformed", advice: "no" })
      const { credentialsProvider, count, current } = make({ present: () => Effect.fail(unusable) })
      expect(yield* after(credentialsProvider.obtain)).toEqual(Either.left(unusable))
      expect(yield* current).toBeUndefined()
      expect(yield* Effect.flip(credentialsProvider.obtain)).toMatchObject({ reason: "Cooldown" })
      expect(count.begun).toBe(1)
    })
  )
})
