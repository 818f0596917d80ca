/**
 * Credentials that are obtained by signing in, kept, and renewed: ahead of their end, and when the platform refuses
 * them. However many calls wait, one sign-in is under way. One that failed, or whose session did not help, is not
 * repeated before its cooldown has passed.
 */
import * as Cause from "effect/Cause"
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type { StoredSession } from "../../ports/session-store.js"
import type { Credentials, CredentialsProvider } from "../dispatch/credentials.js"
import { now } from "../dispatch/deadline.js"
import { Lifetime } from "../dispatch/lifetime.js"
import { type CallError, CredentialsError } from "../errors/errors.js"
import * as KeptSession from "./kept-session.js"
import { endless, type Lease } from "./renewal.js"
import * as SingleFlight from "./single-flight.js"

/** How one kind of session is obtained, sent and kept. */
export interface Source extends KeptSession.Place {
  /** Signs in on the platform; undefined where there is only a session that was given. */
  readonly signIn: Effect.Effect<StoredSession, CallError> | undefined
  /** A session that was given, in place of a sign-in. */
  readonly given: { readonly session: StoredSession; readonly credentials: Credentials } | undefined
  /** The headers and grants of a session, or why it cannot be used. */
  readonly present: (session: StoredSession) => Effect.Effect<Credentials, CredentialsError>
  /** How long a session holds; left out where sessions do not say, and are renewed once they are refused. */
  readonly leaseOf?: (session: StoredSession, clock: Clock.Clock) => Lease
  /** Milliseconds after a sign-in that failed, or whose session was refused as the one before it, in which none is tried again. */
  readonly cooldown: number
  /** Secrets besides the session: the password. */
  readonly secrets: ReadonlyArray<string>
}

/** A credentials provider whose session can also be given up. */
export interface SignedIn extends CredentialsProvider {
  /** Forgets the session, here and in the store, and ends what was entered in it. A sign-in under way does not bring it back. */
  readonly signOut: Effect.Effect<void>
  /** Enters something that ends with the next sign-out, or with the client. The function that it answers takes it off. */
  readonly during: Lifetime["enter"]
  /** The user as the platform described them at the sign-in, after one where there was none. */
  readonly user: Effect.Effect<unknown, CallError>
}

interface Held {
  readonly session: StoredSession
  readonly credentials: Credentials
  /** When it was signed in for; undefined for one from the store. */
  readonly since: number | undefined
  readonly lease: Lease
  /** As its lease says, or later where a renewal has failed. */
  renewAt: number
  /** Whether the platform has taken it for any call. */
  hasWorked: boolean
}

/** Sessions whose secrets are kept from being shown: answers to calls that were sent with an earlier one may still come. */
const longestMemory = 8

