/**
 * A client's session in its store, made harmless: a store that fails, hangs or holds what cannot be used costs a
 * sign-in and nothing else, and what it is told happens in the order in which it is told.
 */
import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Service as Store, StoredSession } from "../../ports/session-store.js"

/** Where a session is kept, and what may be taken from there. */
export interface Place {
  readonly store: Store | undefined
  /** Names the session in the store. */
  readonly key: string
  /** Whether a session that was kept from an earlier run may still be used, at a time in milliseconds since 1970. */
  readonly isFresh: (session: StoredSession, time: number) => boolean
}

export interface KeptSession {
  /** The session in the store, where it is fresh and not the one that is to be replaced. */
  readonly load: (
    replaced: StoredSession | undefined,
    clock: Clock.Clock
  ) => Effect.Effect<Option.Option<StoredSession>>
  /** Keeps a session, if it is still wanted once the store is free. */
  readonly save: (session: StoredSession, isWanted: () => boolean) => Effect.Effect<void>
  readonly clear: Effect.Effect<void>
}

/** Milliseconds that a store may take before the client goes on without it. */
const longestWait = 5_000

const isSame = (one: StoredSession, other: StoredSession | undefined): boolean =>
  one.sessionId === other?.sessionId && one.accessToken === other.accessToken

const nowhere: KeptSession = {
  load: () => Effect.succeedNone,
  save: () => Effect.void,
  clear: Effect.void
}

export const make = ({ isFresh, key, store }: Place): KeptSession => {
  if (store === undefined) return nowhere
  const turn = Effect.unsafeMakeSemaphore(1)
  /** Not after a sign-out, until there is a session of this client's own: clearing may have failed. */
  let isReadable = true

  /** A store that has not answered in time is not asked again before it has. */
  let isBehind = false

  /** What was begun is brought to its end in its turn, even where the one who asked has gone. */
  const inTurn = <A, E>(work: Effect.Effect<A, E>): Effect.Effect<Option.Option<A>> =>
    turn
      .withPermits(1)(work)
      .pipe(
        Effect.matchCause({ onFailure: () => Option.none<A>(), onSuccess: Option.some }),
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
            return Option.none()
          }
        })
      )

  return {
    load: (replaced, clock) =>
      Effect.suspend(() => {
        if (isBehind || !isReadable) return Effect.succeedNone
        const isUsable = (session: StoredSession): boolean =>
          isReadable && !isSame(session, replaced) && isFresh(session, clock.unsafeCurrentTimeMillis())
        return Effect.map(inTurn(Effect.suspend(() => store.load(key))), (loaded) =>
          Option.filter(Option.flatten(loaded), isUsable)
        )
      }),
    save: (session, isWanted) =>
      Effect.suspend(() => {
        if (isBehind) return Effect.void
        const save = Effect.suspend(() => {
          if (!isWanted()) return Effect.void
          isReadable = true
          return store.save(key, session)
        })
        return Effect.asVoid(inTurn(save))
      }),
    clear: Effect.suspend(() => {
      isReadable = false
      return Effect.asVoid(inTurn(Effect.suspend(() => store.clear(key))))
    })
  }
}
