/**
 * From an event's payload to messages, synchronously, with the kernel's compiled decoder. A socket passes parsed
 * values: a whole number beyond ±2⁵³ may have been rounded, and stays as received.
 */
import * as Either from "effect/Either"
import { identity } from "effect/Function"
import * as Decoder from "../kernel/codec/decoder.js"
import * as Page from "../kernel/codec/page.js"
import type { Mismatch } from "../kernel/codec/state.js"
import type { ChatDialect } from "../kernel/dispatch/dialect.js"
import { own } from "../permissions/own.js"
import { named } from "./identity.js"
import { Message } from "./model.js"

/** The operation name in drift reports. */
export type ChatOperation = "chat.message" | "chat.history"

/** Called with each mismatch. */
export type OnMismatch = (operation: ChatOperation, mismatch: Mismatch) => void

/** The messages of a history, and why each of the others could not be read. */
export interface History {
  readonly messages: ReadonlyArray<Message>
  readonly failures: ReadonlyArray<Decoder.Failure>
}

/** Reads the socket's payloads, which are changed in place: date-times become Dates. */
export interface Reader {
  readonly message: (payload: unknown) => Either.Either<Message, Decoder.Failure>
  /** Reads messages from a bare list or from an object that holds one. An unreadable entry affects only itself. */
  readonly history: (payload: unknown) => Either.Either<History, Decoder.Failure>
  /** The content of an acknowledgement: the reason of a refusal; or the message, if it holds one. */
  readonly acknowledgement: (
    answer: unknown
  ) => Either.Either<Message | undefined, { readonly message: string }>
}

const decode = /*#__PURE__*/ Decoder.make<Message>(Message)

/** Whether a value can be a message at all: no list, and no Date or bytes either. */
export const isObject = (value: unknown): value is object =>
  Object.prototype.toString.call(value) === "[object Object]"

/** Puts the conversation into messages of a list that names it only once. */
export const inConversation = (
  messages: ReadonlyArray<Message>,
  conversationId: string
): ReadonlyArray<Message> =>
  messages.map((item) => (item.conversationId ? item : { ...item, conversationId }))

/** Whether part of an acknowledgement is the message: it has an id, or text and conversation. */
const isMessage = (value: unknown): boolean =>
  own(value, "_id") !== undefined ||
  own(value, "clientId") !== undefined ||
  (own(value, "conversationId") !== undefined && own(value, "text") !== undefined)

const joined = (...parts: ReadonlyArray<string>): string => parts.filter((part) => part !== "").join(".")

const read = (
  payload: unknown,
  report: (mismatch: Mismatch) => void,
  isTolerant: boolean
): Either.Either<Message, Decoder.Failure> => {
  const decoded = decode(payload, undefined, report, isTolerant)
  // As it came: a date-time as text was read as a Date, which is an object too.
  return Either.isLeft(decoded) || isObject(payload)
    ? decoded
    : Either.left({ reason: "Shape", field: "", rule: "must be an object" })
}

/** Whether a value is said at all: an error that is null, false or empty is none. */
const isSaid = (value: unknown): boolean => Boolean(value) && !(Array.isArray(value) && value.length === 0)

/** The texts of an error by which it says why, the most telling first. */
const reasonIn = (error: unknown): string | undefined =>
  [error, ...["message", "detail", "title", "reason", "code"].map((name) => own(error, name))].find(
    (text): text is string => typeof text === "string" && text !== ""
  )

/** Whether an answer that names no error is one all the same: by its outcome, by an HTTP status, or by a code in words beside a message. */
const isFailed = (answer: unknown): boolean => {
  const [status, code] = [own(answer, "status") ?? own(answer, "statusCode"), own(answer, "code")]
  return (
    own(answer, "ok") === false ||
    own(answer, "success") === false ||
    /^(error|fail(ed|ure)?|rejected|[45]\d\d)$/i.test(String(status)) ||
    (typeof code === "string" &&
      typeof own(answer, "message") === "string" &&
      !/^(\d+|ok|success\w*|done|accepted|created|queued|stored|sent|received|delivered)$/i.test(code))
  )
}

