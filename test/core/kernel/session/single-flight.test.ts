// Work that callers share: one run at a time, stopped only when nobody waits for it any more.
import { describe, expect } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scheduler from "effect/Scheduler"
import * as TestClock from "effect/TestClock"
import * as SingleFlight from "../../../../core/kernel/session/single-flight.js"
import { effect } from "../../../support/effect.js"

/** Work that takes a second and counts what becomes of it. */
const counted = () => {
  const count = { started: 0, done: 0, stopped: 0 }
  const work = Effect.suspend(() => {
    count.started += 1
    const run = count.started
    return Effect.sleep("1 second").pipe(
      Effect.map(() => {
        count.done += 1
        return run
      }),
      Effect.onInterrupt(() =>
        Effect.sync(() => {
          count.stopped += 1
        })
      )
    )
  })
  return { count, shared: SingleFlight.make(work) }
}

/** A scheduler that makes every fiber yield once, at the given operation. */
const yieldingAt = (place: number): Scheduler.Scheduler => {
  const yielded = new WeakSet<object>()
  return Scheduler.make(
    (task) => Scheduler.defaultScheduler.scheduleTask(task, 0),
    (fiber) => {
      if (fiber.currentOpCount < place || yielded.has(fiber)) return false
      yielded.add(fiber)
      return 0
    }
  )
}

const fork = <A, E>(effect: Effect.Effect<A, E>) => Effect.tap(Effect.fork(effect), () => Effect.yieldNow())

describe("a shared effect", () => {
  effect("runs once for a thousand callers at once", function* () {
    const { count, shared } = counted()
    const all = yield* Effect.fork(
      Effect.all(
        Array.from({ length: 1_000 }, () => shared),
        { concurrency: "unbounded" }
      )
    )
    yield* TestClock.adjust("1 second")
    expect(new Set(yield* Fiber.join(all))).toEqual(new Set([1]))
    expect(count).toEqual({ started: 1, done: 1, stopped: 0 })
  })

  effect("runs once, wherever the callers' fibers yield to each other", function* () {
    for (let place = 1; place <= 40; place++) {
      const { count, shared } = counted()
      const callers = Array.from({ length: 10 }, () => Effect.withScheduler(shared, yieldingAt(place)))
      const all = yield* Effect.fork(Effect.all(callers, { concurrency: "unbounded" }))
      yield* TestClock.adjust("1 second")
      expect(new Set(yield* Fiber.join(all))).toEqual(new Set([1]))
      expect(count.started, `yielding at operation ${place}`).toBe(1)
    }
  })

  effect("takes callers that come while it runs, and runs anew after it has ended", function* () {
    const { count, shared } = counted()
    const first = yield* fork(shared)
    yield* TestClock.adjust("900 millis")
    const second = yield* fork(shared)
    yield* TestClock.adjust("100 millis")
    expect([yield* Fiber.join(first), yield* Fiber.join(second)]).toEqual([1, 1])
    const third = yield* fork(shared)
    yield* TestClock.adjust("1 second")
    expect(yield* Fiber.join(third)).toBe(2)
    expect(count).toEqual({ started: 2, done: 2, stopped: 0 })
  })

  effect("goes on for the others when the caller who started it leaves", function* () {
    const { count, shared } = counted()
    const first = yield* fork(shared)
    const second = yield* fork(shared)
    yield* TestClock.adjust("500 millis")
    yield* Fiber.interrupt(first)
    yield* TestClock.adjust("500 millis")
    expect(yield* Fiber.join(second)).toBe(1)
    expect(count).toEqual({ started: 1, done: 1, stopped: 0 })
  })

  effect("is stopped when the last caller leaves, and runs anew for the next", function* () {
    const { count, shared } = counted()
    const callers = yield* Effect.all([fork(shared), fork(shared), fork(shared)])
    yield* TestClock.adjust("500 millis")
    yield* Fiber.interruptAll(callers)
    yield* TestClock.adjust("1 millis")
    expect(count).toEqual({ started: 1, done: 0, stopped: 1 })
    const next = yield* fork(shared)
    yield* TestClock.adjust("1 second")
    expect(yield* Fiber.join(next)).toBe(2)
  })

  effect("lets a caller leave at once, whatever the work does", function* () {
    const shared = SingleFlight.make(Effect.uninterruptible(Effect.sleep("1 hour")))
    const caller = yield* fork(shared)
    yield* Fiber.interrupt(caller)
    expect(Exit.isInterrupted(yield* Fiber.await(caller))).toBe(true)
  })

  effect("fails for all callers alike, and is tried anew by the next", function* () {
    const gate = yield* Deferred.make<never, string>()
    let runs = 0
    const shared = SingleFlight.make(
      Effect.suspend(() => {
        runs += 1
        return runs === 1 ? Deferred.await(gate) : Effect.succeed("second")
      })
    )
    const callers = yield* Effect.all([fork(Effect.flip(shared)), fork(Effect.flip(shared))])
    yield* Deferred.fail(gate, "no")
    expect(yield* Fiber.join(Fiber.all(callers))).toEqual(["no", "no"])
    expect(yield* shared).toBe("second")
  })

  effect("dies for all callers alike, and is not stuck afterwards", function* () {
    let runs = 0
    const shared = SingleFlight.make(
      Effect.suspend(() => {
        runs += 1
        return runs === 1 ? Effect.die("broken") : Effect.succeed("well")
      })
    )
    const exits = yield* Effect.all([Effect.exit(shared), Effect.exit(shared)], {
      concurrency: "unbounded"
    })
    for (const exit of exits) expect(Exit.isFailure(exit) && Cause.isDie(exit.cause)).toBe(true)
    expect(yield* shared).toBe("well")
  })

  effect("that stops itself stops its callers and no more", function* () {
    let runs = 0
    const shared = SingleFlight.make(
      Effect.suspend(() => {
        runs += 1
        return runs === 1 ? Effect.interrupt : Effect.succeed("well")
      })
    )
    expect(Exit.isInterrupted(yield* Effect.exit(shared))).toBe(true)
    expect(yield* shared).toBe("well")
  })
})
