/** The options of a single call. */
import type * as Options from "../operation/options.js"
import type * as Retry from "./retry.js"

/**
 * How to treat an answer that is not what its operation declares. `tolerant`, the default: a declared field that is
 * missing or of another kind is kept as received and reported as drift. `strict`: the call fails with `AnswerError`.
 * Assumed fields never fail a call, not even with `strict`. An answer narrowed with `as` is always read strictly,
 * unless its schema is `tolerant`.
 * @category models
 */
export type Answers = "tolerant" | "strict"

/** All ways to treat one. */
export const answers = /*#__PURE__*/ Object.freeze(["tolerant", "strict"] satisfies ReadonlyArray<Answers>)

/**
 * Headers to send besides a client's own. Names in any case; a value is ASCII text. One that is undefined is left out, and one
 * that is null takes away a header of the same name that would be sent without it. Credentials are the client's alone: the
 * commonest names of them do not compile, and all are an InputError that names `headers.<name>`.
 * @category models
 */
export interface Headers {
  readonly [name: string]: string | null | undefined
  /** Never: credentials are the client's alone. */
  readonly authorization?: never
  /** Never: credentials are the client's alone. */
  readonly Authorization?: never
  /** Never: the client sends no cookies. */
  readonly cookie?: never
  /** Never: the client sends no cookies. */
  readonly Cookie?: never
  /** Never: credentials are the client's alone. */
  readonly "x-api-key"?: never
  /** Never: credentials are the client's alone. */
  readonly "X-API-Key"?: never
}

/**
 * The options of a single call, beside its input. Each overrides what the client says, for this call alone. An option
 * that does not exist, or breaks a rule, is an `InputError` that names it, and nothing is sent. With Promises there
 * is `signal` too, which cancels the call.
 *
 * @example
 * ```ts
 * await admin.payments.refund(
 *   { id: "p1", payload: { amount: 5, reason: "Paid twice" } },
 *   { idempotencyKey: "refund-p1", policy: { deadline: "10 seconds" }, headers: { "x-reason": "support" } }
 * )
 * ```
 * @category models
 */
export interface CallOptions {
  /** Overrides the client's policy for this call. */
  readonly policy?: Retry.PolicyInput
  /** How to treat an answer that is not what the operation declares; the client's setting by default. */
  readonly answers?: Answers
  /**
   * Sent as `idempotency-key`, the same for all attempts. The platform performs calls with one key once, so a write may
   * be repeated.
   */
  readonly idempotencyKey?: string
  /**
   * Headers to send besides the client's own, with each attempt and, of a list, with each page. Names in any case; a
   * value is ASCII text. One that is undefined is left out; one that is null takes away a header that the client's own option
   * `headers` has. A header that the client or its transport sends itself is an
   * InputError that names `headers.<name>`: credentials (`authorization`, `cookie`, keys, sessions and tokens, the names in
   * `headerNames`), `host`, `accept`, `content-type`, `idempotency-key` and those of a connection.
   */
  readonly headers?: Headers
  /**
   * Called with the bytes sent and the total while a form is sent, if the transport can know. The total is 0 if a file
   * of the form is sent as a stream. Undici and XMLHttpRequest tell it, `fetch` does not. If it throws, that is logged, the
   * call goes on, and it is not called again.
   */
  readonly onUpload?: (sent: number, total: number) => void
}

/** The names of a call's options. */
export const callOptions = {
  policy: "object",
  idempotencyKey: "any",
  headers: "any",
  answers,
  onUpload: "function"
} as const satisfies Options.Known<CallOptions>
