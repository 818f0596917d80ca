/** The calls of one operation between our form and the platform's: what the kernel asks a dialect for. */
import * as Either from "effect/Either"
import type { DialectCall, DialectOperation, Surroundings, Translator } from "../kernel/dispatch/dialect.js"
import { isCredential } from "../kernel/dispatch/settings.js"
import { urlOf } from "../kernel/operation/url.js"
import { own } from "../permissions/own.js"
import type { AnyRequest, Outcome, Request, Service as Transport } from "../ports/transport.js"
import * as Answers from "./answers.js"
import * as Carriers from "./carriers.js"
import type { Csrf, Definition } from "./definition.js"
import { following } from "./downloads.js"
import type { Rules } from "./fields.js"
import * as Requests from "./requests.js"
import { placesOf, unsentOf } from "./sessions.js"

/** The header that proves that a page of the platform's own sends a request, by what a program says, or by a cookie. */
const csrfOf = (
  csrf: Csrf | undefined,
  origin: string,
  jar: Carriers.CookieJar
): Readonly<Record<string, string>> => {
  const value = csrf?.cookie === undefined ? undefined : jar.other(origin, csrf.cookie)
  return csrf === undefined || csrf.value !== undefined || value === undefined
    ? {}
    : { [csrf.header.toLowerCase()]: value }
}

/** The host of a project, in an origin. */
const originOf = (origin: string, host: string, projectId: string): string => {
  const url = urlOf(origin)
  const port = url?.port ?? ""
  return `${url?.protocol ?? "https:"}//${host.replaceAll("{projectId}", projectId)}${port === "" ? "" : `:${port}`}`
}

/** Translates what settles, where the answer was read whole; a reader that throws leaves the answer to the kernel as it came. */
const settled = (
  outcome: Outcome,
  read: (outcome: Extract<Outcome, { readonly _tag: "Answered" }>) => Outcome
): Outcome =>
  outcome._tag === "Answered"
    ? Either.getOrElse(
        Either.try(() => read(outcome)),
        () => outcome
      )
    : outcome

/** Compiles the translator of an operation; all those of one client share a jar of cookies. */
export const make = (
  definition: Definition,
  rules: Rules,
  around: Surroundings,
  jar: Carriers.CookieJar,
  operation: DialectOperation
): Translator => {
  const { credentials = {}, downloads } = definition
  const { declared, name } = operation
  const carriers = Carriers.carriersOf(credentials, around.headerNames)
  const host = declared.host ?? "api"
  const { project } = credentials
  const { projectId } = around
  const inHost = project !== undefined && project !== false && "host" in project ? project.host : undefined
  const inHeader =
    project !== undefined && project !== false && "header" in project ? project.header : undefined
  const write = Requests.make(definition, rules, operation, around)
  const read = Answers.make(definition, rules, operation, {
    unsent: unsentOf(definition),
    sessionPlaces: placesOf(definition, operation.audience, name),
    isPage: around.isPage
  })
  const namesProject = Requests.namesProject(operation)
  // A call that has no session yet has a browser keep the cookies of its answer, and one of nobody's does without those of somebody.
  const setsCookies =
    Requests.isSignIn(name) &&
    Object.values(carriers).some(({ carrier }) => Carriers.cookieOf(carrier) !== undefined)

  const parameters = Requests.routeOf(definition, operation.audience, name)?.parameters
  const formName = (field: string): string => String(own(parameters, field) ?? rules.nameOf(field))

  /** The names of a form's fields. */
  const formOf = (body: AnyRequest["body"]): AnyRequest["body"] =>
    body?._tag === "Form"
      ? { ...body, parts: body.parts.map((part) => ({ ...part, name: formName(part.name) })) }
      : body

  const requestOf = <R extends AnyRequest>(
    request: R
  ): { readonly wire: R; readonly cookies: ReadonlyMap<string, string> } => {
    const { cookies, hasCookies, headers, query } = Carriers.carry(request.headers, carriers, host, jar)
    const { "idempotency-key": key, ...rest } = headers
    const fixed = Object.entries(credentials.headers ?? {}).map(([field, value]) => [
      field.toLowerCase(),
      value
    ])
    return {
      cookies,
      wire: {
        ...request,
        origin:
          inHost === undefined || projectId === undefined || host === "legacy"
            ? request.origin
            : originOf(request.origin, inHost, projectId),
        path: Carriers.withQuery(request.path, query),
        headers: {
          ...Object.fromEntries(fixed),
          ...rest,
          ...(key === undefined
            ? {}
            : { [(credentials.idempotencyKey ?? "idempotency-key").toLowerCase()]: key }),
          ...(inHeader === undefined || projectId === undefined || !namesProject
            ? {}
            : { [inHeader.toLowerCase()]: projectId }),
          ...(request.method === "GET" || request.method === "HEAD"
            ? {}
            : csrfOf(credentials.csrf, request.origin, jar))
        },
        body: formOf(request.body),
        secrets: () => [...(request.secrets?.() ?? []), ...secrets()],
        secretsIn: Answers.secretsIn(definition, operation),
        ...(hasCookies || setsCookies ? { credentials: "include" } : {})
      }
    }
  }

  /** Values of headers by which somebody authenticates, and cookies, which the client does not know as its credentials. */
  const fixedSecrets = Object.entries(credentials.headers ?? {}).flatMap(([field, value]) =>
    isCredential(field.toLowerCase()) ? [value] : []
  )
  const secrets = (): ReadonlyArray<string> => [...fixedSecrets, ...jar.secrets()]

  return {
    write,
    secrets,
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
      const translating =
        (settle: (outcome: Outcome) => void) =>
        (outcome: Outcome): void => {
          if (outcome._tag === "Unreadable") {
            const part = Object.keys(Object(call.input)).find((field) => formName(field) === outcome.part)
            return settle({ ...outcome, part: part ?? outcome.part })
          }
          settle(settled(outcome, (answered) => read(answered, call)))
        }
      const { stream } = transport
      return {
        start: (request: Request, settle) => {
          const { cookies, wire } = requestOf(request)
          const heard = hearing(wire, cookies)
          const below = isFollowed ? following(heard, downloads.redirectTo) : heard
          return below.start(wire, translating(settle))
        },
        ...(stream === undefined
          ? {}
          : {
              stream: (request: AnyRequest, settle: (outcome: Outcome) => void) => {
                const { cookies, wire } = requestOf(request)
                const end = translating(settle)
                return stream.call(transport, wire, (outcome) => {
                  if ("header" in outcome) jar.hear(wire.origin, outcome.header, cookies)
                  end(outcome)
                })
              }
            })
      }
    }
  }
}
