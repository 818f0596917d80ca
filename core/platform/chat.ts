/** How the chat of a platform speaks: where it is, the names of its events, and where a message stands. */
import { Draft, Message } from "../chat/model.js"
import { type ChatDialect, type Surroundings, unseen } from "../kernel/dispatch/dialect.js"
import { own } from "../permissions/own.js"
import { originOf, projectHeader, saidProject } from "./calls.js"
import * as Carriers from "./carriers.js"
import type { CookieJar } from "./cookies.js"
import type { Definition, Place } from "./definition.js"
import { Digits, namesIn, type Rules, reader, writer } from "./fields.js"
import { thingOf } from "./json-api.js"
import { at, putAt, read } from "./places.js"

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

/** Whether a place of errors tells of an error alone: any acknowledgement may be text, or have a `message` or a `code`. */
const isOfErrors = (place: Place): boolean =>
  typeof place !== "string" || !["", "message", "code"].includes(place)

/** The values of an acknowledgement that are there: some servers acknowledge as Node's callbacks do, with null first. */
const valuesOf = (acknowledgement: unknown): ReadonlyArray<unknown> =>
  (Array.isArray(acknowledgement) ? acknowledgement : [acknowledgement]).filter(
    (value) => value !== undefined && value !== null
  )

/** What stands at a path of an acknowledgement, which may begin with the place of one of several values. */
const saidAt = (path: string, acknowledgement: unknown): unknown =>
  /^\d+(\.|$)/.test(path)
    ? at(path, Array.isArray(acknowledgement) ? acknowledgement : [acknowledgement])
    : valuesOf(acknowledgement)
        .map((value) => at(path, value))
        .find((value) => value !== undefined && value !== null)

/** Which acknowledgements are refusals: what is said of them, or else of errors. */
const refusalOf = ({ chat: { refusal } = {}, errors = {} }: Definition): ChatDialect["refusalIn"] => {
  const places = [errors.message, errors.code].filter((place) => place !== undefined)
  /** What one of its values says. */
  const byErrors = (body: unknown): unknown => {
    const answer = { status: 200, header: () => undefined, body }
    const reasons = places.flatMap((place) => {
      const words = read(place, answer)
      return typeof words === "string" && words !== "" ? [{ place, words }] : []
    })
    const reason = reasons[0]?.words
    if (errors.status !== undefined)
      return Number(errors.status(answer)) >= 400 ? (reason ?? true) : undefined
    return reasons.some(({ place }) => isOfErrors(place)) ? reason : undefined
  }
  return (acknowledgement) => {
    const values = valuesOf(acknowledgement)
    if (refusal === undefined) return values.map(byErrors).find((said) => said !== undefined)
    const only = values.length > 1 ? acknowledgement : values[0]
    const said = typeof refusal === "function" ? refusal(only) : saidAt(refusal, acknowledgement)
    return said === undefined || said === null || said === 0 || said === "" ? false : said
  }
}

/** The chat's part of what is said of a platform. */
export const make = (
  definition: Definition,
  rules: Rules,
  { baseUrl, headerNames, projectId }: Surroundings,
  jar: CookieJar
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
  // A handshake names the project where somebody says how.
  const project = saidProject(definition)
  const one = (payload: unknown): unknown => {
    const found =
      place === undefined ? payload : (at(place, payload) ?? listHolder(place, payload) ?? payload)
    return readFields(entities?.unwrap === "json:api" ? thingOf(own(found, "data") ?? found, known) : found)
  }
  return {
    url: chat.url ?? (project.host === undefined ? undefined : originOf(baseUrl, project, projectId)),
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
          ...(project.query === undefined || projectId === undefined ? {} : { [project.query]: projectId }),
          ...(accessToken === unseen ? {} : { [token]: accessToken }),
          ...Object.fromEntries(carried.query)
        },
        headers: {
          ...Carriers.fixedOf(credentials),
          ...projectHeader(project, projectId),
          ...carried.headers
        },
        // Elsewhere than in a browser the cookie stands among the headers.
        credentials: carried.hasCookies && carried.headers.cookie === undefined ? "include" : undefined
      }
    }
  }
}
