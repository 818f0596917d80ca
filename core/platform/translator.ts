/** The calls of one operation between our form and the platform's: what the kernel asks a dialect for. */
import * as Either from "effect/Either"
import type { DialectCall, DialectOperation, Surroundings, Translator } from "../kernel/dispatch/dialect.js"
import { own } from "../permissions/own.js"
import type { Abandon, AnyRequest, Outcome, Request, Service as Transport } from "../ports/transport.js"
import * as Answers from "./answers.js"
import {
  isSignIn,
  namesProject,
  originOf,
  projectHeader,
  projectIn,
  refreshName,
  sentNames
} from "./calls.js"
import * as Carriers from "./carriers.js"
import { type CookieJar, cookieOf, proofIn } from "./cookies.js"
import type { Csrf, Definition } from "./definition.js"
import { following } from "./downloads.js"
import { Fault } from "./faults.js"
import type { Rules } from "./fields.js"
import * as Requests from "./requests.js"
import { placesOf, unsentOf } from "./sessions.js"
import * as Stated from "./stated.js"

/** The cookie by which a page of the platform's own proves that it sends a write, and the header of it that repeats the cookie. */
const csrfOf = (
  { cookie: name, header, value }: Partial<Csrf>,
  { headers, method, origin }: AnyRequest,
  jar: CookieJar
): Readonly<Record<string, string>> => {
  const kept = name === undefined ? undefined : jar.other(origin, name)
  if (kept === undefined || header === undefined) return {}
  const cookie = [headers.cookie, `${name}=${kept}`].filter(Boolean).join("; ")
  return value !== undefined || method === "GET" || method === "HEAD"
    ? { cookie }
    : { cookie, [header.toLowerCase()]: proofIn(kept) }
}

/** Under which a refresh token stands among the headers until its carrier takes it, as other credentials do: no header's name has capitals. */
const refreshHeader = "refreshToken"

/** The refresh token of a call that renews a session. */
const refreshTokenIn = ({ input }: DialectCall): Readonly<Record<string, string>> => {
  const token: unknown = own(own(input, "payload"), "refreshToken")
  return typeof token === "string" ? { [refreshHeader]: token } : {}
}

/** Translates what settles, where the answer was read whole; a function of the value that throws leaves the answer as it came. */
const settled = (outcome: Outcome, read: (outcome: Answers.Answered) => Outcome): Outcome =>
  outcome._tag === "Answered"
    ? Either.getOrElse(Either.try({ try: () => read(outcome), catch: (cause) => cause }), (cause) =>
        cause instanceof Fault ? Answers.unread(outcome, cause) : outcome
      )
    : outcome

/** Settles a request that is not sent. */
const unsent = (outcome: Outcome, settle: (outcome: Outcome) => void): Abandon => {
  settle(outcome)
  return () => false
}

