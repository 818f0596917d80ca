/**
 * Everything a call can fail with: a closed union of tagged errors. None of them ever holds a value that the caller
 * sent or a credential; text that a server answered is masked before it gets here.
 */
import type { YieldableError } from "effect/Cause"
import { CallErrorId, type PlainError, TaggedError } from "../../ports/tagged-error.js"
import type { NetworkReason } from "../../ports/transport.js"
import { doneOf } from "./outcomes.js"

export type { NetworkReason } from "../../ports/transport.js"
export { type Done, doneOf } from "./outcomes.js"

/**
 * The fields of every failure: the name of the operation and, if a server answered, its status, its own id of the
 * request and its message. Text of a server is masked: no secret that was sent stands in it.
 * @category models
 */
export interface Details {
  /** The operation's name, such as `requests.markSeen`. */
  readonly operation: string
  /** The HTTP status, if an answer came. */
  readonly status?: number
  /** The server's own id of the request (`x-request-id`, `request-id` or `x-correlation-id`), for its support. */
  readonly requestId?: string
  /** Milliseconds that the server asked to wait, from `Retry-After`. */
  readonly retryAfter?: number
  /** The server's own message, masked and cut to 500 characters. */
  readonly serverMessage?: string
  /** The server's own code of the error, such as `out_of_stock`, masked and cut like its message. */
  readonly serverCode?: string
  /** The failure below this one, such as the error of a transport. */
  readonly cause?: unknown
}

/** The server's own message, as the end of ours. @category getters */
export const said = (error: Details): string =>
  (error.status === undefined ? "" : ` (HTTP ${error.status})`) +
  (error.serverMessage === undefined ? "" : `: ${error.serverMessage}`) +
  (error.requestId === undefined ? "" : ` [request ${error.requestId}]`)

/** The shared members of the error classes. */
type FailureClass<Tag extends string, Retryable extends boolean> = new <A extends object = object>(
  fields: Details & A
) => YieldableError & {
  /** The name of the error, by which `Effect.catchTag` and a `switch` tell errors apart. */
  readonly _tag: Tag
  /** The same as `_tag`, for programs that do not use Effect. */
  readonly tag: Tag
  /** Whether the same call may succeed when it is repeated. */
  readonly retryable: Retryable
  /** The error as plain data, as `toPlain` makes it. */
  readonly toJSON: () => PlainError
} & Readonly<Details & A>

/** The base class of one tag. */
const failure = <Tag extends string, Retryable extends boolean>(
  tag: Tag,
  retryable: Retryable
): FailureClass<Tag, Retryable> => {
  class Failure extends TaggedError(tag)<Details & { readonly retryable: boolean }> {
    readonly [CallErrorId] = CallErrorId
    constructor(fields: Details) {
      super({ retryable, ...fields })
    }
    get tag(): Tag {
      return tag
    }
  }
  // A class cannot extend one with the fields of a type parameter, so the type above declares them.
  return Failure as never
}

/**
 * The input breaks a rule of the SDK or of the call. Nothing was sent, unless `isCutOff` says that a file failed on
 * its way. `field` names what is wrong, and `rule` says how it has to be; neither shows the value, which may be a
 * secret. It is not `retryable`: correct the input.
 *
 * @example
 * ```ts
 * import { Errors } from "@quartet/sdk/promise"
 *
 * try {
 *   await admin.users.create({ payload: { email: "" } })
 * } catch (error) {
 *   if (error instanceof Errors.InputError) console.log(error.field, error.rule)
 * }
 * ```
 * @category errors
 */
export class InputError extends /*#__PURE__*/ failure("InputError", false)<{
  /** Dotted path of the field, such as `payload.price` or `id`. */
  readonly field: string
  /** The rule that it breaks, in words: `must be a finite number`. */
  readonly rule: string
  /** True where a file failed while it was sent: the request was cut off before its end. */
  readonly isCutOff?: boolean
}> {
  override get message(): string {
    const sent =
      this.isCutOff === true
        ? "The request was cut off before its end."
        : // What `until` waits for is asked about answers.
          `Nothing ${this.field === "predicate" ? "more is" : "was"} sent.`
    // The client is no field that a caller has written.
    const what = this.field === "client" ? "the client" : `the field "${this.field}"`
    return `${this.operation}: ${what} ${this.rule}. ${sent}`
  }
}

