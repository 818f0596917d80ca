/** Work that several callers share: the first starts it, all wait for it, and only the last one's leaving stops it. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

interface Flight<A, E> {
  readonly result: Deferred.Deferred<A, E>
  readonly fiber: Fiber.RuntimeFiber<unknown>
  waiting: number
}

/** Makes an effect of which at most one run is under way at any time. */
export const make = <A, E>(work: Effect.Effect<A, E>): Effect.Effect<A, E> => {
  let flight: Flight<A, E> | undefined

  const start: Effect.Effect<Flight<A, E>> = Effect.gen(function* () {
    const result = yield* Deferred.make<A, E>()
    const finish = Effect.sync(() => {
      if (flight?.result === result) flight = undefined
    })
    const run = Effect.exit(work).pipe(
      Effect.flatMap((exit) => Effect.zipRight(finish, Deferred.done(result, exit))),
      Effect.onInterrupt(() => Effect.zipRight(finish, Deferred.interrupt(result)))
    )
    const fiber = yield* Effect.forkDaemon(Effect.interruptible(run))
    return { result, fiber, waiting: 0 }
  })

  const leave = (left: Flight<A, E>): Effect.Effect<void> =>
    Effect.suspend(() => {
      left.waiting -= 1
      if (left.waiting > 0) return Effect.void
      if (flight === left) flight = undefined
      return Effect.asVoid(Fiber.interruptFork(left.fiber))
    })

  return Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      if (flight === undefined) flight = yield* start
      const joined = flight
      joined.waiting += 1
      return yield* Effect.ensuring(restore(Deferred.await(joined.result)), leave(joined))
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
  const read = make(
    Effect.suspend(() => {
      const started = age
      return Effect.tap(work, (value) => {
        if (age === started) kept = { value }
      })
    })
  )
  return {
    get: Effect.suspend(() => (kept === undefined ? read : Effect.succeed(kept.value))),
    invalidate: Effect.sync(() => {
      age += 1
      kept = undefined
    })
  }
}
