/**
 * Credentials that are obtained by signing in, kept, and renewed: ahead of their end, and when the platform refuses
 * them. All waiting calls share one sign-in. One that failed, or whose session did not help, is not repeated before its
 * cooldown has passed. The session's state is one `State`; this module acts on it.
 */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { StoredSession } from "../../ports/session-store.js"
import type { Credentials, CredentialsProvider } from "../dispatch/credentials.js"
import { now } from "../dispatch/lifetime/deadlines.js"
import { Lifetime } from "../dispatch/lifetime/lifetime.js"
import { type CallError, CredentialsError } from "../errors/errors.js"
import { maskAll } from "../redaction/mask.js"
import * as KeptSession from "./kept-session.js"
import * as SingleFlight from "./single-flight.js"
import * as State from "./state.js"

/** How one kind of session is obtained, sent and kept. */
export interface Source extends KeptSession.Place {
  /** Signs in on the platform; undefined if there is only a fixed session. */
  readonly signIn: Effect.Effect<StoredSession, CallError> | undefined
  /** Asks for a new session by what the last one left; undefined where it left nothing that can be asked with. */
  readonly refresh?:
    | ((last: StoredSession) => Effect.Effect<StoredSession, CallError> | undefined)
    | undefined
  /** A fixed session, instead of a sign-in. */
  readonly fixedSession: { readonly session: StoredSession; readonly credentials: Credentials } | undefined
  /** Whether a session from an earlier run is still valid at a time in milliseconds since 1970. */
  readonly isFresh: (session: StoredSession, time: number) => boolean
  /** The headers and grants of a session, or why it cannot be used. */
  readonly credentialsOf: (session: StoredSession) => Effect.Effect<Credentials, CredentialsError>
  /** When a session ends; undefined if sessions do not say, and are renewed after a refusal. */
  readonly expirationOf: ((session: StoredSession, clock: Clock.Clock) => State.Expiration) | undefined
  /** Milliseconds without a new sign-in after one that failed, or whose session was refused like the one before. */
  readonly cooldown: number
  /** Secrets besides the session: the password. */
  readonly secrets: ReadonlyArray<string>
}

/** A credentials provider with sign-out. */
export interface Session extends CredentialsProvider {
  /**
   * Forgets the session, here and in the store, and ends the work registered with it. A sign-in in flight does not
   * restore it.
   */
  readonly signOut: Effect.Effect<void>
  readonly onEnd: Lifetime["enter"]
  /** The present session, after a sign-in if there was none. All of it is secret. */
  readonly present: Effect.Effect<StoredSession, CallError>
  /** The user as the platform described them at the sign-in, after a new one if there was none. */
  readonly user: Effect.Effect<unknown, CallError>
}

/** Sessions whose secrets stay masked: answers to calls sent with an earlier one may still arrive. */
const longestMemory = 8

/** The secrets of the last sessions, and the constant ones. */
const makeSecrets = (others: ReadonlyArray<string>) => {
  const sessions: Array<StoredSession> = []
  let all = others
  return {
    all: () => all,
    add: (session: StoredSession): void => {
      sessions.push(session)
      if (sessions.length > longestMemory) sessions.shift()
      all = [
        ...others,
        ...sessions
          .flatMap(({ accessToken, refreshToken, sessionId }) => [sessionId, accessToken, refreshToken])
          // Somebody else's store may hold anything.
          .filter((secret) => typeof secret === "string")
      ]
    }
  }
}

