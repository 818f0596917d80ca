// One deadline over all of a call, on Effect's Clock: exact, forgotten when no longer wanted, and costing nothing.
import { describe, expect } from "@effect/vitest"
import { counting } from "@quartet/support/counting-clock.js"
import * as Sample from "@quartet/support/dispatcher.js"
import { busy, thing } from "@quartet/support/dispatcher.js"
import { effect, live } from "@quartet/support/effect.js"
import type { Script } from "@quartet/support/fake-transport.js"
import { json, streaming } from "@quartet/support/fake-transport.js"
import { Effect, Either, FastCheck as FC, Fiber, TestClock } from "effect"
import { Deadlines } from "../../../../core/kernel/dispatch/lifetime/deadlines.js"

describe("the deadline of a call", () => {
  const within = (deadline: number) => ({ policy: { deadline } })
  const waiting = { ...Sample.keys(), current: () => undefined, getCredentials: () => Effect.never }
  const renewing = { ...Sample.keys(), renew: () => Effect.never }
  const late = (attempts: number) => ({ _tag: "DeadlineExceeded", operation: "things.get", attempts })
  const unsent = (attempts: number) => ({ ...late(attempts), operation: "things.create" })
  const unknown = { _tag: "OutcomeUnknown", reason: "Deadline", attempts: 1 }
  const exact = { ...late(1), deadline: 1_000 }
  const waits = { credentialsProvider: waiting, ...within(200) }
  const renews = { credentialsProvider: renewing, ...within(200) }
  type Error = { readonly attempts: number }
  effect.each<readonly [string, number, Script, Sample.Named, Sample.CallSettings, Error]>([
    ["ends it to the millisecond", 1_000, ["waits"], "get", within(1_000), exact],
    ["is 30 seconds", 30_000, ["waits"], "get", {}, late(1)],
    ["may be its own", 50, ["waits"], "get", { options: within(50) }, late(1)],
    ["counts from its start", 1_000, [busy, busy, "waits"], "get", within(1_000), late(3)],
    ["makes the outcome of a write unknown", 100, ["waits"], "create", within(100), unknown],
    ["says so of a write that provably never left", 100, ["queues"], "create", within(100), unsent(1)],
    ["holds over credentials", 200, [thing], "create", waits, unsent(0)],
    ["holds over a renewal", 200, [json(401, {})], "get", renews, late(1)]
  ])("%s", function* ([, millis, script, name, of, error]) {
    const { fake, fiber } = yield* Sample.start(script, name, of)
    yield* TestClock.adjust(millis - 1)
    expect(fiber.unsafePoll()).toBeNull()
    expect(fake.exchanges).toHaveLength(error.attempts)
    yield* TestClock.adjust(1)
    expect(yield* Sample.failed(fiber)).toMatchObject(error)
    expect(fake.count("open")).toBe(0)
    yield* TestClock.adjust("1 minute")
    expect(fake.exchanges).toHaveLength(error.attempts)
  })

  effect("does not cut off a download whose bytes have begun to come", function* () {
    const body = new ReadableStream<Uint8Array>()
    const { fake, fiber } = yield* Sample.start([streaming(body)], "download", {
      policy: { deadline: 200 }
    })
    expect(yield* Fiber.join(fiber)).toEqual(Either.right(body))
    yield* TestClock.adjust("1 second")
    expect(fake.count("abandoned")).toBe(0)
  })
})

const deadlines = new Deadlines(Effect.runFork)

/** Deadlines whose firing is noted with the time. */
const noting = Effect.map(counting, ({ clock, ...sleeps }) => {
  const fired: Array<readonly [name: string, at: number]> = []
  const after = (millis: number, name = String(millis)) =>
    deadlines.after(clock, millis, () => fired.push([name, clock.unsafeCurrentTimeMillis()]))
  return { clock, fired, after, names: () => fired.map(([name]) => name), ...sleeps }
})

