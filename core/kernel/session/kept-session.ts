/**
 * A client's session in its store, isolated: a store that fails, hangs or holds unusable data costs only a sign-in, and
 * its operations run in order.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as Option from "effect/Option"
import { own } from "../../permissions/own.js"
import type { Service as Store, StoredSession } from "../../ports/session-store.js"
import { plain } from "../dispatch/settings.js"

/** The store of a session. */
export interface Place {
  readonly store: Store | undefined
  /** Names the session in the store. */
  readonly key: string
}

export interface KeptSession {
  /** The session in the store, fresh or not, if it is not the one to replace. */
  readonly load: (replaced: StoredSession | undefined) => Effect.Effect<StoredSession | undefined>
  /** Keeps a session, if it is still current when the store is free. */
  readonly save: (session: StoredSession, isWanted: () => boolean) => Effect.Effect<void>
  readonly clear: (session: StoredSession | undefined) => Effect.Effect<void>
}

/** Whether somebody proves who they are: a session that is kept says nothing of who knows the password. */
export const isProof: FiberRef.FiberRef<boolean> = /*#__PURE__*/ FiberRef.unsafeMake(false)

/** Milliseconds after which the client continues without the store. */
const longestWait = 5_000

const isSame = (left: StoredSession, right: StoredSession | undefined): boolean =>
  left.sessionId === right?.sessionId && left.accessToken === right.accessToken

/** A session as this client saves it: somebody else's store may hold the number that a platform answered. */
const asSaved = (session: StoredSession): StoredSession => {
  const sessionId = plain(own(session, "sessionId"))
  return typeof sessionId === "string" ? { ...session, sessionId } : session
}

export const make = ({ key, store }: Place): KeptSession => {
  const turn = Effect.unsafeMakeSemaphore(1)
  /** Not after a sign-out, until this client has a new session: clearing may have failed. */
  let isReadable = true

  /** A store that has not answered in time is not used again until it has. */
  let isBehind = false

  /** A started operation completes in its turn, even if its caller has left. */
  const inTurn = <A, E>(work: Effect.Effect<A, E>): Effect.Effect<A | undefined> =>
    turn
      .withPermits(1)(work)
      .pipe(
        Effect.catchAllCause(() => Effect.succeed(undefined)),
        Effect.ensuring(
          Effect.sync(() => {
            isBehind = false
          })
        ),
        Effect.uninterruptible,
        Effect.disconnect,
        Effect.timeoutTo({
          duration: Duration.millis(longestWait),
          onSuccess: (result) => result,
          onTimeout: () => {
            isBehind = true
            return undefined
          }
        })
      )

  return {
    load: (replaced) =>
      Effect.flatMap(FiberRef.get(isProof), (isProven) => {
        if (store === undefined || isProven || isBehind || !isReadable) return Effect.succeed(undefined)
        const load = inTurn(Effect.suspend(() => store.load(key, replaced)))
        return Effect.map(load, (loaded = Option.none()) => {
          const session = Option.getOrUndefined(Option.map(loaded, asSaved))
          return session !== undefined && isReadable && !isSame(session, replaced) ? session : undefined
        })
      }),
    save: (session, isWanted) =>
      Effect.suspend(() => {
        if (store === undefined || isBehind) return Effect.void
        const save = Effect.suspend(() => {
          if (!isWanted()) return Effect.void
          isReadable = true
          return store.save(key, session)
        })
        return inTurn(save)
      }),
    clear: (session) => {
      isReadable = false
      if (store === undefined) return Effect.void
      return inTurn(Effect.suspend(() => store.clear(key, session)))
    }
  }
}
