/**
 * Credentials in a dialect: where they stand in a request, what a sign-in is sent and answers, and what its tokens are.
 * The platform itself has access tokens and sessions of its own; a dialect's stand for them.
 */
import { Levels, Utf8 } from "@quartet/sdk/extend"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import { isRecord } from "effect/Predicate"
import type { Answer } from "../platform/answer.js"
import { forbidden, invalid, notFound, type Refusal, unauthenticated } from "../platform/refusal.js"
import * as Token from "../platform/token.js"
import type { Request } from "../platform/wire.js"
import * as Random from "../state/random.js"
import { lifetime } from "../state/sessions.js"
import type { State } from "../state/state.js"
import type { Dialect } from "./axes.js"

type Headers = Readonly<Record<string, string | undefined>>

/** The headers of credentials; `scheme` stands before the token. */
interface Places {
  readonly token: string
  readonly scheme: string
  readonly session: string
  readonly apiKey: string
  readonly privateKey: string
}

/** The query parameter of the API key. */
const keyParameter = "api_key"

/** The cookie of a session. */
const cookieName = "quartet_session"

/** The header that a write with a cookie must have, with any value. */
const csrfHeader = "x-csrf-protection"

/** The header of the version, and its value. */
const version = { header: "x-api-version", value: "2" }

/** The path that renews an access token. */
const refreshPath = "/auth/refresh"

const placesOf = ({ credentials }: Dialect): Places => {
  const usual: Places = {
    token: "authorization",
    scheme: "Bearer ",
    session: "x-session-id",
    apiKey: "x-api-key",
    privateKey: "x-private-key"
  }
  if (credentials === "token-scheme") return { ...usual, scheme: "Token " }
  if (credentials !== "headers") return usual
  return {
    token: "x-auth-token",
    scheme: "",
    session: "x-session",
    apiKey: "x-client-key",
    privateKey: "x-server-key"
  }
}

/** The platform's own credentials of an admin. */
interface Admin {
  readonly accessToken: string | undefined
  readonly sessionId: string | undefined
}

/** What a dialect's token, session or cookie stands for. */
interface Pass extends Admin {
  /** The session of an end user. */
  readonly userSession?: string | undefined
  /** Milliseconds since 1970. */
  readonly expires: number
}

/** Paths of calls that open a session: whatever cookie comes with them is not looked at. */
const signInPaths = new Set(["/auth/admin/login", "/auth/login", "/auth/signup"])

/** Milliseconds for which an access token is good that can be renewed. */
const shortly = 15 * 60_000

/** What a sign-in has opened. */
export interface Opened {
  readonly accessToken?: string
  readonly sessionId?: string
  /** Whoever signed in, in the dialect's own form. */
  readonly user?: unknown
}

/** An answer to a sign-in. */
export interface SignedIn {
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
}

export interface Credentials {
  /** The request with the platform's own credentials. */
  readonly receive: (request: Request, now: Date) => Effect.Effect<Request | Answer, Refusal>
  /** Headers and query of a chat with the platform's own credentials. */
  readonly handshake: (
    headers: Headers,
    query: Headers,
    now: Date
  ) => { readonly headers: Headers; readonly query: Headers }
  /** The answer to a sign-in of the new service, of the legacy one, or of an end user. */
  readonly admin: (opened: Opened, now: Date) => SignedIn
  readonly legacy: (opened: Opened) => SignedIn
  readonly user: (opened: Opened, now: Date) => SignedIn
  /** The body of a sign-in in the platform's own names. */
  readonly login: (body: unknown) => Either.Either<unknown, Refusal>
}

const levels: Readonly<Record<number, string>> = {
  [Levels.Read]: "read",
  [Levels.Write]: "write",
  [Levels.Admin]: "admin"
}

/** A JWT with other claims: a numeric subject, and grants as words. */
const otherClaims = ({ email, exp, iat, name, p, sub }: Token.Claims, state: State): string => {
  const part = (value: unknown): string => Encoding.encodeBase64Url(JSON.stringify(value))
  const scope = Object.entries(p).flatMap(([resource, actions]) =>
    Object.entries(actions).map(([action, level]) => `${resource}:${action}:${levels[level] ?? "none"}`)
  )
  const claims = {
    sub: state.admins.all().findIndex(({ _id }) => _id === sub) + 1,
    preferred_username: email,
    display_name: name,
    scope: scope.join(" "),
    iat,
    exp
  }
  const text = `${part({ alg: "SANDBOX", typ: "JWT" })}.${part(claims)}`
  return `${text}.${Encoding.encodeBase64Url(Random.hash(`${state.seed}.${text}`).toString(16))}`
}

const json = (status: number, value: unknown): Answer => ({
  status,
  headers: { "content-type": "application/json" },
  body: Utf8.encode(JSON.stringify(value))
})

const cookieIn = (header: string | undefined): string | undefined =>
  header
    ?.split(";")
    .map((pair) => pair.trim().split("="))
    .find(([name]) => name === cookieName)?.[1]

