// Deadlines on Effect's Clock: exact, forgotten when no longer wanted, and costing nothing when there are none.
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as FC from "effect/FastCheck"
import * as TestClock from "effect/TestClock"
import { Deadlines } from "../../../core/kernel/dispatch/deadline.js"
import { counting } from "./counting-clock.js"

const deadlines = new Deadlines(Effect.runFork)

/** Deadlines whose firing is noted with the time. */
const noting = Effect.map(Effect.clock, (clock) => {
  const fired: Array<readonly [name: string, at: number]> = []
  return {
    clock,
    fired,
    after: (millis: number, name = String(millis)) =>
      deadlines.after(clock, millis, () => fired.push([name, clock.unsafeCurrentTimeMillis()]))
  }
})

const sleeping = Effect.map(TestClock.sleeps(), Chunk.size)

describe("a deadline", () => {
  it.effect.prop(
    "fires once, at its time",
    [FC.uniqueArray(FC.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 6 })],
    ([times]) =>
      Effect.gen(function* () {
        const { after, clock, fired } = yield* noting
        const began = clock.unsafeCurrentTimeMillis()
        for (const time of times) after(time)
        yield* TestClock.adjust("500 millis")
        expect(fired.map(([name, at]) => [name, at - began])).toEqual(
          [...times].sort((one, two) => one - two).map((time) => [String(time), time])
        )
      }),
    { fastCheck: { numRuns: 15 } }
  )

  it.effect("fires neither before its time nor twice", () =>
    Effect.gen(function* () {
      const { after, fired } = yield* noting
      after(1_000)
      yield* TestClock.adjust("999 millis")
      expect(fired).toEqual([])
      yield* TestClock.adjust("1 millis")
      expect(fired).toEqual([["1000", 1_000]])
      yield* TestClock.adjust("1 second")
      expect(fired).toHaveLength(1)
    })
  )

  it.effect("may be set while another one waits, sooner or later than that", () =>
    Effect.gen(function* () {
      const { after, fired } = yield* noting
      after(300)
      yield* TestClock.adjust("20 millis")
      after(5)
      after(700)
      yield* TestClock.adjust("10 millis")
      after(1)
      yield* TestClock.adjust("1 second")
      expect(fired).toEqual([
        ["5", 25],
        ["1", 31],
        ["300", 300],
        ["700", 720]
      ])
    })
  )

  it.effect("that has passed already fires at the next look", () =>
    Effect.gen(function* () {
      const { after, fired } = yield* noting
      after(0)
      after(-100)
      expect(fired).toEqual([])
      yield* TestClock.adjust("1 millis")
      expect(fired.map(([name]) => name)).toEqual(["0", "-100"])
    })
  )

  it.effect("that is forgotten does not fire, and may be forgotten twice", () =>
    Effect.gen(function* () {
      const { after, fired } = yield* noting
      const forget = after(100, "forgotten")
      after(100, "kept")
      forget()
      forget()
      yield* TestClock.adjust("1 second")
      expect(fired.map(([name]) => name)).toEqual(["kept"])
    })
  )

  it.effect("may be forgotten while others fire", () =>
    Effect.gen(function* () {
      const { after, clock, fired } = yield* noting
      let forget = () => {}
      deadlines.after(clock, 100, () => forget())
      forget = after(100, "forgotten by its neighbour")
      after(100, "kept")
      yield* TestClock.adjust("1 second")
      expect(fired.map(([name]) => name)).toEqual(["kept"])
    })
  )

  it.effect("may be set by one that fires", () =>
    Effect.gen(function* () {
      const { after, clock, fired } = yield* noting
      deadlines.after(clock, 100, () => after(40, "second"))
      yield* TestClock.adjust("1 second")
      expect(fired).toEqual([["second", 140]])
    })
  )

  it.effect("that throws keeps no other from firing, then or later", () =>
    Effect.gen(function* () {
      const { after, clock, fired } = yield* noting
      deadlines.after(clock, 100, () => {
        throw new Error("an adapter's fault")
      })
      after(100)
      after(200)
      yield* TestClock.adjust("1 second")
      after(300)
      yield* TestClock.adjust("1 second")
      expect(fired.map(([name]) => name)).toEqual(["100", "200", "300"])
    })
  )

  it.effect.prop(
    "is one of many, of which any may be forgotten at any time",
    [FC.array(FC.tuple(FC.integer({ min: 1, max: 150 }), FC.boolean()), { maxLength: 30 })],
    ([plan]) =>
      Effect.gen(function* () {
        const { after, fired } = yield* noting
        const forgets = plan.map(([time], at) => after(time, String(at)))
        yield* TestClock.adjust("10 millis")
        for (const [at, forget] of forgets.entries()) if (plan[at]?.[1] === true) forget()
        yield* TestClock.adjust("200 millis")
        const expected = plan.flatMap(([time, isForgotten], at) =>
          isForgotten && time > 10 ? [] : [String(at)]
        )
        expect(fired.map(([name]) => name).sort()).toEqual(expected.sort())
      }),
    { fastCheck: { numRuns: 15 } }
  )
})

