import { describe, expect, it } from "@effect/vitest"
import { effect, live } from "@quartet/support/effect.js"
import * as Fake from "@quartet/support/fake-transport.js"
import { patient } from "@quartet/support/patience.js"
import { exchange } from "@quartet/support/transports.js"
import { Clock, Effect, FastCheck, Layer, type Scope, TestClock } from "effect"
import * as ServerClock from "../../adapters/clock/index.js"
import { Transport } from "../../core/ports/transport.js"

const noon = Date.parse("2024-05-01T12:00:00Z")
const dateOf = (time: number) => new Date(time).toUTCString()

const fixed = live.within<[], Scope.Scope>((use) => Effect.provide(use(), ServerClock.fixed(new Date(noon))))
fixed("the fixed clock stands still, while pauses and nanoseconds go on", function* () {
  const before = yield* Clock.currentTimeNanos
  yield* Effect.sleep(20)
  expect(yield* Clock.currentTimeMillis).toBe(noon)
  expect((yield* Clock.currentTimeNanos) - before).toBeGreaterThan(10_000_000n)
})

effect("the system's clock tells the real time, also inside another clock", function* () {
  expect(yield* Clock.currentTimeMillis).toBe(0)
  const inner = yield* Effect.provide(Clock.currentTimeMillis, ServerClock.system)
  expect(Math.abs(inner - Date.now())).toBeLessThan(patient(1_000))
})

describe("a clock that follows the server's", () => {
  const make = Effect.map(Effect.clock, ServerClock.makeServerCorrected)

  effect("is the machine's own before it has learnt anything", function* () {
    yield* TestClock.setTime(noon)
    const { clock, offset } = yield* make
    expect(offset()).toBe(0)
    expect(clock.unsafeCurrentTimeMillis()).toBe(noon)
    expect(yield* clock.currentTimeMillis).toBe(noon)
  })

  effect("leaves a clock alone that may be right", function* () {
    const { learn, offset } = yield* make
    learn(dateOf(noon), noon - 50, noon + 50)
    learn(dateOf(noon + 5_000), noon + 5_900, noon + 6_000)
    expect(offset()).toBe(0)
  })

  effect(
    "corrects a clock that is ten minutes off, either way, to a second and the time of an exchange",
    function* () {
      for (const wrong of [600_000, -600_000]) {
        yield* TestClock.setTime(noon + wrong)
        const { clock, learn } = yield* make
        learn(dateOf(noon), noon + wrong - 100, noon + wrong)
        expect(Math.abs(clock.unsafeCurrentTimeMillis() - noon)).toBeLessThanOrEqual(1_100)
      }
    }
  )

  effect("grows more exact with every answer", function* () {
    const ahead = 600_000
    const { learn, offset } = yield* make
    const misses: Array<number> = []
    for (let n = 0; n < 40; n++) {
      const server = noon + n * 1_370
      learn(dateOf(server), server - ahead - 20, server - ahead + 20)
      misses.push(Math.abs(offset() - ahead))
    }
    expect(misses[0]).toBeGreaterThan(200)
    expect(misses.at(-1)).toBeLessThan(50)
  })

  effect("starts anew where one of the clocks was set", function* () {
    const { learn, offset } = yield* make
    learn(dateOf(noon), noon - 600_000, noon - 600_000)
    expect(offset()).toBeGreaterThan(590_000)
    learn(dateOf(noon + 60_000), noon + 60_000, noon + 60_010)
    expect(offset()).toBe(0)
  })

  effect("keeps nanoseconds and pauses as they are", function* () {
    const base = yield* Effect.clock
    const { clock, learn } = yield* make
    learn(dateOf(noon), 0, 10)
    expect(clock.unsafeCurrentTimeMillis()).toBeGreaterThan(noon - 1_000)
    expect(clock.unsafeCurrentTimeNanos()).toBe(base.unsafeCurrentTimeNanos())
    yield* TestClock.adjust(1_000)
    expect(clock.unsafeCurrentTimeNanos()).toBe(1_000_000_000n)
    expect(yield* clock.currentTimeNanos).toBe(1_000_000_000n)
  })

  const garbage = [
    undefined,
    "",
    "now",
    "0",
    "2024-05-01T12:00:00Z",
    "Wed, 99 May 2024 12:00:00 GMT",
    "Wed, 01 May 2024 12:00:00 +0400",
    `Wed, 01 May 2024 12:00:00 GMT${"x".repeat(100_000)}`
  ]
  effect(
    "does not learn from what is no date of HTTP, nor from an exchange that took minutes or ran backwards",
    function* () {
      const { learn, offset } = yield* make
      for (const header of garbage) learn(header, 0, 10)
      learn(dateOf(noon), 0, 60_001)
      learn(dateOf(noon), 10, 0)
      learn(dateOf(noon), Number.NaN, 10)
      expect(offset()).toBe(0)
    }
  )

  it("is never further off than a second and the time of the quickest exchange", () => {
    const exchange = FastCheck.record({
      at: FastCheck.integer({ min: 0, max: 10_000_000 }),
      there: FastCheck.integer({ min: 0, max: 5_000 }),
      back: FastCheck.integer({ min: 0, max: 5_000 })
    })
    FastCheck.assert(
      FastCheck.property(
        FastCheck.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
        FastCheck.array(exchange, { minLength: 1, maxLength: 20 }),
        (ahead, exchanges) => {
          const { learn, offset } = ServerClock.makeServerCorrected(Clock.make())
          for (const { at, back, there } of exchanges)
            learn(dateOf(noon + at), noon + at - ahead - there, noon + at - ahead + back)
          const quickest = Math.min(...exchanges.map(({ back, there }) => back + there))
          expect(Math.abs(offset() - ahead)).toBeLessThanOrEqual(1_000 + quickest)
        }
      ),
      { numRuns: 2_000 }
    )
  })
})

describe("the layer that sets it", () => {
  const answering = (headers: Record<string, string>) => Fake.make([Fake.text(200, "", headers)]).layer
  const exchanged = Effect.flatMap(Transport, (transport) => Effect.promise(() => exchange(transport, {})))

  effect.each([
    ["learns from the answers of the transport that it wraps", {}, noon],
    ["does not learn from an answer that a cache gave", { age: "3600" }, 0]
  ] as const)("%s", function* ([, headers, time]) {
    const layer = Layer.provide(ServerClock.serverCorrected, answering({ date: dateOf(noon), ...headers }))
    const measured = Effect.gen(function* () {
      expect(yield* Clock.currentTimeMillis).toBe(0)
      expect(yield* exchanged).toMatchObject({ status: 200 })
      return yield* Clock.currentTimeMillis
    })
    expect(Math.abs((yield* Effect.provide(measured, layer)) - time)).toBeLessThanOrEqual(1_000)
  })
})
