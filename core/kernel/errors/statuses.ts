/** What the platform answered in place of a value: a status outside 2xx. */
import * as Data from "effect/Data"
import { type Details, said } from "./details.js"

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
