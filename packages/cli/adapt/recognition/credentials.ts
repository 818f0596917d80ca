/** What carries credentials and the project, by the requests that were answered. */

import { isIP } from "node:net"
import { percentDecoded } from "@quartet/sdk/extend"
import { type Carrier, carriersOf, cookiesOf, guardsIn } from "./carriers.js"
import { type Exchange, isSuccess, whyNoWrite } from "./exchange.js"
import { join, nothing, type Recognised, type Value } from "./line.js"
import { maybeSessions, partAt, partsOf } from "./parts.js"

/** The credentials that are known, by what they are. They are looked for, and never written. */
export interface Secrets {
  readonly accessToken?: string | undefined
  readonly sessionId?: string | undefined
  readonly apiKey?: string | undefined
  readonly privateKey?: string | undefined
  readonly project?: string | undefined
}

const standard: Readonly<Record<string, Carrier>> = {
  accessToken: { header: "authorization", scheme: "Bearer" },
  session: { header: "x-session-id" },
  apiKey: { header: "x-api-key" },
  privateKey: { header: "x-private-key" }
}

const same = (a: Carrier, b: Carrier | undefined): boolean =>
  b !== undefined &&
  Object.keys(a).length === Object.keys(b).length &&
  Object.entries(a).every(([name, value]) => b[name] === value)

/** What carried one of several credentials of a kind in a request: a session that is renewed has another token. */
const carriersOfAny = (exchange: Exchange, secrets: ReadonlyArray<string>): ReadonlyArray<Carrier> =>
  secrets.flatMap((secret) => carriersOf(exchange, secret))

interface Others {
  readonly other?: ReadonlyArray<string>
  readonly apiKey?: ReadonlyArray<string>
}

const ofSecret = (
  exchanges: ReadonlyArray<Exchange>,
  at: string,
  all: ReadonlyArray<string>,
  what: string,
  { other = [], apiKey = [] }: Others = {}
): Recognised => {
  const secrets = all.filter(({ length }) => length >= 3)
  if (secrets.length === 0) return nothing
  const accepted = exchanges.filter(
    (each) => isSuccess(each) && !each.isAnonymous && each.purpose !== "refresh"
  )
  // One that was sent in several ways at once does not show which of them is read.
  const carriers = accepted
    .map((each) => carriersOfAny(each, secrets))
    .flatMap((carriers) => (carriers.length === 1 ? carriers : []))
  const [first] = carriers
  if (first === undefined)
    return { ...nothing, unseen: [`credentials.${at}: no request with ${what} was accepted`] }
  if (carriers.some((carrier) => same(carrier, standard[at])))
    return { ...nothing, fits: [`${what} is sent as the SDK sends it`] }
  const mayBeInCookie = maybeInCookie(exchanges)
  const calls = new Set(
    accepted.filter((each) => carriersOfAny(each, secrets).length > 0).map(({ call }) => call)
  )
  // A browser sends its cookies with each request, and so with a visitor's.
  const showsAdmin = (each: Exchange): boolean =>
    carriersOfAny(each, other).some(({ cookie }) => cookie === undefined || calls.has(each.call))
  const isLeftOut = (each: Exchange): boolean =>
    each.purpose === "list" &&
    carriersOfAny(each, secrets).length === 0 &&
    // A visitor's read has the key, and in a browser the cookies of an admin besides.
    carriersOfAny(each, apiKey).length === 0 &&
    showsAdmin(each) &&
    !(at === "session" && mayBeInCookie(each, other))
  if (accepted.some(isLeftOut))
    return {
      ...nothing,
      unseen: [`credentials.${at}: what carries ${what}, since reads were accepted without it`]
    }
  return {
    ...nothing,
    lines: [
      {
        at: `credentials.${at}`,
        value: { ...first },
        reason: `requests that carried ${what} so were accepted`
      }
    ]
  }
}

