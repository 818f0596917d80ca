// Signing out of a credentials provider forgets its session for good, whatever is under way at that moment.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { after, fork, make, memory, session, tokenOf } from "./sample-credentials-provider.js"

describe("signing out", () => {
  it.effect("forgets the session, here and in the store", () =>
    Effect.gen(function* () {
      const { held, store } = memory()
      const { credentialsProvider, current } = make({ store })
      yield* after(credentialsProvider.obtain)
      expect(held()).toEqual(session(1))
      yield* credentialsProvider.signOut
      expect(yield* current).toBeUndefined()
      expect(held()).toBeUndefined()
    })
  )

  it.effect("while a sign-in is under way is not undone by it", () =>
    Effect.gen(function* () {
      const { held, store } = memory()
      const { credentialsProvider, current } = make({ store })
      const call = yield* fork(credentialsProvider.obtain)
      yield* TestClock.adjust("500 millis")
      yield* credentialsProvider.signOut
      yield* TestClock.adjust("1 second")
      expect(tokenOf(yield* Fiber.join(call)), "who waited for it may still use it").toEqual(
        Either.right("token-1")
      )
      expect(yield* current).toBeUndefined()
      expect(held()).toBeUndefined()
    })
  )

  it.effect("while the session is being stored leaves nothing in the store", () =>
    Effect.gen(function* () {
      const { held, store, trouble } = memory()
      const { credentialsProvider } = make({ store })
      const call = yield* fork(credentialsProvider.obtain)
      trouble.delay = 500
      yield* TestClock.adjust("1100 millis")
      const out = yield* fork(credentialsProvider.signOut)
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.join(call)
      yield* Fiber.join(out)
      expect(held()).toBeUndefined()
    })
  )

  it.effect("while a stored session is being read is not undone by it", () =>
    Effect.gen(function* () {
      const { store, trouble } = memory(session(7))
      trouble.delay = 500
      const { credentialsProvider, current } = make({ store })
      const call = yield* fork(credentialsProvider.obtain)
      yield* TestClock.adjust("100 millis")
      const out = yield* fork(credentialsProvider.signOut)
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.join(call)
      yield* Fiber.join(out)
      expect(yield* current).toBeUndefined()
    })
  )

  it.effect("lets the next call sign in anew, with a session of its own", () =>
    Effect.gen(function* () {
      const { credentialsProvider, count } = make()
      const early = yield* fork(credentialsProvider.obtain)
      yield* TestClock.adjust("500 millis")
      yield* credentialsProvider.signOut
      const late = yield* fork(credentialsProvider.obtain)
      yield* TestClock.adjust("1 second")
      expect(tokenOf(yield* Fiber.join(early))).toEqual(Either.right("token-1"))
      expect(tokenOf(yield* Fiber.join(late))).toEqual(Either.right("token-2"))
      expect(count.begun).toBe(2)
    })
  )

  it.effect("does not bring back a stored session that could not be cleared", () =>
    Effect.gen(function* () {
      const { store, trouble } = memory(session(7))
      trouble.clear = true
      const { credentialsProvider } = make({ store })
      yield* credentialsProvider.signOut
      expect(tokenOf(yield* after(credentialsProvider.obtain))).toEqual(Either.right("token-1"))
    })
  )

  it.effect("works whatever the store does", () =>
    Effect.gen(function* () {
      const { store, trouble } = memory()
      trouble.clear = true
      const { credentialsProvider, current } = make({ store })
      yield* after(credentialsProvider.obtain)
      yield* credentialsProvider.signOut
      expect(yield* current).toBeUndefined()
    })
  )
})
