// What a process knows of the store's clock.
import { effect } from "@quartet/support/effect.js"
import { Effect, TestClock } from "effect"
import { describe, expect } from "vitest"
import { StoreClock } from "../store/elapsed.js"

/** Hears the store's time, which is so far ahead of this process's, by an answer that takes its time there and back. */
const hear = (storeClock: StoreClock, ahead: number, there: number, back: number) =>
  Effect.gen(function* () {
    const asked = storeClock.now
    yield* TestClock.adjust(there)
    const time = storeClock.now + ahead
    yield* TestClock.adjust(back)
    return storeClock.hear(time, asked)
  })

const made = Effect.map(Effect.clock, (clock) => new StoreClock(clock))

describe("the store's clock", () => {
  effect("is known by the quickest answer, and moments of it are never too early", function* () {
    const storeClock = yield* made
    yield* hear(storeClock, 1_000, 40, 40)
    expect(storeClock.momentOf(1_500)).toBe(500 + 40 + 1)
    yield* hear(storeClock, 1_000, 40, 2)
    expect(storeClock.momentOf(1_500)).toBe(500 + 2 + 1)
    yield* hear(storeClock, 1_000, 300, 300)
    expect(storeClock.momentOf(1_500)).toBeGreaterThanOrEqual(500)
    expect(storeClock.momentOf(1_500)).toBeLessThan(505)
  })

  effect("was not set where an answer alone took long", function* () {
    const storeClock = yield* made
    yield* hear(storeClock, 1_000, 1, 1)
    expect(yield* hear(storeClock, 1_000, 5_000, 1)).toBe(0)
    expect(yield* hear(storeClock, 1_000, 1, 5_000)).toBe(0)
    expect(storeClock.tellsLeases(10_000)).toBe(true)
  })

  effect("that is set forward tells nothing of leases for as long as one lasts", function* () {
    const storeClock = yield* made
    yield* hear(storeClock, 0, 1, 1)
    expect(yield* hear(storeClock, 60_000, 1, 1)).toBeGreaterThan(59_000)
    expect(storeClock.tellsLeases(10_000)).toBe(false)
    yield* TestClock.adjust(10_001)
    expect(storeClock.tellsLeases(10_000)).toBe(true)
    expect(yield* hear(storeClock, 60_000, 1, 1)).toBe(0)
  })

  effect("that is set back is heard of", function* () {
    const storeClock = yield* made
    yield* hear(storeClock, 60_000, 1, 1)
    expect(yield* hear(storeClock, 0, 1, 1)).toBeLessThan(-59_000)
    expect(storeClock.tellsLeases(10_000)).toBe(true)
    expect(storeClock.momentOf(500)).toBeLessThan(510)
  })
})
