// One deadline over all attempts, pauses and bodies; and what becomes of an exchange that nobody waits for.
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import * as TestClock from "effect/TestClock"
import { vi } from "vitest"
import type { CallError } from "../../../core/kernel/errors.js"
import { failed, json, streaming } from "./fake-transport.js"
import * as Sample from "./sample-gateway.js"
import * as Things from "./sample-operations.js"

const thing = json(200, { _id: "a" })
const busy = json(503, {})
const fork = <A>(call: Effect.Effect<A, CallError>) =>
  Effect.tap(Effect.fork(Effect.either(Effect.withRandom(call, Random.fixed([0.5])))), () =>
    Effect.yieldNow()
  )
const isDone = <A>(fiber: Fiber.RuntimeFiber<A>) =>
  Effect.map(Fiber.poll(fiber), (exit) => exit._tag === "Some")

describe("a deadline", () => {
  it.effect("ends a call to the millisecond, and abandons its exchange", () =>
    Effect.gen(function* () {
      const { fake, gateway } = Sample.make(["waits"], { policy: { deadline: 1_000 } })
      const call = yield* fork(gateway.call(Things.get, { id: "a" }))
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

  it.effect(
    "of 30 seconds is every call's, unless a policy says otherwise",
    () =>
      Effect.gen(function* () {
        const { gateway } = Sample.make(["waits"])
        const call = yield* fork(gateway.call(Things.get, { id: "a" }))
        const sooner = yield* fork(gateway.call(Things.get, { id: "a" }, { policy: { deadline: 50 } }))
        yield* TestClock.adjust("50 millis")
        expect([yield* isDone(call), yield* isDone(sooner)]).toEqual([false, true])
        yield* TestClock.adjust("29950 millis")
        expect(yield* isDone(call)).toBe(true)
      }),
    60_000
  )

  it.effect("counts from the start of the call over all its attempts and pauses", () =>
    Effect.gen(function* () {
      const { fake, gateway } = Sample.make([busy, busy, "waits"], { policy: { deadline: 1_000 } })
      const call = yield* fork(gateway.call(Things.get, { id: "a" }))
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
      const { fake, gateway } = Sample.make(["waits"], { policy: { deadline: 1_000 } })
      const call = yield* fork(gateway.call(Things.get, { id: "a" }))
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
      const { fake, gateway } = Sample.make(["waits"], { policy: { deadline: 100 } })
      const call = yield* fork(gateway.call(Things.create, { payload: {} }))
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
      const { fake, gateway } = Sample.make(["waits"], { policy: { deadline: 100, attempts: 5 } })
      const call = yield* fork(gateway.call(Things.search, { payload: {} }))
      yield* TestClock.adjust("10 seconds")
      expect(Either.getOrThrow(Either.flip(yield* Fiber.join(call)))._tag).toBe("DeadlineExceeded")
      expect(fake.exchanges).toHaveLength(1)
    })
  )

  it.effect("holds over the time that credentials take", () =>
    Effect.gen(function* () {
      const authority = { ...Sample.keys(), current: () => undefined, obtain: Effect.never }
      const { fake, gateway } = Sample.make([thing], { authority, policy: { deadline: 200 } })
      const call = yield* fork(gateway.call(Things.create, { payload: {} }))
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
      const authority = { ...Sample.keys(), renew: () => Effect.never }
      const { gateway } = Sample.make([json(401, {})], { authority, policy: { deadline: 200 } })
      const call = yield* fork(gateway.call(Things.create, { payload: {} }))
      yield* TestClock.adjust("200 millis")
      expect(Either.getOrThrow(Either.flip(yield* Fiber.join(call)))._tag, "401 means: not done").toBe(
        "DeadlineExceeded"
      )
    })
  )

  it.effect("does not cut off a download whose bytes have begun to come", () =>
    Effect.gen(function* () {
      const body = new ReadableStream<Uint8Array>()
      const { fake, gateway } = Sample.make([streaming(body)], { policy: { deadline: 200 } })
      expect(yield* gateway.open(Things.download, { id: "a" })).toBe(body)
      yield* TestClock.adjust("1 seconds")
      expect(fake.count("abandoned")).toBe(0)
    })
  )
})

describe("an answer that comes too late", () => {
  it.effect("is never asked for: an abandoned exchange settles nothing", () =>
    Effect.gen(function* () {
      const { fake, gateway } = Sample.make(["waits"], { policy: { deadline: 100 } })
      const call = yield* fork(gateway.call(Things.get, { id: "a" }))
      yield* TestClock.adjust("100 millis")
      yield* Fiber.join(call)
      expect(() => fake.at(0).settle(thing)).toThrow("an abandoned exchange was settled")
    })
  )
})

describe("a call that is interrupted", () => {
  it.effect("in flight abandons its exchange", () =>
    Effect.gen(function* () {
      const { fake, gateway } = Sample.make(["waits"])
      const call = yield* fork(gateway.call(Things.get, { id: "a" }))
      expect(fake.count("open")).toBe(1)
      yield* Fiber.interrupt(call)
      expect(fake.count("abandoned")).toBe(1)
      yield* TestClock.adjust("50 millis")
      expect(Chunk.size(yield* TestClock.sleeps())).toBe(0)
    })
  )

  it.effect("in a pause sends nothing more", () =>
    Effect.gen(function* () {
      const { fake, gateway } = Sample.make([busy, thing])
      const call = yield* fork(gateway.call(Things.get, { id: "a" }))
      yield* TestClock.adjust("50 millis")
      yield* Fiber.interrupt(call)
      yield* TestClock.adjust("10 seconds")
      expect(fake.exchanges).toHaveLength(1)
      expect(Chunk.size(yield* TestClock.sleeps())).toBe(0)
    })
  )

  it.effect("while it waits for credentials sends nothing", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const authority = {
        ...Sample.keys(),
        current: () => undefined,
        obtain: Effect.zipRight(Deferred.await(gate), Sample.keys().obtain)
      }
      const { fake, gateway } = Sample.make([thing], { authority })
      const call = yield* fork(gateway.call(Things.get, { id: "a" }))
      yield* Fiber.interrupt(call)
      yield* Deferred.succeed(gate, undefined)
      yield* TestClock.adjust("1 seconds")
      expect(fake.exchanges).toHaveLength(0)
    })
  )

  it.effect("just as the bytes of its answer begin to come gives them up", () =>
    Effect.gen(function* () {
      let isCancelled = false
      const body = new ReadableStream<Uint8Array>({
        cancel: () => {
          isCancelled = true
        }
      })
      const { fake, gateway } = Sample.make(["waits"])
      const call = yield* fork(gateway.open(Things.download, { id: "a" }))
      fake.at(0).settle(streaming(body))
      yield* Fiber.interrupt(call)
      expect(isCancelled).toBe(true)
    })
  )

  it.effect("by a race abandons the loser's exchange", () =>
    Effect.gen(function* () {
      const { fake, gateway } = Sample.make(({ path }) => (path.endsWith("slow") ? "waits" : thing))
      const winner = yield* Effect.race(
        gateway.call(Things.get, { id: "slow" }),
        gateway.call(Things.get, { id: "a" })
      )
      expect(winner._id).toBe("a")
      expect(fake.count("abandoned")).toBe(1)
    })
  )
})

describe("a transport that misbehaves", () => {
  it.effect("by throwing when it starts makes the call die, and not hang", () =>
    Effect.gen(function* () {
      const { gateway } = Sample.make(() => {
        throw new Error("broken adapter")
      })
      const exit = yield* Effect.exit(gateway.call(Things.get, { id: "a" }))
      expect(Exit.isFailure(exit) && exit.cause._tag).toBe("Die")
    })
  )

  it.effect("by an answer that throws when it is read makes the call die, and not hang", () =>
    Effect.gen(function* () {
      const { gateway } = Sample.make([
        {
          _tag: "Answered",
          status: 503,
          header: () => {
            throw new Error("broken adapter")
          },
          body: new Uint8Array()
        }
      ])
      const exit = yield* Effect.exit(gateway.call(Things.get, { id: "a" }))
      expect(Exit.isFailure(exit) && exit.cause._tag).toBe("Die")
    })
  )

  it.effect("by throwing when it is abandoned does not keep the deadline from ending the call", () =>
    Effect.gen(function* () {
      const { gateway } = Sample.make(["waits"], { policy: { deadline: 100 } })
      const start = () => () => {
        throw new Error("broken adapter")
      }
      const broken = Sample.over({ start }, { policy: { deadline: 100 } })
      const calls = yield* Effect.all([
        fork(broken.call(Things.get, { id: "a" })),
        fork(gateway.call(Things.get, { id: "a" }))
      ])
      yield* TestClock.adjust("100 millis")
      for (const call of calls) {
        expect(Either.getOrThrow(Either.flip(yield* Fiber.join(call)))._tag).toBe("DeadlineExceeded")
      }
    })
  )

  it.effect("by a cause of any kind makes a typed failure", () =>
    Effect.gen(function* () {
      for (const cause of [undefined, null, "text", 7, Symbol("s"), { toString: null }]) {
        const { gateway } = Sample.make([failed("Unknown", false, cause)], { policy: { attempts: 1 } })
        expect((yield* Effect.flip(gateway.call(Things.get, { id: "a" })))._tag).toBe("NetworkError")
      }
    })
  )
})

describe("a call without a fiber", () => {
  const launched = (script: Parameters<typeof Sample.make>[0], options: Sample.Options = {}) => {
    const { fake, gateway } = Sample.make(script, options)
    const exits: Array<Exit.Exit<unknown, CallError>> = []
    const cancel = gateway.launch(Things.get, { id: "a" }, undefined, (exit) => exits.push(exit))
    return { fake, exits, cancel }
  }
  const until = (check: () => void) =>
    Effect.promise(() => vi.waitFor(check, { timeout: 5_000, interval: 1 }))
  /** Lets everything run that is ready to. */
  const idle = Effect.promise(() => new Promise((resolve) => setImmediate(() => setImmediate(resolve))))

  it.live("ends with its value", () =>
    Effect.gen(function* () {
      const { exits } = launched([thing])
      yield* until(() => expect(exits).toEqual([Exit.succeed({ _id: "a" })]))
    })
  )

  it.live("is repeated like any other, also where the transport answers before it returns", () =>
    Effect.gen(function* () {
      const { exits, fake } = launched([busy, busy, thing], { policy: { pause: 1 } })
      yield* until(() => expect(exits).toEqual([Exit.succeed({ _id: "a" })]))
      expect(fake.exchanges).toHaveLength(3)
    })
  )

  it.live("that is cancelled in flight abandons its exchange, and ends in nothing", () =>
    Effect.gen(function* () {
      const { cancel, exits, fake } = launched(["waits"])
      cancel()
      cancel()
      expect(fake.count("abandoned")).toBe(1)
      yield* idle
      expect(exits).toEqual([])
    })
  )

  it.live("that is cancelled in its second attempt abandons that one", () =>
    Effect.gen(function* () {
      const { cancel, exits, fake } = launched([json(503, {}, { "retry-after": "0" }), "waits"])
      yield* until(() => expect(fake.count("open")).toBe(1))
      cancel()
      yield* until(() => expect(fake.count("abandoned")).toBe(1))
      expect(exits).toEqual([])
    })
  )

  it.live("ends at its deadline", () =>
    Effect.gen(function* () {
      const { exits, fake } = launched(["waits"], { policy: { deadline: 5 } })
      yield* until(() => expect(exits).toHaveLength(1))
      expect(exits[0]).toMatchObject({ _tag: "Failure", cause: { error: { _tag: "DeadlineExceeded" } } })
      expect(fake.count("abandoned")).toBe(1)
    })
  )
})
