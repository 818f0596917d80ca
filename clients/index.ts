/** Everything that programs need besides an adapter: the four clients, the errors, and the ports. */

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
export * as Errors from "../core/errors.js"
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
export * as Entity from "../core/kernel/operation/entity.js"
export { Operation } from "../core/kernel/operation/operation.js"
export * as Input from "../core/kernel/operation/raw.js"
export * as Grants from "../core/permissions/grants.js"
export * as Level from "../core/permissions/level.js"
export { ChatSocket } from "../core/ports/chat-socket.js"
export { SessionStore } from "../core/ports/session-store.js"
export { Transport } from "../core/ports/transport.js"
export * as Schemas from "../core/schemas.js"
export * as Admin from "./admin/index.js"
export * as EndUser from "./end-user/index.js"
export * as Private from "./private/index.js"
export * as Public from "./public/index.js"
