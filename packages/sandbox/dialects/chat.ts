/** The chat in a dialect: its names, and the form of its messages. */
import { Message } from "@quartet/sdk/extend"
import * as Effect from "effect/Effect"
import { isRecord } from "effect/Predicate"
import { invalid } from "../platform/refusal.js"
import { type ChatWire, plain } from "../platform/wire.js"
import type { Dialect } from "./axes.js"
import type { Credentials } from "./credentials.js"
import type { Fields } from "./fields.js"
import { Digits } from "./ids.js"

/** Numbers as text: JavaScript writes the chat's JSON, and would round the large ones. */
const uncounted = (value: unknown): unknown => {
  if (value instanceof Digits) return value.text
  if (Array.isArray(value)) return value.map(uncounted)
  if (!isRecord(value) || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, uncounted(field)]))
}

export const make = (dialect: Dialect, fields: Fields, credentials: Credentials): ChatWire => {
  const isNested = dialect.chat === "nested"
  const message = (value: unknown): unknown => uncounted(fields.sent(Message.ast, value))

  /** A message with the conversation's id as a number again. */
  const counted = (value: unknown): unknown => {
    const name = fields.nameOf("conversationId")
    const id = isRecord(value) ? value[name] : undefined
    const isNumber = dialect.ids === "numbers" && typeof id === "string" && /^\d+$/.test(id)
    return isNumber ? { ...Object(value), [name]: new Digits(id) } : value
  }

  const nested = {
    path: "/realtime",
    namespace: "/messages",
    say: "message:send",
    chat: "message:new",
    history: "message:list"
  }

  return {
    ...(isNested ? nested : plain.chat),
    handshake: ({ headers, query }, now) => credentials.handshake(headers, query, now),
    heard: (payload) => {
      const held = isRecord(payload) && isRecord(payload.data) ? payload.data.message : undefined
      if (isNested && held === undefined) return Effect.fail(invalid("data.message", "is required"))
      return fields.received(Message.ast, counted(isNested ? held : payload))
    },
    told: (what, payload) => {
      const { message: said, messages, ...rest } = isRecord(payload) ? payload : {}
      if (what === "chat") return isNested ? { data: { message: message(payload) } } : message(payload)
      if (what === "history" && Array.isArray(messages)) {
        const all = { messages: messages.map(message) }
        return isNested ? { data: all } : all
      }
      if (said === undefined) return rest
      return isNested ? { data: { message: message(said) } } : { message: message(said) }
    }
  }
}
