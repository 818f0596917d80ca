/**
 * Work that one tab at a time does, by a Web Lock. The browser frees the lock of a tab that is closed. One that is held for
 * long, as by a tab that was frozen, is waited for in bounded time and never stolen: its holder may go on at any moment.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Locks } from "./browser.js"

/** Milliseconds after which work goes on without the lock: a third of the time that a call has. */
const longestWait = 10_000

/** Milliseconds for which another lock says what was kept, and the next tab waits to see it: it comes apart from locks. */
const handover = 1_000

/** The version of what is kept, as far as this tab sees it. */
type Version = () => number

/** Asks for a lock, and holds it until `end` is called, whether it has been granted by then or not. */
const request = (locks: Locks, name: string) => {
  const leaving = new AbortController()
  const { signal } = leaving
  const isOver = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()))
  const granted = new Promise<void>((resolve) => {
    const hold = async (): Promise<void> => {
      await locks.request(name, { signal }, () => {
        resolve()
        return isOver
      })
    }
    // Refused in a page without an origin; given up by `end`. Nothing else is to be told of either.
    hold().catch(() => resolve())
  })
  return { granted, end: () => leaving.abort() }
}

/** Waits to see what others say. */
const caughtUp = (locks: Locks, prefix: string, version: Version): Effect.Effect<unknown> =>
  Effect.flatMap(
    Effect.promise(async () => locks.query?.().catch(() => undefined)),
    (all) => {
      const isToCome = (): boolean =>
        all?.held?.some(
          ({ name = "" }) =>
            name.startsWith(prefix) && ((Number(name.slice(prefix.length)) - version()) | 0) > 0
        ) === true
      const seen = Effect.repeat(Effect.sleep(5), { while: isToCome })
      return isToCome() ? Effect.timeoutOption(seen, handover) : Effect.void
    }
  )

/** Says what was kept. */
const tell = (locks: Locks, name: string): Effect.Effect<unknown> => {
  const { end, granted } = request(locks, name)
  const said = Effect.ensuring(Effect.sleep(handover), Effect.sync(end))
  return Effect.zipLeft(
    Effect.timeoutOption(
      Effect.promise(() => granted),
      handover
    ),
    Effect.forkDaemon(said)
  )
}

/** Does work while no other tab does work under this name, once what the one before has kept is seen. */
export const exclusively = <A, E, R>(
  locks: Locks | undefined,
  name: string,
  work: Effect.Effect<A, E, R>,
  version: Version
): Effect.Effect<A, E, R> =>
  locks === undefined
    ? work
    : Effect.acquireUseRelease(
        Effect.sync(() => request(locks, name)),
        ({ granted }) => {
          const waited = Effect.promise(() => granted)
          const prefix = `${name}\n`
          return Effect.timeoutOption(waited, Duration.millis(longestWait)).pipe(
            Effect.zipRight(caughtUp(locks, prefix, version)),
            Effect.map(version),
            Effect.flatMap((before) =>
              Effect.tap(work, () => (version() === before ? Effect.void : tell(locks, prefix + version())))
            )
          )
        },
        ({ end }) => Effect.sync(end)
      )