/** The message of point 8 of the specification, word for word. @category constants */
export const missingCredentials = "Session ID and access token or email and password must be provided"

/**
 * The client has no usable credentials: none are configured, they have an invalid form, or the platform refused the
 * sign-in. `reason` says which, and `advice` what to do about it. Clients throw it when they are made; calls fail
 * with it when the sign-in that they need does. It never holds a password, a key or a token.
 *
 * @example
 * ```ts
 * import { createAdminClient, Errors } from "@quartet/sdk/promise"
 *
 * try {
 *   createAdminClient({ baseUrl: "https://api.example.com", projectId: "p1", email: "ada@example.com", password: "" })
 * } catch (error) {
 *   if (error instanceof Errors.CredentialsError) console.log(error.reason, error.missing)
 * }
 * ```
 * @category errors
 */
export class CredentialsError extends /*#__PURE__*/ failure("CredentialsError", false)<{
  /**
   * `Missing`: none configured. `Malformed`: a key or token has an invalid form. `Rejected`: the sign-in was refused.
   * `Cooldown`: a sign-in failed moments ago and is not tried again yet. `Browser`: a private key in a browser.
   */
  readonly reason: "Missing" | "Malformed" | "Rejected" | "Cooldown" | "Browser"
  /** What to do about it. */
  readonly advice: string
  /** The fields that are missing, such as `accessToken`: of an admin's, those of an incomplete pair. */
  readonly missing?: ReadonlyArray<string>
}> {
  override get message(): string {
    return this.reason === "Missing" ? this.advice : `${this.operation}: ${this.advice}${said(this)}`
  }
}

/**
 * The caller may not do this. With the reason `Grant` the token's permissions do not reach the level that the call
 * requires (point 6 of the specification), and nothing was sent; with `Server` the platform answered 403. `who` names
 * the account where the client knows it. Do not repeat the call: hide the action, or grant the level. `permissions:
 * "off"` leaves the check to the platform.
 *
 * @example
 * ```ts
 * import { Errors } from "@quartet/sdk/promise"
 *
 * try {
 *   await admin.roles.delete({ id: "r1" })
 * } catch (error) {
 *   if (error instanceof Errors.PermissionDenied) console.log(`${error.who ?? "you"}: ${error.resource}.${error.action}`)
 * }
 * ```
 * @category errors
 */
export class PermissionDenied extends /*#__PURE__*/ failure("PermissionDenied", false)<{
  /** `Grant`: the client's own check of the token. `Server`: the platform answered 403. */
  readonly reason: "Grant" | "Server"
  /** What is acted on, in the token's names: the first half of a call's name, such as `requests`. */
  readonly resource: string
  /** What is done to it, in the token's names: the second half, such as `markSeen`. */
  readonly action: string
  /** The level that the operation requires: 0, 1, 3 or 9. */
  readonly required: number
  /** The most specific grant that was found, such as `requests.*`, or undefined if there is none. */
  readonly grant?: string
  /** The level of that grant. */
  readonly level?: number
  /** The word that stands in place of a level: it counts as none. */
  readonly word?: string
  /** Who was refused, such as `the admin ada@example.com`: the account where the client knows it, never a secret. */
  readonly who?: string
}> {
  override get message(): string {
    const { who } = this
    if (this.reason === "Server")
      return `${this.operation}: the platform refused it${who === undefined ? "" : ` to ${who}`}${said(this)}`
    const level = this.word ? `"${this.word}", which is no level` : this.level
    const actual = this.grant === undefined ? "found no grant" : `found ${this.grant} = ${level}`
    return (
      `${this.operation}: ${who === undefined ? "" : `${who} `}needs ${this.resource}.${this.action} at level ${this.required}, ${actual}. Nothing was sent. ` +
      'If the platform names this resource otherwise, map it with `permissionNames`; `permissions: "off"` leaves the check to the server.'
    )
  }
}

