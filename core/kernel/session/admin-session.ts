/** An admin's session: both sign-ins together, and the resulting headers (specification, point 4). */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Reading } from "../../permissions/grants.js"
import { own } from "../../permissions/own.js"
import type { StoredSession } from "../../ports/session-store.js"
import type { Service as Transport } from "../../ports/transport.js"
import { readHttpDate } from "../codec/http-date.js"
import type { AdminIdentity, Credentials } from "../dispatch/credentials.js"
import type { Dialect, OpenedSession, SignInCall } from "../dispatch/dialect.js"
import { now } from "../dispatch/lifetime/deadlines.js"
import type { HeaderNames } from "../dispatch/settings.js"
import { openedSession, secret } from "../dispatch/settings.js"
import { type CallError, CredentialsError } from "../errors/errors.js"
import { isProcessed } from "../errors/outcomes.js"
import * as State from "./state.js"
import * as Token from "./token.js"

/** The input of both sign-ins. */
interface Login {
  readonly email: string
  readonly password: string
}

/** The two sign-in calls, as the client's dispatcher runs them. */
export interface SignIns {
  readonly login: (input: Login) => Effect.Effect<OpenedSession, CallError>
  readonly legacyLogin: (input: Login) => Effect.Effect<{ readonly sessionId: unknown }, CallError>
}

const rejected = (error: CallError): CallError =>
  error._tag === "Unauthenticated" ||
  (error._tag === "Rejected" && isProcessed(error.status ?? 400)) ||
  error._tag === "NotFound" ||
  error._tag === "PermissionDenied"
    ? new CredentialsError({
        operation: error.operation,
        reason: "Rejected",
        advice: "the platform refused the sign-in: check the e-mail and the password",
        ...(error.status === undefined ? {} : { status: error.status }),
        ...(error.requestId === undefined ? {} : { requestId: error.requestId })
      })
    : error

/** Reads what a session says of its admin. */
type ReadToken = (session: StoredSession) => Either.Either<AdminIdentity, CredentialsError>

const readToken: ReadToken = ({ accessToken = "" }) => Token.read(accessToken)

/** How the platform's sessions differ, if somebody says it. */
type SessionDialect = Pick<Dialect, "hasOneSignIn" | "readToken" | "refresh"> | undefined

/** When a token was made, or when it ends, in milliseconds since 1970; undefined if it does not say. */
const timeIn = (
  session: StoredSession,
  claim: "issuedAt" | "expiresAt",
  read: ReadToken = readToken
): number | undefined => Either.getOrUndefined(read(session))?.[claim]?.getTime()

const numberIn = (session: StoredSession): number | undefined => {
  const end = own(session, "expiresAt")
  return typeof end === "number" ? end : undefined
}

/** When a session ends, in milliseconds since 1970. */
const endOf = (session: StoredSession, dialect: SessionDialect): number | undefined =>
  numberIn(session) ?? timeIn(session, "expiresAt", dialect?.readToken)

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined

/** What a sign-in says of its session beside token and id. */
const restOf = (
  opened: OpenedSession,
  platformClock: PlatformClock,
  clock: Clock.Clock
): Omit<StoredSession, "sessionId"> => {
  const { user } = opened
  const seconds = Number(own(opened, "expiresIn"))
  const token = textOf(own(opened, "refreshToken"))
  return {
    ...(user === undefined ? {} : { user }),
    ...(token === undefined ? {} : { refreshToken: token }),
    ...(seconds > 0 ? { expiresAt: platformClock.time(clock) + seconds * 1_000 } : {})
  }
}

/**
 * Signs in on the new and the legacy service at once; both must accept. Keeps token, user and session id. Sets the
 * platform's clock by the new service. Where a platform has one sign-in for both, that one says all.
 */
export const signIn = (
  calls: SignIns,
  login: Login,
  platformClock: PlatformClock,
  dialect?: SessionDialect
): Effect.Effect<StoredSession, CallError> =>
  Effect.mapError(
    Effect.flatMap(
      Effect.all(
        [
          Effect.tap(calls.login(login), (opened) =>
            platformClock.set(timeIn({ sessionId: "", accessToken: opened.accessToken }, "issuedAt"))
          ),
          dialect?.hasOneSignIn === true ? Effect.succeed(undefined) : calls.legacyLogin(login)
        ],
        { concurrency: 2 }
      ),
      ([opened, legacy]) => keep(opened, legacy?.sessionId ?? own(opened, "sessionId"), legacy, platformClock)
    ),
    rejected
  )