/** What a platform says of an acknowledgement that is a refusal; undefined of any other. Of several values, the first may be the outcome. */
const refusalIn = (answer: unknown): { readonly message: string } | undefined => {
  if (answer === false) return { message: unexplained }
  if (Array.isArray(answer)) {
    const [outcome, ...others] = answer
    const isRefused = outcome === false || /^[45]\d\d$/.test(String(outcome))
    return isRefused && !others.some(isMessage)
      ? { message: others.map(reasonIn).find((text) => text !== undefined) ?? unexplained }
      : answer.map(refusalIn).find((refusal) => refusal !== undefined)
  }
  const error = [own(answer, "error"), own(own(answer, "errors"), "0") ?? own(answer, "errors")].find(isSaid)
  if (error === undefined && (isMessage(answer) || !isFailed(answer))) return undefined
  const said = [own(error, "message"), own(answer, "message"), error, answer].map(reasonIn)
  return { message: said.find((text) => text !== undefined) ?? unexplained }
}

const unexplained = "no reason given"

/**
 * Makes the reader of a chat. A tolerant one still refuses anything but an object. A dialect says where messages are, and which
 * acknowledgements are refusals.
 */
export const make = (
  onMismatch: OnMismatch,
  isTolerant: boolean,
  dialect?: Pick<ChatDialect, "read" | "historyIn" | "refusalIn">
): Reader => {
  const find = dialect?.read ?? identity
  /** What the platform's value says. What a function of it fails for, it says nothing of: drift tells which one that was. */
  const saidBy = (read: () => unknown): unknown =>
    Either.getOrElse(Either.try({ try: read, catch: identity }), (cause) => {
      const [field, did] = [own(cause, "field"), own(cause, "did")]
      if (typeof field === "string" && typeof did === "string")
        onMismatch("chat.message", {
          path: "",
          expected: `what ${field} of the platform answers`,
          came: `a function that ${did}`
        })
    })
  const messageIn = (payload: unknown): unknown => saidBy(() => find(payload))
  /** Why an acknowledgement is a refusal: the platform's value says it, or else what stands in it. */
  const refusalOf = (answer: unknown): { readonly message: string } | undefined => {
    const said = saidBy(() => dialect?.refusalIn(answer))
    if (said === false) return undefined
    if (said === undefined) return refusalIn(answer) ?? refusalIn(messageIn(answer))
    return { message: reasonIn(said) ?? refusalIn(answer)?.message ?? unexplained }
  }
  const reporting = (operation: ChatOperation, place: string) => (mismatch: Mismatch) =>
    onMismatch(operation, { ...mismatch, path: joined(place, mismatch.path) })
  const report = reporting("chat.message", "")
  const message = (payload: unknown) => read(payload, report, isTolerant)
  return {
    message: (payload) => message(messageIn(payload)),
    history: (said) => {
      const payload = saidBy(() => dialect?.historyIn(said)) ?? said
      // The list may stand where a message does, and its entries may be messages as they are.
      const bare = Page.find(payload, "messages")
      const page = typeof bare === "string" ? Page.find(messageIn(payload), "messages") : bare
      if (typeof page === "string") return Either.left({ reason: "Shape", field: "", rule: page })
      const { field, items, paging } = page
      const report = reporting("chat.history", `${field}[]`)
      const messages: Array<Message> = []
      const failures: Array<Decoder.Failure> = []
      items.forEach((item, index) => {
        const entry = read(messageIn(item) ?? item, report, isTolerant)
        if (Either.isRight(entry)) messages.push(entry.right)
        else failures.push({ ...entry.left, field: joined(field, String(index), entry.left.field) })
      })
      const conversationId = named(paging.conversationId)
      return Either.right({
        messages: conversationId === undefined ? messages : inConversation(messages, conversationId),
        failures
      })
    },
    acknowledgement: (answer) => {
      const refusal = refusalOf(answer)
      if (refusal !== undefined) return Either.left(refusal)
      const answers: ReadonlyArray<unknown> = Array.isArray(answer) ? answer : [answer]
      for (const part of answers.flatMap((one) => [one, own(one, "message"), own(one, "data")])) {
        const value = messageIn(part) ?? part
        const decoded = isMessage(value) ? message(value) : undefined
        if (decoded !== undefined && Either.isRight(decoded)) return Either.right(decoded.right)
      }
      return Either.right(undefined)
    }
  }
}