describe("a deadline", () => {
  effect.prop(
    "fires once, at its time",
    [FC.uniqueArray(FC.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 6 })],
    function* ([times]) {
      const { after, clock, fired } = yield* noting
      const began = clock.unsafeCurrentTimeMillis()
      for (const time of times) after(time)
      yield* TestClock.adjust("500 millis")
      const sorted = [...times].sort((left, right) => left - right)
      expect(fired).toEqual(sorted.map((time) => [String(time), began + time]))
    },
    15
  )

  effect(
    "may be set while another one waits, sooner or later than that, also by one that fires",
    function* () {
      const { after, clock, fired } = yield* noting
      after(300)
      yield* TestClock.adjust("20 millis")
      after(5)
      after(700)
      yield* TestClock.adjust("10 millis")
      after(1)
      deadlines.after(clock, 100, () => after(40))
      yield* TestClock.adjust("2 seconds")
      const expected = { 5: 25, 1: 31, 40: 170, 300: 300, 700: 720 }
      expect(Object.fromEntries(fired)).toEqual(expected)
      expect(fired.map(([, at]) => at)).toEqual(Object.values(expected).sort((left, right) => left - right))
    }
  )

  effect("that has passed already fires at the next look", function* () {
    const { after, names } = yield* noting
    after(0)
    after(-100)
    expect(names()).toEqual([])
    yield* TestClock.adjust("1 millis")
    expect(names()).toEqual(["0", "-100"])
  })

  effect(
    "that is forgotten, before or while others fire, does not fire, and may be forgotten twice",
    function* () {
      const { after, clock, names } = yield* noting
      let neighbour = () => {}
      deadlines.after(clock, 100, () => neighbour())
      neighbour = after(100, "forgotten by its neighbour")
      const forget = after(100, "forgotten")
      after(100, "kept")
      forget()
      forget()
      yield* TestClock.adjust("1 second")
      expect(names()).toEqual(["kept"])
    }
  )

  effect("that throws keeps no other from firing, then or later", function* () {
    const { after, clock, names } = yield* noting
    deadlines.after(clock, 100, () => {
      throw new Error("an adapter's fault")
    })
    after(100)
    after(200)
    yield* TestClock.adjust("1 second")
    after(300)
    yield* TestClock.adjust("1 second")
    expect(names()).toEqual(["100", "200", "300"])
  })

  effect.prop(
    "is one of many, of which any may be forgotten at any time",
    [FC.array(FC.tuple(FC.integer({ min: 1, max: 150 }), FC.boolean()), { maxLength: 30 })],
    function* ([plan]) {
      const { after, names } = yield* noting
      const forgets = plan.map(([time], at) => after(time, String(at)))
      yield* TestClock.adjust("10 millis")
      for (const [at, forget] of forgets.entries()) if (plan[at]?.[1] === true) forget()
      yield* TestClock.adjust("200 millis")
      const expected = plan.flatMap(([time, isGone], at) => (isGone && time > 10 ? [] : [String(at)]))
      expect(names().sort()).toEqual(expected.sort())
    },
    15
  )
})

describe("the fiber that looks after deadlines", () => {
  effect("is one for a thousand, of a clock", function* () {
    const { after, open } = yield* noting
    for (let time = 0; time < 1_000; time++) after(10_000 + time)
    yield* Effect.yieldNow()
    expect(open()).toBe(1)
  })

  effect(
    "wakes twice for a call of thirty seconds, and as seldom for a thousand that have ended",
    function* () {
      const { after, begun, fired } = yield* noting
      after(30_000)
      yield* TestClock.adjust("30 seconds")
      const forgets = Array.from({ length: 1_000 }, () => after(30_000, "ended"))
      yield* TestClock.adjust("10 seconds")
      for (const forget of forgets) forget()
      after(30_000)
      yield* TestClock.adjust("30 seconds")
      expect(fired.map(([, at]) => at)).toEqual([30_000, 70_000])
      expect(begun).toEqual([50, 29_950, 50, 29_950, 50, 29_950])
    }
  )

  effect("is woken from a long sleep by a sooner deadline", function* () {
    const { after, fired } = yield* noting
    after(30_000)
    yield* TestClock.adjust("10 seconds")
    after(5_000)
    after(7)
    yield* TestClock.adjust("20 seconds")
    expect(fired.map(([, at]) => at)).toEqual([10_007, 15_000, 30_000])
  })

  live(
    "ends at once when the last call of a long sleep ends: no timer keeps the process running",
    function* () {
      const { after, begun, open } = yield* noting
      const forget = after(30_000)
      while (begun.length < 2) yield* Effect.sleep("10 millis")
      forget()
      while (open() > 0) yield* Effect.yieldNow()
      expect(begun[0]).toBe(50)
    }
  )

  effect("looks after deadlines that are further away than a timer can count", function* () {
    const { after, begun, fired } = yield* noting
    const later = 2 ** 31 + 10
    after(Number.POSITIVE_INFINITY)
    after(later)
    yield* TestClock.adjust(later)
    expect(fired).toEqual([[String(later), later]])
    expect(Math.max(...begun)).toBeLessThan(2 ** 31)
  })

  effect("ends within 50 ms when nothing waits any more, and begins again with the next", function* () {
    const { after, names, open } = yield* noting
    for (const time of [10_000, 49, 30, 20, 10, 5]) after(time)()
    yield* TestClock.adjust("50 millis")
    expect(open()).toBe(0)
    after(100)
    yield* TestClock.adjust("100 millis")
    expect(open()).toBe(0)
    after(30)
    yield* TestClock.adjust("30 millis")
    expect([names(), open()]).toEqual([["100", "30"], 0])
  })
})