/** Compiles the translator of an operation; all those of one client share a jar of cookies. */
export const make = (
  definition: Definition,
  rules: Rules,
  around: Surroundings,
  jar: CookieJar,
  operation: DialectOperation
): Translator => {
  const { downloads, errors = {} } = definition
  const { declared, name } = operation
  const credentials = Carriers.credentialsOf(definition, operation.audience)
  const refreshCarrier = name === refreshName ? Carriers.refreshCarrierOf(definition) : undefined
  const carriers = {
    ...Carriers.carriersOf(credentials, around.headerNames),
    ...(refreshCarrier === undefined
      ? {}
      : { refreshToken: { header: refreshHeader, carrier: refreshCarrier } })
  }
  const host = declared.host ?? "api"
  const { projectId } = around
  const project = projectIn(definition)
  const names = sentNames(definition, rules, operation)
  const write = Requests.make(definition, rules, operation, around)
  const read = Answers.make(definition, rules, operation, {
    unsent: unsentOf(definition, operation.audience),
    sessionPlaces: placesOf(definition, operation.audience, name),
    // An admin's client hands its session on by itself.
    beside: () => (operation.audience === "admin" ? {} : jar.beside()),
    isPage: around.isPage
  })
  // A call that has no session yet has a browser keep the cookies of its answer, and one of nobody's does without those of somebody.
  const setsCookies =
    isSignIn(name) &&
    (Object.values(carriers).some(({ carrier }) => cookieOf(carrier) !== undefined) ||
      (operation.audience === "admin" &&
        name !== "auth.legacyLogin" &&
        Carriers.refreshCookieOf(definition) !== undefined))

  /** What proves where a write comes from, which the value gives. */
  const proofsIn = (headers: AnyRequest["headers"]): ReadonlyArray<string> => {
    const proof = headers[credentials.csrf?.header.toLowerCase() ?? ""]
    return proof === undefined ? [] : [proof]
  }
  const media = Carriers.mediaOf(definition)
  const openedIn = Answers.secretsIn(definition, operation)

  /** The names of a form's fields. */
  const formOf = (body: AnyRequest["body"]): AnyRequest["body"] =>
    body?._tag === "Form"
      ? { ...body, parts: body.parts.map((part) => ({ ...part, name: names.declared(part.name) })) }
      : body

  const requestOf = <R extends AnyRequest>(
    request: R,
    call: DialectCall
  ): { readonly wire: R; readonly cookies: ReadonlyMap<string, string> } => {
    const { cookies, hasCookies, headers, query, written } = Carriers.carry(
      refreshCarrier === undefined ? request.headers : { ...request.headers, ...refreshTokenIn(call) },
      carriers,
      host,
      jar
    )
    const { "idempotency-key": key, ...rest } = headers
    return {
      cookies,
      wire: {
        ...request,
        path: Carriers.withQuery(request.path, query),
        headers: {
          ...Carriers.fixedOf(credentials),
          ...rest,
          ...media(rest),
          ...(key === undefined
            ? {}
            : { [(credentials.idempotencyKey ?? "idempotency-key").toLowerCase()]: key }),
          ...(namesProject(operation) ? projectHeader(project, projectId) : {}),
          ...csrfOf(credentials.csrf ?? {}, { ...request, headers }, jar)
        },
        body: formOf(request.body),
        secrets: () => [
          ...(request.secrets?.() ?? []),
          ...written,
          ...proofsIn(request.headers),
          ...secrets()
        ],
        secretsIn: (outcome) => [...(openedIn?.(outcome) ?? []), ...Answers.namedSecrets(read, outcome)],
        ...(hasCookies || setsCookies ? { credentials: "include" } : {})
      }
    }
  }

  /** The same, or the function of the value that wrote no credential: nothing is sent without one that it should have. */
  const sendable = <R extends AnyRequest>(
    request: R,
    call: DialectCall
  ): Either.Either<ReturnType<typeof requestOf<R>>, Outcome> =>
    Either.try({
      try: () => requestOf(request, call),
      catch: (cause): Outcome => ({
        _tag: "Unreadable",
        part: cause instanceof Fault ? `platform.${cause.field}` : "platform",
        rule: `must write the credential: it ${cause instanceof Fault ? cause.did : "failed"}`,
        cause: undefined
      })
    })

  const secrets = Carriers.secretsOf(credentials, jar)

  return {
    write: (encoded, call) =>
      Either.getOrElse(Either.try({ try: () => write(encoded, call), catch: (cause) => cause }), (cause) =>
        Either.left(
          cause instanceof Fault
            ? {
                field: `platform.${cause.field}`,
                rule: `must answer what is to be written: it ${cause.did}`
              }
            : { field: "platform", rule: "could not write this call" }
        )
      ),
    secrets,
    originOf: (origin) => (host === "legacy" ? origin : originOf(origin, project, projectId)),
    over: (transport, call: DialectCall): Transport => {
      const isFollowed = downloads !== undefined && "bytes" in declared.success
      /** Cookies are the platform's own: a storage to which it redirects sets none. */
      const hearing = (wire: AnyRequest, cookies: ReadonlyMap<string, string>): Transport => ({
        start: (request, settle) =>
          transport.start(request, (outcome) => {
            if ("header" in outcome && request.origin === wire.origin)
              jar.hear(wire.origin, outcome.header, cookies)
            settle(outcome)
          })
      })
      let stopLooking: (() => void) | undefined
      /** What gives an exchange up, and what looks for an error in place of its bytes. */
      const givingUp =
        (abandon: Abandon): Abandon =>
        () => {
          stopLooking?.()
          return abandon()
        }
      const translating =
        (settle: (outcome: Outcome) => void) =>
        (outcome: Outcome): void => {
          if (outcome._tag === "Unreadable") {
            const part = Object.keys(Object(call.input)).find(
              (field) => names.declared(field) === outcome.part
            )
            return settle({ ...outcome, part: part ?? outcome.part })
          }
          const readAnswer = (answered: Outcome): Outcome => settled(answered, (whole) => read(whole, call))
          if (outcome._tag === "Streaming" && errors.status !== undefined)
            stopLooking = Stated.settle(outcome, readAnswer, settle)
          else settle(readAnswer(outcome))
        }
      const { stream } = transport
      return {
        start: (request: Request, settle) => {
          const sent = sendable(request, call)
          if (Either.isLeft(sent)) return unsent(sent.left, settle)
          const { cookies, wire } = sent.right
          const heard = hearing(wire, cookies)
          const below = isFollowed ? following(heard, downloads.redirectTo) : heard
          return givingUp(below.start(wire, translating(settle)))
        },
        ...(stream === undefined
          ? {}
          : {
              stream: (request: AnyRequest, settle: (outcome: Outcome) => void) => {
                const sent = sendable(request, call)
                if (Either.isLeft(sent)) return unsent(sent.left, settle)
                const { cookies, wire } = sent.right
                const end = translating(settle)
                return givingUp(
                  stream.call(transport, wire, (outcome) => {
                    if ("header" in outcome) jar.hear(wire.origin, outcome.header, cookies)
                    end(outcome)
                  })
                )
              }
            })
      }
    }
  }
}
