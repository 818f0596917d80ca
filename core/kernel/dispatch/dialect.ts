/**
 * How one platform speaks, as the kernel asks for it: what `Platform.make` of `core/platform` says of a platform, read when a client is
 * made. The kernel knows the questions alone, so an app without a platform of its own ships none of the answers.
 */
import type * as Clock from "effect/Clock"
import type * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import type { Events } from "../../ports/chat-socket.js"
import type { Service as SessionStore, StoredSession } from "../../ports/session-store.js"
import type { Service as Transport } from "../../ports/transport.js"
import type { Encoded } from "../codec/encoder.js"
import type { CallError, CredentialsError, InputError } from "../errors/errors.js"
import type { Refusal } from "../operation/input.js"
import type { Audience, Declared, Method, Operation } from "../operation/operation.js"
import type { AdminIdentity } from "./credentials.js"
import type { Lifetime } from "./lifetime/lifetime.js"

/** A different method or path for one call. */
export interface Route {
  /** Another HTTP method; the declared one by default. */
  readonly method?: Method
  /** Another path template, such as `v2/order/{id}`; the declared one by default. */
  readonly path?: string
}

/** The headers that carry credentials; the specification does not give their names. */
export interface HeaderNames {
  /** Carries an admin's access token. */
  readonly authorization: string
  /** Carries the id of a session. */
  readonly session: string
  /** Carries the project's API key. */
  readonly apiKey: string
  /** Carries the private key of a server. */
  readonly privateKey: string
}

/** Stands for a credential that a program does not see: a browser keeps its cookie, or the platform has no such credential. */
export const unseen = "kept-by-the-runtime"

/** What a dialect is told of its client. */
export interface Surroundings {
  readonly baseUrl: string
  readonly headerNames: HeaderNames
  readonly projectId: string | undefined
  /** Whether a page runs the client: a browser keeps its cookies, and shows none. */
  readonly isPage: boolean
  /** The configuration of the client, where there is one. */
  readonly config?: object
}

/** What a dialect is told of an operation. */
export interface DialectOperation {
  readonly name: string
  /** Whose client makes the call. */
  readonly audience: Audience
  readonly declared: Declared
  readonly isWrite: boolean
}

/** What a dialect is told of one call: its input, and what the page before it answered of the next one. */
export interface DialectCall {
  readonly input: unknown
  readonly cursor: string | undefined
}

/** A call in the platform's form, and the headers that it has besides, whose values nobody may show. */
export interface Written extends Encoded {
  readonly headers: Readonly<Record<string, string>>
}

/** Translates the calls of one operation between our form and the platform's. */
export interface Translator {
  /** A call's path and body in the platform's form, or which field cannot be said in it. */
  readonly write: (encoded: Encoded, call: DialectCall) => Either.Either<Written, Refusal>
  /** Where the calls go: scheme, host and port, by those that the address of the service has. */
  readonly originOf: (origin: string) => string
  /** Secrets that only the translator knows, such as cookies that the platform has set since. */
  readonly secrets: () => ReadonlyArray<string>
  /** A transport that sends credentials in the platform's form, and answers in ours. */
  readonly over: (transport: Transport, call: DialectCall) => Transport
}

/** What an admin's sign-in answers, as `core/auth` declares it, with what a dialect reads besides. */
export interface OpenedSession {
  readonly accessToken: string
  readonly sessionId?: unknown
  readonly user?: unknown
  readonly refreshToken?: unknown
  readonly expiresIn?: unknown
}

/** The e-mail and the password of an admin. */
export interface SignInInput {
  readonly email: string
  readonly password: string
}

/** The platform's clock, as far as a client knows it. */
export interface PlatformClock {
  /** The same transport, whose answers set the clock by their `Date`. Only sign-ins go through it. */
  readonly listen: (transport: Transport) => Transport
  /** Sets the clock by the last answer, or else by `issuedAt`, the issue time of a token just received. */
  readonly set: (issuedAt: number | undefined) => Effect.Effect<void>
  /** The platform's time in milliseconds since 1970; the local clock's until the platform's is known. */
  readonly time: (clock: Clock.Clock) => number
}

