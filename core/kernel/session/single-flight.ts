/** Work that several callers share: the first starts it, all wait for it, and it stops only when the last one leaves. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { Lifetime } from "../dispatch/lifetime/lifetime.js"
import { currentWatch } from "../dispatch/watch.js"

interface Run<A, E> {
  readonly result: Deferred.Deferred<A, E>
  /** Undefined until the first caller has forked it. */
  fiber: Fiber.RuntimeFiber<A, E> | undefined
  waiting: number
}

/**
 * Makes an effect with at most one run at a time. When the lifetime ends, the run and all waiting callers are
 * interrupted.
 */
export const make = <A, E>(work: Effect.Effect<A, E>, lifetime?: Lifetime): Effect.Effect<A, E> => {
  let current: Run<A, E> | undefined
  const unwatched = Effect.interruptible(Effect.locally(work, currentWatch, undefined))

  const start = (begun: Run<A, E>): Effect.Effect<void> =>
    // biome-ignore lint/plugin: the fiber ends with its last caller, and with the lifetime.
    Effect.map(Effect.forkDaemon(unwatched), (fiber) => {
      begun.fiber = fiber
      // Observed, because a fiber that is interrupted before it starts runs nothing.
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
      // Checked and set in one step, because a fiber may yield between any two effects.
      const isFirst = current === undefined
      current ??= { result: Deferred.unsafeMake<A, E>(caller.id()), fiber: undefined, waiting: 0 }
      const joined = current
      joined.waiting += 1
      const wait = Effect.ensuring(restore(Deferred.await(joined.result)), leave(joined))
      return isFirst ? Effect.zipRight(start(joined), wait) : wait
    })
  )
}
