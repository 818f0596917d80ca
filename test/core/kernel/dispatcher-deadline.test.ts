// One deadline over all attempts, pauses and bodies; and what becomes of an answer that comes after it.
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { json, streaming } from "../../support/fake-transport.js"
import { fork } from "./running.js"
import * as Sample from "./sample-dispatcher.js"
import { busy, thing } from "./sample-dispatcher.js"
import * as Things from "./sample-operations.js"

const isDone = <A>(fiber: Fiber.RuntimeFiber<A>) =>
  Effect.map(Fiber.poll(fiber), (exit) => exit._tag === "Some")

describe("a deadline", () => {
  it.effect("ends a call to the millisecond, and abandons its exchange", () =>
    Effect.gen(function* () {
      const { fake, dispatcher } = Sample.make(["waits"], { policy: { deadline: 1_000 } })
      const call = yield* fork(dispatcher.call(Things.get, { id: "a" }))
      yield* TestClock.adjust("999 millis")
      expect(yield* isDone(call)).toBe(false)
      expect(fake.count("open")).toBe(1)
      yield* TestClock.adjust("1 millis")
      expect(Either.getOrThrow(Either.flip(yield* Fiber.join(call)))).toMatchObject({
        _tag: "DeadlineExceeded",
        operation: "things.get",
        deadline: 1_000,
        attempts: 1
      })
      expect(fake.count("abandoned")).toBe(1)
    })
  )

  it.effect("of 30 seconds is every call's, unless a policy says otherwise", () =>
    Effect.gen(function* () {
      const { dispatcher } = Sample.make(["waits"])
      const call = yield* fork(dispatcher.call(Things.get, { id: "a" }))
      const sooner = yield* fork(dispatcher.call(Things.get, { id: "a" }, { policy: { deadline: 50 } }))
      yield* TestClock.adjust("50 millis")
      expect([yield* isDone(call), yield* isDone(sooner)]).toEqual([false, true])
      yield* TestClock.adjust("29950 millis")
      expect(yield* isDone(call)).toBe(true)
    })
  )

  it.effect("counts from the start of the call over all its attempts and pauses", () =>
    Effect.gen(function* () {
      const { fake, dispatcher } = Sample.make([busy, busy, "waits"], { policy: { deadline: 1_000 } })
      const call = yield* fork(dispatcher.call(Things.get, { id: "a" }))
      yield* TestClock.adjust("999 millis")
      expect(fake.exchanges).toHaveLength(3)
      expect(yield* isDone(call)).toBe(false)
      yield* TestClock.adjust("1 millis")
      expect(Either.getOrThrow(Either.flip(yield* Fiber.join(call)))).toMatchObject({
        _tag: "DeadlineExceeded",
        attempts: 3
      })
      expect(fake.count("abandoned")).toBe(1)
    })
  )

  it.effect("leaves nothing of itself behind when the answer comes in time", () =>
    Effect.gen(function* () {
      const { fake, dispatcher } = Sample.make(["waits"], { policy: { deadline: 1_000 } })
      const call = yield* fork(dispatcher.call(Things.get, { id: "a" }))
      yield* TestClock.adjust("900 millis")
      fake.at(0).settle(thing)
      expect(Either.isRight(yield* Fiber.join(call))).toBe(true)
      yield* TestClock.adjust("200 millis")
      expect(fake.count("settled")).toBe(1)
      expect(Chunk.size(yield* TestClock.sleeps())).toBe(0)
    })
  )

  it.effect("makes the outcome of a writing call unknown", () =>
    Effect.gen(function* () {
      const { fake, dispatcher } = Sample.make(["waits"], { policy: { deadline: 100 } })
      const call = yield* fork(dispatcher.call(Things.create, { payload: {} }))
      yield* TestClock.adjust("100 millis")
      expect(Either.getOrThrow(Either.flip(yield* Fiber.join(call)))).toMatchObject({
        _tag: "OutcomeUnknown",
        reason: "Deadline",
        attempts: 1
      })
      expect(fake.count("abandoned")).toBe(1)
    })
  )

  it.effect("is not repeated over, however many attempts are left", () =>
    Effect.gen(function* () {
      const { fake, dispatcher } = Sample.make(["waits"], { policy: { deadline: 100, attempts: 5 } })
      const call = yield* fork(dispatcher.call(Things.search, { payload: {} }))
      yield* TestClock.adjust("10 seconds")
      expect(Either.getOrThrow(Either.flip(yield* Fiber.join(call)))._tag).toBe("DeadlineExceeded")
      expect(fake.exchanges).toHaveLength(1)
    })
  )

  it.effect("holds over the time that credentials take", () =>
    Effect.gen(function* () {
      const credentialsProvider = {
        ...Sample.keys(),
        current: () => undefined,
        getCredentials: () => Effect.never
      }
      const { fake, dispatcher } = Sample.make([thing], { credentialsProvider, policy: { deadline: 200 } })
      const call = yield* fork(dispatcher.call(Things.create, { payload: {} }))
      yield* TestClock.adjust("200 millis")
      expect(Either.getOrThrow(Either.flip(yield* Fiber.join(call))), "nothing was sent").toMatchObject({
        _tag: "DeadlineExceeded",
        attempts: 0
      })
      expect(fake.exchanges).toHaveLength(0)
    })
  )

  it.effect("holds over the time that a renewal takes", () =>
    Effect.gen(function* () {
      const credentialsProvider = { ...Sample.keys(), renew: () => Effect.never }
      const { dispatcher } = Sample.make([json(401, {})], { credentialsProvider, policy: { deadline: 200 } })
      const call = yield* fork(dispatcher.call(Things.create, { payload: {} }))
      yield* TestClock.adjust("200 millis")
      expect(Either.getOrThrow(Either.flip(yield* Fiber.join(call)))._tag, "401 means: not done").toBe(
        "DeadlineExceeded"
      )
    })
  )

  it.effect("does not cut off a download whose bytes have begun to come", () =>
    Effect.gen(function* () {
      const body = new ReadableStream<Uint8Array>()
      const { fake, dispatcher } = Sample.make([streaming(body)], { policy: { deadline: 200 } })
      expect(yield* dispatcher.open(Things.download, { id: "a" })).toBe(body)
      yield* TestClock.adjust("1 seconds")
      expect(fake.count("abandoned")).toBe(0)
    })
  )
})

describe("an answer that comes too late", () => {
  it.effect("is never asked for: an abandoned exchange settles nothing", () =>
    Effect.gen(function* () {
      const { fake, dispatcher } = Sample.make(["waits"], { policy: { deadline: 100 } })
      const call = yield* fork(dispatcher.call(Things.get, { id: "a" }))
      yield* TestClock.adjust("100 millis")
      yield* Fiber.join(call)
      expect(() => fake.at(0).settle(thing)).toThrow("an abandoned exchange was settled")
    })
  )
})
