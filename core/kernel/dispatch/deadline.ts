/**
 * Deadlines on Effect's Clock at next to no cost: one fiber a clock looks after all calls of a client in flight, instead
 * of a fiber a call. It first looks after 50 ms, since most calls have ended by then, and from then on sleeps until the
 * soonest deadline.
 */
import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Fiber from "effect/Fiber"

const firstLook = 50

/** Milliseconds that a timer takes at most, and a little less. */
const longestSleep = 2_147_000_000

/**
 * Starts a fiber, as `Effect.runFork` does. Core runs nothing by itself: a client passes this, and what is started ends
 * with the client.
 */
export type StartFiber = <A, E>(effect: Effect.Effect<A, E>) => Fiber.RuntimeFiber<A, E>

/** One call in flight. `place` is its index in the list, −1 once it is out. */
interface Watched {
  readonly expiry: number
  fire: (() => void) | undefined
  place: number
}

/** Milliseconds that only run forward, whatever happens to the wall clock. */
export const now = (clock: Clock.Clock): number => Number(clock.unsafeCurrentTimeNanos()) / 1e6

class Watch {
  /** Kept dense by moving the last item into a gap, and without links between items: dead ones must keep nothing alive. */
  private readonly watched: Array<Watched> = []
  /** Infinite where nothing is looked after; −∞ during a look, which itself sees what is added meanwhile. */
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
    const item: Watched = { expiry: time + milliseconds, fire, place: this.watched.length }
    this.watched.push(item)
    if (item.expiry < this.nextLook) {
      this.stop()
      this.fiber = this.start(this.sleep(Math.min(item.expiry, time + firstLook)))
    }
    return () => this.remove(item)
  }

  private remove(item: Watched): void {
    if (item.place === -1) return
    const last = this.watched.pop()
    if (last !== undefined && last !== item) {
      this.watched[item.place] = last
      last.place = item.place
    }
    item.place = -1
    item.fire = undefined
    // The timer of a long sleep would keep the process running with nothing left to do. A first look is not worth the stop.
    if (this.isPatient && this.watched.length === 0) this.stop()
  }

  /** Ends a first look that is due though nothing is in flight. */
  rest(): void {
    if (this.watched.length === 0) this.stop()
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
    // What one deadline throws, for an adapter that cannot be abandoned, must not stop the others.
    for (const item of this.watched.filter(({ expiry }) => expiry <= time)) {
      Either.try(() => this.fire(item))
    }
    if (this.watched.length === 0) {
      this.end()
      return Effect.void
    }
    this.isPatient = true
    return this.sleep(
      this.watched.reduce((soonest, { expiry }) => Math.min(soonest, expiry), longestSleep + time)
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
  /** Nearly always one: a client runs on one clock, but for tests. */
  private watches: ReadonlyArray<Watch> = []

  constructor(private readonly start: StartFiber) {}

  /** Calls `fire` once `milliseconds` have passed on the clock, unless the function that it returns is called before. */
  after(clock: Clock.Clock, milliseconds: number, fire: () => void): () => void {
    for (const watch of this.watches) if (watch.clock === clock) return watch.add(milliseconds, fire)
    const watch = new Watch(clock, this.start)
    this.watches = [...this.watches.filter(({ isIdle }) => !isIdle), watch]
    return watch.add(milliseconds, fire)
  }

  /** Gives back the timers where nothing is in flight; they would ring within 50 ms. */
  rest(): void {
    for (const watch of this.watches) watch.rest()
  }
}
