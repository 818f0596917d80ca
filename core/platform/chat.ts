/** How the chat of a platform speaks: where it is, the names of its events, and where a message stands. */
import { Draft, Message } from "../chat/model.js"
import { type ChatDialect, type Surroundings, unseen } from "../kernel/dispatch/dialect.js"
import { own } from "../permissions/own.js"
import * as Carriers from "./carriers.js"
import type { Answer, Definition, Place } from "./definition.js"
import { Digits, namesIn, type Rules, reader, writer } from "./fields.js"
import { thingOf } from "./json-api.js"
import { at, putAt, read } from "./places.js"
import { originOf } from "./translator.js"

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

/** What an acknowledgement says at a place that tells of an error alone: any answer may have a `message` or a `code`. */
const toldAt = (place: Place | undefined, answer: Answer): string | undefined => {
  if (place === undefined || place === "" || place === "message" || place === "code") return undefined
  const said = read(place, answer)
  return typeof said === "string" && said !== "" ? said : undefined
}

/** Which acknowledgements are refusals: what is said of them, or else of errors. */
const refusalOf =
  ({ chat: { refusal } = {}, errors = {} }: Definition): ChatDialect["refusalIn"] =>
  (acknowledgement) => {
    if (refusal !== undefined) {
      const said = typeof refusal === "function" ? refusal(acknowledgement) : at(refusal, acknowledgement)
      return said === undefined || said === null || said === 0 || said === "" ? false : said
    }
    const answer = { status: 200, header: () => undefined, body: acknowledgement }
    const said = [errors.message, errors.code].map((place) => place && read(place, answer))
    const reason = said.find((words) => typeof words === "string" && words !== "")
    const status = errors.status?.(answer)
    if (errors.status !== undefined) return Number(status) >= 400 ? (reason ?? true) : undefined
    const isTold = [errors.message, errors.code].some((place) => toldAt(place, answer) !== undefined)
    return isTold ? reason : undefined
  }

/** The chat's part of what is said of a platform. */
export const make = (
  definition: Definition,
  rules: Rules,
  { baseUrl, headerNames, projectId }: Surroundings,
  jar: Carriers.CookieJar
): ChatDialect => {
  const { chat = {}, entities } = definition
  // Admins alone have a chat.
  const credentials = Carriers.credentialsOf(definition, "admin")
  const { events = {}, message: place, namespace, path, token = "token", wrap } = chat
  const { history = "history", message = "chat", send = "chat" } = events
  const readFields = reader(Message.ast, rules)
  const known = namesIn(Message.ast, rules)
  const writeFields = writer(Draft.ast, rules)
  const carriers = Carriers.carriersOf(credentials, headerNames)
  const { project } = credentials
  /** What a handshake names the project by, where it is said how. */
  const projectAt = (kind: "query" | "header" | "host"): string | undefined => {
    const name: unknown = projectId === undefined ? undefined : own(project, kind)
    return typeof name === "string" ? name : undefined
  }
  const [host, header, parameter] = [projectAt("host"), projectAt("header"), projectAt("query")]
  const one = (payload: unknown): unknown => {
    const found =
      place === undefined ? payload : (at(place, payload) ?? listHolder(place, payload) ?? payload)
    return readFields(entities?.unwrap === "json:api" ? thingOf(own(found, "data") ?? found, known) : found)
  }
  return {
    url: chat.url ?? (host === undefined ? undefined : originOf(baseUrl, host, projectId ?? "")),
    path,
    namespace,
    events: { message, history, send },
    read: one,
    secrets: Carriers.secretsOf(credentials, jar),
    historyIn: (payload) => (chat.history === undefined ? undefined : at(chat.history, payload)),
    refusalIn: refusalOf(definition),
    write: (payload) => {
      const written = plain(writeFields(payload))
      return wrap === undefined ? written : putAt(wrap, written)
    },
    handshake: (accessToken, headers) => {
      const carried = Carriers.carry(headers, carriers, "api", jar)
      return {
        query: {
          ...(parameter === undefined ? {} : { [parameter]: projectId ?? "" }),
          ...(accessToken === unseen ? {} : { [token]: accessToken }),
          ...Object.fromEntries(carried.query)
        },
        headers: {
          ...Carriers.fixedOf(credentials),
          ...carried.headers,
          ...(header === undefined ? {} : { [header.toLowerCase()]: projectId ?? "" })
        },
        // Elsewhere than in a browser the cookie stands among the headers.
        credentials: carried.hasCookies && carried.headers.cookie === undefined ? "include" : undefined
      }
    }
  }
}
