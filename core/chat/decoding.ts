/** From an event's payload to messages, synchronously, with the kernel's compiled decoder. */
import * as Either from "effect/Either"
import * as Answer from "../kernel/answer.js"
import * as Decoder from "../kernel/decoder.js"
import * as Page from "../kernel/page.js"
import { Message } from "./model.js"

/**
 * A socket hands over values whose text is gone, so that a whole number beyond ±2⁵³ may have been rounded. It counts
 * as rounded: this text, which holds such a number, stands in for the lost one.
 */
const lostText = "9007199254740993"

const decodeMessage = /*#__PURE__*/ Decoder.make<Message>(Message)
const decodeList = /*#__PURE__*/ Page.decoder(Answer.page<Message>(Message, "messages"))

/** Reads one message. The payload is changed in place: date-times become Dates. */
export const message = (payload: unknown): Either.Either<Message, Decoder.Failure> =>
  decodeMessage(payload, lostText)

/** Puts the conversation into messages of a list that names it only once. */
export const inConversation = (
  messages: ReadonlyArray<Message>,
  conversationId: string
): ReadonlyArray<Message> =>
  messages.map((item) => (item.conversationId ? item : { ...item, conversationId }))

/** Reads messages from a bare list or from an object that holds one. */
export const messages = (payload: unknown): Either.Either<ReadonlyArray<Message>, Decoder.Failure> =>
  Either.map(decodeList(payload, lostText), ({ items, paging }) =>
    typeof paging.conversationId === "string" && paging.conversationId !== ""
      ? inConversation(items, paging.conversationId)
      : items
  )

const own = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined

/** What an acknowledgement says: that the message was refused, and why; or the message, where it holds one. */
export const acknowledgement = (
  answer: unknown
): Either.Either<Message | undefined, { readonly message: string }> => {
  const error = own(answer, "error")
  if (error !== undefined && error !== null && error !== false) {
    const text = own(error, "message") ?? own(answer, "message") ?? error
    return Either.left({ message: typeof text === "string" ? text : "no reason given" })
  }
  for (const value of [answer, own(answer, "message"), own(answer, "data")]) {
    const found = own(value, "_id") === undefined ? undefined : message(value)
    if (found !== undefined && Either.isRight(found)) return Either.right(found.right)
  }
  return Either.right(undefined)
}