/** Whether a request may have had a session in a cookie: one that a sign-in set, or that is called so. */
const maybeInCookie = (exchanges: ReadonlyArray<Exchange>) => {
  const guards = guardsIn(exchanges)
  const set = exchanges
    .filter(({ purpose }) => purpose.includes("sign-in"))
    .flatMap(({ cookies }) => Object.keys(cookies))
  return (each: Exchange, tokens: ReadonlyArray<string>): boolean =>
    cookiesOf(each).some(
      ([name, value]) =>
        !tokens.includes(value) &&
        !tokens.includes(percentDecoded(value)) &&
        !guards.includes(name) &&
        (set.includes(name) || /sess|sid|ticket/i.test(name))
    )
}

/** A host with the project's id as one of its parts, as the definition has it; undefined where it has none. */
export const projectHost = (host: string, project: string): string | undefined => {
  const labels = host.split(".")
  // The parts of a number's address are no names.
  return isIP(host) !== 0 || labels.length < 2 || !labels.includes(project)
    ? undefined
    : labels.map((label) => (label === project ? "{projectId}" : label)).join(".")
}

/** Where the project stands in a request. */
const projectIn = ({ path, query, sent }: Exchange, project: string): Value | undefined => {
  const parameter = Object.entries(query).find(([, text]) => text === project)
  if (parameter !== undefined) return { query: parameter[0] }
  // What stands before the path has to be said; a header beside it may be one that all requests have.
  const segments = path.split("/").filter((segment) => segment !== "")
  const at = segments.findIndex((segment) => percentDecoded(segment) === project)
  if (at >= 0) return { path: [...segments.slice(0, at), "{projectId}"].join("/") }
  const header = Object.entries(sent).find(
    ([name, text]) => text === project && !/^(cookie|host|authorization)$/.test(name)
  )
  if (header !== undefined) return { header: header[0] }
  const host = projectHost(sent.host ?? "", project)
  return host === undefined ? undefined : { host }
}

/** Where an admin's requests name the project: those of others need not. */
const project = (
  exchanges: ReadonlyArray<Exchange>,
  id: string | undefined,
  ofAdmin: ReadonlyArray<string>
): Recognised => {
  if (id === undefined)
    return { ...nothing, unseen: ["credentials.project: the project's id is not known (QUARTET_PROJECT_ID)"] }
  const accepted = exchanges.filter(
    (each) =>
      isSuccess(each) &&
      each.purpose === "list" &&
      !each.path.startsWith("/project/") &&
      carriersOfAny(each, ofAdmin).length > 0
  )
  const places = accepted.map((each) => projectIn(each, id))
  const [first] = places.filter((place) => place !== undefined)
  if (accepted.length === 0)
    return { ...nothing, unseen: ["credentials.project: no list was answered to an admin"] }
  if (first === undefined)
    return {
      ...nothing,
      lines: [
        {
          at: "credentials.project",
          value: false,
          reason: "lists were answered though nothing named the project"
        }
      ]
    }
  return JSON.stringify(first) === JSON.stringify({ query: "projectId" })
    ? { ...nothing, fits: ["the project is named by `projectId`"] }
    : {
        ...nothing,
        lines: [
          { at: "credentials.project", value: first, reason: "lists were answered that named the project so" }
        ]
      }
}

/** A part of the session that an answer gave. */
const partIn = (answer: Exchange, part: "accessToken" | "sessionId"): string | undefined =>
  answer.holds?.[part] ?? partAt(answer, partsOf(answer)[part])

const given = (
  exchanges: ReadonlyArray<Exchange>,
  purposes: ReadonlyArray<Exchange["purpose"]>,
  part: "accessToken" | "sessionId"
): ReadonlyArray<string> =>
  exchanges
    .filter((each) => purposes.includes(each.purpose) && isSuccess(each))
    .flatMap((each) => partIn(each, part) ?? [])

