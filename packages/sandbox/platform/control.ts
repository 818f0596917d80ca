/** The handle by which a test or a program controls a sandbox and sees its requests. */

import { type Audience, InputError, millisOf } from "@quartet/sdk/extend"
import type * as Duration from "effect/Duration"
import * as Either from "effect/Either"
import type { State } from "../state/state.js"

/** A latency in milliseconds. */
export const readLatency = (
  operation: string,
  latency: Duration.DurationInput
): Either.Either<number, InputError> => {
  const milliseconds = millisOf(latency)
  return Number.isFinite(milliseconds) && milliseconds >= 0
    ? Either.right(milliseconds)
    : Either.left(
        new InputError({ operation, field: "latency", rule: "must be a finite duration, at least 0" })
      )
}

/** One request that the sandbox received, with its result. Holds no credentials. @category models */
export interface Received {
  readonly requestId: string
  readonly method: string
  /** Path without its query. */
  readonly path: string
  /** Query without the question mark; empty if there is none. */
  readonly query: string
  /** Name of the operation, if a route was found. */
  readonly operation: string | undefined
  /** The owner of the request's credentials; undefined for none, or wrong ones. */
  readonly audience: Audience | undefined
  readonly status: number
  readonly idempotencyKey: string | undefined
  /** Whether the answer is an earlier one, kept under the idempotency key. */
  readonly replayed: boolean
  readonly at: Date
  /** Milliseconds on the clock between arrival and answer. */
  readonly duration: number
}

/** The effect of a planned fault on one request. */
export type Fault =
  /** Answers with this status; nothing is done. */
  | { readonly _tag: "Status"; readonly status: number; readonly retryAfter: number | undefined }
  /** Does the work, then loses the answer with the connection. */
  | { readonly _tag: "Lost" }

/** The most requests that the log keeps. */
const longest = 10_000

/**
 * The control of a sandbox, for tests: it fails, delays and loses answers, ends sessions, and lists the requests that
 * came. Its changes hold for requests that come later.
 * @category models
 */
export class Control {
  /** Milliseconds that every request waits before it is handled. */
  latency = 0
  private readonly faults: Array<Fault> = []
  private readonly received: Array<Received> = []

  constructor(
    /** The platform's state, for tests of more than the answers. */
    readonly state: State,
    private readonly onRequest: ((received: Received) => void) | undefined
  ) {}

  /** Ends all sessions and access tokens: the next call of every client that signed in is answered 401. */
  expireSessions(): void {
    this.state.sessions.clear()
  }

  /** Makes every request wait; a number is milliseconds. Throws InputError for a duration that is none. */
  setLatency(latency: Duration.DurationInput): void {
    this.latency = Either.getOrThrowWith(readLatency("sandbox.setLatency", latency), (refused) => refused)
  }

  /** Answers the next `count` requests with a status, and does nothing. `retryAfter`: seconds, sent as a header. */
  failNext(count: number, status: number, retryAfter?: number): void {
    for (let index = 0; index < count; index++) this.faults.push({ _tag: "Status", status, retryAfter })
  }

  /** Performs the next `count` requests and loses the answers. */
  loseNext(count: number): void {
    for (let index = 0; index < count; index++) this.faults.push({ _tag: "Lost" })
  }

  /** The requests received so far, oldest first; the last 10,000. */
  log(): ReadonlyArray<Received> {
    return [...this.received]
  }

  /** Forgets the requests received so far and the faults that are still planned. */
  clear(): void {
    this.received.length = 0
    this.faults.length = 0
  }

  /** Takes the next planned fault. */
  takeFault(): Fault | undefined {
    return this.faults.shift()
  }

  /** Records a request. */
  note(received: Received): void {
    if (this.received.length === longest) this.received.shift()
    this.received.push(received)
    this.onRequest?.(received)
  }
}