/** Makes the credentials provider of a client. Sign-ins in flight end with the client. */
export const make = (source: Source, lifetime: Lifetime): Session => {
  const { cooldown, fixedSession } = source
  const store = KeptSession.make(source)
  const secrets = makeSecrets(source.secrets)
  /** A session as it is kept: of all secrets it holds its own alone, although the platform's words on the user repeat others. */
  const saved = (session: StoredSession): StoredSession =>
    session.user === undefined ? session : { ...session, user: maskAll(session.user, secrets.all()) }
  /** The sign-outs before credentials were asked for: credentials from before a sign-out are not renewed after it. */
  const askedAfter = new WeakMap<Credentials, number>()
  let state = State.make(undefined)
  /** The latest session since a sign-out, of which another one may be asked for. */
  let last: StoredSession | undefined
  /** Sessions that were asked for by what an earlier one left, until a later refusal shows that this has helped. */
  const renewed = new WeakSet<StoredSession>()

  /** Adopts a session, unless it was requested before a sign-out: then only the callers that waited for it use it. */
  const take = (
    stored: StoredSession,
    credentials: Credentials,
    signOuts: number,
    clock?: Clock.Clock,
    signedInAt?: number
  ): Credentials => {
    secrets.add(stored)
    if (signOuts === state.signOuts) last = stored
    askedAfter.set(credentials, signOuts)
    const expiration = (clock && source.expirationOf?.(stored, clock)) ?? State.unknown
    // Another one was in use, or was refused, when this one was found in the store.
    const isReplacement =
      signedInAt === undefined && !renewed.has(stored) && (state.session ?? state.refused) !== undefined
    const session = { stored, credentials, signedInAt, isReplacement, expiration, isAccepted: false }
    state = State.obtained(state, signOuts, session)
    return credentials
  }
  if (fixedSession !== undefined) take(fixedSession.session, fixedSession.credentials, 0)

  const open = (stored: StoredSession, signOuts: number, clock: Clock.Clock, signedInAt?: number) =>
    Effect.map(source.credentialsOf(stored), (credentials) =>
      take(stored, { ...credentials, isKept: signedInAt === undefined }, signOuts, clock, signedInAt)
    )

  /** Whether the session was given up elsewhere: only one that is found in the store is used after that. */
  let isGivenUp = false

  const fromStore = (signOuts: number, clock: Clock.Clock): Effect.Effect<Credentials | undefined> =>
    Effect.suspend(() =>
      State.isStoreSpent(state, now(clock), cooldown)
        ? Effect.succeed(undefined)
        : store.load((state.session ?? state.refused)?.stored)
    ).pipe(
      Effect.flatMap((stored) => {
        if (stored === undefined) return Effect.succeed(undefined)
        if (!source.isFresh(stored, clock.unsafeCurrentTimeMillis())) {
          // It has ended, and may still be what another one is asked for by.
          secrets.add(stored)
          if (signOuts === state.signOuts) last = stored
          return Effect.succeed(undefined)
        }
        isGivenUp = false
        return Effect.orElseSucceed(open(stored, signOuts, clock), () => undefined)
      })
    )

  const signIn = (signOuts: number, clock: Clock.Clock): Effect.Effect<Credentials, CallError> =>
    Effect.suspend(() => {
      if (source.signIn === undefined || isGivenUp) return Effect.fail(signedOut())
      const failure = State.coolingDown(state, now(clock), cooldown)
      if (failure !== undefined) return Effect.fail(tooSoon(failure))
      // One that was renewed and refused all the same is not renewed again: its other half may be what has ended.
      const isSpent = state.session === undefined && last !== undefined && renewed.has(last)
      const refreshed = last === undefined || isSpent ? undefined : source.refresh?.(last)
      const withPassword = source.signIn
      // What is not renewed, for whatever reason, is obtained anew: a refresh token may be used up without an answer.
      const obtained =
        refreshed === undefined
          ? withPassword
          : Effect.catchAll(
              Effect.map(refreshed, (stored) => {
                renewed.add(stored)
                return stored
              }),
              () => withPassword
            )
      return obtained.pipe(
        Effect.flatMap((stored) =>
          Effect.zipLeft(
            // One that was renewed may be refused as the one before it was, and a sign-in help at once.
            open(stored, signOuts, clock, renewed.has(stored) ? undefined : now(clock)),
            store.save(saved(stored), () => state.signOuts === signOuts)
          )
        ),
        Effect.tapError((error) =>
          Effect.sync(() => {
            state = State.failed(state, signOuts, now(clock), error)
          })
        )
      )
    })

  /** Runs work that obtains a session, while no other client of the store does. */
  const alone = <A, E>(work: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    source.store?.exclusively?.(source.key, work) ?? work

  /** Obtains a new session, unless the present one is fresh. All callers between two sign-outs share it. */
  const obtaining = (signOuts: number): Effect.Effect<Credentials, CallError> =>
    SingleFlight.make(
      Effect.clockWith((clock) => {
        if (State.isFresh(state, now(clock))) return Effect.succeed(state.session.credentials)
        state = State.started(state, signOuts)
        return Effect.onExit(
          alone(
            Effect.flatMap(fromStore(signOuts, clock), (stored) =>
              stored === undefined ? signIn(signOuts, clock) : Effect.succeed(stored)
            )
          ),
          (exit) =>
            Effect.sync(() => {
              state = State.ended(state, signOuts, exit, now(clock), cooldown)
            })
        )
      }),
      lifetime
    )
  let obtain = obtaining(state.signOuts)
  /** Work that ends with the next sign-out. */
  let session = new Lifetime(lifetime.start)
  lifetime.enter(() => session.close)

  const current = (time: number, clock: Clock.Clock): Credentials | undefined => {
    // The usual case: nothing is due.
    if (state.session !== undefined && time < state.session.expiration.renewAt)
      return state.session.credentials
    if (State.mustRenew(state, time)) {
      state = State.started(state, state.signOuts)
      // Not before the call that finds it due has been sent.
      session.own(lifetime.start(Effect.zipRight(Effect.yieldNow(), Effect.withClock(obtain, clock))))
    }
    return State.credentials(state, time)
  }

  const getCredentials = (clock: Clock.Clock): Effect.Effect<Credentials, CallError> => {
    const credentials = current(now(clock), clock)
    return credentials === undefined ? obtain : Effect.succeed(credentials)
  }

  const renew = (
    refused: Credentials,
    operation: string
  ): Effect.Effect<Credentials | undefined, CallError> =>
    Effect.clockWith((clock) => {
      if (askedAfter.get(refused) !== state.signOuts) return Effect.succeed(undefined)
      if (source.signIn === undefined)
        // Another call may have taken the session that replaces a fixed one.
        return alone(
          Effect.suspend(() =>
            state.session?.credentials === refused
              ? fromStore(state.signOuts, clock)
              : Effect.succeed(state.session?.credentials)
          )
        )
      // The platform has accepted the present one, and this operation since: when it ends, another one is asked for as it was.
      if (state.session?.isAccepted && !state.refusals.has(operation)) renewed.delete(state.session.stored)
      state = State.refused(state, refused, operation, now(clock), cooldown)
      return state.session?.credentials === refused ? Effect.succeed(undefined) : getCredentials(clock)
    })

  /** Drops the session, and ends the work that is registered with it. */
  const drop = (): Effect.Effect<void> => {
    const ended = session
    session = new Lifetime(lifetime.start)
    state = State.signedOut(state)
    last = undefined
    // Later callers do not join a sign-in that began before.
    obtain = obtaining(state.signOuts)
    return ended.close
  }
  const leave = source.store?.onSignOut?.(() => {
    isGivenUp = true
    lifetime.start(drop())
  })
  lifetime.enter(() => Effect.sync(() => leave?.()))

  return {
    current,
    getCredentials,
    renew: (source.signIn ?? source.store) && renew,
    accepted: (credentials, operation) => {
      // The usual case: nothing has changed.
      if (state.session?.isAccepted === true && state.refusals.size === 0) return
      state = State.accepted(state, credentials, operation)
    },
    signOuts: () => state.signOuts,
    secrets: secrets.all,
    present: Effect.flatMap(Effect.clockWith(getCredentials), () =>
      state.session === undefined ? Effect.fail(signedOut()) : Effect.succeed(state.session.stored)
    ),
    user: Effect.map(Effect.clockWith(getCredentials), () => state.session?.stored.user),
    onEnd: (end) => session.enter(end),
    signOut: Effect.suspend(() =>
      Effect.all([store.clear(state.session?.stored), drop()], { concurrency: 2, discard: true })
    )
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
    advice: "the client is signed out: make a new client"
  })
