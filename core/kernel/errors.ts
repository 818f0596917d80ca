/**
 * Everything a call can fail with: a closed union of tagged errors. None of them ever holds a value that the caller
 * sent or a credential; text that a server answered is masked before it gets here.
 */
import * as Data from "effect/Data"

/** What every failure of a call says: which operation failed and, where a server answered, what it said. */
export interface Details {
  /** The operation's name, such as `requests.markSeen`. */
  readonly operation: string
  /** The HTTP status, where an answer came. */
  readonly status?: number
  /** The server's own id of the request (`x-request-id`), for its support. */
  readonly requestId?: string
  /** Milliseconds that the server asked to wait, from `Retry-After`. */
  readonly retryAfter?: number
  /** The server's own message, masked and cut to 500 characters. */
  readonly serverMessage?: string
  readonly cause?: unknown
}

const said = (error: Details): string =>
  (error.status === undefined ? "" : ` (HTTP ${error.status})`) +
  (error.serverMessage === undefined ? "" : `: ${error.serverMessage}`) +
  (error.requestId === undefined ? "" : ` [request ${error.requestId}]`)

/** The input breaks a rule. Nothing was sent. */
export class InputError extends Data.TaggedError("InputError")<
  Details & {
    /** Dotted path of the field, such as `payload.price` or `id`. */
    readonly field: string
    /** The rule that it breaks, in words: `must be a finite number`. */
    readonly rule: string
  }
> {
  readonly retryable = false
  /** The same as `_tag`, for programs that do not use Effect. */
  get tag(): this["_tag"] {
    return this._tag
  }
  override get message(): string {
    return `${this.operation}: the field "${this.field}" ${this.rule}. Nothing was sent.`
  }
}

/** The message of point 8 of the specification, word for word. */
export const missingCredentials = "Session ID and access token or email and password must be provided"

/** The client has no usable credentials. */
export class CredentialsError extends Data.TaggedError("CredentialsError")<
  Details & {
    /**
     * `Missing`: none configured. `Malformed`: a key or token cannot be one. `Rejected`: the sign-in was refused.
     * `Cooldown`: a sign-in failed moments ago and is not tried again yet. `Browser`: a private key in a browser.
     */
    readonly reason: "Missing" | "Malformed" | "Rejected" | "Cooldown" | "Browser"
    /** What to do about it. */
    readonly advice: string
  }
> {
  readonly retryable = false
  /** The same as `_tag`, for programs that do not use Effect. */
  get tag(): this["_tag"] {
    return this._tag
  }
  override get message(): string {
    return this.reason === "Missing" ? this.advice : `${this.operation}: ${this.advice}${said(this)}`
  }
}

/** The caller may not do this: refused by the token's permissions before sending, or by the server (403). */
export class PermissionDenied extends Data.TaggedError("PermissionDenied")<
  Details & {
    /** `Grant`: the client's own check of the token. `Server`: the platform answered 403. */
    readonly reason: "Grant" | "Server"
    readonly resource: string
    readonly action: string
    /** The level that the operation requires: 0, 1, 3 or 9. */
    readonly required: number
    /** The most specific grant that was found, such as `requests.*`, or undefined where there is none. */
    readonly grant?: string
    /** The level of that grant. */
    readonly level?: number
  }
> {
  readonly retryable = false
  /** The same as `_tag`, for programs that do not use Effect. */
  get tag(): this["_tag"] {
    return this._tag
  }
  override get message(): string {
    if (this.reason === "Server") return `${this.operation}: the platform refused it${said(this)}`
    const found = this.grant === undefined ? "found no grant" : `found ${this.grant} = ${this.level}`
    return (
      `${this.operation}: needs ${this.resource}.${this.action} at level ${this.required}, ${found}. Nothing was sent. ` +
      'If the platform names this resource otherwise, map it with `permissionNames`; `permissions: "off"` leaves the check to the server.'
    )
  }
}