/** Makes the credentials provider of a client. Sign-ins under way end with the client. */
export const make = (source: Source, lifetime = new Lifetime()): SignedIn => {
  let held: Held | undefined = source.given && {
    ...source.given,
    since: undefined,
    lease: endless,
    renewAt: endless.renewAt,
    hasWorked: false
  }
  /** The session that was given up last: it is not taken from the store again. */
  let replaced: StoredSession | undefined
  let failed: { readonly at: number; readonly error: CallError } | undefined
  /** Counts sign-outs: what was begun before one is not kept after it. */
  let epoch = 0
  /** What ends with the next sign-out. */
  let tenure = new Lifetime()
  lifetime.enter(() => tenure.close)
  /** When credentials were obtained, by that count: those from before a sign-out are not renewed after it. */
  const epochs = new WeakMap<Credentials, number>()
  /** When operations were last refused that have not been let in since. */
  const refusals = new Map<string, number>()
  /** Whether the session before this one was refused before it was taken for any call. */
  let wasUseless = false
  let renewing: Fiber.RuntimeFiber<Credentials, CallError> | undefined
  const store = KeptSession.make(source)
  const known: Array<StoredSession> = []
  let hidden: ReadonlyArray<string> = source.secrets
  const hide = (session: StoredSession): void => {
    known.push(session)
    if (known.length > longestMemory) known.shift()
    const secrets = known.flatMap(({ accessToken = "", sessionId }) => [sessionId, accessToken])
    hidden = [...source.secrets, ...secrets]
  }
  if (source.given !== undefined) {
    hide(source.given.session)
    epochs.set(source.given.credentials, epoch)
  }

  const hold = (
    session: StoredSession,
    began: number,
    clock: Clock.Clock,
    since?: number
  ): Effect.Effect<Credentials, CredentialsError> =>
    Effect.map(source.present(session), (credentials) => {
      hide(session)
      epochs.set(credentials, began)
      const lease = source.leaseOf?.(session, clock) ?? endless
      if (epoch === began)
        held = { session, credentials, since, lease, renewAt: lease.renewAt, hasWorked: false }
      return credentials
    })

  const fromStore = (began: number, clock: Clock.Clock): Effect.Effect<Credentials | undefined> =>
    Effect.flatMap(store.load(held?.session ?? replaced, clock), (found) =>
      Option.isSome(found)
        ? Effect.orElseSucceed(hold(found.value, began, clock), () => undefined)
        : Effect.succeed(undefined)
    )

  const signIn = (began: number, clock: Clock.Clock): Effect.Effect<Credentials, CallError> =>
    Effect.suspend(() => {
      if (source.signIn === undefined) return Effect.fail(signedOut())
      if (failed !== undefined && now(clock) - failed.at < source.cooldown)
        return Effect.fail(tooSoon(failed.error))
      return source.signIn.pipe(
        Effect.flatMap((session) =>
          Effect.tap(hold(session, began, clock, now(clock)), () =>
            store.save(session, () => epoch === began)
          )
        ),
        Effect.tapBoth({
          onFailure: (error) =>
            Effect.sync(() => {
              if (epoch === began) failed = { at: now(clock), error }
            }),
          onSuccess: () =>
            Effect.sync(() => {
              failed = undefined
            })
        })
      )
    })

  /** Gets another session, unless the one that is held is good for a while; all callers of one epoch share it. */
  const begin = (began: number): Effect.Effect<Credentials, CallError> =>
    SingleFlight.make(
      Effect.clockWith((clock) => {
        const time = now(clock)
        if (held !== undefined && time < held.renewAt && time < held.lease.endsAt)
          return Effect.succeed(held.credentials)
        return Effect.flatMap(fromStore(began, clock), (stored) =>
          stored === undefined ? signIn(began, clock) : Effect.succeed(stored)
        )
      }),
      lifetime
    )
  let flight = begin(epoch)

  /** Renews in the background; where that fails, the session that is held goes on, and the next try waits. */
  const renewAhead = (renewed: Held, clock: Clock.Clock): void => {
    if (renewing !== undefined) return
    renewing = Effect.runFork(Effect.withClock(flight, clock), { immediate: false })
    renewing.addObserver((exit) => {
      renewing = undefined
      if (exit._tag === "Success") return
      // A password that was refused is not tried again and again: that can lock the account.
      renewed.renewAt = Option.exists(Cause.failureOption(exit.cause), isRejection)
        ? Number.POSITIVE_INFINITY
        : now(clock) + Math.max(source.cooldown, renewed.lease.pause)
    })
  }

  const current = (time: number, clock: Clock.Clock): Credentials | undefined => {
    if (held === undefined || time >= held.lease.endsAt) return undefined
    if (time >= held.renewAt) renewAhead(held, clock)
    return held.credentials
  }

  const join = (clock: Clock.Clock): Effect.Effect<Credentials, CallError> => {
    const credentials = current(now(clock), clock)
    return credentials === undefined ? flight : Effect.succeed(credentials)
  }
  const obtain = Effect.clockWith(join)

  /**
   * Whether another sign-in would not help: the session is fresh, and either it was taken for no call, nor was the one
   * before it, or this operation was refused with the one before it too.
   */
  const isHopeless = (refused: Held, operation: string, time: number): boolean => {
    const isFresh = refused.since !== undefined && time - refused.since < source.cooldown
    if (!isFresh || time >= refused.lease.endsAt) return false
    const last = refusals.get(operation) ?? Number.NEGATIVE_INFINITY
    return (wasUseless && !refused.hasWorked) || time - last < 2 * source.cooldown
  }

  const renew = (
    refused: Credentials,
    operation: string
  ): Effect.Effect<Credentials | undefined, CallError> =>
    Effect.clockWith((clock) => {
      if (epochs.get(refused) !== epoch) return Effect.succeed(undefined)
      if (held?.credentials === refused) {
        const time = now(clock)
        if (isHopeless(held, operation, time)) return Effect.succeed(undefined)
        refusals.set(operation, time)
        wasUseless = !held.hasWorked
        replaced = held.session
        held = undefined
      }
      return join(clock)
    })

  return {
    current,
    obtain,
    join,
    renew: source.signIn === undefined ? undefined : renew,
    accepted: (credentials, operation) => {
      refusals.delete(operation)
      if (held?.credentials === credentials) held.hasWorked = true
    },
    signOuts: () => epoch,
    secrets: () => hidden,
    user: Effect.map(obtain, () => held?.session.user),
    during: (end) => tenure.enter(end),
    signOut: Effect.suspend(() => {
      const ended = tenure
      tenure = new Lifetime()
      epoch += 1
      held = undefined
      failed = undefined
      renewing?.unsafeInterruptAsFork(renewing.id())
      // Whoever calls from now on does not join a sign-in that was begun before.
      flight = begin(epoch)
      return Effect.all([store.clear, ended.close], { concurrency: 2, discard: true })
    })
  }
}

const isRejection = (error: CallError): boolean =>
  error._tag === "CredentialsError" && error.reason === "Rejected"

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
