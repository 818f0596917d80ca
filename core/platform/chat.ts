/** How the chat of a platform speaks: where it is, the names of its events, and where a message stands. */
import { Draft, Message } from "../chat/model.js"
import { type ChatDialect, unseen } from "../kernel/dispatch/dialect.js"
import type { HeaderNames } from "../kernel/dispatch/settings.js"
import { own } from "../permissions/own.js"
import * as Carriers from "./carriers.js"
import type { Definition } from "./definition.js"
import { Digits, namesIn, type Rules, reader, writer } from "./fields.js"
import { thingOf } from "./json-api.js"
import { at, putAt } from "./places.js"

/** A socket sends JavaScript's values: a number beyond ±(2⁵³ − 1) stays the text that it was. */
const plain = (value: unknown): unknown => {
  if (value instanceof Digits) {
    const number = Number(value.text)
    return Number.isSafeInteger(number) ? number : value.text
  }
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plain(item)]))
}

/** The object beside the place of a message that holds several, as a history does. */
const listHolder = (place: string, payload: unknown): unknown => {
  const beside = at(place.split(".").slice(0, -1).join("."), payload)
  const holds = typeof beside === "object" && beside !== null && Object.values(beside).some(Array.isArray)
  return holds ? beside : undefined
}

/** The chat's part of what is said of a platform. */
export const make = (definition: Definition, rules: Rules, names: HeaderNames): ChatDialect => {
  const { chat = {}, credentials = {}, entities } = definition
  const { events = {}, message: place, namespace, path, token = "token", url, wrap } = chat
  const { history = "history", message = "chat", send = "chat" } = events
  const readFields = reader(Message.ast, rules)
  const known = namesIn(Message.ast, rules)
  const writeFields = writer(Draft.ast, rules)
  const carriers = Carriers.carriersOf(credentials, names)
  const one = (payload: unknown): unknown => {
    const found =
      place === undefined ? payload : (at(place, payload) ?? listHolder(place, payload) ?? payload)
    return readFields(entities?.unwrap === "json:api" ? thingOf(own(found, "data") ?? found, known) : found)
  }
  return {
    url,
    path,
    namespace,
    events: { message, history, send },
    read: one,
    write: (payload) => {
      const written = plain(writeFields(payload))
      return wrap === undefined ? written : putAt(wrap, written)
    },
    handshake: (accessToken, headers) => {
      const carried = Carriers.carry(headers, carriers, "api", new Carriers.CookieJar())
      return {
        query: {
          ...(accessToken === unseen ? {} : { [token]: accessToken }),
          ...Object.fromEntries(carried.query)
        },
        headers: carried.headers,
        // Elsewhere than in a browser the cookie stands among the headers.
        credentials: carried.hasCookies && carried.headers.cookie === undefined ? "include" : undefined
      }
    }
  }
}
