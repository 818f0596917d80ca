/** Middleware of the Promise clients: `(next) => async (call) => …`, as one of the Effect clients. */

import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import { noHandler } from "../../core/kernel/dispatch/dispatcher.js"
import type { Handler, Middleware, MiddlewareCall } from "../../core/kernel/dispatch/middleware.js"
import { isMiddleware } from "../../core/kernel/dispatch/settings.js"
import { isCallError } from "../../core/kernel/errors/errors.js"
import { isStream } from "../../core/ports/bytes.js"

/** Runs an Effect with what the call's own fiber knows. */
const runIn: unique symbol = Symbol("runIn")

/** A call on its way through the middleware of its client. @category models */
export interface PromiseMiddlewareCall extends MiddlewareCall {
  /** Aborted when the caller cancels, or the client closes. */
  readonly signal: AbortSignal
  /** Copied with the rest of the call. */
  readonly [runIn]?: (effect: Effect.Effect<unknown, unknown>, signal: AbortSignal) => Promise<unknown>
}

/**
 * Makes a call. What it answers has been checked; a download answers a ReadableStream. Rejects with a CallError, or with
 * an AbortError where the call is cancelled.
 * @category models
 */
export type PromiseHandler = (call: PromiseMiddlewareCall) => Promise<unknown>

/**
 * Wraps all calls of a client: `(next) => async (call) => next(call)`. It may pass on another input, other options and
 * further headers, which are checked like the caller's own, may make the call again, or answer it itself. What it
 * answers is passed on unchecked. Whatever it rejects with, the call rejects with.
 * @category models
 */
export type PromiseMiddleware = (next: PromiseHandler) => PromiseHandler

/** Middleware of an Effect client, such as that of adapters/telemetry, for a Promise client. @category models */
export interface EffectMiddleware {
  /** The middleware as the clients with Effects take it. */
  readonly effect: Middleware
}

const makeRun =
  (runtime: Runtime.Runtime<never>): NonNullable<PromiseMiddlewareCall[typeof runIn]> =>
  (effect, signal) =>
    Runtime.runPromiseExit(runtime)(effect, { signal }).then((exit) => {
      if (exit._tag === "Success") return exit.value
      if (!Cause.isInterrupted(exit.cause)) throw Cause.squash(exit.cause)
      throw signal.aborted ? signal.reason : new DOMException("the client was closed", "AbortError")
    })

const fromPromises =
  (middleware: PromiseMiddleware): Middleware =>
  (next: Handler) => {
    const handle = middleware((call) =>
      Promise.resolve(
        call[runIn]?.(next(call), call.signal) ?? Promise.reject(new TypeError("not a copy of a call"))
      )
    )
    if (typeof handle !== "function") return (call) => Effect.fail(noHandler(call.operation))
    return (call) =>
      Effect.flatMap(Effect.runtime(), (runtime) =>
        Effect.async((resume, signal) => {
          const promise = new Promise((resolve) =>
            resolve(handle({ ...call, signal, [runIn]: makeRun(runtime) }))
          )
          promise.then(
            (answer) => {
              // Nobody reads a body that comes after its caller has left.
              if (signal.aborted && isStream(answer)) answer.cancel().catch(() => undefined)
              resume(Effect.succeed(answer))
            },
            (error: unknown) => resume(isCallError(error) ? Effect.fail(error) : Effect.die(error))
          )
        })
      )
  }

/** Reads the middleware of a configuration; what is none stays as it is, and is refused with the rest. */
export const read = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map((entry) => (isMiddleware(entry) ? fromPromises(entry) : Object(entry).effect))
    : value
