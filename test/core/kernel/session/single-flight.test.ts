// Work that callers share: one run at a time, stopped only when nobody waits for it any more.
import { describe, expect } from "@effect/vitest"
import { effect } from "@quartet/support/effect.js"
import { Effect, Exit, Fiber, Scheduler, TestClock } from "effect"
import * as SingleFlight from "../../../../core/kernel/session/single-flight.js"

/** Work that takes a second and counts what becomes of it. */
const counted = () => {
  const count = { started: 0, stopped: 0 }
  const work = Effect.suspend(() => {
    const run = ++count.started
    const stop = Effect.sync(() => ++count.stopped)
    return Effect.onInterrupt(Effect.as(Effect.sleep("1 second"), run), () => stop)
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

  effect(
    "goes on while one caller is left, is stopped with the last one, and runs anew for the next",
    function* () {
      const { count, shared } = counted()
      const [first, second] = yield* Effect.all([fork(shared), fork(shared)])
      yield* Fiber.interrupt(first)
      yield* TestClock.adjust("1 second")
      expect([yield* second, count]).toEqual([1, { started: 1, stopped: 0 }])
      const callers = yield* Effect.all([fork(shared), fork(shared)])
      yield* TestClock.adjust("500 millis")
      yield* Fiber.interruptAll(callers)
      yield* TestClock.adjust("1 millis")
      expect(count).toEqual({ started: 2, stopped: 1 })
      const next = yield* fork(shared)
      yield* TestClock.adjust("1 second")
      expect(yield* next).toBe(3)
    }
  )

  effect("lets a caller leave at once, whatever the work does, and runs anew for the next", function* () {
    let runs = 0
    const work = Effect.suspend(() => Effect.sleep(`${++runs} hours`))
    const shared = SingleFlight.make(Effect.uninterruptible(work))
    const caller = yield* fork(shared)
    yield* Fiber.interrupt(caller)
    expect(Exit.isInterrupted(yield* Fiber.await(caller))).toBe(true)
    yield* fork(shared)
    yield* TestClock.adjust("1 millis")
    expect(runs).toBe(2)
  })

  effect.each<readonly [string, Effect.Effect<never, string>, (exit: Exit.Exit<unknown, string>) => boolean]>(
    [
      ["fails", Effect.fail("no"), Exit.isFailure],
      ["dies", Effect.die("broken"), Exit.isFailure],
      ["stops itself", Effect.interrupt, Exit.isInterrupted]
    ]
  )("that %s does so for all callers alike, and runs anew for the next", function* ([, end, isSo]) {
    let runs = 0
    const shared = SingleFlight.make(
      Effect.suspend(() => (++runs === 1 ? Effect.zipRight(Effect.yieldNow(), end) : Effect.succeed("well")))
    )
    const exits = yield* Effect.all([Effect.exit(shared), Effect.exit(shared)], { concurrency: "unbounded" })
    expect([exits.every(isSo), runs]).toEqual([true, 1])
    expect(yield* shared).toBe("well")
  })
})
