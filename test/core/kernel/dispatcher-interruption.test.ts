// What becomes of an exchange that nobody waits for any longer.
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import type * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { streaming } from "../../support/fake-transport.js"
import { fork } from "./running.js"
import * as Sample from "./sample-dispatcher.js"
import { busy, thing } from "./sample-dispatcher.js"
import * as Things from "./sample-operations.js"

describe("a call that is interrupted", () => {
  it.effect("in flight abandons its exchange", () =>
    Effect.gen(function* () {
      const { fake, dispatcher } = Sample.make(["waits"])
      const call = yield* fork(dispatcher.call(Things.get, { id: "a" }))
      expect(fake.count("open")).toBe(1)
      yield* Fiber.interrupt(call)
      expect(fake.count("abandoned")).toBe(1)
      yield* TestClock.adjust("50 millis")
      expect(Chunk.size(yield* TestClock.sleeps())).toBe(0)
    })
  )

  it.effect("in a pause sends nothing more", () =>
    Effect.gen(function* () {
      const { fake, dispatcher } = Sample.make([busy, thing])
      const call = yield* fork(dispatcher.call(Things.get, { id: "a" }))
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
      const credentialsProvider = {
        ...Sample.keys(),
        current: () => undefined,
        getCredentials: (clock: Clock.Clock) =>
          Effect.zipRight(Deferred.await(gate), Sample.keys().getCredentials(clock))
      }
      const { fake, dispatcher } = Sample.make([thing], { credentialsProvider })
      const call = yield* fork(dispatcher.call(Things.get, { id: "a" }))
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
      const { fake, dispatcher } = Sample.make(["waits"])
      const call = yield* fork(dispatcher.open(Things.download, { id: "a" }))
      fake.at(0).settle(streaming(body))
      yield* Fiber.interrupt(call)
      expect(isCancelled).toBe(true)
    })
  )

  it.effect("by a race abandons the loser's exchange", () =>
    Effect.gen(function* () {
      const { fake, dispatcher } = Sample.make(({ path }) => (path.endsWith("slow") ? "waits" : thing))
      const winner = yield* Effect.race(
        dispatcher.call(Things.get, { id: "slow" }),
        dispatcher.call(Things.get, { id: "a" })
      )
      expect(winner._id).toBe("a")
      expect(fake.count("abandoned")).toBe(1)
    })
  )
})
