// How long a call pauses before it is repeated: by chance within a bound, or as the platform asks.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FC from "effect/FastCheck"
import * as Random from "effect/Random"
import * as TestClock from "effect/TestClock"
import type { Outcome } from "../../../core/ports/transport.js"
import { json, tooLarge } from "../../support/fake-transport.js"
import { settled } from "./running.js"
import * as Sample from "./sample-dispatcher.js"
import { busy } from "./sample-dispatcher.js"
import * as Things from "./sample-operations.js"

describe("a pause", () => {
  /** The pauses between the attempts of one call. */
  const pauses = (policy: Sample.Options["policy"], random: Random.Random, outcome: Outcome = busy) =>
    Effect.gen(function* () {
      const clock = yield* Effect.clock
      const times: Array<number> = []
      const { dispatcher } = Sample.make(
        () => {
          times.push(clock.unsafeCurrentTimeMillis())
          return outcome
        },
        { policy: { deadline: 500_000, ...policy } }
      )
      yield* settled(Effect.withRandom(dispatcher.call(Things.get, { id: "a" }), random))
      return times.slice(1).map((time, at) => time - times[at]!)
    })

  it.effect("is the random part of a bound that doubles from 200 ms to 8 s", () =>
    Effect.gen(function* () {
      expect(yield* pauses({ attempts: 10 }, Random.fixed([0.5]))).toEqual([
        100, 200, 400, 800, 1_600, 3_200, 4_000, 4_000, 4_000
      ])
      expect(yield* pauses({ attempts: 4 }, Random.fixed([0]))).toEqual([0, 0, 0])
    })
  )

  it.effect.prop(
    "is never longer than its bound, whatever chance says",
    [FC.string(), FC.integer({ min: 0, max: 300 }), FC.integer({ min: 0, max: 1_000 })],
    ([seed, pause, longestPause]) =>
      Effect.gen(function* () {
        const found = yield* pauses({ attempts: 5, pause, longestPause }, Random.make(seed))
        expect(found).toHaveLength(4)
        for (const [at, taken] of found.entries()) {
          expect(taken).toBeGreaterThanOrEqual(0)
          expect(taken).toBeLessThanOrEqual(Math.min(longestPause, pause * 2 ** at) + 1)
        }
      }),
    { fastCheck: { numRuns: 25 } }
  )

  it.effect("differs from call to call, so that clients do not return in step", () =>
    Effect.gen(function* () {
      const first = yield* Effect.forEach(["a", "b", "c", "d"], (seed) =>
        Effect.map(pauses({ attempts: 2 }, Random.make(seed)), (found) => found[0])
      )
      expect(new Set(first).size).toBe(4)
    })
  )

  // Spec 9.8
  it.effect("is as long as the platform asks, where it asks", () =>
    Effect.gen(function* () {
      expect(yield* pauses({}, Random.fixed([0.5]), json(503, {}, { "retry-after": "7" }))).toEqual([
        7_000, 7_000
      ])
      expect(yield* pauses({}, Random.fixed([0.5]), tooLarge(503, { "retry-after": "7" }))).toEqual([
        7_000, 7_000
      ])
      expect(yield* pauses({}, Random.fixed([0.5]), json(429, {}, { "retry-after": "0" }))).toEqual([0, 0])
    })
  )

  it.effect("is as long as the platform asks by a date", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2024-02-29T10:00:00Z"))
      const late = json(503, {}, { "retry-after": "Thu, 29 Feb 2024 10:00:20 GMT" })
      expect(yield* pauses({ attempts: 2 }, Random.fixed([0.5]), late)).toEqual([20_000])
    })
  )

  it.effect.each([-10, 10])("is by the platform's own clock, with the local one %d minutes off", (minutes) =>
    Effect.gen(function* () {
      const platform = Date.parse("2024-02-29T10:00:00Z")
      yield* TestClock.setTime(platform + minutes * 60_000)
      const late = json(
        503,
        {},
        { date: new Date(platform).toUTCString(), "retry-after": "Thu, 29 Feb 2024 10:00:20 GMT" }
      )
      expect(yield* pauses({ attempts: 2 }, Random.fixed([0.5]), late)).toEqual([20_000])
    })
  )

  it.effect.each(["soon", "-5", "1.5", "Thu, 99 Feb 2024 10:00:20 GMT"])(
    "is the client's own where the platform asks for %j",
    (header) =>
      Effect.gen(function* () {
        expect(
          yield* pauses({ attempts: 2 }, Random.fixed([0.5]), json(503, {}, { "retry-after": header }))
        ).toEqual([100])
      })
  )

  it.effect("longer than a minute fails the call at once, and says how long", () =>
    Effect.gen(function* () {
      const { fake, dispatcher } = Sample.make([json(429, {}, { "retry-after": "61" })], {
        policy: { deadline: 500_000 }
      })
      const error = yield* Effect.flip(dispatcher.call(Things.get, { id: "a" }))
      expect(error).toMatchObject({ _tag: "RateLimited", retryAfter: 61_000 })
      expect(fake.exchanges).toHaveLength(1)
    })
  )

  it.effect("that would outlast the deadline fails the call at once with what the platform said", () =>
    Effect.gen(function* () {
      const { fake, dispatcher } = Sample.make([json(503, {}, { "retry-after": "30" })])
      const error = yield* Effect.flip(dispatcher.call(Things.get, { id: "a" }))
      expect(error).toMatchObject({ _tag: "ServerFault", status: 503, retryAfter: 30_000 })
      expect(fake.exchanges).toHaveLength(1)
    })
  )
})
