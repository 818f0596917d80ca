/**
 * Has what was committed outlive a crash of the machine, beside the work of this process. SQLite would sync its log within each COMMIT, for which
 * the whole process waits a millisecond or more.
 */
import * as Effect from "effect/Effect"

/**
 * Syncs a log for all that have written to it. Whoever waits is answered by a sync that began after that was asked for: one that is under
 * way may not hold it. Those that come meanwhile share the next one.
 */
export const make = <E>(
  sync: () => Promise<void>,
  onError: (cause: unknown) => E
): Effect.Effect<void, E> => {
  let current: Promise<unknown> = Promise.resolve()
  let next: Promise<void> | undefined
  const shared = (): Promise<void> => {
    next ??= current.then(() => {
      next = undefined
      const syncing = sync()
      current = syncing.catch(() => undefined)
      return syncing
    })
    return next
  }
  return Effect.tryPromise({ try: shared, catch: onError })
}
