/** Everything that programs need besides an adapter: the four clients, the errors, and the ports. */
import * as Errors from "../core/errors.js"
import * as Entity from "../core/kernel/operation/entity.js"
import * as Input from "../core/kernel/operation/raw.js"
import * as Grants from "../core/permissions/grants.js"
import * as Level from "../core/permissions/level.js"
import * as Schemas from "../core/schemas.js"
import * as Admin from "./admin/index.js"
import * as EndUser from "./end-user/index.js"
import * as Private from "./private/index.js"
import * as Public from "./public/index.js"

export {
  Condition,
  conditions,
  Direction,
  directions,
  Filter,
  FilterType,
  filterTypes,
  Operator,
  operators,
  Sort
} from "../core/content/query.js"
export { DateTime } from "../core/kernel/codec/dates.js"
export type { Drift } from "../core/kernel/codec/drift.js"
export type { File } from "../core/kernel/codec/form.js"
export { readNumber } from "../core/kernel/codec/number.js"
export type { Answers, CallOptions } from "../core/kernel/dispatch/call-options.js"
export type { Handler, Middleware, MiddlewareCall, Progress } from "../core/kernel/dispatch/middleware.js"
export { type RequestInput, request } from "../core/kernel/dispatch/request.js"
export type { Policy, PolicyInput } from "../core/kernel/dispatch/retry.js"
export { collect, pages, text } from "../core/kernel/dispatch/streaming.js"
export { type Unmet, type UntilError, type UntilOptions, until } from "../core/kernel/dispatch/until.js"
export { type ClientOptions, withOptions } from "../core/kernel/dispatch/with-options.js"
export { type CallResponse, withResponse } from "../core/kernel/dispatch/with-response.js"
export type { Page, Paging } from "../core/kernel/operation/answer.js"
export { Operation } from "../core/kernel/operation/operation.js"
export { ChatSocket } from "../core/ports/chat-socket.js"
export { SessionStore } from "../core/ports/session-store.js"
export { Transport } from "../core/ports/transport.js"
export {
  /** The client of project administrators, who sign in with a password or have a token, and its calls: `Admin.orders.search()`. */
  Admin,
  /** The client of one end user who has signed in through `Public.auth.login`, and its calls on what is theirs: `EndUser.orders.search()`. */
  EndUser,
  /** The parts that models are made of, for schemas of your own: `Entity.open` keeps further fields, `Entity.maybe` makes one that may be missing. */
  Entity,
  /** All errors that calls can fail with, by their tags: `Errors.RateLimited` has the time to wait. */
  Errors,
  /** An admin's grants as the access token holds them, and how one is looked up. */
  Grants,
  /** The door past what the types of inputs know: `Input.raw` passes a body or a word of a filter as it is. */
  Input,
  /** Permission levels, from `None` to `Admin`: what a call asks of the admin's token. */
  Level,
  /** The client of your own servers, with the project's private key, and its calls: payments by link, notifications, uploads. */
  Private,
  /** The client of visitors, with the project's API key, and its calls: content, items, sign-in and sign-up. */
  Public,
  /** The models of all answers and bodies, as schemas and as types: `Schemas.Orders.Order`. */
  Schemas
}