/**
 * 401: the platform does not accept the credentials. An admin's client with a password has signed in anew and tried
 * again before it fails so; other clients cannot. Have the user sign in again.
 *
 * @example
 * ```ts
 * import { Errors } from "@quartet/sdk/promise"
 *
 * const profile = await endUser.auth.self().catch((error: unknown) => {
 *   if (error instanceof Errors.Unauthenticated) return undefined
 *   throw error
 * })
 * ```
 * @category errors
 */
export class Unauthenticated extends /*#__PURE__*/ failure("Unauthenticated", false) {
  override get message(): string {
    return `${this.operation}: the platform does not accept the credentials${said(this)}`
  }
}

/**
 * 404: there is nothing with this id or key, or the caller must not see it. Treat it as absent, and read the list
 * anew.
 *
 * @example
 * ```ts
 * import * as Admin from "@quartet/sdk/admin"
 * import * as Effect from "effect/Effect"
 *
 * const order = Admin.orders.get({ id: "o1" }).pipe(Effect.catchTag("NotFound", () => Effect.succeed(undefined)))
 * ```
 * @category errors
 */
export class NotFound extends /*#__PURE__*/ failure("NotFound", false) {
  override get message(): string {
    return `${this.operation}: not found${said(this)}`
  }
}

/**
 * 409: the state on the platform has moved on, or the work was done before: a version that is not the newest, an
 * e-mail that another account has, a payment that is refunded already. Read the thing again, and decide anew; the
 * same call would fail again.
 *
 * @example
 * ```ts
 * import { Errors } from "@quartet/sdk/promise"
 *
 * const request = await admin.requests.get({ id: "r1" })
 * try {
 *   await admin.requests.markSeen({ id: "r1", version: request.version ?? 0 })
 * } catch (error) {
 *   if (!(error instanceof Errors.Conflict)) throw error
 *   console.log("Somebody has changed it: show it again")
 * }
 * ```
 * @category errors
 */
export class Conflict extends /*#__PURE__*/ failure("Conflict", false) {
  override get message(): string {
    return `${this.operation}: in conflict with the present state${said(this)}`
  }
}

/**
 * Any other 4xx: the platform minds the input. `field` names what it minds, and `serverMessage` is what it said,
 * masked and cut to 500 characters. A write that was answered 408 may have been done: read the state before you
 * repeat it. It is `retryable` only for a read that was answered 408.
 *
 * @example
 * ```ts
 * import { Errors } from "@quartet/sdk/promise"
 *
 * try {
 *   await admin.orders.update({ payload: { _id: "o1", status: "lost" } })
 * } catch (error) {
 *   if (error instanceof Errors.Rejected) console.log(error.field ?? "form", error.serverMessage)
 * }
 * ```
 * @category errors
 */
export class Rejected extends /*#__PURE__*/ failure<"Rejected", boolean>("Rejected", false)<{
  /** Whether the call may be repeated: a read after 408. */
  readonly retryable?: boolean
  /** The field that the server named, if any. */
  readonly field?: string
}> {
  override get message(): string {
    return `${this.operation}: the platform rejected it${said(this)}`
  }
}

/**
 * 429: too many calls. Reads, and writes with an idempotency key, were repeated already, as often as the policy
 * allows. `retryAfter` says how many milliseconds the platform asked to wait, where it said so.
 *
 * @example
 * ```ts
 * import { Errors } from "@quartet/sdk/promise"
 *
 * const wait = await admin.users.list().then(
 *   () => 0,
 *   (error: unknown) => (error instanceof Errors.RateLimited ? (error.retryAfter ?? 1_000) : 0)
 * )
 * ```
 * @category errors
 */
