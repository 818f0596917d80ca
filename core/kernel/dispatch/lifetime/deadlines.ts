/** Deadlines: one fiber watches all calls of a client in flight. */
import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Fiber from "effect/Fiber"
import { Bag, gone, type Placed } from "./bag.js"

/**
 * Starts a fiber, like `Effect.runFork`. Core starts none itself: a client passes this, and its fibers end with the
 * client.
 */
export type StartFiber = <A, E>(effect: Effect.Effect<A, E>) => Fiber.RuntimeFiber<A, E>

const firstLook = 50

/** Slightly less than the maximum milliseconds of a timer. */
const longestSleep = 2_147_000_000

/**
 * One call in flight. Classes, because V8 may allocate objects of a literal among the old ones, where each keeps its
 * whole call alive until a full collection.
 */
class Watched implements Placed {
  place = gone
  constructor(
    readonly expiry: number,
    public fire: (() => void) | undefined
  ) {}
}

/** Monotonic milliseconds, independent of the wall clock. */
export const now = (clock: Clock.Clock): number => Number(clock.unsafeCurrentTimeNanos()) / 1e6

/**
 * The deadlines on one clock, at little cost: one fiber watches all calls of a client in flight, instead of one per
 * call. Its first check comes after 50 ms, when most calls have ended; then it sleeps until the next deadline.
 */
class Watch {
  private readonly watched = new Bag<Watched>()
  /** Infinite if nothing is watched; −∞ during a check, which sees what is added meanwhile. */
  private nextLook = Number.POSITIVE_INFINITY
  private fiber: Fiber.RuntimeFiber<void> | undefined
  private isPatient = false

  constructor(
    readonly clock: Clock.Clock,
    private readonly start: StartFiber
  ) {}

  get isIdle(): boolean {
    return this.fiber === undefined
  }

  add(milliseconds: number, fire: () => void): () => void {
    const time = now(this.clock)
    const item = new Watched(time + milliseconds, fire)
    this.watched.add(item)
    if (item.expiry < this.nextLook) {
      this.stop()
      this.fiber = this.start(this.sleep(Math.min(item.expiry, time + firstLook)))
    }
    return () => this.remove(item)
  }

  private remove(item: Watched): void {
    if (!this.watched.remove(item)) return
    item.fire = undefined
    // The timer of a long sleep would keep an idle process running. Stopping a first check is not worth the cost.
    if (this.isPatient && this.watched.items.length === 0) this.stop()
  }

  /** Ends a pending first check while nothing is in flight. */
  rest(): void {
    if (this.watched.items.length === 0) this.stop()
  }

  private stop(): void {
    this.fiber?.unsafeInterruptAsFork(this.fiber.id())
    this.end()
  }

  private end(): void {
    this.nextLook = Number.POSITIVE_INFINITY
    this.fiber = undefined
    this.isPatient = false
  }

  private sleep(until: number): Effect.Effect<void> {
    this.nextLook = until
    const pause = Math.max(1, Math.ceil(until - now(this.clock)))
    return Effect.flatMap(this.clock.sleep(Duration.millis(pause)), () => this.look())
  }

  private look(): Effect.Effect<void> {
    this.nextLook = Number.NEGATIVE_INFINITY
    this.isPatient = false
    const time = now(this.clock)
    // One deadline may throw, because an adapter cannot be abandoned; this must not stop the others.
    for (const item of this.watched.items.filter(({ expiry }) => expiry <= time)) {
      Either.try(() => this.fire(item))
    }
    if (this.watched.items.length === 0) {
      this.end()
      return Effect.void
    }
    this.isPatient = true
    return this.sleep(
      this.watched.items.reduce((soonest, { expiry }) => Math.min(soonest, expiry), longestSleep + time)
    )
  }

  private fire(item: Watched): void {
    const { fire } = item
    this.remove(item)
    fire?.()
  }
}

/** The deadlines of one client. */
export class Deadlines {
  /** Nearly always one: a client runs on one clock, except in tests. */
  private watches: ReadonlyArray<Watch> = []

  constructor(private readonly start: StartFiber) {}

  /** Calls `fire` after `milliseconds` on the clock, unless the returned function is called before. */
  after(clock: Clock.Clock, milliseconds: number, fire: () => void): () => void {
    for (const watch of this.watches) if (watch.clock === clock) return watch.add(milliseconds, fire)
    const watch = new Watch(clock, this.start)
    this.watches = [...this.watches.filter(({ isIdle }) => !isIdle), watch]
    return watch.add(milliseconds, fire)
  }

  /** Releases the timers if nothing is in flight; they would fire within 50 ms. */
  rest(): void {
    for (const watch of this.watches) watch.rest()
  }
}
