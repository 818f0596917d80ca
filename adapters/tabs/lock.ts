/**
 * Work that one tab at a time does, by a Web Lock. The browser frees the lock of a tab that is closed. One that is held for
 * long, as by a tab that was frozen, is waited for in bounded time and never stolen: its holder may go on at any moment.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Locks } from "./browser.js"

/** Milliseconds after which work goes on without the lock: a third of the time that a call has. */
const longestWait = 10_000

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

/** Does work while no other tab does work under this name. */
export const exclusively = <A, E, R>(
  locks: Locks | undefined,
  name: string,
  work: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  locks === undefined
    ? work
    : Effect.acquireUseRelease(
        Effect.sync(() => request(locks, name)),
        ({ granted }) => {
          const waited = Effect.promise(() => granted)
          return Effect.zipRight(Effect.timeoutOption(waited, Duration.millis(longestWait)), work)
        },
        ({ end }) => Effect.sync(end)
      )
