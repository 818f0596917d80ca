/** Work that several callers share: the first starts it, all wait for it, and only the last one's leaving stops it. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { Lifetime } from "../dispatch/lifetime.js"

interface Run<A, E> {
  readonly result: Deferred.Deferred<A, E>
  /** Undefined until the first caller has forked it. */
  fiber: Fiber.RuntimeFiber<A, E> | undefined
  waiting: number
}

/**
 * Makes an effect of which at most one run is under way at any time. It ends with the lifetime, and whoever waits for it
 * is interrupted then.
 */
export const make = <A, E>(work: Effect.Effect<A, E>, lifetime?: Lifetime): Effect.Effect<A, E> => {
  let current: Run<A, E> | undefined

  const start = (begun: Run<A, E>): Effect.Effect<void> =>
    Effect.map(Effect.forkDaemon(Effect.interruptible(work)), (fiber) => {
      begun.fiber = fiber
      // Observed, since a fiber that is interrupted before it has begun runs nothing at all.
      fiber.addObserver((exit) => {
        if (current === begun) current = undefined
        Deferred.unsafeDone(begun.result, exit)
      })
      lifetime?.own(fiber)
    })

  const leave = (left: Run<A, E>): Effect.Effect<void> =>
    Effect.suspend(() => {
      left.waiting -= 1
      if (left.waiting > 0 || left.fiber === undefined) return Effect.void
      if (current === left) current = undefined
      return Effect.asVoid(Fiber.interruptFork(left.fiber))
    })

  return Effect.uninterruptibleMask((restore) =>
    Effect.withFiberRuntime<A, E>((caller) => {
      // Looked for and set in one step: a fiber may be made to yield between any two effects.
      const isFirst = current === undefined
      current ??= { result: Deferred.unsafeMake<A, E>(caller.id()), fiber: undefined, waiting: 0 }
      const joined = current
      joined.waiting += 1
      const wait = Effect.ensuring(restore(Deferred.await(joined.result)), leave(joined))
      return isFirst ? Effect.zipRight(start(joined), wait) : wait
    })
  )
}
