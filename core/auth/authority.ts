/**
 * Credentials that are obtained by signing in, kept, and renewed when the platform refuses them. However many calls
 * wait, one sign-in is under way; a failed one is not repeated before its cooldown has passed.
 */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Authority, Credentials } from "../kernel/credentials.js"
import { now } from "../kernel/deadline.js"
import { type CallError, CredentialsError, Unauthenticated } from "../kernel/errors.js"
import * as SingleFlight from "../kernel/single-flight.js"
import type { Service as Store, StoredSession } from "../ports/session-store.js"

/** How one kind of session is obtained and sent. */
export interface Source {
  /** Signs in on the platform; undefined where there is only a session that was given. */
  readonly signIn: Effect.Effect<StoredSession, CallError> | undefined
  /** A session that was given, in place of a sign-in. */
  readonly given: { readonly session: StoredSession; readonly credentials: Credentials } | undefined
  /** The headers and grants of a session, or why it cannot be used. */
  readonly present: (session: StoredSession) => Effect.Effect<Credentials, CredentialsError>
  /** Whether a session that was kept from an earlier run may still be used, at a time in milliseconds since 1970. */
  readonly isFresh: (session: StoredSession, time: number) => boolean
  readonly store: Store | undefined
  /** Names the session in the store. */
  readonly key: string
  /** Milliseconds after a sign-in in which none is tried again. */
  readonly cooldown: number
  /** Secrets besides the session: the password. */
  readonly secrets: ReadonlyArray<string>
}

/** An authority whose session can also be given up. */
export interface SignedIn extends Authority {
  /** Forgets the session, here and in the store. A sign-in under way does not bring it back. */
  readonly signOut: Effect.Effect<void>
}

interface Held {
  readonly session: StoredSession
  readonly credentials: Credentials
  /** When it was signed in for; undefined for one from the store. */
  readonly since: number | undefined
}

export const make = (source: Source): SignedIn => {
  let held: Held | undefined = source.given && { ...source.given, since: undefined }
  let failed: { readonly at: number; readonly error: CallError } | undefined
  /** Counts sign-outs: what was begun before one is not kept after it. */
  let epoch = 0

  const hold = (
    session: StoredSession,
    began: number,
    since?: number
  ): Effect.Effect<Credentials, CredentialsError> =>
    Effect.map(source.present(session), (credentials) => {
      if (epoch === began) held = { session, credentials, since }
      return credentials
    })

  const fromStore = (began: number, clock: Clock.Clock): Effect.Effect<Credentials | undefined> => {
    if (source.store === undefined) return Effect.succeed(undefined)
    return source.store.load(source.key).pipe(
      Effect.flatMap((stored) =>
        Option.isSome(stored) && source.isFresh(stored.value, clock.unsafeCurrentTimeMillis())
          ? hold(stored.value, began)
          : Effect.succeed(undefined)
      ),
      // A store that fails, or holds what cannot be used, leads to a sign-in.
      Effect.catchAll(() => Effect.succeed(undefined))
    )
  }

  const toStore = (session: StoredSession, began: number): Effect.Effect<void> =>
    source.store === undefined || epoch !== began
      ? Effect.void
      : Effect.ignore(source.store.save(source.key, session))

  const signIn = (clock: Clock.Clock): Effect.Effect<Credentials, CallError> =>
    Effect.suspend(() => {
      const began = epoch
      if (source.signIn === undefined) return Effect.fail(signedOut())
      if (failed !== undefined && now(clock) - failed.at < source.cooldown)
        return Effect.fail(tooSoon(failed.error))
      return source.signIn.pipe(
        Effect.flatMap((session) =>
          Effect.tap(hold(session, began, now(clock)), () => toStore(session, began))
        ),
        Effect.tapBoth({
          onFailure: (error) =>
            Effect.sync(() => {
              failed = { at: now(clock), error }
            }),
          onSuccess: () =>
            Effect.sync(() => {
              failed = undefined
            })
        })
      )
    })

  let isFirst = true
  const obtain = SingleFlight.make(
    Effect.clockWith((clock) => {
      if (held !== undefined) return Effect.succeed(held.credentials)
      if (!isFirst) return signIn(clock)
      isFirst = false
      return Effect.flatMap(fromStore(epoch, clock), (stored) =>
        stored === undefined ? signIn(clock) : Effect.succeed(stored)
      )
    })
  )

  const renew = (refused: Credentials): Effect.Effect<Credentials, CallError> =>
    Effect.clockWith((clock) => {
      if (held?.credentials === refused) {
        // A session that was refused moments after it was obtained will be refused again.
        if (held.since !== undefined && now(clock) - held.since < source.cooldown)
          return Effect.fail(new Unauthenticated({ operation: "auth.login", status: 401 }))
        held = undefined
      }
      return obtain
    })

  return {
    current: () => held?.credentials,
    obtain,
    renew: source.signIn === undefined ? undefined : renew,
    secrets: () => [
      ...source.secrets,
      ...(held === undefined
        ? []
        : [
            held.session.sessionId,
            held.session.accessToken ?? "",
            ...Object.values(held.credentials.headers)
          ])
    ],
    signOut: Effect.suspend(() => {
      epoch += 1
      held = undefined
      failed = undefined
      return source.store === undefined ? Effect.void : Effect.ignore(source.store.clear(source.key))
    })
  }
}

const tooSoon = (error: CallError): CredentialsError =>
  new CredentialsError({
    operation: "auth.login",
    reason: "Cooldown",
    advice: "the last sign-in failed moments ago; it is tried again after the cooldown",
    cause: error
  })

const signedOut = (): CredentialsError =>
  new CredentialsError({
    operation: "auth.login",
    reason: "Missing",
    advice:
      "the client is signed out, and was made with a session instead of an e-mail and a password: make a new client"
  })