/** 401: the platform does not accept the credentials, and a new sign-in did not help. */
export class Unauthenticated extends Data.TaggedError("Unauthenticated")<Details> {
  readonly retryable = false
  /** The same as `_tag`, for programs that do not use Effect. */
  get tag(): this["_tag"] {
    return this._tag
  }
  override get message(): string {
    return `${this.operation}: the platform does not accept the credentials${said(this)}`
  }
}

/** 404: there is nothing at this address. */
export class NotFound extends Data.TaggedError("NotFound")<Details> {
  readonly retryable = false
  /** The same as `_tag`, for programs that do not use Effect. */
  get tag(): this["_tag"] {
    return this._tag
  }
  override get message(): string {
    return `${this.operation}: not found${said(this)}`
  }
}

/** 409: the state on the platform has moved on, for example a version that is not the newest. */
export class Conflict extends Data.TaggedError("Conflict")<Details> {
  readonly retryable = false
  /** The same as `_tag`, for programs that do not use Effect. */
  get tag(): this["_tag"] {
    return this._tag
  }
  override get message(): string {
    return `${this.operation}: in conflict with the present state${said(this)}`
  }
}

/** Any other 4xx. */
export class Rejected extends Data.TaggedError("Rejected")<
  Details & {
    /** The field that the server named, where it named one. */
    readonly field?: string
  }
> {
  readonly retryable = false
  /** The same as `_tag`, for programs that do not use Effect. */
  get tag(): this["_tag"] {
    return this._tag
  }
  override get message(): string {
    return `${this.operation}: the platform rejected it${said(this)}`
  }
}

/** 429: too many calls. `retryAfter` says how long the platform asked to wait. */
export class RateLimited extends Data.TaggedError("RateLimited")<Details> {
  readonly retryable = true
  /** The same as `_tag`, for programs that do not use Effect. */
  get tag(): this["_tag"] {
    return this._tag
  }
  override get message(): string {
    const wait = this.retryAfter === undefined ? "" : ` Wait ${Math.ceil(this.retryAfter / 1000)} s.`
    return `${this.operation}: too many calls${said(this)}.${wait}`
  }
}

/** 5xx: the platform failed. A write may have been done all the same. */
export class ServerFault extends Data.TaggedError("ServerFault")<
  Details & {
    /** Whether the call may be repeated: a read, unless the platform does not know such a call (501). */
    readonly retryable: boolean
  }
> {
  /** The same as `_tag`, for programs that do not use Effect. */
  get tag(): this["_tag"] {
    return this._tag
  }
  override get message(): string {
    return `${this.operation}: the platform failed${said(this)}`
  }
}

/** Why no answer came. `Refused`, `Unresolved` and `ConnectTimeout` prove that nothing was sent. */
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
  readonly retryable = true
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

/** An answer came, but it is not what the operation declares. For a write, the platform has done its work. */
export class AnswerError extends Data.TaggedError("AnswerError")<
  Details & {
    readonly reason: AnswerReason
    /** Dotted path of the field at fault, where there is one. */
    readonly field?: string
    /** The rule that it breaks, in words. */
    readonly rule: string
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
    return `${this.operation}: ${at} ${this.rule}${said(this)}`
  }
}

/** A write was sent and its answer was lost: it may or may not have happened. Look before you repeat it. */
export class OutcomeUnknown extends Data.TaggedError("OutcomeUnknown")<
  Details & {
    /** `Network`: the connection was lost. `Deadline`: the deadline passed. */
    readonly reason: "Network" | "Deadline"
    readonly attempts: number
  }
> {
  readonly retryable = false
  /** The same as `_tag`, for programs that do not use Effect. */
  get tag(): this["_tag"] {
    return this._tag
  }
  override get message(): string {
    return (
      `${this.operation}: it was sent, but the answer was lost (${this.reason}). ` +
      "It may have happened: read the present state before you repeat it."
    )
  }
}

/** Everything a call can fail with. */
export type CallError =
  | InputError
  | CredentialsError
  | PermissionDenied
  | Unauthenticated
  | NotFound
  | Conflict
  | Rejected
  | RateLimited
  | ServerFault
  | NetworkError
  | DeadlineExceeded
  | AnswerError
  | OutcomeUnknown
