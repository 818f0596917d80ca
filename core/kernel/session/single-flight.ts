/** Work that several callers share: the first starts it, all wait for it, and only the last one's leaving stops it. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { Lifetime } from "../dispatch/lifetime.js"

interface Execution<A, E> {
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
  let flight: Execution<A, E> | undefined

  const start = (begun: Execution<A, E>): Effect.Effect<void> =>
    Effect.map(Effect.forkDaemon(Effect.interruptible(work)), (fiber) => {
      begun.fiber = fiber
      // Observed, since a fiber that is interrupted before it has begun runs nothing at all.
      fiber.addObserver((exit) => {
        if (flight === begun) flight = undefined
        Deferred.unsafeDone(begun.result, exit)
      })
      if (lifetime !== undefined)
        fiber.addObserver(lifetime.enter(() => Effect.asVoid(Fiber.interrupt(fiber))))
    })

  const leave = (left: Execution<A, E>): Effect.Effect<void> =>
    Effect.suspend(() => {
      left.waiting -= 1
      if (left.waiting > 0 || left.fiber === undefined) return Effect.void
      if (flight === left) flight = undefined
      return Effect.asVoid(Fiber.interruptFork(left.fiber))
    })

  return Effect.uninterruptibleMask((restore) =>
    Effect.withFiberRuntime<A, E>((caller) => {
      // Looked for and set in one step: a fiber may be made to yield between any two effects.
      const isFirst = flight === undefined
      flight ??= { result: Deferred.unsafeMake<A, E>(caller.id()), fiber: undefined, waiting: 0 }
      const joined = flight
      joined.waiting += 1
      const wait = Effect.ensuring(restore(Deferred.await(joined.result)), leave(joined))
      return isFirst ? Effect.zipRight(start(joined), wait) : wait
    })
  )
}

/** A value that is read on demand, once, by whoever asks first, and kept until it is invalidated. */
export interface Kept<out A, out E> {
  readonly get: Effect.Effect<A, E>
  readonly invalidate: Effect.Effect<void>
}

/** Keeps the first success of some work; failures are not kept. */
export const keep = <A, E>(work: Effect.Effect<A, E>): Kept<A, E> => {
  let kept: { readonly value: A } | undefined
  let age = 0
  const begin = (): Effect.Effect<A, E> => {
    const started = age
    return make(
      Effect.tap(work, (value) => {
        if (age === started) kept = { value }
      })
    )
  }
  let read = begin()
  return {
    get: Effect.suspend(() => (kept === undefined ? read : Effect.succeed(kept.value))),
    invalidate: Effect.sync(() => {
      age += 1
      kept = undefined
      // Who asks from now on does not join a reading that was begun before.
      read = begin()
    })
  }
}