/** What a sign-in gave, with what is configured. */
export const secretsOf = (exchanges: ReadonlyArray<Exchange>, configured: Secrets): Secrets => {
  const of = (purpose: Exchange["purpose"], part: "accessToken" | "sessionId") => {
    const answer = exchanges.find((each) => each.purpose === purpose && isSuccess(each))
    return answer && partIn(answer, part)
  }
  // What a sign-in answers and nobody sends is no session beside one that requests carried.
  const sessions = [
    of("sign-in of an admin", "sessionId"),
    of("legacy sign-in of an admin", "sessionId"),
    of("legacy sign-in of an admin", "accessToken")
  ].filter((secret) => secret !== undefined)
  const sent = sessions.find((secret) => exchanges.some((each) => carriersOf(each, secret).length > 0))
  return {
    ...configured,
    accessToken: configured.accessToken ?? of("sign-in of an admin", "accessToken"),
    sessionId: configured.sessionId ?? sent ?? sessions[0]
  }
}

/** All credentials of each kind: those of the first sign-in, and those of a renewed session and of later sign-ins besides. */
export const allSecretsOf = (
  exchanges: ReadonlyArray<Exchange>,
  configured: Secrets
): Readonly<Record<keyof Secrets, ReadonlyArray<string>>> => {
  const first = secretsOf(exchanges, configured)
  const together = (one: string | undefined, others: ReadonlyArray<string> = []): ReadonlyArray<string> => [
    ...new Set(one === undefined ? [] : [one, ...others])
  ]
  const admins = ["sign-in of an admin", "refresh"] as const
  const tokens = given(exchanges, admins, "accessToken")
  const sessions = [
    ...given(exchanges, [...admins, "legacy sign-in of an admin"], "sessionId"),
    ...given(exchanges, ["legacy sign-in of an admin"], "accessToken")
  ].filter(
    (session) => !tokens.includes(session) && exchanges.some((each) => carriersOf(each, session).length > 0)
  )
  return {
    accessToken: together(first.accessToken, tokens),
    sessionId: together(first.sessionId, sessions),
    apiKey: together(first.apiKey),
    privateKey: together(first.privateKey),
    project: together(first.project)
  }
}

/** A credential that no sign-in of an admin answered: it is not needed where an admin's reads were accepted without it. */
const unneeded = (
  exchanges: ReadonlyArray<Exchange>,
  { accessToken, sessionId }: ReturnType<typeof allSecretsOf>
): Recognised => {
  const signIns = exchanges.filter(
    (each) =>
      isSuccess(each) &&
      (each.purpose === "sign-in of an admin" || each.purpose === "legacy sign-in of an admin")
  )
  const mayBeInCookie = maybeInCookie(exchanges)
  const isAccepted = (other: ReadonlyArray<string>): boolean =>
    exchanges.some(
      (each) =>
        isSuccess(each) &&
        each.method === "GET" &&
        each.isAnonymous !== true &&
        carriersOfAny(each, other).length > 0 &&
        !(other === accessToken && mayBeInCookie(each, other))
    )
  const of = (at: string, what: string, mayBe: boolean, other: ReadonlyArray<string>): Recognised =>
    mayBe || !isAccepted(other)
      ? { ...nothing, unseen: [`credentials.${at}: no sign-in of an admin is known to answer ${what}`] }
      : {
          ...nothing,
          lines: [
            {
              at: `credentials.${at}`,
              value: false,
              reason: `no sign-in of an admin answered ${what}, and reads were accepted without one`
            }
          ]
        }
  return join([
    accessToken.length === 0 ? of("accessToken", "a token", false, sessionId) : nothing,
    sessionId.length === 0
      ? of(
          "session",
          "a session id",
          signIns.some((each) => maybeSessions(each).length > 0),
          accessToken
        )
      : nothing
  ])
}

/** All cookies that were set or sent, by their names. */
const cookiesSeen = (exchanges: ReadonlyArray<Exchange>): ReadonlyArray<readonly [string, string]> =>
  exchanges.flatMap((each) => [
    ...Object.entries(each.cookies),
    ...cookiesOf(each).map(([name, value]) => [name, percentDecoded(value)] as const)
  ])

/** The cookie that a header of a request repeats. */
const repeatedIn = (
  { sent }: Exchange,
  header: string,
  cookies: ReadonlyArray<readonly [string, string]>
): string | undefined =>
  cookies.find(
    ([, value]) => value.length > 5 && (value === sent[header] || percentDecoded(value) === sent[header])
  )?.[0]

