/** Runs effects as Promises: cancellation by signal, rejection with the typed error itself, and an end for all at once. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { InputError } from "../../core/kernel/errors.js"

/** What every method takes as its second argument, besides the options of the call. */
export interface Cancellable {
  /** Cancels the call: its request is abandoned, and the Promise rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** Runs the calls of one client. */
export interface Runner {
  readonly run: <A, E>(
    name: string,
    effect: Effect.Effect<A, E>,
    signal: AbortSignal | undefined
  ) => Promise<A>
  /** The items of a stream; leaving the loop ends it. */
  readonly iterate: <A, E>(
    name: string,
    stream: Stream.Stream<A, E>,
    signal: AbortSignal | undefined
  ) => AsyncIterable<A>
  /** Cancels what is under way and refuses what comes after. */
  readonly close: () => Promise<void>
}

const closed = (operation: string): InputError =>
  new InputError({ operation, field: "client", rule: "is closed: make a new one" })

/** A pull that ends in none instead of failing with none. */
const orEnd = <A, E>(pull: Effect.Effect<A, Option.Option<E>>): Effect.Effect<Option.Option<A>, E> =>
  Effect.catchAll(
    Effect.map(pull, Option.some),
    Option.match({ onNone: () => Effect.succeed(Option.none()), onSome: Effect.fail })
  )

/** Makes the runner of one client. */
export const makeRunner = (): Runner => {
  /** The calls under way, each with its place, so that one leaves without a search. */
  const running: Array<{ readonly fiber: Fiber.RuntimeFiber<unknown, unknown>; place: number }> = []
  let isClosed = false

  const leave = (entry: { place: number }): void => {
    const last = running.pop()
    if (last !== undefined && last !== entry) {
      running[entry.place] = last
      last.place = entry.place
    }
  }

  const run = <A, E>(
    name: string,
    effect: Effect.Effect<A, E>,
    signal: AbortSignal | undefined
  ): Promise<A> =>
    new Promise((resolve, reject) => {
      if (isClosed) return reject(closed(name))
      if (signal?.aborted === true) return reject(signal.reason)
      // The fiber ends in nothing: the value is handed over, so that nobody keeps it for the fiber's sake.
      const fiber = Effect.runFork(
        Effect.matchCause(effect, {
          onSuccess: (value) => resolve(value),
          onFailure: (cause) =>
            reject(
              signal?.aborted === true
                ? signal.reason
                : Cause.isInterruptedOnly(cause) && isClosed
                  ? closed(name)
                  : Cause.squash(cause)
            )
        })
      )
      const entry = { fiber, place: running.length }
      running.push(entry)
      const abort = (): void => {
        Effect.runFork(Fiber.interrupt(fiber))
        reject(signal?.reason)
      }
      signal?.addEventListener("abort", abort, { once: true })
      fiber.addObserver(() => {
        leave(entry)
        signal?.removeEventListener("abort", abort)
        // An interrupted fiber does not come to the end of its match.
        if (isClosed) reject(closed(name))
      })
    })

  async function* iterate<A, E>(
    name: string,
    stream: Stream.Stream<A, E>,
    signal: AbortSignal | undefined
  ): AsyncGenerator<A, void, undefined> {
    const scope = Effect.runSync(Scope.make())
    try {
      const pull = await run(name, Scope.extend(Stream.toPull(stream), scope), signal)
      while (true) {
        const chunk = await run(name, orEnd(pull), signal)
        if (Option.isNone(chunk)) return
        yield* chunk.value
      }
    } finally {
      await Effect.runPromise(Scope.close(scope, Exit.void))
    }
  }

  return {
    run,
    iterate,
    close: async () => {
      isClosed = true
      await Effect.runPromise(Fiber.interruptAll(running.map(({ fiber }) => fiber)))
    }
  }
}
