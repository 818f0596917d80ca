/**
 * What the packages beside this one build on: the kernel, the ports and the permissions. It is for packages that extend the SDK, not for apps,
 * and changes with them.
 */
export type { Browser } from "../adapters/tabs/browser.js"
export { make } from "../adapters/tabs/tabs.js"
export { har } from "../adapters/tap/har.js"
export { body, concealed, path, shown } from "../adapters/tap/mask.js"
export { answerText, errorText, type Known as KnownSecrets, Texts, textsOf } from "../adapters/tap/texts.js"
export { traced } from "../adapters/telemetry/tracing.js"
export type { Chat } from "../core/chat/chat.js"
export { ChatError, type SendError } from "../core/chat/errors.js"
export { idOf, makeIds, nameOf } from "../core/chat/identity.js"
export * as Model from "../core/chat/model.js"
export {
  type ChatEvent,
  type Draft,
  fieldsOf,
  identified,
  Message,
  type Sendable,
  type Sent
} from "../core/chat/model.js"
export { oldestFirst, timeOf, timesOf } from "../core/chat/order.js"
export type { State } from "../core/chat/state.js"
export { type Filter, filterTypes, operators, type Sort } from "../core/content/query.js"
export { parseQueryV2, parseQueryV3, type Query } from "../core/content/query-text.js"
export { compile } from "../core/kernel/codec/compiler/compile.js"
export type { Step } from "../core/kernel/codec/compiler/step.js"
export { lineOf, plainOf, type Value } from "../core/kernel/codec/csv.js"
export * as Dates from "../core/kernel/codec/dates.js"
export { DateTime, isDateTime } from "../core/kernel/codec/dates.js"
export * as Decoder from "../core/kernel/codec/decoder.js"
export type { Drift } from "../core/kernel/codec/drift.js"
export * as Encoder from "../core/kernel/codec/encoder.js"
export type { File, NamedBlob } from "../core/kernel/codec/form.js"
export { halves, joined } from "../core/kernel/codec/hash.js"
export { readHttpDate } from "../core/kernel/codec/http-date.js"
export { parse as parseBeyond } from "../core/kernel/codec/json.js"
export { readNumber } from "../core/kernel/codec/number.js"
export * as Pages from "../core/kernel/codec/page.js"
export { isListless } from "../core/kernel/codec/page.js"
export { makeState, revive, wrong } from "../core/kernel/codec/state.js"
export * as Written from "../core/kernel/codec/written.js"
export { judgeNumber, ruleOf } from "../core/kernel/codec/written.js"
export type { CallOptions } from "../core/kernel/dispatch/call-options.js"
export type { Authorization, Credentials, CredentialsProvider } from "../core/kernel/dispatch/credentials.js"
export {
  type Dialect,
  type Platform,
  platform as makePlatform,
  readerOf as readerOfPlatform
} from "../core/kernel/dispatch/dialect.js"
export * as Dispatcher from "../core/kernel/dispatch/dispatcher.js"
export { type Args, asOneWork, type Bindable, binder, type Call } from "../core/kernel/dispatch/dispatcher.js"
export { makeAuthorization } from "../core/kernel/dispatch/execution.js"
export { prepare } from "../core/kernel/dispatch/launch.js"
export { now } from "../core/kernel/dispatch/lifetime/deadlines.js"
export { closed, Lifetime } from "../core/kernel/dispatch/lifetime/lifetime.js"
export type { Middleware } from "../core/kernel/dispatch/middleware.js"
export { readHint } from "../core/kernel/dispatch/page-hint.js"
export * as PageSource from "../core/kernel/dispatch/page-source.js"
export { isPaged, type Paged, type PageRange } from "../core/kernel/dispatch/page-source.js"
export type { Place } from "../core/kernel/dispatch/pagination.js"
export * as Pagination from "../core/kernel/dispatch/pagination.js"
export * as Pulls from "../core/kernel/dispatch/pulls.js"
export { textOf, whole } from "../core/kernel/dispatch/pulls.js"
export { readBody, streaming } from "../core/kernel/dispatch/response.js"
export { type Policy, readRetryAfter } from "../core/kernel/dispatch/retry.js"
export * as Settings from "../core/kernel/dispatch/settings.js"
export { type Address, address, isCredential, plain } from "../core/kernel/dispatch/settings.js"
export { collect, type Download, downloader, pages, text } from "../core/kernel/dispatch/streaming.js"
export { currentWatch, type Watch } from "../core/kernel/dispatch/watch.js"
export * as Errors from "../core/kernel/errors/errors.js"
export {
  AnswerError,
  type CallError,
  CredentialsError,
  categoryOf,
  type Details,
  InputError,
  isCallError,
  type NetworkReason,
  OutcomeUnknown,
  PermissionDenied,
  Rejected
} from "../core/kernel/errors/errors.js"
export { doneBy, doneOf, isProcessed, isTransient } from "../core/kernel/errors/outcomes.js"
export {
  type Bytes,
  binary,
  type Page,
  type Paging,
  page,
  type Typed
} from "../core/kernel/operation/answer.js"
export * as Entity from "../core/kernel/operation/entity.js"
export type { Refusal } from "../core/kernel/operation/input.js"
export * as Input from "../core/kernel/operation/input.js"
export {
  type Audience,
  callOf,
  type Declared,
  type Host,
  isWrite,
  Operation,
  sliceOf
} from "../core/kernel/operation/operation.js"
export * as Options from "../core/kernel/operation/options.js"
export { type Known, millisOf, port, read } from "../core/kernel/operation/options.js"
export * as Path from "../core/kernel/operation/path.js"
export * as Raw from "../core/kernel/operation/raw.js"
export * as Recorded from "../core/kernel/operation/recorded.js"
export { edits, meant } from "../core/kernel/operation/spelling.js"
export { percentDecoded, urlOf, withoutEnd } from "../core/kernel/operation/url.js"
export { mask, maskAll } from "../core/kernel/redaction/mask.js"
export { pathOf, secretFieldOf } from "../core/kernel/redaction/secret-field.js"
export { isSecret, isSecretData, isSecretField, textsIn } from "../core/kernel/redaction/sent-secrets.js"
export { isProof } from "../core/kernel/session/kept-session.js"
export * as SingleFlight from "../core/kernel/session/single-flight.js"
export type { AdminIdentity } from "../core/kernel/session/token.js"
export type { Reading } from "../core/permissions/grants.js"
export * as Grants from "../core/permissions/grants.js"
export * as Levels from "../core/permissions/level.js"
export { type Level, Write } from "../core/permissions/level.js"
export { own } from "../core/permissions/own.js"
export { isBlob, isBytes, isFile } from "../core/ports/bytes.js"
export {
  ChatSocket,
  type Connection,
  defaultEvents,
  type Handshake,
  type Listener,
  type Service as ChatSocketService
} from "../core/ports/chat-socket.js"
export {
  type Service as SessionStoreService,
  SessionStore,
  type StoredSession
} from "../core/ports/session-store.js"
export { TaggedError } from "../core/ports/tagged-error.js"
export {
  type Abandon,
  type AnyRequest,
  type Body,
  type Outcome,
  type Part,
  type Request,
  type Service as TransportService,
  Transport
} from "../core/ports/transport.js"
export * as Utf8 from "../core/ports/utf8.js"
export { categoriesOf, topicsOf } from "../core/tenants/topics.js"
export { type Caller, type HasParts, makeCaller, operationOf, parts } from "./promise/caller.js"
export { orThrow } from "./promise/options.js"
export { cancelled } from "./promise/run.js"
