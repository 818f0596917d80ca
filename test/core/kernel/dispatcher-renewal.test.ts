// 401: credentials are renewed once, for all calls together, and a call is tried once more.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { type CallError, CredentialsError } from "../../../core/kernel/errors/errors.js"
import { json, tooLarge } from "../../support/fake-transport.js"
import { renewing, tokenOf } from "./fake-credentials-provider.js"
import { settled } from "./running.js"
import * as Sample from "./sample-dispatcher.js"
import { thing } from "./sample-dispatcher.js"
import * as Things from "./sample-operations.js"

const refused = json(401, { message: "who?" }, { "x-request-id": "req-1" })

const failure = <A>(call: Effect.Effect<A, CallError>) =>
  Effect.map(settled(call), (ended) => Either.getOrThrow(Either.flip(ended)))

describe("a call whose credentials are refused", () => {
  it.effect("is sent once more with new ones", () =>
    Effect.gen(function* () {
      const { credentialsProvider, count } = renewing()
      const { fake, dispatcher } = Sample.make([refused, thing], { credentialsProvider })
      expect(yield* settled(dispatcher.call(Things.get, { id: "a" }))).toEqual(Either.right({ _id: "a" }))
      expect(fake.requests().map(tokenOf)).toEqual(["token-1", "token-2"])
      expect(count.renewals).toBe(1)
    })
  )

  it.effect("is sent once more with new ones also where the refusal is longer than may be held", () =>
    Effect.gen(function* () {
      const { credentialsProvider, count } = renewing()
      const { fake, dispatcher } = Sample.make([tooLarge(401), thing], { credentialsProvider })
      expect(yield* settled(dispatcher.call(Things.get, { id: "a" }))).toEqual(Either.right({ _id: "a" }))
      expect(fake.requests().map(tokenOf)).toEqual(["token-1", "token-2"])
      expect(count.renewals).toBe(1)
    })
  )

  it.effect("is sent once more also where it writes: 401 means that nothing was done", () =>
    Effect.gen(function* () {
      const { credentialsProvider } = renewing()
      const { fake, dispatcher } = Sample.make([refused, thing], { credentialsProvider })
      yield* settled(dispatcher.call(Things.create, { payload: {} }))
      expect(fake.exchanges).toHaveLength(2)
    })
  )

  it.effect("twice is not sent again, and no second renewal is asked for", () =>
    Effect.gen(function* () {
      const { credentialsProvider, count } = renewing()
      const { fake, dispatcher } = Sample.make([refused], { credentialsProvider, policy: { attempts: 10 } })
      expect(yield* failure(dispatcher.call(Things.get, { id: "a" }))).toMatchObject({
        _tag: "Unauthenticated",
        operation: "things.get",
        status: 401,
        serverMessage: "who?",
        requestId: "req-1"
      })
      expect(fake.exchanges).toHaveLength(2)
      expect(count.renewals).toBe(1)
    })
  )

  it.effect("twice, with a fault in between, is not renewed a second time either", () =>
    Effect.gen(function* () {
      const { credentialsProvider, count } = renewing()
      const busy = json(503, {})
      const { fake, dispatcher } = Sample.make([refused, busy, refused], {
        credentialsProvider,
        policy: { attempts: 10 }
      })
      expect((yield* failure(dispatcher.call(Things.get, { id: "a" })))._tag).toBe("Unauthenticated")
      expect(fake.exchanges).toHaveLength(3)
      expect(count.renewals).toBe(1)
    })
  )

  it.effect("is renewed even where it may be tried only once", () =>
    Effect.gen(function* () {
      const { credentialsProvider } = renewing()
      const { fake, dispatcher } = Sample.make([refused, thing], {
        credentialsProvider,
        policy: { attempts: 1 }
      })
      expect(Either.isRight(yield* settled(dispatcher.call(Things.get, { id: "a" })))).toBe(true)
      expect(fake.exchanges).toHaveLength(2)
    })
  )

  it.effect("is not renewed where credentials are keys", () =>
    Effect.gen(function* () {
      const { fake, dispatcher } = Sample.make([refused])
      expect((yield* failure(dispatcher.call(Things.get, { id: "a" })))._tag).toBe("Unauthenticated")
      expect(fake.exchanges).toHaveLength(1)
    })
  )

  it.effect("is not renewed where it sends none, as a sign-in does", () =>
    Effect.gen(function* () {
      const { credentialsProvider, count } = renewing()
      const { fake, dispatcher } = Sample.make([refused], { credentialsProvider })
      expect((yield* failure(dispatcher.call(Things.open, {})))._tag).toBe("Unauthenticated")
      expect(fake.exchanges).toHaveLength(1)
      expect(count).toEqual({ renewals: 0, obtained: 0 })
    })
  )

  it.effect("fails as the renewal does", () =>
    Effect.gen(function* () {
      const rejected = new CredentialsError({ operation: "auth.login", reason: "Rejected", advice: "no" })
      const credentialsProvider = { ...renewing().credentialsProvider, renew: () => Effect.fail(rejected) }
      const { fake, dispatcher } = Sample.make([refused], { credentialsProvider })
      expect(yield* failure(dispatcher.call(Things.get, { id: "a" }))).toBe(rejected)
      expect(fake.exchanges).toHaveLength(1)
    })
  )

  it.effect("does not spend the budget of repetitions", () =>
    Effect.gen(function* () {
      const { credentialsProvider } = renewing()
      let isRefusing = true
      const { fake, dispatcher } = Sample.make(
        ({ headers }) => (isRefusing && headers.authorization === "Bearer token-1" ? refused : json(503, {})),
        { credentialsProvider, policy: { attempts: 1 } }
      )
      yield* settled(
        Effect.all(
          Array.from({ length: 500 }, () => Effect.either(dispatcher.call(Things.get, { id: "a" }))),
          { concurrency: "unbounded" }
        )
      )
      isRefusing = false
      const before = fake.exchanges.length
      yield* settled(dispatcher.call(Things.get, { id: "a" }, { policy: { attempts: 3 } }))
      expect(fake.exchanges.length - before).toBe(3)
    })
  )
})

