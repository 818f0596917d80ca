/** The answers of a platform in the form that the kernel reads: things, lists, sign-ins and errors. */
import * as Either from "effect/Either"
import * as Decoder from "../kernel/codec/decoder.js"
import * as Json from "../kernel/codec/json.js"
import { type DialectCall, type DialectOperation, unseen } from "../kernel/dispatch/dialect.js"
import { readBody } from "../kernel/dispatch/response.js"
import { percentDecoded } from "../kernel/operation/url.js"
import { isSecretData, textsIn } from "../kernel/redaction/sent-secrets.js"
import { own } from "../permissions/own.js"
import type { StoredSession } from "../ports/session-store.js"
import type { HeaderReader, Outcome, Request } from "../ports/transport.js"
import * as Utf8 from "../ports/utf8.js"
import { infoOf, isSignIn, listsOf, reservedNames } from "./calls.js"
import type { Answer, Definition, Place, SessionPlaces } from "./definition.js"
import { Fault } from "./faults.js"
import { namesIn, type Rules, reader } from "./fields.js"
import { thingOf } from "./json-api.js"
import * as Lists from "./lists.js"
import { at, cookieAt, read } from "./places.js"
import { ourNameOf } from "./rules.js"
import { placesOf } from "./sessions.js"

/** An answer that was read whole. */
export type Answered = Extract<Outcome, { readonly _tag: "Answered" }>

/** Parsed JSON, whole numbers beyond ±(2⁵³ − 1) as their digits; text that is none stays, and blank text is nothing. */
const bodyOf = (body: Uint8Array): unknown => {
  const text = Decoder.text(body)
  if (Either.isLeft(text)) return undefined
  const json = Decoder.json(text.right)
  if (Either.isLeft(json)) return text.right
  return /\d{16}/.test(text.right) ? (Json.parse(text.right)?.value ?? json.right) : json.right
}

const answerOf = ({ body, header, status }: Answered): Answer => ({
  status,
  header: (name) => header(name),
  body: bodyOf(body)
})

/** Text, a number, or the texts of a list; undefined of anything else, in which the kernel looks for words by itself. */
const wordsOf = (value: unknown): string | undefined => {
  if (Array.isArray(value)) return value.flatMap((part) => wordsOf(part) ?? []).join("; ") || undefined
  return typeof value === "number" || (typeof value === "string" && value !== "") ? String(value) : undefined
}

/** The text at a place, or the function that failed to find it. */
const textAt = (place: Place | undefined, answer: Answer): Either.Either<string | undefined, Fault> =>
  Either.try({
    try: () => (place === undefined ? undefined : wordsOf(read(place, answer))),
    catch: (cause) => (cause instanceof Fault ? cause : new Fault("errors", "failed"))
  })

/** The field that an error of JSON:API points at, such as `/data/attributes/email`. */
const pointedAt = (body: unknown): string | undefined => {
  const pointer = own(own(own(own(body, "errors"), "0"), "source"), "pointer")
  const [, path] =
    /^\/data\/(?:attributes\/|relationships\/)?([^/]+(?:\/[^/]+)*)$/.exec(
      typeof pointer === "string" ? pointer : ""
    ) ?? []
  return path?.replaceAll("/", ".")
}

/** The header reader of an answer whose request id stands elsewhere. */
const withRequestId = (header: HeaderReader, requestId: string): HeaderReader =>
  Object.assign((name: string) => (name === "x-request-id" ? requestId : header(name)), {
    ...(header.all === undefined ? {} : { all: header.all })
  })

/** An error in the words that the kernel reads. What nothing is said of, it reads by itself. */
const errorOf = ({ errors = {} }: Definition, rules: Rules) => {
  const ours = ourNameOf(rules)
  return (outcome: Answered, answer: Answer): Answered => {
    const standard = readBody(outcome.body, outcome.header("content-type"))
    const places = [errors.message, errors.code, errors.field, errors.requestId]
    const texts = places.map((place) => textAt(place, answer))
    const [
      message = standard.message,
      code = standard.code,
      field = standard.field ?? pointedAt(answer.body),
      requestId
    ] = texts.map(Either.getOrUndefined)
    // Of an error nothing is told as drift.
    const faults = texts.flatMap((text) =>
      Either.isLeft(text) ? [`(${text.left.field} of the platform ${text.left.did})`] : []
    )
    const error = {
      message: faults.length === 0 ? message : [message, ...faults].filter(Boolean).join(" "),
      code,
      field: field === undefined ? undefined : field.split(".").map(ours).join(".")
    }
    return {
      ...outcome,
      header: requestId === undefined ? outcome.header : withRequestId(outcome.header, requestId),
      body: Utf8.encode(JSON.stringify({ error: { ...error, data: standard.data } }))
    }
  }
}

/** The parts of a session. */
const parts = ["accessToken", "sessionId", "user", "refreshToken", "expiresIn"] as const

