/** What a dispatcher needs from its client: addresses, routes, permissions and policy, checked once when it is made. */
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import { own } from "../../permissions/own.js"
import type { Request, Service as Transport } from "../../ports/transport.js"
import * as Drift from "../codec/drift.js"
import { CredentialsError, type InputError } from "../errors/errors.js"
import { isPlain } from "../operation/input.js"
import type { Audience, Method } from "../operation/operation.js"
import * as Options from "../operation/options.js"
import type { RecordedAnswers } from "../operation/recorded.js"
import { urlOf, withoutEnd } from "../operation/url.js"
import { isSecret } from "../redaction/sent-secrets.js"
import { type Answers, answers, type Headers } from "./call-options.js"
import type { Authorization, CredentialsProvider } from "./credentials.js"
import { type Dialect, type HeaderNames, type Platform, type Route, readerOf } from "./dialect.js"
import type { Runtime } from "./lifetime/lifetime.js"
import type { Middleware } from "./middleware.js"
import * as Retry from "./retry.js"

export type { HeaderNames, Route } from "./dialect.js"

/** A base URL, cut into what the wire needs. */
export interface Address {
  /** Scheme, host and port. */
  readonly origin: string
  /** Path without a slash at its end, such as `/api`; empty for the root. */
  readonly prefix: string
}

/** The configuration that all clients share. */
export interface Common extends Drift.Options {
  /** Address of the new API, such as `https://api.example.com`. A path is kept as a prefix. */
  readonly baseUrl: string
  /** Address of the legacy API; `baseUrl` by default. */
  readonly legacyUrl?: string
  /** Corrects the method or the path of single calls by name: `{ "orders.search": { path: "orders" } }`. */
  readonly routes?: Readonly<Record<string, Route>>
  /** Names of the credential headers, where the platform uses others. */
  readonly headerNames?: Partial<HeaderNames>
  /** How the platform differs beyond that: what `Platform.make` of `@quartet/sdk/platform` answers. */
  readonly platform?: Platform
  /**
   * How to treat an answer that is not what its operation declares, `tolerant` by default; or what a recorded module
   * exports: then answers are held to what was recorded.
   */
  readonly answers?: Answers | RecordedAnswers
  /** Attempts, pauses, deadline and limits. */
  readonly policy?: Retry.PolicyInput
  /**
   * Headers that each call sends besides its own, a sign-in too, such as the name and version of an app. Those of a call
   * (its option `headers`) come over them.
   */
  readonly headers?: Headers
  /**
   * Tokens that retries of all calls share, and calls that succeed at the first attempt earn back; 500. With 0 only
   * retries that cost nothing are made.
   */
  readonly retryBudget?: number
  /** Wraps each call; the first of the list is the outermost. */
  readonly middleware?: ReadonlyArray<Middleware>
  /**
   * Whether calls that a tracer records send the header `traceparent`, and only to the client's own addresses. By default
   * they do, but in a page only to its own origin: another one has to allow the header (CORS), else the call fails.
   */
  readonly traceparent?: boolean
}

/** The names of the shared configuration. */
export const common = {
  baseUrl: "any",
  legacyUrl: "any",
  routes: "object",
  headerNames: "object",
  platform: "any",
  answers,
  policy: "object",
  headers: "any",
  retryBudget: "any",
  middleware: "any",
  traceparent: "boolean",
  onDrift: "function",
  logDrift: "boolean"
} as const satisfies Options.Known<Common>

export const headerNames: HeaderNames = {
  authorization: "authorization",
  session: "x-session-id",
  apiKey: "x-api-key",
  privateKey: "x-private-key"
}

/** A client's settings, checked. */
export interface Settings {
  readonly audience: Audience
  readonly api: Address
  readonly legacy: Address
  readonly headerNames: HeaderNames
  /** Headers that each call sends besides its own. */
  readonly headers: Request["headers"]
  readonly projectId?: string | undefined
  readonly routes: Readonly<Record<string, Route>>
  /** How the platform speaks, where somebody says it. */
  readonly dialect: Dialect | undefined
  /** What an admin's token allows; undefined where the platform alone decides. */
  readonly authorization?: Authorization | undefined
  readonly answers: Answers
  readonly recorded: RecordedAnswers["of"] | undefined
  readonly drift: Drift.Reporter
  readonly policy: Retry.Policy
  readonly retryBudget: number
  readonly middleware: ReadonlyArray<Middleware>
  /** The only origin to send `traceparent` to; true for any, false for none. */
  readonly traceparent: boolean | string
  /** Makes a span of each call; for where a tracer is installed. */
  readonly traced: Middleware | undefined
  readonly credentialsProvider: CredentialsProvider
}