export class RateLimited extends /*#__PURE__*/ failure("RateLimited", true) {
  override get message(): string {
    const wait = this.retryAfter === undefined ? "" : ` Wait ${Math.ceil(this.retryAfter / 1000)} s.`
    return `${this.operation}: too many calls${said(this)}.${wait}`
  }
}

/**
 * 5xx: the platform failed. A read was repeated already, and is `retryable` later, unless the platform does not take
 * it at all (501, 505, 511). A write without an idempotency key was not: it may have been done, so read the state
 * before you repeat it.
 *
 * @example
 * ```ts
 * import { Errors } from "@quartet/sdk/promise"
 *
 * try {
 *   await admin.items.list()
 * } catch (error) {
 *   if (error instanceof Errors.ServerFault) console.log(error.status, error.requestId, error.retryable)
 * }
 * ```
 * @category errors
 */
export class ServerFault extends /*#__PURE__*/ failure<"ServerFault", boolean>("ServerFault", false)<{
  /** Whether the call may be repeated: a read, unless the platform does not take it (501, 505, 511). */
  readonly retryable: boolean
}> {
  override get message(): string {
    return `${this.operation}: the platform failed${said(this)}`
  }
}

/** What happened to the request to an address, which stands at the `@`. */
const happened: Readonly<Record<NetworkReason, string>> = {
  Refused: "@ refused the connection",
  Unresolved: "the host of @ was not found",
  ConnectTimeout: "@ did not accept a connection in time",
  Tls: "no secure connection to @ came about",
  Reset: "@ closed the connection before its answer was whole",
  Timeout: "@ did not answer in time",
  Protocol: "@ answered what cannot be read as HTTP",
  Offline: "this device is offline, and @ was not reached",
  Unknown: "no answer came from @"
}

/** Whether there is no way to an address: nobody there has refused anything. */
const isUnreachable = (detail: string | undefined): boolean => /^E(HOST|NET)UNREACH$/.test(detail ?? "")

/** Whether fetch refuses the port itself: it would refuse it again. */
const isBarred = (detail: string | undefined): boolean => detail === "ERR_UNSAFE_PORT"

/** What a person looks at first. */
const questionOf = (reason: NetworkReason, detail: string | undefined): string => {
  if (reason === "Unresolved")
    return detail === "EAI_AGAIN" ? " Is this machine's name server there?" : " Is the host name right?"
  return detail === "ECONNREFUSED" ? " Is it running?" : ""
}

/**
 * No answer came, and nothing was changed: the call only reads, or it provably never left. `reason` says what broke,
 * `origin` which address gave no answer (scheme, host and port), and `detail` is the runtime's own code. It is
 * `retryable`, except where a certificate is not accepted. A write that was sent and got no answer is an
 * {@link OutcomeUnknown} instead.
 *
 * @example
 * ```ts
 * import { Errors } from "@quartet/sdk/promise"
 *
 * try {
 *   await visitor.items.search({ payload: {} })
 * } catch (error) {
 *   if (error instanceof Errors.NetworkError) console.log(error.reason, error.origin)
 * }
 * ```
 * @category errors
 */
export class NetworkError extends /*#__PURE__*/ failure<"NetworkError", boolean>("NetworkError", true)<{
  /** Why no answer came. `Refused`, `Unresolved` and `ConnectTimeout` prove that nothing was sent. */
  readonly reason: NetworkReason
  /** The address that gave no answer: scheme, host and port. */
  readonly origin?: string
  /** The runtime's code for what happened, such as `ECONNREFUSED`, where it tells one. */
  readonly detail?: string
}> {
  /** False if a certificate, the platform's or ours, is not accepted, or fetch takes no address with this port. */
  override readonly retryable: boolean = this.reason !== "Tls" && !isBarred(this.detail)
  override get message(): string {
    const { detail, operation, origin = "the platform", reason } = this
    const what = isBarred(detail)
      ? "@ has a port that fetch sends nothing to, whatever runs there"
      : isUnreachable(detail)
        ? "@ cannot be reached"
        : happened[reason]
    const code = detail === undefined ? "" : ` (${detail})`
    return `${operation}: ${what.replace("@", () => origin)}${code}.${questionOf(reason, detail)}`
  }
}

