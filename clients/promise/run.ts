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

/** Work that tells once how it ends, and the function that cancels it. */
export type Start<A> = (settle: (exit: Exit.Exit<A, unknown>) => void) => () => void

/** Runs the calls of one client. */
export interface Runner {
  readonly run: <A>(name: string, start: Start<A>, signal: AbortSignal | undefined) => Promise<A>
  readonly runEffect: <A>(
    name: string,
    effect: Effect.Effect<A, unknown>,
    signal: AbortSignal | undefined
  ) => Promise<A>
  /** The items of a stream; leaving the loop ends it. */
  readonly iterate: <A>(
    name: string,
    stream: Stream.Stream<A, unknown>,
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

/** Runs an effect as work. */
const start =
  <A>(effect: Effect.Effect<A, unknown>): Start<A> =>
  (settle) => {
    const fiber = Effect.runFork(effect)
    fiber.addObserver(settle)
    return () => {
      fiber.removeObserver(settle)
      Effect.runFork(Fiber.interrupt(fiber))
    }
  }

/** Makes the runner of one client. */
export const makeRunner = (): Runner => {
  /** How to end each call under way; each knows its place, so that it leaves without a search. */
  const running: Array<{ readonly end: (reason: unknown) => void; place: number }> = []
  let isClosed = false

  const leave = (entry: { place: number }): void => {
    const last = running.pop()
    if (last !== undefined && last !== entry) {
      running[entry.place] = last
      last.place = entry.place
    }
  }

  const run = <A>(name: string, work: Start<A>, signal: AbortSignal | undefined): Promise<A> =>
    new Promise((resolve, reject) => {
      if (isClosed) return reject(closed(name))
      if (signal?.aborted === true) return reject(signal.reason)
      let isOver = false
      let cancel: (() => void) | undefined
      const over = (): boolean => {
        if (isOver) return false
        isOver = true
        leave(entry)
        signal?.removeEventListener("abort", abort)
        return true
      }
      const end = (reason: unknown): void => {
        if (!over()) return
        cancel?.()
        reject(reason)
      }
      const abort = (): void => end(signal?.reason)
      const entry = { end, place: running.length }
      running.push(entry)
      signal?.addEventListener("abort", abort, { once: true })
      cancel = work((exit) => {
        if (!over()) return
        if (exit._tag === "Success") resolve(exit.value)
        else reject(Cause.squash(exit.cause))
      })
    })

  const runEffect: Runner["runEffect"] = (name, effect, signal) => run(name, start(effect), signal)

  async function* iterate<A>(
    name: string,
    stream: Stream.Stream<A, unknown>,
    signal: AbortSignal | undefined
  ): AsyncGenerator<A, void, undefined> {
    const scope = Effect.runSync(Scope.make())
    try {
      const pull = await runEffect(name, Scope.extend(Stream.toPull(stream), scope), signal)
      while (true) {
        const chunk = await runEffect(name, orEnd(pull), signal)
        if (Option.isNone(chunk)) return
        yield* chunk.value
      }
    } finally {
      await Effect.runPromise(Scope.close(scope, Exit.void))
    }
  }

  return {
    run,
    runEffect,
    iterate,
    close: async () => {
      isClosed = true
      for (const { end } of [...running]) end(closed("client"))
    }
  }
}