/** Reads what is secret in the answer of a sign-in, wherever the platform has it, for adapters that show answers. */
export const secretsIn = (
  definition: Definition,
  { audience, name }: DialectOperation
): Request["secretsIn"] => {
  if (!isSignIn(name)) return undefined
  const places = placesOf(definition, audience, name)
  return (outcome) => {
    const answer = answerOf(outcome)
    const found = (["accessToken", "sessionId", "refreshToken"] as const).map((part) => {
      const place = places[part]
      return place === undefined || place === false
        ? undefined
        : Either.getOrUndefined(Either.try(() => read(place, answer)))
    })
    return found.flatMap((value) =>
      typeof value === "string" || typeof value === "number"
        ? [String(value), percentDecoded(String(value))]
        : []
    )
  }
}

/** An answer as it came, for which a function of the value has failed: that is told as drift. */
export const unread = (outcome: Answered, { did, field }: Fault): Answered => {
  const { body } = answerOf(outcome)
  if (outcome.status < 200 || outcome.status > 299 || typeof body === "string" || body === undefined)
    return outcome
  const drift = { expected: `what ${field} of the platform answers`, came: `a function that ${did}` }
  return { ...outcome, json: { value: body, drift } }
}

/** What stands in fields whose names in the SDK are those of secrets, whatever the platform calls them. */
export const namedSecrets = (
  read: (outcome: Answered, call: DialectCall) => Answered,
  outcome: Answered
): ReadonlyArray<string> => {
  const value = Either.try(() => read(outcome, { input: undefined, cursor: undefined }).json?.value)
  const texts: Array<string> = []
  if (Either.isRight(value)) textsIn(value.right, false, texts, isSecretData)
  return texts
}

/** What a reader of answers needs to know of its client. */
export interface Surrounding {
  /** The parts of a session that are never sent, and so need not be answered. */
  readonly unsent: ReadonlyArray<string>
  /** Where the parts of a session stand in the answer of a call. */
  readonly sessionPlaces: SessionPlaces
  /** Whether a page runs the client: a browser shows it no cookies. */
  readonly isPage: boolean
  /** What a sign-in answers beside what the platform does, for a client of the session that it opens. */
  readonly beside: () => Pick<StoredSession, "cookies">
}

/** Compiles what reads the answers of an operation. */
export const make = (
  definition: Definition,
  rules: Rules,
  operation: DialectOperation,
  { beside, isPage, sessionPlaces, unsent }: Surrounding
): ((outcome: Answered, call: DialectCall) => Answered) => {
  const { entities = {}, errors = {} } = definition
  const { success } = operation.declared
  const idName = rules.nameOf("_id")
  const schema = "page" in success ? success.page : "ast" in success ? success : undefined
  const fields = schema === undefined ? (value: unknown) => value : reader(schema.ast, rules)
  const info = infoOf(operation)
  const refused = errorOf(definition, rules)
  const known = schema === undefined ? new Set<string>() : namesIn(schema.ast, rules)
  const listed = Lists.make(
    listsOf(definition, operation),
    entities,
    reservedNames(definition, operation),
    operation,
    idName,
    known,
    fields
  )
  const { unwrap } = entities

  const unwrapped = (body: unknown): unknown => {
    if (unwrap === undefined) return body
    if (typeof unwrap === "function") return unwrap(body, info)
    if (unwrap !== "json:api") {
      const thing = at(unwrap, body)
      return thing === undefined ? body : thing
    }
    const data = own(body, "data")
    return data === undefined
      ? body
      : Array.isArray(data)
        ? data.map((one) => thingOf(one, known))
        : thingOf(data, known)
  }

  /** A part of the session that a sign-in answers. One that this program does not see stands as `unseen`. */
  const partOf = (name: (typeof parts)[number], plain: unknown, answer: Answer): unknown => {
    const place = sessionPlaces[name]
    const value =
      place === undefined
        ? (own(plain, rules.nameOf(name)) ?? own(plain, name))
        : place === false
          ? undefined
          : read(place, answer)
    if (value !== undefined && value !== null)
      return name === "user" ? own(fields({ user: value }), "user") : value
    return (isPage && cookieAt(place) !== undefined) || unsent.includes(name) ? unseen : value
  }

  const session = (answer: Answer): unknown => {
    const plain = unwrapped(answer.body)
    const said = parts.map((name) => [name, partOf(name, plain, answer)] as const)
    return {
      ...(typeof plain === "object" && !Array.isArray(plain) ? plain : {}),
      ...Object.fromEntries(said.filter(([, value]) => value !== undefined)),
      ...beside()
    }
  }

  const readValue = (answer: Answer, call: DialectCall): unknown => {
    if (isSignIn(operation.name)) return session(answer)
    return "page" in success ? listed(answer, call) : fields(unwrapped(answer.body))
  }

  return (outcome, call) => {
    const answer = answerOf(outcome)
    const said = Number(errors.status?.(answer) ?? outcome.status)
    const status = Number.isInteger(said) && said >= 200 && said <= 599 ? said : outcome.status
    const stated = status === outcome.status ? outcome : { ...outcome, status }
    if (status < 200 || status > 299) return status < 400 ? stated : refused(stated, answer)
    // Text is no JSON, and nothing is said of a body that is not there, but a sign-in may answer cookies alone.
    if (typeof answer.body === "string" || (answer.body === undefined && !isSignIn(operation.name)))
      return stated
    return { ...stated, json: { value: readValue(answer, call), drift: undefined } }
  }
}
