/** Calls that are refused: by the client before anything is sent, or by the permissions. */
import * as Data from "effect/Data"
import { type Details, said } from "./details.js"

/** The input breaks a rule. Nothing was sent, or no whole request. */
export class InputError extends Data.TaggedError("InputError")<
  Details & {
    /** Dotted path of the field, such as `payload.price` or `id`. */
    readonly field: string
    /** The rule that it breaks, in words: `must be a finite number`. */
    readonly rule: string
    /** True where a file failed while it was sent: the request was cut off before its end. */
    readonly isCutOff?: boolean
  }
> {
  readonly retryable = false
  /** The same as `_tag`, for programs that do not use Effect. */
  get tag(): this["_tag"] {
    return this._tag
  }
  override get message(): string {
    const sent = this.isCutOff === true ? "The request was cut off before its end." : "Nothing was sent."
    return `${this.operation}: the field "${this.field}" ${this.rule}. ${sent}`
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
    /** Of a pair of credentials that is not whole, the field that is missing, such as `accessToken`. */
    readonly missing?: ReadonlyArray<string>
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