/**
 * The deadline passed before the whole answer to a read was received, or before a write was sent: nothing was
 * changed. `deadline` is in milliseconds, over all attempts, pauses and the body; 30,000 by default. Give the call
 * more time with `{ policy: { deadline: "1 minute" } }`. Where `until` waited for a state, `isUnmet` is true and
 * `last` is the last answer.
 *
 * @example
 * ```ts
 * import { Errors } from "@quartet/sdk/promise"
 *
 * const report = await admin.intranet.holidayReport({}, { policy: { deadline: "1 minute" } }).catch((error: unknown) => {
 *   if (error instanceof Errors.DeadlineExceeded) return undefined
 *   throw error
 * })
 * ```
 * @category errors
 */
export class DeadlineExceeded extends /*#__PURE__*/ failure("DeadlineExceeded", true)<{
  /** The deadline in milliseconds, over all attempts and the body. */
  readonly deadline: number
  /** Requests that were sent for the call, the last one too; where `until` waited, the calls that it made. */
  readonly attempts: number
  /** True where `until` waited for a state: calls were answered, but none as wanted. */
  readonly isUnmet?: boolean
  /** The last answer to `until`, if any came. It is not part of the error's JSON. */
  readonly last?: unknown
}> {
  override get message(): string {
    const what = this.isUnmet === true ? "no answer as wanted" : "no complete answer"
    const made = this.isUnmet === true ? "call" : "attempt"
    const tries = `${this.attempts} ${made}${this.attempts === 1 ? "" : "s"}`
    return `${this.operation}: ${what} within ${this.deadline} ms (${tries})`
  }
}

/** What is wrong with an answer. @category models */
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

/**
 * An answer came that cannot be read, or that a strict client refuses because it is not what the call declares.
 * `field` and `rule` say what is wrong in it. If `isDone` is true, the call is a write that the platform has done: do
 * not repeat it. If `isInDoubt` is true, it may have been done. With `answers: "tolerant"`, the default, a field of
 * another kind is reported as drift and never fails a call.
 *
 * @example
 * ```ts
 * import { Errors } from "@quartet/sdk/promise"
 *
 * try {
 *   await admin.users.create({ payload: { email: "nino@example.com" } })
 * } catch (error) {
 *   if (error instanceof Errors.AnswerError && error.isDone === true) console.log("The user was created")
 * }
 * ```
 * @category errors
 */
export class AnswerError extends /*#__PURE__*/ failure("AnswerError", false)<{
  /** What is wrong with the answer; `field` and `rule` say where, and what is expected. */
  readonly reason: AnswerReason
  /** Dotted path of the invalid field, if there is one. */
  readonly field?: string
  /** The rule that it breaks, in words. */
  readonly rule: string
  /** True if the call is a write that the platform answered with a success: it is done, and must not be repeated. */
  readonly isDone?: boolean
  /** True if the call is a write that may have been done: it was answered with a web page, or a redirect such as 303. */
  readonly isInDoubt?: boolean
}> {
  override get message(): string {
    const at =
      this.field === undefined || this.field === "" ? "the answer" : `the answer's field "${this.field}"`
    const done = this.isDone === true ? ". The platform has done what was asked: do not repeat it." : ""
    return `${this.operation}: ${at} ${this.rule}${said(this)}${done}`
  }
}

