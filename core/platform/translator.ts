/** The calls of one operation between our form and the platform's: what the kernel asks a dialect for. */
import * as Either from "effect/Either"
import type { DialectCall, DialectOperation, Surroundings, Translator } from "../kernel/dispatch/dialect.js"
import { urlOf } from "../kernel/operation/url.js"
import type { AnyRequest, Outcome, Request, Service as Transport } from "../ports/transport.js"
import * as Answers from "./answers.js"
import * as Carriers from "./carriers.js"
import type { Csrf, Definition } from "./definition.js"
import { following } from "./downloads.js"
import type { Rules } from "./fields.js"
import * as Requests from "./requests.js"
import { placesOf, unsentOf } from "./sessions.js"

/** The header that proves that a page of the platform's own sends a request. */
const csrfOf = (csrf: Csrf | undefined, jar: Carriers.CookieJar): Readonly<Record<string, string>> => {
  if (csrf === undefined) return {}
  const said = typeof csrf.value === "function" ? csrf.value() : csrf.value
  const value = said ?? (csrf.cookie === undefined ? undefined : jar.other(csrf.cookie))
  return value === undefined ? {} : { [csrf.header.toLowerCase()]: value }
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

  /** The names of a form's fields. */
  const formOf = (body: AnyRequest["body"]): AnyRequest["body"] =>
    body?._tag === "Form"
      ? { ...body, parts: body.parts.map((part) => ({ ...part, name: rules.nameOf(part.name) })) }
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
          ...(request.method === "GET" || request.method === "HEAD" ? {} : csrfOf(credentials.csrf, jar))
        },
        body: formOf(request.body),
        ...(hasCookies ? { credentials: "include" } : {})
      }
    }
  }

  return {
    write,
    over: (transport, call: DialectCall): Transport => {
      const isFollowed = downloads !== undefined && "bytes" in declared.success
      const below = isFollowed ? following(transport, downloads.redirectTo) : transport
      const hear =
        (cookies: ReadonlyMap<string, string>, settle: (outcome: Outcome) => void) =>
        (outcome: Outcome): void => {
          if ("header" in outcome) jar.hear(outcome.header("set-cookie"), cookies)
          if (outcome._tag === "Unreadable") {
            const part = Object.keys(Object(call.input)).find((field) => rules.nameOf(field) === outcome.part)
            return settle({ ...outcome, part: part ?? outcome.part })
          }
          settle(settled(outcome, (answered) => read(answered, call)))
        }
      const { stream } = transport
      return {
        start: (request: Request, settle) => {
          const { cookies, wire } = requestOf(request)
          return below.start(wire, hear(cookies, settle))
        },
        ...(stream === undefined
          ? {}
          : {
              stream: (request: AnyRequest, settle: (outcome: Outcome) => void) => {
                const { cookies, wire } = requestOf(request)
                return stream.call(transport, wire, hear(cookies, settle))
              }
            })
      }
    }
  }
}
