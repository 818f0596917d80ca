/** What an Effect gives at once. */
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import { SyncScheduler } from "effect/Scheduler"

/**
 * Runs an Effect as far as it goes without waiting, and answers its exit: null of one that has to wait. `Effect.runSyncExit` does the same with
 * an error for that, which weighs 200 bytes in every app.
 */
export const exitAtOnce = <A, E>(effect: Effect.Effect<A, E>): Exit.Exit<A, E> | null => {
  // What the Effect leaves behind keeps it, such as a finalizer, and is then run as by any other scheduler.
  const scheduler = new SyncScheduler()
  // biome-ignore lint/plugin: it has ended, or is left to itself as `runSyncExit` leaves it.
  const fiber = Effect.runFork(effect, { scheduler })
  scheduler.flush()
  return fiber.unsafePoll()
}