const refuse = /*#__PURE__*/ Options.refuser("client")

/** Reads a base URL: http or https, without credentials, query or fragment. */
export const address = (field: string, url: string): Either.Either<Address, InputError> => {
  if (url === undefined) return refuse(field, "is missing: pass the address of the API")
  const parsed = typeof url === "string" ? urlOf(url) : undefined
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol))
    return refuse(field, "must be an http or https URL")
  if (parsed.username !== "" || parsed.password !== "") return refuse(field, "must not hold credentials")
  if (parsed.search !== "" || parsed.hash !== "" || /[?#]/.test(url))
    return refuse(field, "must not hold a query or a fragment")
  return Either.right({ origin: parsed.origin, prefix: withoutEnd(parsed.pathname, "/") })
}

const route = {
  method: ["GET", "POST", "PUT", "PATCH", "DELETE"] satisfies ReadonlyArray<Method>,
  path: "string"
} satisfies Options.Known<Route>

/** Reads route overrides: the name of a call, and a relative path that stays on its origin. */
const readRoutes = (
  input: Readonly<Record<string, Route>>
): Either.Either<Readonly<Record<string, Route>>, InputError> => {
  const routes: Record<string, Route> = Object.create(null)
  for (const [name, value] of Object.entries(input)) {
    const field = `routes.${name}`
    if (!/^[a-z]\w*\.[a-z]\w*$/.test(name)) return refuse(field, "must be the name of a call, slice.call")
    const read = Options.read("client", field, value, route)
    if (Either.isLeft(read)) return Either.left(read.left)
    const { path } = read.right
    // Of these schemes a URL is absolute with any number of slashes, or none.
    if (path !== undefined && /^((https?|wss?|ftp|file):|([a-z][\w+.-]*:)?\/\/)/i.test(path))
      return refuse(`${field}.path`, "must be a path below baseUrl, without scheme and host")
    if (path !== undefined && /^$|[^\u0021-\u007e]|[\\?#]|(^|\/)(\.|%2e){1,2}(\/|$)/i.test(path)) {
      return refuse(
        `${field}.path`,
        "must be a relative path of visible ASCII, without dot segments, backslash, query or fragment"
      )
    }
    routes[name] = read.right
  }
  return Either.right(routes)
}

const headerName = /^[!#$%&'*+.^_`|~0-9a-z-]+$/

/** Headers that the client or its transport sends itself. */
const reserved: ReadonlyArray<string> = (
  "accept accept-encoding connection content-length content-type cookie expect host idempotency-key keep-alive " +
  "proxy-connection te trailer transfer-encoding upgrade"
).split(" ")

/** The rule that the name of a header breaks, in lower case, which is sent beside a client's own. */
export const nameRule = (name: string, reservedNames = reserved): string | undefined => {
  // A name that every object has would send nothing.
  if (!headerName.test(name) || name in Object.prototype) return "must be a header name"
  return reservedNames.includes(name) ? "must not be the name of another header that is sent" : undefined
}

/** What headers are called by which somebody authenticates, beside those that are named like a secret in a body. */
const credentials =
  /cookie|auth(?!or(?!i[sz]))|sess(ion)?id|^(x-|.*\.)?sid$|^dpop$|[cx]srf|api-?key|(^|-)pat$/

/**
 * Whether somebody authenticates by a header, whatever a platform calls its own. A code of a body may be a one-time password; that of a header,
 * such as `x-store-code`, names something.
 */
export const isCredential = (name: string): boolean =>
  credentials.test(name) || (isSecret(name) && !name.endsWith("-code"))

/**
 * Reads headers that middleware adds or, with the client's own names, those of a caller, who sends no credentials, over
 * others. Says which breaks which rule. Their names are in any case.
 */
export const readHeaders = (
  refuse: ReturnType<typeof Options.refuser>,
  input: unknown,
  own?: HeaderNames,
  others: Request["headers"] = {}
): Either.Either<Request["headers"], InputError> => {
  if (!(Options.isRecord(input) && isPlain(input)))
    return refuse("headers", "must be a plain object of names and texts")
  const headers: Record<string, string> = { ...others }
  for (const [field, value] of Object.entries(input)) {
    if (value === undefined) continue
    const name = field.toLowerCase()
    const isText = typeof value === "string" ? /^[ -~]*$/.test(value) : value === null && own !== undefined
    const isReserved = own !== undefined && (isCredential(name) || Object.values(own).includes(name))
    const rule = isReserved
      ? "is for credentials, which the client alone sends"
      : (nameRule(name) ?? (isText ? undefined : "must be ASCII text"))
    if (rule !== undefined) return refuse(`headers.${field}`, rule)
    if (value === null) delete headers[name]
    else Object.assign(headers, { [name]: value })
  }
  return Either.right(headers)
}

/** The header names of a client, in lower case. */
const names = (input: Partial<HeaderNames> = {}): Either.Either<HeaderNames, InputError> => {
  const read = Options.read("client", "headerNames", input, headerNames)
  if (Either.isLeft(read)) return Either.left(read.left)
  const all = { ...headerNames, ...read.right }
  const usedNames = [...reserved]
  for (const [field, header] of Object.entries(all)) {
    const name = typeof header === "string" ? header.toLowerCase() : ""
    const rule = nameRule(name, usedNames)
    if (rule !== undefined) return refuse(`headerNames.${field}`, rule)
    usedNames.push(name)
    Object.assign(all, { [field]: name })
  }
  return Either.right(all)
}

const budget = (tokens: number = Retry.tokens): Either.Either<number, InputError> =>
  Retry.isTokens(tokens)
    ? Either.right(tokens)
    : refuse("retryBudget", "must be a finite number of tokens, at least 0")

/** Whether a value may be middleware. That of other libraries, `(context, next) => …`, takes more than one argument. */
export const isMiddleware = (value: unknown): boolean => typeof value === "function" && value.length < 2

/** Checks a list of middleware. */
export const chain = (
  middleware: Common["middleware"] = [],
  operation = "client"
): Either.Either<ReadonlyArray<Middleware>, InputError> =>
  // An untyped program may pass anything.
  middleware?.every?.(isMiddleware)
    ? Either.right(middleware)
    : Options.refuser(operation)(
        "middleware",
        "must be a list of functions, each (next) => (call) => next(call)"
      )

/** The checked settings that all clients share. */
export interface Base {
  readonly api: Address
  readonly legacy: Address
  readonly routes: Readonly<Record<string, Route>>
  /** How the platform speaks, where somebody says it. */
  readonly dialect: Dialect | undefined
  readonly headerNames: HeaderNames
  readonly headers: Request["headers"]
  readonly answers: Answers
  readonly recorded: RecordedAnswers["of"] | undefined
  readonly drift: Drift.Reporter
  readonly policy: Retry.Policy
  readonly retryBudget: number
  readonly middleware: ReadonlyArray<Middleware>
  /** The only origin to send `traceparent` to; true for any, false for none. */
  readonly traceparent: boolean | string
  /** Makes a span of each call; for where a tracer is installed. */
  readonly traced: Middleware | undefined
}

/** The names of single clients' options. A configuration may be shared: each client ignores those of the others. */
export const others: ReadonlyArray<string> = (
  "projectId apiKey privateKey sessionId accessToken cookies email password permissions permissionNames signInCooldown " +
  "allowBrowser"
).split(" ")

/**
 * Reads a client's configuration: an object without names that no client knows. None at all is an empty one, of which
 * the client says what it lacks.
 */
export const read = <C extends object>(
  config: C | null | undefined,
  known: Readonly<Record<keyof C, unknown>>
): Either.Either<C, InputError> =>
  Options.read("client", "config", config ?? ({} as C), known, Retry.defaults, others)

/** Reads what is said of the platform. */
const dialectOf = (
  { baseUrl, platform, ...config }: Common,
  headerNames: HeaderNames,
  page: boolean | string
): Either.Either<Dialect | undefined, InputError> => {
  if (platform === undefined) return Either.right(undefined)
  const projectId: unknown = own(config, "projectId")
  return (
    readerOf(platform)?.({
      baseUrl,
      headerNames,
      projectId: typeof projectId === "string" ? projectId : undefined,
      isPage: typeof page === "string",
      config
    }) ?? refuse("platform", "must be what Platform.make of @quartet/sdk/platform answers")
  )
}

/** Checks the shared configuration after it is read. */
export const base = (
  config: Common,
  { page = true, traced }: Partial<Runtime> = {}
): Either.Either<Base, InputError> => {
  const ownNames = names(config.headerNames)
  const dialect = Either.flatMap(ownNames, (headerNames) => dialectOf(config, headerNames, page))
  return Either.all({
    routes: readRoutes(config.routes ?? {}),
    dialect,
    api: address("baseUrl", config.baseUrl),
    legacy: address("legacyUrl", config.legacyUrl === undefined ? config.baseUrl : config.legacyUrl),
    headerNames: ownNames,
    headers: Either.flatMap(ownNames, (own) => readHeaders(refuse, config.headers ?? {}, own)),
    // What a recorded module exports was checked when the configuration was read.
    answers: Either.right((own(config.answers, "_tag") ?? config.answers ?? "tolerant") as Answers),
    recorded: Either.right(own(config.answers, "of") as RecordedAnswers["of"] | undefined),
    drift: Either.right(Drift.make(config, config.baseUrl)),
    policy: Retry.read("client", Retry.defaults, config.policy),
    retryBudget: budget(config.retryBudget),
    middleware: chain(config.middleware),
    traceparent: Either.right(config.traceparent ?? page),
    traced: Either.right(traced)
  })
}

/** A secret, plain or redacted. */
export type Secret = string | Redacted.Redacted

/** Values of cookies by their names. */
export type Cookies = Readonly<Record<string, Secret>>

/** A session id: text or, where a platform counts its sessions, a number. */
export type SessionId = Secret | number | Redacted.Redacted<string | number>

/** A credential without its redaction. Undefined for one that was wiped. */
export const revealed = (credential: unknown): unknown =>
  Redacted.isRedacted(credential)
    ? Either.getOrUndefined(Either.try(() => Redacted.value(credential)))
    : credential

/** The same with a number as its digits: a platform may count its sessions. */
export const plain = (credential: unknown): unknown => {
  const value = revealed(credential)
  return Number.isSafeInteger(value) ? String(value) : value
}

/** Whether a credential is not given: an unset or empty variable of an environment, for example. */
export const isBlank = (credential: unknown): boolean => {
  const value = plain(credential) ?? ""
  return typeof value === "string" && value.trim() === ""
}

/** The session id that a sign-in was answered: text that is not blank, or a whole number that is exact, as its digits. */
export const openedSession = (
  operation: string,
  sessionId: unknown
): Either.Either<string, CredentialsError> => {
  const value = plain(sessionId)
  return typeof value === "string" && !isBlank(value)
    ? Either.right(value)
    : Either.left(
        new CredentialsError({
          operation,
          reason: "Rejected",
          advice:
            "the platform accepted the sign-in but opened no session: its sessionId must be text, or a whole number within ±(2⁵³ − 1)"
        })
      )
}

/** Checks that credentials are given. `fields` says what to pass for each; the error names all that are not. */
export const need = <C extends object>(
  config: C,
  fields: ReadonlyArray<readonly [field: keyof C & string, what: string]>
): Either.Either<void, CredentialsError> => {
  const lacking = fields.filter(([field]) => isBlank(config[field]))
  return lacking.length === 0
    ? Either.void
    : Either.left(
        new CredentialsError({
          operation: "client",
          reason: "Missing",
          advice: lacking.map(([field, what]) => `${field} is missing: pass ${what}`).join("; "),
          missing: lacking.map(([field]) => field)
        })
      )
}

const visible = /^[\u0021-\u007e]+$/

/** Reads a secret and checks that a header can hold it. The value is never shown. */
export const secret = (field: string, credential: unknown): Either.Either<string, CredentialsError> => {
  const value = plain(credential)
  return typeof value === "string" && visible.test(value)
    ? Either.right(value)
    : Either.left(
        new CredentialsError({
          operation: "client",
          reason: "Malformed",
          advice: `${field} must be visible ASCII characters without spaces or line breaks`
        })
      )
}

/** Checks that a Transport is one, before a call is made through it. */
export const transport = (candidate: Transport): Either.Either<Transport, InputError> =>
  Options.port("client", "transport", candidate, ["start"], "Transport, as FetchTransport.make() answers")
