/**
 * Time that has passed in this process, by the worse of its clocks: the monotonic one stands still while some machines sleep, and the
 * wall clock can be set back. Leases and reservations are measured so, never by the wall clock against the store's.
 */

import { now } from "@quartet/sdk/extend"
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** A moment of this process, in milliseconds of both clocks. */
export interface Moment {
  readonly monotonic: number
  readonly wall: number
}

export const moment = (clock: Clock.Clock): Moment => ({
  monotonic: now(clock),
  wall: clock.unsafeCurrentTimeMillis()
})

/** The most milliseconds that can have passed since a moment. */
export const since = (clock: Clock.Clock, { monotonic, wall }: Moment): number =>
  Math.max(now(clock) - monotonic, clock.unsafeCurrentTimeMillis() - wall)

/** What a fiber waits with: for a time, or until it is woken before that. */
export class Alarm {
  private resume: (() => void) | undefined
  private isRung = false

  ring(): void {
    this.isRung = true
    this.resume?.()
  }

  /** Waits; at once over if it was woken since it last waited. */
  wait(milliseconds: number): Effect.Effect<void> {
    const rung = Effect.async<void>((resume) => {
      if (this.isRung) return resume(Effect.void)
      this.resume = () => resume(Effect.void)
    })
    const timed = Number.isFinite(milliseconds)
      ? Effect.raceFirst(rung, Effect.sleep(Math.max(1, Math.ceil(milliseconds))))
      : rung
    return Effect.ensuring(
      timed,
      Effect.sync(() => {
        this.resume = undefined
        this.isRung = false
      })
    )
  }
}
