/** Tells those in this process who wait for a run that it has moved, so that they need not wait for their next look. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

export class Wakes {
  private readonly waiting = new Map<string, Deferred.Deferred<void>>()

  /** Wakes all who wait for the run. */
  wake(run: string): void {
    const found = this.waiting.get(run)
    this.waiting.delete(run)
    if (found !== undefined) Deferred.unsafeDone(found, Effect.void)
  }

  /**
   * Waits until the run has moved here since this was asked for, at most so long: it may have moved elsewhere. It is asked for before
   * the look at the store that finds nothing, so no move falls between the two.
   */
  next(run: string): (milliseconds: number) => Effect.Effect<void> {
    const found = this.waiting.get(run) ?? Effect.runSync(Deferred.make<void>())
    this.waiting.set(run, found)
    return (milliseconds) => Effect.asVoid(Effect.timeoutOption(Deferred.await(found), milliseconds))
  }
}