describe("the wheel", () => {
  it.effect("looks after a thousand deadlines with one fiber", () =>
    Effect.gen(function* () {
      const { after } = yield* noting
      for (let time = 0; time < 1_000; time++) after(10_000 + time)
      expect(yield* sleeping).toBe(1)
    })
  )

  it.effect("wakes twice for a call of thirty seconds: soon, and at its deadline", () =>
    Effect.gen(function* () {
      const { begun, clock } = yield* counting
      const fired: Array<number> = []
      deadlines.after(clock, 30_000, () => fired.push(clock.unsafeCurrentTimeMillis()))
      yield* TestClock.adjust("30 seconds")
      expect(fired).toEqual([30_000])
      expect(begun).toEqual([50, 29_950])
    })
  )

  it.effect("wakes as seldom for a thousand calls, of which all but the last have ended", () =>
    Effect.gen(function* () {
      const { begun, clock } = yield* counting
      const forgets = Array.from({ length: 1_000 }, () => deadlines.after(clock, 30_000, () => undefined))
      yield* TestClock.adjust("10 seconds")
      for (const forget of forgets) forget()
      deadlines.after(clock, 30_000, () => undefined)
      yield* TestClock.adjust("30 seconds")
      expect(begun).toEqual([50, 29_950, 50, 29_950])
    })
  )

  it.effect("is woken from a long sleep by a sooner deadline", () =>
    Effect.gen(function* () {
      const { after, fired } = yield* noting
      after(30_000)
      yield* TestClock.adjust("10 seconds")
      after(5_000)
      after(7)
      yield* TestClock.adjust("20 seconds")
      expect(fired).toEqual([
        ["7", 10_007],
        ["5000", 15_000],
        ["30000", 30_000]
      ])
    })
  )

  it.live("ends at once when the last call of a long sleep ends: no timer keeps the process running", () =>
    Effect.gen(function* () {
      const { begun, clock, open } = yield* counting
      const forget = deadlines.after(clock, 30_000, () => undefined)
      while (begun.length < 2) yield* Effect.sleep("10 millis")
      forget()
      while (open() > 0) yield* Effect.yieldNow()
      expect(begun[0]).toBe(50)
    })
  )

  it.effect("looks after deadlines that are further away than a timer can count", () =>
    Effect.gen(function* () {
      const { begun, clock } = yield* counting
      const fired: Array<number> = []
      const later = 2 ** 31 + 10
      deadlines.after(clock, Number.POSITIVE_INFINITY, () => fired.push(-1))
      deadlines.after(clock, later, () => fired.push(clock.unsafeCurrentTimeMillis()))
      yield* TestClock.adjust(later)
      expect(fired).toEqual([later])
      expect(Math.max(...begun)).toBeLessThan(2 ** 31)
    })
  )

  it.effect("ends within 50 ms when nothing waits any more", () =>
    Effect.gen(function* () {
      const { after } = yield* noting
      for (const forget of [after(10_000), after(20_000)]) forget()
      yield* TestClock.adjust("50 millis")
      expect(yield* sleeping).toBe(0)
    })
  )

  it.effect("ends after the last deadline has fired, and begins again with the next", () =>
    Effect.gen(function* () {
      const { after, fired } = yield* noting
      after(100)
      yield* TestClock.adjust("100 millis")
      expect(yield* sleeping).toBe(0)
      after(30)
      yield* TestClock.adjust("30 millis")
      expect(fired).toEqual([
        ["100", 100],
        ["30", 130]
      ])
      expect(yield* sleeping).toBe(0)
    })
  )

  it.effect("leaves no fiber behind that was overtaken by a sooner deadline", () =>
    Effect.gen(function* () {
      const { after } = yield* noting
      after(10_000)()
      for (const time of [49, 30, 20, 10, 5]) after(time)()
      yield* TestClock.adjust("50 millis")
      expect(yield* sleeping).toBe(0)
    })
  )
})
