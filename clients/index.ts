/** Everything that programs need besides an adapter: the four clients, the errors, and what swapping parts takes. */

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
export type { Page, Paging } from "../core/kernel/answer.js"
export { DateTime } from "../core/kernel/dates.js"
export type { Drift } from "../core/kernel/drift.js"
export * as Entity from "../core/kernel/entity.js"
export * as Errors from "../core/kernel/errors.js"
export type { File } from "../core/kernel/form.js"
export type { CallOptions } from "../core/kernel/gateway.js"
export { Operation } from "../core/kernel/operation.js"
export type { Policy } from "../core/kernel/resilience.js"
export type { Answers } from "../core/kernel/settings.js"
export { collect, pages, text } from "../core/kernel/streaming.js"
export * as Level from "../core/permissions/level.js"
export { ChatSocket } from "../core/ports/chat-socket.js"
export { SessionStore } from "../core/ports/session-store.js"
export { Transport } from "../core/ports/transport.js"
export * as Schemas from "../core/schemas.js"
export * as Admin from "./admin/index.js"
export * as EndUser from "./end-user/index.js"
export * as Private from "./private/index.js"
export * as Public from "./public/index.js"
