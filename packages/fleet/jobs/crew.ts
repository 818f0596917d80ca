/** What all pages of a runner share: how they are told to stop, and that a run has moved. */

import type { SqlClient } from "@effect/sql/SqlClient"
import type * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { StoreClock } from "../store/elapsed.js"
import type { Limiter } from "../store/limits.js"
import type { Fences } from "./fence.js"
import type { Gates } from "./gate.js"
import type { Marks } from "./marks.js"
import type { Refusals } from "./refusals.js"
import type { StateWriter } from "./state-writer.js"

export interface Crew {
  readonly sql: SqlClient
  /** This runner's name: no other has it. */
  readonly runner: string
  readonly wakes: Wakes
  /** The signs of all pages that this process works on, with their runs' ids. */
  readonly stops: Map<Stop, string>
  /** Takes a place for each item's work, where the clients are not the fleet's own: theirs takes one for each request. */
  readonly limited: Limiter["run"]
  readonly fences: Fences
  readonly gates: Gates
  readonly marks: Marks
  readonly refusals: Refusals
  readonly storeClock: StoreClock
  readonly states: StateWriter
  /** What the jobs need. It is given once for the work of a page: for each item it would cost more than the rest of the engine. */
  readonly context: Context.Context<never>
}

/** Tells those in this process who wait for a run that it has moved, so that they need not wait for their next look. */
export class Wakes {
  private readonly waiting = new Map<string, Deferred.Deferred<void>>()

  /** Wakes all who wait for the run. */
  wake(run: string): void {
    const deferred = this.waiting.get(run)
    this.waiting.delete(run)
    if (deferred !== undefined) Deferred.unsafeDone(deferred, Effect.void)
  }

  /**
   * Waits until the run has moved here since this was asked for, at most so long: it may have moved elsewhere. It is asked for before
   * the look at the store that finds nothing, so no move falls between the two.
   */
  next(run: string): (milliseconds: number) => Effect.Effect<void> {
    const deferred = this.waiting.get(run) ?? Effect.runSync(Deferred.make<void>())
    this.waiting.set(run, deferred)
    return (milliseconds) => Effect.asVoid(Effect.timeoutOption(Deferred.await(deferred), milliseconds))
  }
}

/** A sign to begin nothing more: asked for at any moment, and waited for. */
export class Stop {
  private readonly sign = Effect.runSync(Deferred.make<void>())
  /** Whether it was given. */
  isSet = false

  /** Gives the sign. */
  readonly set: Effect.Effect<void> = Effect.suspend(() => {
    this.isSet = true
    return Effect.asVoid(Deferred.succeed(this.sign, undefined))
  })

  readonly wait: Effect.Effect<void> = Deferred.await(this.sign)
}