describe("a thousand calls whose credentials are refused at once", () => {
  it.effect("share one renewal, and each is sent once more", () =>
    Effect.gen(function* () {
      const { credentialsProvider, count } = renewing()
      const { fake, dispatcher } = Sample.make(
        (request) => (tokenOf(request) === "token-1" ? refused : thing),
        {
          credentialsProvider
        }
      )
      const calls = yield* Effect.fork(
        Effect.all(
          Array.from({ length: 1_000 }, () => dispatcher.call(Things.get, { id: "a" })),
          { concurrency: "unbounded" }
        )
      )
      yield* TestClock.adjust("1 second")
      expect(yield* Fiber.join(calls)).toHaveLength(1_000)
      expect(count.renewals).toBe(1)
      expect(fake.exchanges).toHaveLength(2_000)
    })
  )

  it.effect("are refused again once each, and then fail", () =>
    Effect.gen(function* () {
      const { credentialsProvider, count } = renewing()
      const { fake, dispatcher } = Sample.make([refused], { credentialsProvider })
      const calls = yield* Effect.fork(
        Effect.all(
          Array.from({ length: 1_000 }, () => Effect.flip(dispatcher.call(Things.get, { id: "a" }))),
          { concurrency: "unbounded" }
        )
      )
      yield* TestClock.adjust("1 second")
      expect(new Set((yield* Fiber.join(calls)).map(({ _tag }) => _tag))).toEqual(
        new Set(["Unauthenticated"])
      )
      expect(count.renewals).toBe(1)
      expect(fake.exchanges).toHaveLength(2_000)
    })
  )
})
