/** An admin's session: both sign-ins together, and the resulting headers (specification, point 4). */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Reading } from "../../permissions/grants.js"
import type { StoredSession } from "../../ports/session-store.js"
import { readHttpDate } from "../codec/http-date.js"
import type { Credentials } from "../dispatch/credentials.js"
import type { Dialect, PlatformClock, SignInCalls, SignInInput } from "../dispatch/dialect.js"
import { now } from "../dispatch/lifetime/deadlines.js"
import type { HeaderNames } from "../dispatch/settings.js"
import { openedSession, secret } from "../dispatch/settings.js"
import { type CallError, CredentialsError } from "../errors/errors.js"
import { isProcessed } from "../errors/outcomes.js"
import * as State from "./state.js"
import * as Token from "./token.js"

/** The two sign-in calls, as the client's dispatcher runs them. */
export type SignIns = Pick<SignInCalls, "login" | "legacyLogin">

/** A refused sign-in, as an error of the credentials. */
export const rejected = (error: CallError): CallError =>
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

/** How the platform's sessions differ, if somebody says it. */
type SessionDialect = Pick<Dialect, "endOf" | "readToken"> | undefined

/** When a token was made, or when it ends, in milliseconds since 1970; undefined if it does not say. */
const timeIn = (accessToken: string, claim: "issuedAt" | "expiresAt"): number | undefined =>
  Either.getOrUndefined(Token.read(accessToken))?.[claim]?.getTime()

/** When a session ends, in milliseconds since 1970; undefined if it does not say. */
const endOf = (session: StoredSession, dialect: SessionDialect): number | undefined =>
  dialect === undefined ? timeIn(session.accessToken ?? "", "expiresAt") : dialect.endOf(session)

/**
 * Signs in on the new and the legacy service at once; both must accept. Keeps token, user and session id. Sets the
 * platform's clock by the new service.
 */
export const signIn = (
  calls: SignIns,
  login: SignInInput,
  platformClock: PlatformClock
): Effect.Effect<StoredSession, CallError> =>
  Effect.mapError(
    Effect.map(
      Effect.all(
        [
          Effect.tap(calls.login(login), ({ accessToken }) =>
            platformClock.set(timeIn(accessToken, "issuedAt"))
          ),
          Effect.flatMap(calls.legacyLogin(login), ({ sessionId }) =>
            openedSession("auth.legacyLogin", sessionId)
          )
        ],
        { concurrency: 2 }
      ),
      ([{ accessToken, user }, sessionId]) => ({
        accessToken,
        sessionId,
        ...(user === undefined ? {} : { user })
      })
    ),
    rejected
  )

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
      const read = dialect?.readToken(session) ?? Token.read(accessToken)
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
