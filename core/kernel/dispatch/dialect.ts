/**
 * How one platform speaks, as the kernel asks for it: what `Platform.make` of `core/platform` says of a platform, read when a client is
 * made. The kernel knows the questions alone, so an app without a platform of its own ships none of the answers.
 */
import type * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import type { Events } from "../../ports/chat-socket.js"
import type { StoredSession } from "../../ports/session-store.js"
import type { Service as Transport } from "../../ports/transport.js"
import type { CallError, CredentialsError, InputError } from "../errors/errors.js"
import type { Declared, Operation } from "../operation/operation.js"
import type { AdminIdentity } from "./credentials.js"
import type { HeaderNames, Route } from "./settings.js"

/** What a dialect is told of its client. */
export interface Surroundings {
  readonly baseUrl: string
  readonly headerNames: HeaderNames
  readonly projectId: string | undefined
}

/** What a dialect is told of an operation. */
export interface DialectOperation {
  readonly name: string
  readonly declared: Declared
  readonly isWrite: boolean
}

/** What a dialect is told of one call: its input, and what the page before it answered of the next one. */
export interface DialectCall {
  readonly input: unknown
  readonly cursor: string | undefined
}

/** What an admin's sign-in answers, as `core/auth` declares it, with what a dialect reads besides. */
export interface OpenedSession {
  readonly accessToken: string
  readonly sessionId?: unknown
  readonly user?: unknown
  readonly refreshToken?: unknown
  readonly expiresIn?: unknown
}

/** Makes a call of the client that signs in. */
export type SignInCall = <I, A>(
  operation: Operation<I, A, never>,
  input: I
) => Effect.Effect<A, CallError>

/** How a platform speaks. */
export interface Dialect {
  readonly routes: Readonly<Record<string, Route>>
  /** Translates the calls of an operation: their requests to the platform's form, and its answers back. */
  readonly translator: (
    operation: DialectOperation
  ) => (transport: Transport, call: DialectCall) => Transport
  /** Whether one sign-in opens the session of both services. */
  readonly hasOneSignIn: boolean
  /** Asks for a new session by what the last one left; undefined where it cannot be asked for. */
  readonly refresh:
    | ((session: StoredSession, call: SignInCall) => Effect.Effect<OpenedSession, CallError> | undefined)
    | undefined
  /** Reads what an access token says, or what the sign-in said of its user. */
  readonly readToken: (session: StoredSession) => Either.Either<AdminIdentity, CredentialsError>
  /** Whether nothing says what an admin may do, so that the platform alone decides. */
  readonly isUnchecked: boolean
  /** The credentials of an admin that are never sent. */
  readonly unsent: ReadonlyArray<"accessToken" | "sessionId">
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
  /** A message as the platform takes it: another value, as what it is given may be sent again. */
  readonly write: (payload: unknown) => unknown
  /** The handshake's query and headers in the platform's form. */
  readonly handshake: (
    token: string,
    headers: Readonly<Record<string, string>>
  ) => {
    readonly query: Readonly<Record<string, string>>
    readonly headers: Readonly<Record<string, string>>
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
  const read: unknown = typeof value === "object" && value !== null && TypeId in value ? value[TypeId] : undefined
  // Only `platform` sets it.
  return typeof read === "function" ? (read as Platform[typeof TypeId]) : undefined
}
