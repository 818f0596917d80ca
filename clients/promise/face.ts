/** What every client in the form of one function has besides its calls. */
import * as Errors from "./errors.js"

export type { Drift } from "../../core/kernel/codec/drift.js"
export type { File } from "../../core/kernel/codec/form.js"
export type { RequestInput } from "../../core/kernel/dispatch/request.js"
export type { CallResponse } from "../../core/kernel/dispatch/with-response.js"
export { type Caller, type Closeable, type ImportedCall, type Options, run } from "./caller.js"
export type { Config, Shared } from "./configuration.js"
export { bytes, download, text } from "./downloads.js"
export type {
  EffectMiddleware,
  PromiseHandler,
  PromiseMiddleware,
  PromiseMiddlewareCall
} from "./middleware.js"
export type { Cancellable } from "./options.js"
export { type PagesArgs, pages } from "./pages.js"
export { request } from "./request.js"
export { type Predicate, until } from "./until.js"
export { type ClientOptions, withOptions } from "./with-options.js"
export { withResponse } from "./with-response.js"
export {
  /** All errors that calls can fail with, by their tags: `Errors.RateLimited` has the time to wait. */
  Errors
}
