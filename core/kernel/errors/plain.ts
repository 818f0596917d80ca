/** Errors from plain data: what `toPlain` made of one, after a worker, a channel or JSON. */

import { deepest, type PlainError, toPlain } from "../../ports/tagged-error.js"
import {
  AnswerError,
  type CallError,
  Conflict,
  CredentialsError,
  DeadlineExceeded,
  InputError,
  NetworkError,
  NotFound,
  OutcomeUnknown,
  PermissionDenied,
  RateLimited,
  Rejected,
  ServerFault,
  Unauthenticated
} from "./errors.js"

/** A class of errors with a tag, such as `ChatError` or `OutboxError`. @category models */
export interface ErrorClass {
  new (fields: never): Error
  /** What all errors of the class have. */
  readonly prototype: Error
}

/**
 * An error whose tag this version does not know, such as one of a newer version: it has that `_tag`, the message, and the fields as
 * they came. What says that something was given up (`AbortError`, `TimeoutError`) has no tag of its own, and comes with its name as one.
 * @category errors
 */
export class ForeignError extends Error {
  /** The tag that the error came with. */
  readonly _tag: string
  constructor({ cause, message, name, ...fields }: PlainError & { readonly _tag: string }) {
    super(message)
    Object.assign(this, fields)
    this._tag = fields._tag
    this.name = name
    if (cause !== undefined) this.cause = cause
  }
  /** The error as plain data, as `toPlain` makes it. */
  toJSON(): PlainError {
    return toPlain(this)
  }
}

type Kinds = Readonly<Record<string, "string" | "number" | "boolean">>

/** The fields that every error of a call may have. */
const details: Kinds = {
  operation: "string",
  status: "number",
  requestId: "string",
  retryAfter: "number",
  serverMessage: "string",
  serverCode: "string",
  field: "string",
  rule: "string",
  reason: "string",
  advice: "string",
  resource: "string",
  action: "string",
  required: "number",
  grant: "string",
  word: "string",
  who: "string",
  origin: "string",
  detail: "string",
  level: "number",
  deadline: "number",
  attempts: "number",
  isCutOff: "boolean",
  isUnmet: "boolean",
  isDone: "boolean",
  retryable: "boolean"
}

type Known = readonly [make: new (fields: never) => CallError, required: ReadonlyArray<string>]

/** The errors of calls, and the fields that each must have beside `operation`. */
const known = (): Readonly<Record<CallError["_tag"], Known>> => ({
  InputError: [InputError, ["field", "rule"]],
  CredentialsError: [CredentialsError, ["reason", "advice"]],
  PermissionDenied: [PermissionDenied, ["reason", "resource", "action", "required"]],
  Unauthenticated: [Unauthenticated, []],
  NotFound: [NotFound, []],
  Conflict: [Conflict, []],
  Rejected: [Rejected, []],
  RateLimited: [RateLimited, []],
  ServerFault: [ServerFault, ["retryable"]],
  NetworkError: [NetworkError, ["reason"]],
  DeadlineExceeded: [DeadlineExceeded, ["deadline", "attempts"]],
  AnswerError: [AnswerError, ["reason", "rule"]],
  OutcomeUnknown: [OutcomeUnknown, ["reason", "attempts"]]
})

const isKnown = (tag: string): tag is CallError["_tag"] => Object.hasOwn(known(), tag)

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Own fields alone: an inherited one is nobody's, and `__proto__` would be everybody's. */
const fieldsOf = (value: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !/^(__proto__|stack|tag|toJSON)$/.test(name)))

/** The cause: an error with a tag, or one of somebody else. */
const causeOf = (plain: unknown, classes: ReadonlyArray<ErrorClass>, depth: number): Error | undefined => {
  if (!isRecord(plain) || depth <= 0) return undefined
  if (typeof plain._tag === "string") return read(plain, classes, depth - 1)
  const { code, message, name } = plain
  if (typeof message !== "string") return undefined
  const error = new Error(message)
  Object.defineProperty(error, "name", {
    value: typeof name === "string" ? name : "Error",
    configurable: true
  })
  return typeof code === "string" ? Object.assign(error, { code }) : error
}

/** The names by which the platform of the Web says that something was given up, and what it is where nobody has said more. */
const givenUp: Readonly<Record<string, string>> = {
  AbortError: "the operation was aborted",
  TimeoutError: "the operation was aborted: its time is over"
}

const read = (plain: unknown, classes: ReadonlyArray<ErrorClass>, depth: number): Error | undefined => {
  if (!isRecord(plain)) return undefined
  const { _tag: tag, cause: plainCause, name, ...fields } = fieldsOf(plain)
  const { message } = fields
  if (
    tag === undefined &&
    typeof name === "string" &&
    Object.hasOwn(givenUp, name) &&
    typeof message === "string"
  )
    return new ForeignError({ _tag: name, name, message: message || String(givenUp[name]) })
  if (typeof tag !== "string" || tag === "" || typeof message !== "string") return undefined
  const inner = causeOf(plainCause, classes, depth)
  const cause = inner === undefined ? {} : { cause: inner }
  if (isKnown(tag)) {
    const [Make, required] = known()[tag]
    const isWhole = ["operation", ...required].every((field) => Object.hasOwn(fields, field))
    const isSound = Object.entries(details).every(
      ([field, kind]) => !Object.hasOwn(fields, field) || typeof fields[field] === kind
    )
    if (!(isWhole && isSound)) return undefined
    const { retryable, ...own } = fields
    // The tag says whether a call may be repeated, except of those whose status says it.
    const isOwn = (tag === "ServerFault" || tag === "Rejected") && typeof retryable === "boolean"
    const properties = isOwn ? fields : own
    return new Make({ ...properties, ...cause } as never)
  }
  const Other = classes.find((candidate) => Reflect.get(Object(candidate.prototype), "name") === tag)
  // What comes has been made by `toPlain` of the same class.
  if (Other !== undefined) return new Other({ ...fields, ...cause } as never)
  const shown = typeof name === "string" ? name : tag
  return new ForeignError({ ...fields, _tag: tag, name: shown, message, ...Object(cause) })
}

/**
 * The error that `toPlain` or `JSON.stringify` made plain: of the same class, with the same fields and message, and a stack of its own.
 * Classes beside those of calls are given: `fromPlain(data, [ChatError, OutboxError])`. A tag that is neither is a `ForeignError`.
 * So is what a cancelled call rejects with, a DOMException without a tag: its `name` and `_tag` are `AbortError`, or `TimeoutError`.
 * Undefined for what is no such data: without a tag and a message, or with a field of another kind. Runs nothing of what it is given.
 * @category constructors
 */
export const fromPlain = <Class extends ErrorClass = never>(
  plain: unknown,
  classes: ReadonlyArray<Class> = []
): CallError | Class["prototype"] | ForeignError | undefined =>
  // The classes decide what comes out.
  read(plain, classes, deepest) as CallError | Class["prototype"] | ForeignError | undefined
