/** An admin's session: both sign-ins together, and the headers that they lead to (specification, point 4). */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { StoredSession } from "../../ports/session-store.js"
import type { Credentials } from "../dispatch/credentials.js"
import { now } from "../dispatch/deadline.js"
import type { HeaderNames } from "../dispatch/settings.js"
import { secret } from "../dispatch/settings.js"
import { type CallError, CredentialsError } from "../errors/errors.js"
import * as Renewal from "./renewal.js"
import * as Token from "./token.js"

/** What both sign-ins take. */
interface Login {
  readonly email: string
  readonly password: string
}

/** The two sign-in calls, as the client's dispatcher runs them. */
export interface SignIns {
  readonly login: (
    input: Login
  ) => Effect.Effect<{ readonly accessToken: string; readonly user?: unknown }, CallError>
  readonly legacyLogin: (input: Login) => Effect.Effect<{ readonly sessionId: string | number }, CallError>
}

const rejected = (error: CallError): CallError =>
  error._tag === "Unauthenticated" ||
  error._tag === "Rejected" ||
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

/** When a token was made, or when it ends, in milliseconds since 1970; undefined where it does not say. */
const timeIn = (accessToken: string, claim: "issuedAt" | "expiresAt"): number | undefined =>
  Either.getOrUndefined(Token.read(accessToken))?.[claim]?.getTime()

/** Signs in on the new and the legacy service at once; both must accept. Token, user and session id are kept. Sets the platform's clock by the new one. */
export const signIn = (
  calls: SignIns,
  login: Login,
  platformClock: Renewal.PlatformClock
): Effect.Effect<StoredSession, CallError> =>
  Effect.mapError(
    Effect.map(
      Effect.all(
        [
          Effect.tap(calls.login(login), ({ accessToken }) =>
            platformClock.set(timeIn(accessToken, "issuedAt"))
          ),
          calls.legacyLogin(login)
        ],
        { concurrency: 2 }
      ),
      ([{ accessToken, user }, { sessionId }]) => ({
        accessToken,
        sessionId: String(sessionId),
        ...(user === undefined ? {} : { user })
      })
    ),
    rejected
  )

/** How long a session holds: until its token ends on the platform's clock. */
export const leaseOf =
  (platformClock: Renewal.PlatformClock) =>
  (session: StoredSession, clock: Clock.Clock): Renewal.Lease =>
    Renewal.lease(timeIn(session.accessToken ?? "", "expiresAt"), platformClock.time(clock), now(clock))

/** The headers of a session: the token as bearer, and the session id. */
export const present =
  (names: HeaderNames) =>
  (session: StoredSession): Effect.Effect<Credentials, CredentialsError> =>
    Effect.gen(function* () {
      const accessToken = yield* secret("accessToken", session.accessToken ?? "")
      const sessionId = yield* secret("sessionId", session.sessionId)
      const identity = yield* Token.read(accessToken)
      return {
        headers: { [names.authorization]: `Bearer ${accessToken}`, [names.session]: sessionId },
        grants: identity.permissions
      }
    })

/** Whether a kept session's token still holds at a time in milliseconds since 1970. */
export const isFresh = (session: StoredSession, time: number): boolean =>
  Either.match(Token.read(session.accessToken ?? ""), {
    onLeft: () => false,
    onRight: ({ expiresAt }) => expiresAt === undefined || expiresAt.getTime() > time
  })