const keep = (
  opened: OpenedSession,
  sessionId: unknown,
  legacy: unknown,
  platformClock: PlatformClock
): Effect.Effect<StoredSession, CredentialsError> =>
  Effect.clockWith((clock) =>
    Either.map(
      openedSession(legacy === undefined ? "auth.login" : "auth.legacyLogin", sessionId),
      (id): StoredSession => ({
        accessToken: opened.accessToken,
        sessionId: id,
        ...restOf(opened, platformClock, clock)
      })
    )
  )

/** Asks for a new session by what the last one left. What the answer does not have stays as it was. */
export const refresh =
  (call: SignInCall, platformClock: PlatformClock, dialect: SessionDialect) =>
  (last: StoredSession): Effect.Effect<StoredSession, CallError> | undefined => {
    const refreshed = dialect?.refresh?.(last, call)
    return (
      refreshed &&
      Effect.mapError(
        Effect.flatMap(
          Effect.tap(refreshed, ({ accessToken }) =>
            platformClock.set(timeIn({ ...last, accessToken }, "issuedAt"))
          ),
          (opened) =>
            keep({ ...last, ...opened }, own(opened, "sessionId") ?? last.sessionId, undefined, platformClock)
        ),
        rejected
      )
    )
  }

/** A session is renewed in the last tenth of its time, but no sooner than five minutes before its end. */
const longestMargin = 300_000

/** The end of a token is not trusted if it seems to come sooner than this. */
const shortest = 1_000

/**
 * When a session ends and must be renewed: by its token, on the platform's clock, because the local one may be minutes
 * off.
 */
export const expirationOf =
  (platformClock: PlatformClock, dialect?: SessionDialect) =>
  (session: StoredSession, clock: Clock.Clock): State.Expiration => {
    const end = endOf(session, dialect)
    const left = end === undefined ? 0 : end - platformClock.time(clock)
    if (left < shortest) return State.unknown
    const expiresAt = now(clock) + left
    const margin = Math.min(longestMargin, left / 10)
    return { renewAt: expiresAt - margin, expiresAt, retryDelay: margin / 10 }
  }

/**
 * The headers of a session: the token as bearer, and the session id. The token is read for its permissions; where they
 * are not checked (`off`), it may be any text that a header can hold.
 */
export const credentialsOf =
  (names: HeaderNames, permissions: Reading, dialect?: SessionDialect) =>
  (session: StoredSession): Effect.Effect<Credentials, CredentialsError> =>
    Effect.gen(function* () {
      const accessToken = yield* secret("accessToken", session.accessToken ?? "")
      const sessionId = yield* secret("sessionId", session.sessionId)
      const read = (dialect?.readToken ?? readToken)(session)
      const identity = permissions === "off" ? Either.getOrUndefined(read) : yield* read
      const account = identity?.email ?? identity?._id
      return {
        headers: { [names.authorization]: `Bearer ${accessToken}`, [names.session]: sessionId },
        grants: identity?.permissions,
        identity: read,
        who: account === undefined ? "the admin" : `the admin ${account}`
      }
    })

/**
 * Whether a kept session's token is still valid at a time in milliseconds since 1970. One that does not say may be: what
 * cannot be used, `credentialsOf` refuses.
 */
export const isFresh =
  (dialect?: SessionDialect) =>
  (session: StoredSession, time: number): boolean => {
    const end = endOf(session, dialect)
    return end === undefined || end > time
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

export const makePlatformClock = (): PlatformClock => {
  /** The latest answer's `Date`. */
  let heard: string | undefined
  /** The platform's time minus the monotonic clock's. */
  let ahead: number | undefined
  return {
    listen: (transport) => ({
      start: (request, settle) =>
        transport.start(request, (outcome) => {
          heard = outcome._tag === "Answered" ? outcome.header("date") : undefined
          settle(outcome)
        })
    }),
    set: (issuedAt) =>
      Effect.clockWith((clock) => {
        // A date in a header has whole seconds: the time may be up to one second later, which is assumed.
        const date = readHttpDate(heard, clock.unsafeCurrentTimeMillis())
        const time = date === undefined ? issuedAt : date + 1_000
        ahead = time === undefined ? undefined : time - now(clock)
        return Effect.void
      }),
    time: (clock) => (ahead === undefined ? clock.unsafeCurrentTimeMillis() : now(clock) + ahead)
  }
}
