/** Runs work as Promises: cancellation by signal, rejection with the typed error itself, and one `close` for all. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import { Bag, closed, gone, Lifetime, type Placed } from "../../core/kernel/dispatch/lifetime.js"
import type { Pull } from "../../core/kernel/dispatch/pulls.js"
import { type Cancellable, signalOf } from "./options.js"
import { abortedBy, listen } from "./signals.js"

/** Work that reports its end once, and the function that cancels it. */
export type Start<A> = (settle: (exit: Exit.Exit<A, unknown>) => void) => () => void

/** Runs the calls of one client. */
export interface Runner {
  readonly run: <A>(name: string, start: Start<A>, signal: AbortSignal | undefined) => Promise<A>
  readonly runEffect: <A>(
    name: string,
    effect: Effect.Effect<A, unknown>,
    signal: AbortSignal | undefined
  ) => Promise<A>
  /** The same with the options of a method that takes only a signal. */
  readonly runCancellable: <A>(
    name: string,
    effect: Effect.Effect<A, unknown>,
    options: Cancellable | undefined
  ) => Promise<A>
  /** The items that are pulled, from the beginning for each loop over them; leaving a loop closes its scope. */
  readonly iterate: <A>(
    name: string,
    opened: Effect.Effect<Pull<A, unknown>, unknown, Scope.Scope>,
    signal: AbortSignal | undefined
  ) => AsyncIterable<A>
  /**
   * Ends started work once, on a signal or when the client closes: `end` gets the reason. The returned function removes
   * it from both. Throws InputError if the signal is invalid.
   */
  readonly enter: (
    name: string,
    signal: AbortSignal | undefined,
    end: (reason: unknown) => unknown
  ) => () => void
  /** Cancels work in flight and refuses later work. */
  readonly close: () => Promise<void>
}

/** Work in flight: how to end it from outside; `close` waits for that. */
interface Running extends Placed {
  readonly end: (reason: unknown) => unknown
}

/** Work in flight rejects like an aborted one: whether the platform has done it is unknown. */
const cancelled = (): DOMException => new DOMException("the client was closed", "AbortError")

/** A pull that ends in none instead of failing with none. */
const orEnd = <A, E>(pull: Effect.Effect<A, Option.Option<E>>): Effect.Effect<Option.Option<A>, E> =>
  Effect.catchAll(
    Effect.map(pull, Option.some),
    Option.match({ onNone: () => Effect.succeed(Option.none()), onSome: Effect.fail })
  )

/** Makes the runner of one client, whose lifetime ends with it. */
export const makeRunner = (lifetime = new Lifetime(Effect.runFork)): Runner => {
  const running = new Bag<Running>()
  let isClosed = false

  const enter: Runner["enter"] = (name, signal, end) => {
    // First, because it may throw: then nothing is left behind.
    const forget = signal === undefined ? undefined : listen(name, signal, end)
    const item: Running = { end, place: gone }
    running.add(item)
    return () => {
      if (running.remove(item)) forget?.()
    }
  }

  const run = <A>(name: string, work: Start<A>, signal: AbortSignal | undefined): Promise<A> =>
    new Promise((resolve, reject) => {
      if (isClosed) return reject(closed(name))
      const aborted = signal === undefined ? undefined : abortedBy(signal)
      if (aborted !== undefined) return reject(aborted.reason)
      let isOver = false
      let cancel: (() => void) | undefined
      const over = (): boolean => {
        if (isOver) return false
        isOver = true
        leave()
        return true
      }
      const leave = enter(name, signal, (reason) => {
        if (!over()) return
        reject(reason)
        cancel?.()
      })
      cancel = work((exit) => {
        if (!over()) return
        if (exit._tag === "Success") resolve(exit.value)
        else reject(Cause.squash(exit.cause))
      })
    })

  const runEffect: Runner["runEffect"] = (name, effect, signal) =>
    run(name, (settle) => lifetime.run(effect, settle), signal)

  const runCancellable: Runner["runCancellable"] = (name, effect, options) => {
    const signal = signalOf(name, options)
    return Either.isLeft(signal) ? Promise.reject(signal.left) : runEffect(name, effect, signal.right)
  }

  /** Pulls part by part. Between two items it still holds its connection. */
  async function* read<A>(
    name: string,
    opened: Effect.Effect<Pull<A, unknown>, unknown, Scope.Scope>,
    signal: AbortSignal | undefined
  ): AsyncGenerator<A, void, undefined> {
    const scope = Effect.runSync(Scope.make())
    let ended: { readonly reason: unknown } | undefined
    let pulling: Promise<unknown> | undefined
    const release = (): Promise<void> => Effect.runPromise(Scope.close(scope, Exit.void))
    const goOn = (): void => {
      if (ended !== undefined) throw ended.reason
    }
    const pull = async <B>(effect: Effect.Effect<B, unknown>): Promise<B> => {
      goOn()
      const pulled = runEffect(name, effect, signal)
      pulling = pulled
      const value = await pulled
      pulling = undefined
      goOn()
      return value
    }
    const leave = enter(name, signal, (reason) => {
      if (ended !== undefined) return undefined
      ended = { reason }
      leave()
      return pulling === undefined ? release() : pulling.then(release, release)
    })
    try {
      const next = orEnd(await pull(Scope.extend(opened, scope)))
      while (true) {
        const items = await pull(next)
        if (Option.isNone(items)) return
        for (const item of items.value) {
          yield item
          goOn()
        }
      }
    } finally {
      leave()
      await release()
    }
  }

  return {
    run,
    runEffect,
    runCancellable,
    enter,
    iterate: (name, opened, signal) => ({ [Symbol.asyncIterator]: () => read(name, opened, signal) }),
    close: async () => {
      isClosed = true
      await Promise.all([...running.items].map(({ end }) => end(cancelled())))
      await Effect.runPromise(lifetime.close)
    }
  }
}
