/** What stands between a caller and its calls: functions of the client's configuration, `(next) => (call) => Effect`. */
import type * as Effect from "effect/Effect"
import type { CallError } from "../errors/errors.js"
import type { Audience, Method } from "../operation/operation.js"
import type { CallOptions } from "./call-options.js"

/** Makes the call itself, past all middleware. */
export const perform: unique symbol = Symbol()

/** A request that the client sent again. @category models */
export interface Retry {
  /** The tag of the error after which it is. */
  readonly error: CallError["_tag"]
  /** Nanoseconds by Effect's Clock. */
  readonly time: bigint
}

/** What a call has sent so far; the same object as long as the call runs. @category models */
export interface Progress {
  /** Requests that were sent: more than 1 after a retry or a renewal of credentials. */
  attempts: number
  /** The status of the last answer; undefined while there is none. */
  status: number | undefined
  /** The retries of the client, and the call's renewal of credentials, oldest first. */
  retries: ReadonlyArray<Retry>
}

/** A call on its way through the middleware of its client. @category models */
export interface MiddlewareCall {
  /** The operation's name, such as `requests.get`. */
  readonly operation: string
  /** Whose client makes the call: `admin`, `public`, `private` or `endUser`. */
  readonly audience: Audience
  /** The HTTP method of the request. */
  readonly method: Method
  /** Scheme, host and port. */
  readonly origin: string
  /** The path with its parameters, such as `/request-action/{id}`. */
  readonly template: string
  /** What the caller passes; undefined for a call that obtains credentials, because it holds a password. */
  readonly input: unknown
  /** The options that the caller passes, the second argument of the call. */
  readonly options: CallOptions | undefined
  /** Headers to send besides the client's own: the call fails with an InputError where one has the name of one of those. */
  readonly headers: Readonly<Record<string, string>>
  /** What has happened to the call so far: attempts, status and retries. */
  readonly progress: Readonly<Progress>
  /** The tokens of the client's retry budget: those that are left, and all. */
  readonly retryBudget: {
    /** Tokens that are left: a retry costs some. */
    readonly left: number
    /** Tokens of a budget that is full. */
    readonly full: number
  }
  /** Whether the header `traceparent` may go to its origin, by the configuration's `traceparent` and the page's origin. */
  readonly traceparent: boolean
  /** Copied with the rest of the call. */
  readonly [perform]?: Handler
}

/** Makes a call. What it answers has been checked; a download answers a ReadableStream. @category models */
export type Handler = (call: MiddlewareCall) => Effect.Effect<unknown, CallError>

/**
 * Wraps all calls of a client: `(next) => (call) => next(call)`. It may pass on another input, other options and
 * further headers, which are checked like the caller's own, may make the call again, or answer it itself: a cache is
 * middleware. What it answers is passed on unchecked. What it throws is a defect.
 *
 * @example
 * ```ts
 * import type { Middleware } from "@quartet/sdk"
 * import * as Effect from "effect/Effect"
 *
 * const timed: Middleware = (next) => (call) =>
 *   Effect.map(Effect.timed(next(call)), ([duration, answer]) => {
 *     console.log(call.operation, String(duration))
 *     return answer
 *   })
 * ```
 * @category models
 */
export type Middleware = (next: Handler) => Handler
