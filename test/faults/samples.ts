/** What a client says of one call, and what the proxy says of its requests: the words of the reconciler's tests. */
import * as Errors from "../../core/kernel/errors/errors.js"
import type { Account, Outcome } from "./account.js"
import { type LoggedRequest, logged } from "./proxy/schedule.js"

export const call = "qt-call-1"
const operation = "boxes.create"
export const deadline = 1_000

export const value: Outcome = { _tag: "Value", isRight: true }
export const altered: Outcome = { _tag: "Value", isRight: false }
const failure = (error: Errors.CallError): Outcome => ({ _tag: "Failure", error })
export const networkError = (reason: Errors.NetworkReason): Outcome =>
  failure(new Errors.NetworkError({ operation, reason }))
export const lost = networkError("Reset")
export const late = failure(new Errors.DeadlineExceeded({ operation, deadline, attempts: 1 }))
export const faultOf = (status: number): Outcome =>
  failure(new Errors.ServerFault({ operation, status, retryable: true }))
export const fault = faultOf(503)
export const limited = failure(new Errors.RateLimited({ operation, status: 429 }))
export const garbled = failure(new Errors.AnswerError({ operation, reason: "NotJson", rule: "is not JSON" }))
export const done = failure(
  new Errors.AnswerError({ operation, reason: "NotJson", rule: "is not JSON", isDone: true })
)
export const missing = failure(new Errors.NotFound({ operation, status: 404 }))
export const unknownBy = (reason: Errors.OutcomeUnknown["reason"], attempts = 1): Outcome =>
  failure(new Errors.OutcomeUnknown({ operation, reason, attempts }))
export const unknown = unknownBy("Network")
export const unknownLate = unknownBy("Deadline")

const kindsOfCall = {
  read: { isWrite: false, isKeyed: false },
  write: { isWrite: true, isKeyed: false },
  keyed: { isWrite: true, isKeyed: true }
}
type KindOfCall = keyof typeof kindsOfCall

export const account = (kind: KindOfCall, outcome: Outcome, took = 20): Account => ({
  call,
  ...kindsOfCall[kind],
  parts: [operation],
  outcome,
  took
})

export const request = (more: Partial<LoggedRequest> = {}): LoggedRequest => ({
  ...logged(call, 1, undefined),
  ...{ forwarded: true, status: 200, delivered: true },
  ...more
})
export const unheard = (kind: LoggedRequest["kind"]): LoggedRequest => request({ kind, delivered: false })
export const unseen = request({ kind: "reset-before", forwarded: false, status: undefined, delivered: false })
export const gateway = request({ kind: "server-error", forwarded: false, status: 503 })
export const tooMany = request({ kind: "too-many", forwarded: false, status: 429 })
export const refused = request({ kind: "refuse", forwarded: false, status: undefined, delivered: false })
export const corrupt = request({ kind: "corrupt" })
