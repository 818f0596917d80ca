/** Answers that did not come, not in time, or not as they were declared. */
import * as Data from "effect/Data"
import { type Details, said } from "./details.js"

/**
 * Why no answer came. `Refused`, `Unresolved` and `ConnectTimeout` prove that nothing was sent. `Tls`: the handshake
 * failed, for example over a certificate, and would fail again.
 */
export type NetworkReason =
  | "Refused"
  | "Unresolved"
  | "ConnectTimeout"
  | "Tls"
  | "Reset"
  | "Timeout"
  | "Protocol"
  | "Unknown"

/** No answer came, and the call changes nothing on the platform (or provably never got there). */
export class NetworkError extends Data.TaggedError("NetworkError")<
  Details & { readonly reason: NetworkReason }
> {
  /** Not where the platform's certificate, or ours, is not accepted. */
  readonly retryable: boolean = this.reason !== "Tls"
  /** The same as `_tag`, for programs that do not use Effect. */
  get tag(): this["_tag"] {
    return this._tag
  }
  override get message(): string {
    return `${this.operation}: no answer from the platform (${this.reason})`
  }
}

/** The deadline passed before the whole answer was there. */
export class DeadlineExceeded extends Data.TaggedError("DeadlineExceeded")<
  Details & {
    /** The deadline in milliseconds, over all attempts and the body. */
    readonly deadline: number
    readonly attempts: number
  }
> {
  readonly retryable = true
  /** The same as `_tag`, for programs that do not use Effect. */
  get tag(): this["_tag"] {
    return this._tag
  }
  override get message(): string {
    const tries = this.attempts === 1 ? "1 attempt" : `${this.attempts} attempts`
    return `${this.operation}: no complete answer within ${this.deadline} ms (${tries})`
  }
}

/** What is wrong with an answer. */
export type AnswerReason =
  | "Redirect"
  | "NotJson"
  | "Empty"
  | "Shape"
  | "Encoding"
  | "TooLarge"
  | "TooDeep"
  | "Precision"
  | "Paging"

/** An answer came, but it cannot be read, or, where it is read strictly, is not what the operation declares. */
export class AnswerError extends Data.TaggedError("AnswerError")<
  Details & {
    readonly reason: AnswerReason
    /** Dotted path of the field at fault, where there is one. */
    readonly field?: string
    /** The rule that it breaks, in words. */
    readonly rule: string
    /** True where the call is a write and the platform answered it with a success: it is done, and must not be repeated. */
    readonly isDone?: boolean
  }
> {
  readonly retryable = false
  /** The same as `_tag`, for programs that do not use Effect. */
  get tag(): this["_tag"] {
    return this._tag
  }
  override get message(): string {
    const at =
      this.field === undefined || this.field === "" ? "the answer" : `the answer's field "${this.field}"`
    const done = this.isDone === true ? ". The platform has done what was asked: do not repeat it." : ""
    return `${this.operation}: ${at} ${this.rule}${said(this)}${done}`
  }
}

/**
 * A write was sent and may or may not have been done: its answer was lost, or the platform failed over it and the call
 * did not succeed later on. Look before you repeat it; with the same idempotency key it may be repeated as it is.
 */
export class OutcomeUnknown extends Data.TaggedError("OutcomeUnknown")<
  Details & {
    /**
     * `Network`: the connection was lost. `Deadline`: the deadline passed. `Server`: the platform failed (5xx) at an
     * earlier attempt; `cause` is how the last one ended.
     */
    readonly reason: "Network" | "Deadline" | "Server"
    readonly attempts: number
  }
> {
  readonly retryable = false
  /** The same as `_tag`, for programs that do not use Effect. */
  get tag(): this["_tag"] {
    return this._tag
  }
  override get message(): string {
    const why =
      this.reason === "Server" ? "the platform failed over it" : `the answer was lost (${this.reason})`
    return (
      `${this.operation}: it was sent, but ${why}. It may have happened: read the present state before you repeat it, ` +
      "or repeat it with the same idempotency key."
    )
  }
}
