/**
 * The identity of messages and of contents. The platform's answers are not described, so a message may have no id, or
 * one that is not text: it is still delivered.
 */

import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { Hash, joined } from "../kernel/codec/hash.js"
import { isArrayBuffer } from "../ports/bytes.js"
import type { Message } from "./model.js"

/** An id: text that is not empty, or a whole number. */
export const named = (value: unknown): string | undefined =>
  typeof value === "number" && Number.isSafeInteger(value)
    ? String(value)
    : typeof value === "string" && value !== ""
      ? value
      : undefined

/** A value as text: equal values have equal texts, in any order of fields. Each text is prefixed by its length. */
const canonical = (value: unknown): string => {
  if (typeof value === "string") return `${value.length}"${value}`
  if (typeof value !== "object" || value === null) return `${value};`
  if (value instanceof Date) return `@${value.getTime()};`
  if (isArrayBuffer(value)) return canonical(new Uint8Array(value))
  if (ArrayBuffer.isView(value))
    return `<${new Uint8Array(value.buffer, value.byteOffset, value.byteLength).join()}>`
  if (Array.isArray(value)) return `[${value.map(canonical).join("")}]`
  let text = "{"
  for (const name of Object.keys(value).sort()) text += canonical(name) + canonical(Reflect.get(value, name))
  return `${text}}`
}

/** The hash of a value: without its text, which would be made for each message, and without sorting its fields. */
const hashOf = (value: unknown): Hash => {
  const hash = new Hash()
  // Numbers below 0 are no characters, so no text can look like another value.
  if (typeof value === "string") return hash.number(~value.length).text(value)
  if (value instanceof Date) {
    const time = value.getTime()
    return hash
      .number(-1)
      .number(time)
      .number(time / 2 ** 32)
  }
  if (Array.isArray(value)) {
    for (const item of value) for (const half of hashOf(item).halves) hash.number(half)
    return hash
  }
  if (typeof value !== "object" || value === null || isArrayBuffer(value) || ArrayBuffer.isView(value))
    return hash.text(canonical(value))
  let high = 0
  let low = 0
  for (const name of Object.keys(value)) {
    const [fieldHigh, fieldLow] = hashOf(Reflect.get(value, name)).number(~name.length).text(name).halves
    high = (high + fieldHigh) | 0
    low = (low + fieldLow) | 0
  }
  return hash.number(high).number(low)
}

/** A hash of a value, which a chat remembers instead of a message. Equal in any order of fields. */
export const digest = (value: unknown): number => joined(hashOf(value).halves)

/** The conversation of a message, if it names one. */
export const conversationOf = ({ conversationId }: Message): string | undefined => named(conversationId)

/** The id of a message as text; undefined if it has none. */
export const idOf = ({ _id }: Message): string | undefined =>
  _id === undefined || _id === null || _id === "" ? undefined : (named(_id) ?? canonical(_id))

/** The id that the client of a message's sender made, within conversation and sender; undefined if it has none. */
export const clientNameOf = (message: Message): string | undefined => {
  const { clientId, sender } = message
  return typeof clientId === "string" && clientId !== ""
    ? canonical([conversationOf(message), sender, clientId])
    : undefined
}

/**
 * The id of a message or, without one, that of its sender's client. Undefined if it has neither, so that it cannot be
 * distinguished from its repetition.
 */
export const nameOf = (message: Message): string | undefined => idOf(message) ?? clientNameOf(message)

/** The key under which a message is remembered: its name, or else its content. */
export const keyOf = (message: Message): string => nameOf(message) ?? `#${digest(message)}`

const word = /*#__PURE__*/ Random.nextIntBetween(0, 2 ** 32)

const hex = (bits: number): string => bits.toString(16).padStart(8, "0")

/** Makes ids for the messages that a chat sends: the time, 64 random bits of the chat, and a number. */
export const makeIds: Effect.Effect<(time: number) => string> = /*#__PURE__*/ Effect.map(
  /*#__PURE__*/ Effect.all([word, word]),
  ([first, second]) => {
    const chat = hex(first) + hex(second)
    let count = 0
    let latest = 0
    let start = ""
    return (time) => {
      // Many messages share a millisecond, whose text in base 36 is slow to make.
      if (time !== latest) start = `${time.toString(36)}-${chat}`
      latest = time
      return start + hex(count++)
    }
  }
)