/**
 * A write was sent and may or may not have been done: its answer was lost, or the platform failed and no later
 * attempt succeeded. Read the present state before you repeat it. With an `idempotencyKey` the platform does the work
 * of one key once, so the same call with the same key may be repeated unchanged. `cause` is what the last attempt
 * failed with.
 *
 * @example
 * ```ts
 * import { Errors } from "@quartet/sdk/promise"
 *
 * const id = "p1"
 * try {
 *   await admin.payments.refund({ id, payload: { amount: 5 } }, { idempotencyKey: `refund-${id}` })
 * } catch (error) {
 *   if (!(error instanceof Errors.OutcomeUnknown)) throw error
 *   const { refundedAmount } = await admin.payments.get({ id })
 *   console.log("Refunded so far:", refundedAmount)
 * }
 * ```
 * @category errors
 */
export class OutcomeUnknown extends /*#__PURE__*/ failure("OutcomeUnknown", false)<{
  /**
   * `Network`: the connection was lost. `Deadline`: the deadline passed. `Server`: the platform failed (408, 5xx) at an
   * earlier attempt; `cause` is the failure of the last one. `Interrupted`: a React app gave it up while it was sent, as at a
   * sign-out.
   */
  readonly reason: "Network" | "Deadline" | "Server" | "Interrupted"
  /** Requests that were sent for the call, the last one too. */
  readonly attempts: number
}> {
  override get message(): string {
    const why =
      this.reason === "Server" ? "the platform failed over it" : `the answer was lost (${this.reason})`
    return (
      `${this.operation}: it was sent, but ${why}. It may have happened: read the present state before you repeat it, ` +
      "or repeat it with the same idempotency key."
    )
  }
}

/**
 * Everything a call can fail with: a closed union, told apart by `_tag` (and `tag`, for programs without Effect). A
 * call's own type states which of them it can fail with; this is their supertype. None of them holds a value that the
 * caller sent, or a credential. With Promises each is a real `Error`, so `instanceof` works.
 *
 * @example
 * ```ts
 * import * as Admin from "@quartet/sdk/admin"
 * import * as Effect from "effect/Effect"
 *
 * const program = Admin.requests.list({ statusIn: ["pending"] }).pipe(
 *   Effect.catchTags({
 *     PermissionDenied: () => Effect.succeed({ items: [] }),
 *     Unauthenticated: () => Effect.dieMessage("Sign in again")
 *   })
 * )
 * ```
 * @category errors
 */
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

/**
 * Whether a value is a {@link CallError}: for a `catch` that gets anything. It is also true for an error from another
 * copy of this package, for which `instanceof` is not.
 *
 * @example
 * ```ts
 * import { Errors } from "@quartet/sdk/promise"
 *
 * await admin.orders.search().catch((error: unknown) => {
 *   console.log(Errors.isCallError(error) ? error.tag : "a bug")
 * })
 * ```
 * @category guards
 */
export const isCallError = (error: unknown): error is CallError =>
  typeof error === "object" && error !== null && CallErrorId in error

/**
 * The category of a failure: `auth`, the credentials or their rights; `throttled`, wait and repeat; `transient`, a
 * temporary fault of the network or the platform; `caller`, the call or its schema has to change; `unknown-outcome`,
 * check what happened before you repeat it.
 * @category models
 */
export type Category = "auth" | "throttled" | "transient" | "caller" | "unknown-outcome"

/**
 * The category of an error, for programs that treat many alike: `auth` (the credentials or their rights), `throttled`
 * (wait, then repeat), `transient` (a temporary fault of the network or the platform), `caller` (the call has to
 * change), `unknown-outcome` (find out what happened before you repeat it).
 *
 * @example
 * ```ts
 * import { Errors } from "@quartet/sdk/promise"
 *
 * const retryLater = (error: Errors.CallError) => ["throttled", "transient"].includes(Errors.categoryOf(error))
 * ```
 * @category getters
 */
export const categoryOf = (error: CallError): Category => {
  switch (error._tag) {
    case "CredentialsError":
    case "PermissionDenied":
    case "Unauthenticated":
      return "auth"
    case "RateLimited":
      return "throttled"
    default:
      if (doneOf(error) === "perhaps") return "unknown-outcome"
      return error.retryable ? "transient" : "caller"
  }
}