/** The header that writes have beside a cookie that carries credentials. */
const csrf = (
  exchanges: ReadonlyArray<Exchange>,
  secrets: ReturnType<typeof allSecretsOf>,
  hasCookie: boolean
): Recognised => {
  const writes = exchanges.filter((each) => each.purpose === "write" && isSuccess(each))
  const credentials = new Set(Object.values(secrets).flat())
  const cookies = cookiesSeen(exchanges).filter(([, value]) => !credentials.has(value))
  const headersOf = ({ sent }: Exchange) => Object.keys(sent).filter((name) => !/^(cookie|host)$/.test(name))
  const [write] = writes
  if (write === undefined)
    return hasCookie
      ? {
          ...nothing,
          unseen: [`credentials.csrf: which header writes need beside the cookie, ${whyNoWrite(exchanges)}`]
        }
      : nothing
  const header = headersOf(write).find(
    (name) =>
      writes.every(({ sent }) => sent[name] !== undefined) &&
      (/csrf|xsrf/.test(name) || repeatedIn(write, name, cookies) !== undefined)
  )
  if (header === undefined)
    return hasCookie
      ? { ...nothing, fits: ["writes were accepted without a header beside the cookie"] }
      : nothing
  const cookie = repeatedIn(write, header, cookies)
  return cookie === undefined
    ? {
        ...nothing,
        unseen: [
          `credentials.csrf: writes sent the header \`${header}\`, but what gives its value was not seen`
        ]
      }
    : {
        ...nothing,
        lines: [
          {
            at: "credentials.csrf",
            value: { header, cookie },
            reason: "writes that were accepted repeated in this header what this cookie holds"
          }
        ]
      }
}

/** The header of a key by which a platform knows a write that is sent again. */
const idempotencyKey = (exchanges: ReadonlyArray<Exchange>): Recognised => {
  const names = exchanges
    .filter((each) => each.purpose === "write" && isSuccess(each))
    .flatMap(({ sent }) => Object.keys(sent))
  if (names.includes("idempotency-key"))
    return { ...nothing, fits: ["writes have their key in `idempotency-key`"] }
  const name = names.find((each) => /idempoten|(^|-)(once|nonce|dedup\w*)($|-)/.test(each))
  return name === undefined
    ? {
        ...nothing,
        unseen: [
          `credentials.idempotencyKey: which header tells a write that is sent again, ${whyNoWrite(exchanges)?.replace("none was made", "none was seen") ?? "since none was seen"}`
        ]
      }
    : {
        ...nothing,
        lines: [
          {
            at: "credentials.idempotencyKey",
            value: name,
            reason: "a write that was accepted had this header, which is called like such a key"
          }
        ]
      }
}

/** What carries credentials. */
export const credentials = (exchanges: ReadonlyArray<Exchange>, configured: Secrets): Recognised => {
  const secrets = allSecretsOf(exchanges, configured)
  const [projectId] = secrets.project
  const hasAdmin = exchanges.some((each) => each.purpose === "sign-in of an admin" && isSuccess(each))
  const unsent = hasAdmin ? unneeded(exchanges, secrets) : nothing
  const parts = [
    ofSecret(exchanges, "accessToken", secrets.accessToken, "the access token", {
      other: secrets.sessionId,
      apiKey: secrets.apiKey
    }),
    ofSecret(exchanges, "session", secrets.sessionId, "the session id", {
      other: secrets.accessToken,
      apiKey: secrets.apiKey
    }),
    ofSecret(exchanges, "apiKey", secrets.apiKey, "the API key"),
    ofSecret(exchanges, "privateKey", secrets.privateKey, "the private key"),
    hasAdmin || projectId !== undefined
      ? project(exchanges, projectId, [...secrets.accessToken, ...secrets.sessionId])
      : nothing
  ]
  const hasCookie = parts.some(({ lines }) =>
    lines.some(({ value }) => typeof value === "object" && "cookie" in value)
  )
  return join([...parts, unsent, csrf(exchanges, secrets, hasCookie), idempotencyKey(exchanges)])
}