const isSafe = (method: string): boolean => method === "GET" || method === "HEAD"

export const make = (dialect: Dialect, state: State): Credentials => {
  const { signIn, token: kind } = dialect
  const random = Random.make(state.seed, "dialect")
  const passes = new Map<string, Pass>()
  /** What a refresh token renews. */
  const renewals = new Map<string, Pass>()
  const places = placesOf(dialect)
  const isRenewed = kind === "refreshed"
  const isOneSignIn = signIn !== "two"
  const hasKeyParameter = dialect.credentials === "query-key"

  const present = (pass: Pass | undefined, now: Date): Pass | undefined =>
    pass !== undefined && pass.expires > now.getTime() ? pass : undefined

  /** Whether the platform itself still knows the session behind a pass. */
  const isAlive = ({ accessToken }: Pass): boolean => {
    const claims = accessToken === undefined ? undefined : Token.verify(accessToken, state.seed)
    return claims !== undefined && state.sessions.tokens.has(claims.jti)
  }

  /** The headers with the platform's own credentials. */
  const translated = (headers: Headers, now: Date, isSignIn = false): Headers => {
    const { authorization: _a, "x-session-id": _s, "x-api-key": _k, "x-private-key": _p, ...rest } = headers
    const own: Record<string, string> = {}
    const put = (name: string, value: string | undefined): void => {
      if (value !== undefined) own[name] = value
    }
    if (!hasKeyParameter) put("x-api-key", headers[places.apiKey])
    put("x-private-key", headers[places.privateKey])
    if (signIn === "cookie") {
      if (isSignIn) return { ...rest, ...own }
      const pass = present(passes.get(cookieIn(headers.cookie) ?? ""), now)
      if (pass?.userSession !== undefined) put("x-session-id", pass.userSession)
      else if (pass !== undefined) admin(pass)
      // The platform refuses a session that it does not know.
      else if (headers.cookie?.includes(`${cookieName}=`) === true) put("x-session-id", "ended")
      return { ...rest, ...own }
    }
    function admin({ accessToken, sessionId }: Admin): void {
      put("authorization", `Bearer ${accessToken ?? ""}`)
      put("x-session-id", sessionId)
    }
    const session = headers[places.session]
    if (signIn === "session") {
      const pass = passes.get(session ?? "")
      if (pass !== undefined) admin(pass)
      else put("x-session-id", session)
      return { ...rest, ...own }
    }
    put("x-session-id", session)
    const sent = headers[places.token]
    if (sent === undefined) return { ...rest, ...own }
    const isOwnScheme = sent.toLowerCase().startsWith(places.scheme.toLowerCase())
    const text = isOwnScheme ? sent.slice(places.scheme.length).trim() : ""
    const isOwnToken = kind === "jwt" && !isOneSignIn
    const pass = isOwnToken ? undefined : present(passes.get(text), now)
    put("authorization", `Bearer ${isOwnToken ? text : (pass?.accessToken ?? "")}`)
    if (isOneSignIn) put("x-session-id", pass?.sessionId)
    return { ...rest, ...own }
  }

  /** A new token that stands for what the platform has opened. */
  const issue = (pass: Admin, now: Date): { readonly text: string; readonly seconds: number } => {
    const life = isRenewed ? shortly : lifetime
    const claims = Token.verify(pass.accessToken ?? "", state.seed)
    const text =
      kind === "jwt"
        ? (pass.accessToken ?? "")
        : kind === "other-claims" && claims !== undefined
          ? otherClaims(claims, state)
          : `at_${random.id()}${random.id()}`
    passes.set(text, { ...pass, expires: now.getTime() + life })
    return { text, seconds: life / 1000 }
  }

  const renewal = (pass: Admin, now: Date): string => {
    const text = `rt_${random.id()}`
    renewals.set(text, { ...pass, expires: now.getTime() + lifetime })
    return text
  }

  /** A token with what belongs to it, as an answer has them. */
  const granted = (pass: Admin, now: Date) => {
    const { seconds, text } = issue(pass, now)
    return {
      access: text,
      ...(isRenewed ? { refresh: renewal(pass, now) } : {}),
      expires_in: seconds
    }
  }

  const refresh = (request: Request, now: Date): Effect.Effect<Answer, Refusal> =>
    Effect.suspend(() => {
      const body = request.body?._tag === "Json" ? parsed(request.body.text) : undefined
      const sent = isRecord(body) ? body.refresh_token : undefined
      if (typeof sent !== "string") return Effect.fail(invalid("refresh_token", "is required"))
      const pass = present(renewals.get(sent), now)
      // A refresh token is good for one use.
      renewals.delete(sent)
      return pass !== undefined && isAlive(pass)
        ? Effect.succeed(json(200, { data: { token: granted(pass, now) } }))
        : Effect.fail(unauthenticated("the refresh token has ended"))
    })

  /** A session of the platform beside an access token. */
  const besides = (accessToken: string | undefined, now: Date): Admin => {
    const claims = Token.verify(accessToken ?? "", state.seed)
    const sessionId = state.random.id()
    if (claims !== undefined)
      state.sessions.admins.set(sessionId, { owner: claims.sub, expires: now.getTime() + lifetime })
    return { accessToken, sessionId }
  }

  const setCookie = (pass: Omit<Pass, "expires">, now: Date): Readonly<Record<string, string>> => {
    const text = `${random.id()}${random.id()}`
    passes.set(text, { ...pass, expires: now.getTime() + lifetime })
    const seconds = lifetime / 1000
    return { "set-cookie": `${cookieName}=${text}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax` }
  }

  return {
    receive: (request, now) =>
      Effect.gen(function* () {
        const { headers, method } = request
        const [path = "/", query = ""] = request.path.split(/\?(.*)/s)
        if (dialect.version !== "none" && headers[version.header] !== version.value)
          return yield* invalid(version.header, `must be the header ${version.header}: ${version.value}`)
        if (path === refreshPath && isRenewed)
          return method === "POST"
            ? yield* refresh(request, now)
            : yield* notFound(`the call ${method} ${path}`)
        if (signIn === "cookie" && !isSafe(method) && headers[csrfHeader] === undefined) {
          if (cookieIn(headers.cookie) !== undefined)
            return yield* forbidden(`a write with a cookie needs the header ${csrfHeader}`)
        }
        const own = translated(headers, now, signInPaths.has(path))
        if (!hasKeyParameter) return { ...request, headers: own }
        const parameters = new URLSearchParams(query)
        const key = parameters.get(keyParameter)
        parameters.delete(keyParameter)
        const rest = parameters.toString()
        return {
          ...request,
          path: rest === "" ? path : `${path}?${rest}`,
          headers: key === null ? own : { ...own, "x-api-key": key }
        }
      }),
    handshake: (headers, query, now) => {
      const { token, [keyParameter]: key, ...others } = query
      const sent =
        token === undefined || headers[places.token] !== undefined
          ? headers
          : { ...headers, [places.token]: `${places.scheme}${token}` }
      const own = translated(sent, now)
      return {
        query: others,
        headers: hasKeyParameter && key !== undefined ? { ...own, "x-api-key": key } : own
      }
    },
    login: (body) => {
      if (!isOneSignIn || !isRecord(body)) return Either.right(body)
      const { pass, username, ...rest } = body
      for (const name of ["email", "password"])
        if (name in rest) return Either.left(invalid(name, "is not a field: there are username, pass"))
      return Either.right({ ...rest, email: username, password: pass })
    },
    admin: ({ accessToken, user }, now) => {
      switch (signIn) {
        case "two": {
          if (kind === "jwt") return { body: { accessToken, user }, headers: {} }
          const pass = { accessToken, sessionId: undefined }
          const { access, ...rest } = granted(pass, now)
          return { body: { accessToken: access, ...(isRenewed ? rest : {}), user }, headers: {} }
        }
        case "one":
          return { body: { data: { token: granted(besides(accessToken, now), now), user } }, headers: {} }
        case "session": {
          const key = `s_${random.id()}`
          passes.set(key, { ...besides(accessToken, now), expires: now.getTime() + lifetime })
          return { body: { session: { key }, account: user }, headers: {} }
        }
        default:
          return { body: { account: user }, headers: setCookie(besides(accessToken, now), now) }
      }
    },
    legacy: ({ sessionId }) => {
      switch (signIn) {
        case "two":
          return { body: { sessionId }, headers: {} }
        case "one":
          return { body: { data: { session: { id: sessionId } } }, headers: {} }
        default:
          return { body: { session: { key: sessionId } }, headers: {} }
      }
    },
    user: ({ sessionId, user }, now) => {
      switch (signIn) {
        case "two":
          return { body: { sessionId, user }, headers: {} }
        case "one":
          return { body: { data: { session: { id: sessionId }, user } }, headers: {} }
        case "session":
          return { body: { session: { key: sessionId }, account: user }, headers: {} }
        default:
          return {
            body: { account: user },
            headers: setCookie({ accessToken: undefined, sessionId: undefined, userSession: sessionId }, now)
          }
      }
    }
  }
}

/** Parsed JSON, or undefined. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether a header holds a credential of the dialect. */
export const isCredentialOf =
  (dialect: Dialect, isUsual: (name: string) => boolean) =>
  (name: string): boolean => {
    const { apiKey, privateKey, session, token } = placesOf(dialect)
    return isUsual(name) || [apiKey, privateKey, session, token].includes(name.toLowerCase())
  }

/** The parameters of the query that hold a credential. */
export const secretParametersOf = ({ credentials }: Dialect): ReadonlyArray<string> =>
  credentials === "query-key" ? [keyParameter] : []

/** All headers that may hold a credential, whatever the dialect. */
export const placesOfAll: ReadonlyArray<string> = [
  "authorization",
  "cookie",
  "x-session-id",
  "x-api-key",
  "x-private-key",
  "x-auth-token",
  "x-session",
  "x-client-key",
  "x-server-key"
]
