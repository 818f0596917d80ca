/** From the outcome of one exchange to a value, or to the typed error. */
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import { own } from "../../permissions/own.js"
import type { Outcome } from "../../ports/transport.js"
import * as Utf8 from "../../ports/utf8.js"
import type { Decode } from "../codec/decoder.js"
import * as Decoder from "../codec/decoder.js"
import { readHttpDate } from "../codec/http-date.js"
import type { Mismatch } from "../codec/state.js"
import {
  AnswerError,
  type CallError,
  Conflict,
  type Details,
  InputError,
  NetworkError,
  NotFound,
  OutcomeUnknown,
  PermissionDenied,
  RateLimited,
  Rejected,
  ServerFault,
  Unauthenticated
} from "../errors/errors.js"
import { doneBy, isTransient } from "../errors/outcomes.js"
import { callOf, type Declared, sliceOf } from "../operation/operation.js"
import { mask } from "../redaction/mask.js"
import { readRetryAfter } from "./retry.js"

/** What the mapping needs from the call. */
export interface Subject {
  readonly operation: string
  /** Scheme, host and port of the request. */
  readonly origin: string
  /** Whose credentials were sent. */
  readonly who: string | undefined
  readonly required: number
  /** Whether the call may change something on the platform. */
  readonly isWrite: boolean
  readonly attempt: number
  readonly wallClock: number
  readonly form: Declared["body"]
  readonly secrets: () => ReadonlyArray<string>
}

type Headers = (name: string) => string | undefined

const shown = (text: string, subject: Subject): string => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters of a server's text are what is removed.
  const clean = mask(text, subject.secrets()).replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, " ")
  return clean.length > 500 ? `${clean.slice(0, 499)}…` : clean
}

/** A text that is not empty, or several of them. */
const wordsOf = (value: unknown): string | undefined => {
  const texts = Array.isArray(value) && value.every((part) => typeof part === "string") ? value : [value]
  const words = texts.filter((part) => typeof part === "string" && part !== "").join("; ")
  return words === "" ? undefined : words
}

/** A text that is not empty. */
const textIn = (holder: unknown, name: string): string | undefined => {
  const value = own(holder, name)
  return typeof value === "string" && value !== "" ? value : undefined
}

/** The message of an error; of a problem (RFC 9457), or an error of JSON:API, the title and what it says besides. */
const messageIn = (holder: unknown): string | undefined => {
  const [title, detail] = [textIn(holder, "title"), textIn(holder, "detail")]
  const problem =
    title === undefined || detail === undefined || title === detail
      ? (detail ?? title)
      : `${title}: ${detail}`
  return wordsOf(own(holder, "message")) ?? problem
}

const isPlainType = (type: string): boolean => /^text\/plain\b/i.test(type)

/** Whether a body is a web page: text that begins like a document, or like any markup where the type says HTML. */
const isPage = (text: string, type: string): boolean =>
  /^\s*<(!doctype|html)\b/i.test(text) ||
  (/^(text\/html|application\/xhtml\+xml)\b/i.test(type) && /^\s*</.test(text))

/** The text of an error's body. One that is no UTF-8 is read by the charset that its type declares; plain text without one as Latin-1. */
const textOf = (body: Uint8Array, type: string): string => {
  const [, declared] = /;\s*charset\s*=\s*"?([\w:.-]{1,40})/i.exec(type) ?? []
  const charset = declared ?? (isPlainType(type) ? "iso-8859-1" : undefined)
  const otherwise = () => (charset === undefined ? undefined : Utf8.decodeBy(charset, body)) ?? ""
  return Either.getOrElse(Decoder.text(body), otherwise)
}

/**
 * What a platform's error holds: `{ message, field, data }`, a problem's `{ title, detail }`, or `{ error }` or, without words of its own,
 * the first of `{ errors }`: a text or such an object. Several texts are joined. Plain text is the message where its `type` says that it is
 * some, or where no type is declared and it is neither markup nor JSON that was cut short.
 */