/** The calls of the client that signs in. */
export interface SignInCalls {
  readonly login: (input: SignInInput) => Effect.Effect<OpenedSession, CallError>
  readonly legacyLogin: (input: SignInInput) => Effect.Effect<{ readonly sessionId: unknown }, CallError>
  /** Any other call, which is sent once. */
  readonly once: <I, A>(operation: Operation<I, A, never>, input: I) => Effect.Effect<A, CallError>
}

/** How a platform speaks. */
export interface Dialect {
  /** The method and the path of a call, where they are others than the declared ones. */
  readonly routeOf: (audience: Audience, name: string, method: Method) => Route
  /** Translates the calls of an operation. */
  readonly translator: (operation: DialectOperation) => Translator
  /** Signs an admin in, once or on both services. */
  readonly signIn: (
    calls: SignInCalls,
    login: SignInInput,
    platformClock: PlatformClock
  ) => Effect.Effect<StoredSession, CallError>
  /** Asks for a new session by what the last one left; undefined where it left nothing. */
  readonly refresh: (
    calls: SignInCalls,
    last: StoredSession,
    platformClock: PlatformClock
  ) => Effect.Effect<StoredSession, CallError> | undefined
  /** When a session ends, in milliseconds since 1970; undefined if it does not say. */
  readonly endOf: (session: StoredSession) => number | undefined
  /** Reads what an access token says, or what the sign-in said of its user. */
  readonly readToken: (session: StoredSession) => Either.Either<AdminIdentity, CredentialsError>
  /** Whether nothing says what an admin may do, so that the platform alone decides. */
  readonly isUnchecked: boolean
  /**
   * A configuration in which `unseen` stands for the parts of a session that a program need not give: they are never sent, or a browser keeps
   * them. One of an admin who is to sign in, and has no session yet, stays as it is.
   */
  readonly completed: <C extends object>(audience: Audience, config: C) => C
  /** A session with the present values of its cookies. */
  readonly present: <S extends StoredSession>(session: S) => S
  /** A store that keeps sessions with these, and again whenever one of them changes. */
  readonly keeping: (store: SessionStore, lifetime: Lifetime) => SessionStore
  /** The token's name of a grant. */
  readonly permissionName: ((resource: string, action: string) => string) | undefined
  /** How the chat speaks; undefined where nothing is said of it. */
  readonly chat: ChatDialect | undefined
}

/** How the chat of a platform speaks. */
export interface ChatDialect {
  readonly url: string | undefined
  readonly path: string | undefined
  readonly namespace: string | undefined
  readonly events: Events
  /** The message that an event, an entry of a history or an acknowledgement holds, as the SDK has it; undefined where it holds none. */
  readonly read: (payload: unknown) => unknown
  /** Secrets of a handshake that only the dialect knows, such as cookies that the platform has set since. */
  readonly secrets: () => ReadonlyArray<string>
  /** What of a history's payload holds its messages; undefined where nothing is said of it. */
  readonly historyIn: (payload: unknown) => unknown
  /**
   * Whether an acknowledgement refuses the message: `false` if not; a text that says why, or what holds one, or `true` without any, if so.
   * Undefined where nothing is said of it.
   */
  readonly refusalIn: (acknowledgement: unknown) => unknown
  /** A message as the platform takes it: another value, as what it is given may be sent again. */
  readonly write: (payload: unknown) => unknown
  /** The handshake's query and headers in the platform's form. */
  readonly handshake: (
    token: string,
    headers: Readonly<Record<string, string>>
  ) => {
    readonly query: Readonly<Record<string, string>>
    readonly headers: Readonly<Record<string, string>>
    readonly credentials?: "include" | undefined
  }
}

const TypeId: unique symbol = Symbol.for("@quartet/sdk/Platform")

/** What is said of a platform, which each client reads when it is made. @category models */
export interface Platform {
  readonly [TypeId]: (around: Surroundings) => Either.Either<Dialect, InputError>
}

/** A platform of what reads it. */
export const platform = (read: Platform[typeof TypeId]): Platform => ({ [TypeId]: read })

/** What reads a platform; undefined where it is none. */
export const readerOf = (value: unknown): Platform[typeof TypeId] | undefined => {
  const read: unknown =
    typeof value === "object" && value !== null && TypeId in value ? value[TypeId] : undefined
  // Only `platform` sets it.
  return typeof read === "function" ? (read as Platform[typeof TypeId]) : undefined
}
