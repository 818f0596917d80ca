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

/** How much faster or slower than another a clock may go: a clock that is being corrected does so. */
const drift = 0.0005

/** Milliseconds by which the store's clock may be set forward without a lease ending before its holder knows. */
const leap = 250

/**
 * What this process knows of the store's clock: how far ahead of its own monotonic one it is. Each answer of the store narrows that, and the
 * quickest one says most.
 */
export class StoreClock {
  private least = Number.NEGATIVE_INFINITY
  private most = Number.POSITIVE_INFINITY
  private heardAt = 0
  private leaptAt = Number.NEGATIVE_INFINITY

  constructor(private readonly clock: Clock.Clock) {}

  /** This moment of the monotonic clock, in milliseconds. */
  get now(): number {
    return now(this.clock)
  }

  /**
   * Takes note of the store's time in milliseconds, which was asked for at the moment `asked` and has come now. Answers by how many milliseconds the
   * store's clock was set since it was last heard: less than 0 where it was set back, 0 where it was not set.
   */
  hear(time: number, asked: number): number {
    const at = this.now
    const aged = (at - this.heardAt) * drift
    const [before, after] = [this.least - aged, this.most + aged]
    // It says whole milliseconds.
    const least = time - 1 - at
    const most = time + 1 - asked
    const step = least > after ? least - after : Math.min(0, most - before)
    this.least = step === 0 ? Math.max(before, least) : least
    this.most = step === 0 ? Math.min(after, most) : most
    this.heardAt = at
    if (step > leap) this.leaptAt = at
    return step
  }

  /**
   * Whether the store tells rightly which leases of so many milliseconds have ended. Once its clock was set forward, it takes those for ended
   * that are not, until all who live have renewed theirs.
   */
  tellsLeases(milliseconds: number): boolean {
    return this.now - this.leaptAt > milliseconds
  }

  /** The moment of the monotonic clock, in milliseconds, at which the store's clock shows a time, at the latest. */
  momentOf(time: number): number {
    return time - this.least
  }
}

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
