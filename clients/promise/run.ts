/** Runs work as Promises: cancellation by signal, rejection with the typed error itself, and one `close` for all. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Exit from "effect/Exit"
import { Bag, gone, type Placed } from "../../core/kernel/dispatch/lifetime/bag.js"
import { closed, Lifetime } from "../../core/kernel/dispatch/lifetime/lifetime.js"
import { type Cancellable, signalOf } from "./options.js"
import { rejection } from "./rejection.js"
import { abortedBy, listen } from "./signals.js"

/** Work that reports its end once, and the function that cancels it. */
export type Start<A, E = unknown> = (settle: (exit: Exit.Exit<A, E>) => void) => () => void

/** Runs the calls of one client. */
export interface Runner {
  readonly run: <A>(name: string, start: Start<A>, signal: AbortSignal | undefined) => Promise<A>
  /** An effect as such work. */
  readonly starts: <A, E>(effect: Effect.Effect<A, E>) => Start<A, E>
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
  /**
   * Ends started work once, on a signal or when the client closes: `end` gets the reason. The returned function removes
   * it from both, and answers false if it was removed before. Throws InputError if the signal is invalid.
   */
  readonly enter: (
    name: string,
    signal: AbortSignal | undefined,
    end: (reason: unknown) => unknown
  ) => () => boolean
  readonly isClosed: () => boolean
  /** Cancels work in flight and refuses later work. */
  readonly close: () => Promise<void>
}

/** Work in flight. A class, because V8 may allocate objects of a literal among the old ones. */
class Running implements Placed {
  place = gone
  /** Ends it from outside; `close` waits for that. */
  constructor(readonly end: (reason: unknown) => unknown) {}
}

/** Work in flight rejects like an aborted one: whether the platform has done it is unknown. */
export const cancelled = (): DOMException => new DOMException("the client was closed", "AbortError")

/** Makes the runner of one client, whose lifetime ends with it. What an outer one closes ends too. */
export const makeRunner = (lifetime = new Lifetime(Effect.runFork), outer?: Runner): Runner => {
  const running = new Bag<Running>()
  let isOver = false
  const isClosed = (): boolean => isOver || outer?.isClosed() === true

  const enter: Runner["enter"] = (name, signal, end) => {
    // First, because it may throw: then nothing is left behind.
    const forget = signal === undefined ? undefined : listen(name, signal, end)
    const leave = outer?.enter(name, undefined, end)
    const item = new Running(end)
    running.add(item)
    return () => {
      if (!running.remove(item)) return false
      forget?.()
      leave?.()
      return true
    }
  }

  const run = <A>(name: string, work: Start<A>, signal: AbortSignal | undefined): Promise<A> =>
    new Promise((resolve, reject) => {
      if (isClosed()) return resolve(rejection(closed(name)))
      const aborted = signal === undefined ? undefined : abortedBy(signal)
      if (aborted !== undefined) return reject(aborted.reason)
      let cancel: (() => void) | undefined
      const leave = enter(name, signal, (reason) => {
        if (!leave()) return
        reject(reason)
        cancel?.()
      })
      cancel = work((exit) => {
        if (!leave()) return
        if (exit._tag === "Success") resolve(exit.value)
        else resolve(rejection(Cause.squash(exit.cause)))
      })
    })

  const starts: Runner["starts"] = (effect) => (settle) => lifetime.run(effect, settle)

  const runEffect: Runner["runEffect"] = (name, effect, signal) => run(name, starts(effect), signal)

  const runCancellable: Runner["runCancellable"] = (name, effect, options) => {
    const signal = signalOf(name, options)
    return Either.isLeft(signal) ? rejection(signal.left) : runEffect(name, effect, signal.right)
  }

  return {
    run,
    starts,
    runEffect,
    runCancellable,
    enter,
    isClosed,
    close: async () => {
      isOver = true
      await Promise.all([...running.items].map(({ end }) => end(cancelled())))
      await Effect.runPromise(lifetime.close)
    }
  }
}
