/** Runs work as Promises: cancellation by signal, rejection with the typed error itself, and an end for all at once. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { Bag, closed, gone, Lifetime, type Placed } from "../../core/kernel/dispatch/lifetime.js"
import { type Cancellable, signalOf } from "./options.js"
import { abortedBy, listen } from "./signals.js"

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
  /** The same with the options of a method that takes nothing but a signal. */
  readonly runCancellable: <A>(
    name: string,
    effect: Effect.Effect<A, unknown>,
    options: Cancellable | undefined
  ) => Promise<A>
  /** The items of a stream, from its beginning for each loop over them; leaving a loop ends its stream. */
  readonly iterate: <A>(
    name: string,
    stream: Stream.Stream<A, unknown>,
    signal: AbortSignal | undefined
  ) => AsyncIterable<A>
  /**
   * Lets a signal and the client's end end something that was started, once: `end` is given the reason. The function
   * that it answers takes it off both. Throws InputError where the signal is a broken one.
   */
  readonly enter: (
    name: string,
    signal: AbortSignal | undefined,
    end: (reason: unknown) => unknown
  ) => () => void
  /** Cancels what is under way and refuses what comes after. */
  readonly close: () => Promise<void>
}

/** Something under way: how it is ended from outside, which `close` waits for. */
interface Running extends Placed {
  readonly end: (reason: unknown) => unknown
}

/** What was under way rejects as what is aborted does: nobody knows whether the platform has done it. */
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
    // First, for it may throw: nothing is left behind then.
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

  /** Pulls a stream chunk by chunk. Between two items it is under way too, and holds its connection. */
  async function* read<A>(
    name: string,
    stream: Stream.Stream<A, unknown>,
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
      const next = orEnd(await pull(Scope.extend(Stream.toPull(stream), scope)))
      while (true) {
        const chunk = await pull(next)
        if (Option.isNone(chunk)) return
        for (const item of chunk.value) {
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
    iterate: (name, stream, signal) => ({ [Symbol.asyncIterator]: () => read(name, stream, signal) }),
    close: async () => {
      isClosed = true
      await Promise.all([...running.items].map(({ end }) => end(cancelled())))
      await Effect.runPromise(lifetime.close)
    }
  }
}
