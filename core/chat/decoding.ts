/**
 * From an event's payload to messages, synchronously, with the kernel's compiled decoder. A socket passes parsed
 * values: a whole number beyond ±2⁵³ may have been rounded, and stays as received.
 */
import * as Either from "effect/Either"
import * as Decoder from "../kernel/codec/decoder.js"
import * as Page from "../kernel/codec/page.js"
import type { Mismatch } from "../kernel/codec/state.js"
import { own } from "../permissions/own.js"
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

/** Whether a value can be a message at all. */
export const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Puts the conversation into messages of a list that names it only once. */
export const inConversation = (
  messages: ReadonlyArray<Message>,
  conversationId: string
): ReadonlyArray<Message> =>
  messages.map((item) => (item.conversationId ? item : { ...item, conversationId }))

/** Whether part of an acknowledgement is the message: it has an id, or text and conversation. */
const isMessage = (value: unknown): boolean =>
  ["_id", "clientId"].some((key) => own(value, key) !== undefined) ||
  ["conversationId", "text"].every((key) => own(value, key) !== undefined)

/** Makes the reader of a chat. With `onMismatch` it is tolerant: anything but an object is still refused. */
export const make = (onMismatch: OnMismatch | undefined): Reader => {
  const read = (
    operation: ChatOperation,
    payload: unknown,
    place: string,
    field: string
  ): Either.Either<Message, Decoder.Failure> => {
    const inPlace = ({ path, ...rest }: Mismatch): Mismatch => ({
      ...rest,
      path: [place, path].filter((part) => part !== "").join(".")
    })
    const decoded = decode(
      payload,
      undefined,
      onMismatch && ((mismatch) => onMismatch(operation, inPlace(mismatch)))
    )
    if (Either.isRight(decoded) && isObject(decoded.right)) return decoded
    const failure = Either.isLeft(decoded)
      ? decoded.left
      : ({ reason: "Shape", field: "", rule: "must be an object" } as const)
    return Either.left({
      ...failure,
      field: [field, failure.field].filter((part) => part !== "").join(".")
    })
  }
  const message = (payload: unknown) => read("chat.message", payload, "", "")
  return {
    message,
    history: (payload) => {
      const found = Page.find(payload, "messages")
      if (typeof found === "string") return Either.left({ reason: "Shape", field: "", rule: found })
      const { field, items, paging } = found
      const messages: Array<Message> = []
      const failures: Array<Decoder.Failure> = []
      items.forEach((item, index) => {
        const at = field === "" ? String(index) : `${field}.${index}`
        const entry = read("chat.history", item, `${field}[]`, at)
        if (Either.isRight(entry)) messages.push(entry.right)
        else failures.push(entry.left)
      })
      const { conversationId } = paging
      return Either.right({
        messages:
          typeof conversationId === "string" && conversationId !== ""
            ? inConversation(messages, conversationId)
            : messages,
        failures
      })
    },
    acknowledgement: (answer) => {
      const error = own(answer, "error")
      if (error !== undefined && error !== null && error !== false) {
        const text = own(error, "message") ?? own(answer, "message") ?? error
        return Either.left({ message: typeof text === "string" ? text : "no reason given" })
      }
      for (const key of [undefined, "message", "data"]) {
        const value = key === undefined ? answer : own(answer, key)
        const found = isMessage(value) ? message(value) : undefined
        if (found !== undefined && Either.isRight(found)) return Either.right(found.right)
      }
      return Either.right(undefined)
    }
  }
}
