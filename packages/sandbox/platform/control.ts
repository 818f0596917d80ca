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

/** One request that the sandbox received, with its result. Credentials in it are masked. @category models */
export interface Received {
  /** The id that the answer has as its header `x-request-id`. */
  readonly requestId: string
  /** The HTTP method, such as `GET`. */
  readonly method: string
  /** Path without its query. */
  readonly path: string
  /** Query without the question mark; empty if there is none. */
  readonly query: string
  /**
   * The headers as they came, by their names in lower case: `headers["x-tenant"]`. Those of credentials are `•••`, and so are the
   * credentials in another.
   */
  readonly headers: { readonly [name: string]: string | undefined }
  /** Name of the operation, if a route was found. */
  readonly operation: string | undefined
  /** The owner of the request's credentials; undefined for none, or wrong ones. */
  readonly audience: Audience | undefined
  /** The HTTP status of the answer, also of one that was lost. */
  readonly status: number
  /** The header `idempotency-key`, which a write may have. */
  readonly idempotencyKey: string | undefined
  /** Whether the answer is an earlier one, kept under the idempotency key. */
  readonly replayed: boolean
  /** When the request came, on the sandbox's clock. */
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

/** What the control plans for requests that come, and those that came: the platform takes the one and notes the other. */
export class Requests {
  readonly faults: Array<Fault> = []
  readonly received: Array<Received> = []

  constructor(private readonly onRequest: ((received: Received) => void) | undefined) {}

  /** Records a request. */
  note(received: Received): void {
    if (this.received.length === longest) this.received.shift()
    this.received.push(received)
    this.onRequest?.(received)
  }
}

/**
 * The control of a sandbox, for tests: it fails, delays and loses answers, ends sessions, and lists the requests that
 * came. Its changes hold for requests that come later.
 * @category models
 */
export class Control {
  /** Milliseconds that every request waits before it is handled. */
  latency = 0

  constructor(
    /** The platform's state, for tests of more than the answers. */
    readonly state: State,
    private readonly requests: Requests
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
    for (let index = 0; index < count; index++)
      this.requests.faults.push({ _tag: "Status", status, retryAfter })
  }

  /** Performs the next `count` requests and loses the answers. */
  loseNext(count: number): void {
    for (let index = 0; index < count; index++) this.requests.faults.push({ _tag: "Lost" })
  }

  /** The requests received so far, oldest first; the last 10,000. */
  log(): ReadonlyArray<Received> {
    return [...this.requests.received]
  }

  /** Forgets the requests received so far and the faults that are still planned. */
  clear(): void {
    this.requests.received.length = 0
    this.requests.faults.length = 0
  }
}