export const readBody = (
  body: Uint8Array,
  type = ""
): {
  readonly message: string | undefined
  readonly field: string | undefined
  readonly code: string | undefined
  readonly data: unknown
} => {
  const text = textOf(body, type)
  const json = Decoder.json(text)
  if (Either.isLeft(json)) {
    const isWords = isPlainType(type) ? !isPage(text, type) : type === "" && !/^\s*[[{"<]/.test(text)
    return { message: isWords ? text.trim() : undefined, field: undefined, code: undefined, data: undefined }
  }
  const parsed = json.right
  const errors = messageIn(parsed) === undefined ? own(parsed, "errors") : undefined
  const error = own(parsed, "error") ?? own(errors, "0")
  const holder = typeof error === "object" && error !== null && !Array.isArray(error) ? error : parsed
  const message = messageIn(holder) ?? wordsOf(error ?? (typeof parsed === "string" ? parsed : undefined))
  return { message, field: textIn(holder, "field"), code: textIn(holder, "code"), data: own(holder, "data") }
}

/** The server's own id of a request, by the names that gateways and frameworks give it. */
export const requestIdOf = (header: Headers): string | undefined =>
  header("x-request-id") ?? header("request-id") ?? header("x-correlation-id")

const details = (
  status: number,
  header: Headers,
  subject: Subject,
  message?: string,
  code?: string
): Details => {
  const requestId = requestIdOf(header)
  // An HTTP date refers to the server's clock.
  const { wallClock } = subject
  const retryAfter = readRetryAfter(
    header("retry-after"),
    readHttpDate(header("date"), wallClock) ?? wallClock
  )
  return {
    operation: subject.operation,
    status,
    ...(requestId === undefined ? {} : { requestId: shown(requestId, subject) }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(message === undefined ? {} : { serverMessage: shown(message, subject) }),
    ...(code === undefined ? {} : { serverCode: shown(code, subject) })
  }
}

/** An answer outside 2xx. */
const ofStatus = (status: number, header: Headers, body: Uint8Array, subject: Subject): CallError => {
  const { code, field, message } = readBody(body, header("content-type"))
  // What stands in a redirect says where it leads.
  const said =
    status < 400 ? details(status, header, subject) : details(status, header, subject, message, code)
  const { isWrite } = subject
  if (status < 400) {
    const rule =
      status === 304
        ? "is 304: nothing has changed since, and the answer is where it was kept"
        : header("location") === undefined
          ? "is a redirect that browsers hide: the platform has to answer the address as data"
          : "is a redirect, which is not followed: correct the base URL, or name the host of a download (downloads.redirectTo)"
    const doubt = isWrite && doneBy(status) === "perhaps" ? inDoubt(rule) : { rule }
    return new AnswerError({ ...said, reason: "Redirect", ...doubt })
  }
  const retryable = !isWrite && isTransient(status)
  switch (status) {
    case 401:
      return new Unauthenticated(said)
    case 403:
      return new PermissionDenied({
        ...said,
        reason: "Server",
        resource: sliceOf(subject.operation),
        action: callOf(subject.operation),
        required: subject.required,
        ...(subject.who === undefined ? {} : { who: shown(subject.who, subject) })
      })
    case 404:
      return new NotFound(said)
    case 409:
      return new Conflict(said)
    case 429:
      return new RateLimited(said)
    default:
      if (status >= 500) return new ServerFault({ ...said, retryable })
      return new Rejected({
        ...said,
        retryable,
        ...(field === undefined ? {} : { field: shown(field, subject) })
      })
  }
}

const inDoubt = (rule: string) => ({ rule: `${rule} (What was asked may have been done.)`, isInDoubt: true })

/** A body that is not what the operation declares. */
const unread = (
  failure: Decoder.Failure,
  { header, status }: { readonly status: number; readonly header: Headers },
  subject: Subject
): Exit.Exit<never, AnswerError> => {
  // The path of a field holds the server's own keys.
  const field = shown(failure.field, subject).slice(0, 200)
  const isAnswered = subject.isWrite && status >= 200 && status <= 299
  // A web page does not come from the platform's API, and says nothing about the call.
  const outcome = failure.isWebPage ? inDoubt(failure.rule) : { isDone: true }
  return Exit.fail(
    new AnswerError({
      ...details(status, header, subject),
      reason: failure.reason,
      rule: failure.rule,
      field,
      ...(isAnswered ? outcome : {})
    })
  )
}

/** Name, code and masked message of an adapter's error: its own object may hold the request. */
const summary = (cause: unknown, subject: Subject): Error => {
  const inner = own(cause, "cause") ?? cause
  // Of a host with several addresses each has failed for itself, and the error over them says nothing.
  const each = own(inner, "errors")
  const words = Array.isArray(each) ? each.map((one) => own(one, "message")).join("; ") : ""
  const message = inner instanceof Error ? inner.message || words : "unknown"
  const code = own(inner, "code") ?? own(own(each, "0"), "code")
  const error = new Error(shown(message, subject))
  return Object.assign(
    error,
    { stack: `${error.name}: ${error.message}` },
    typeof code === "string" ? { code } : {}
  )
}

/** A file that failed while it was sent. The platform has received no complete request, so nothing is said about it. */
const ofUnreadable = (
  { cause, part, rule }: Extract<Outcome, { readonly _tag: "Unreadable" }>,
  { form, operation }: Subject
): CallError => {
  if (rule !== undefined) return new InputError({ operation, field: part, rule })
  const refusal = form?.unreadable(part, cause) ?? { field: part, rule: "could not be read", cause }
  return new InputError({ operation, ...refusal, isCutOff: true })
}

/** No answer. */
const ofFailed = (outcome: Extract<Outcome, { readonly _tag: "Failed" }>, subject: Subject): CallError => {
  const { operation } = subject
  const cause = summary(outcome.cause, subject)
  const code = String(own(cause, "code"))
  return subject.isWrite && outcome.sent
    ? new OutcomeUnknown({ operation, reason: "Network", attempts: subject.attempt, cause })
    : new NetworkError({
        operation,
        reason: outcome.reason,
        origin: subject.origin,
        ...(/^[A-Z][A-Z\d_]+$/.test(code) ? { detail: code } : {}),
        cause
      })
}

/** Reads an outcome; the subject is only made if a failure needs it. */
export type Read<A> = (
  outcome: Outcome,
  maxBytes: number,
  subject: () => Subject,
  onMismatch: (mismatch: Mismatch) => void,
  isTolerant: boolean
) => Exit.Exit<A, CallError>

/** The refusal of a body that is larger than may be held. */
export const tooLarge = (maxBytes: number) => ({
  reason: "TooLarge" as const,
  field: "",
  rule: `is larger than ${maxBytes} bytes (raise maxBytes, or read it as a stream)`
})

/** The refusal of a stream where a value is asked for. */
export const notAsked = {
  reason: "Shape",
  field: "",
  rule: "is a stream of bytes, which was not asked for"
} as const

/** Reads an answer whose body was received whole. */
export const whole =
  <A>(decode: Decode<A>): Read<A> =>
  (outcome, maxBytes, subject, onMismatch, isTolerant) => {
    if (outcome._tag === "Failed") return Exit.fail(ofFailed(outcome, subject()))
    if (outcome._tag === "Unreadable") return Exit.fail(ofUnreadable(outcome, subject()))
    const { header, status } = outcome
    const body = outcome._tag === "Answered" ? outcome.body : new Uint8Array()
    // An error's body may be too long to read; its status still counts.
    if (status < 200 || status > 299) return Exit.fail(ofStatus(status, header, body, subject()))
    if (outcome._tag === "TooLarge") return unread(tooLarge(maxBytes), outcome, subject())
    if (outcome._tag === "Streaming") return unread(notAsked, outcome, subject())
    const already = Object.hasOwn(outcome, "json") ? outcome.json : undefined
    const text = already ? Either.right("") : Decoder.text(body)
    if (Either.isLeft(text)) return unread(text.left, outcome, subject())
    const json = already ? Either.right(already.value) : Decoder.json(text.right)
    if (Either.isLeft(json)) {
      const type = header("content-type") ?? ""
      const page = isPage(text.right, type)
      // JSON that was cut short is no text.
      const isWords = !page && (isPlainType(type) || !/^\s*[[{"]/.test(text.right))
      if (!isTolerant || !isWords || !subject().isWrite)
        return unread(page ? Decoder.webPage : json.left, outcome, subject())
      onMismatch({ path: "", expected: "JSON", came: "plain text" })
      const decoded = decode(text.right, undefined, onMismatch)
      return Either.isRight(decoded) ? Exit.succeed(decoded.right) : unread(decoded.left, outcome, subject())
    }
    // Some transports read a truncated compressed body as an empty one: tolerance must not accept that.
    const isDoubtful = json.right === undefined && (header("content-encoding") ?? "identity") !== "identity"
    // With these a write is done, and has nothing to answer.
    const isEmpty = json.right === undefined && [201, 202, 204, 205].includes(status) && subject().isWrite
    const report = isEmpty ? () => undefined : onMismatch
    if (already?.drift) report({ path: "", ...already.drift })
    const decoded = decode(json.right, already ? undefined : text.right, report, isTolerant && !isDoubtful)
    if (Either.isRight(decoded)) return Exit.succeed(decoded.right)
    const failure =
      json.right === undefined
        ? { ...decoded.left, reason: "Empty" as const, field: "", rule: "is empty" }
        : decoded.left
    return unread(failure, outcome, subject())
  }

const noStream = /*#__PURE__*/ whole<never>(() =>
  Either.left({ reason: "Shape", field: "", rule: "is not a stream of bytes" })
)

/** Reads an answer whose body comes as a stream. */
export const streaming: Read<ReadableStream<Uint8Array>> = (outcome, ...rest) =>
  outcome._tag === "Streaming" ? Exit.succeed(outcome.body) : noStream(outcome, ...rest)
