/**
 * Deadlines on Effect's Clock at next to no cost: one fiber a clock looks after all calls in flight, instead of a
 * fiber a call. It looks at least every 50 ms and ends when nothing is in flight.
 */
import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

const look = 50

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
  private nextLook = Number.POSITIVE_INFINITY
  /** Counts the fibers that were started, so that one which was overtaken ends at its next look. */
  private turn = 0

  constructor(private readonly clock: Clock.Clock) {}

  add(milliseconds: number, fire: () => void): () => void {
    const time = now(this.clock)
    const item: Watched = { expiry: time + milliseconds, fire, place: this.watched.length }
    this.watched.push(item)
    if (item.expiry < this.nextLook && (this.nextLook === Number.POSITIVE_INFINITY || milliseconds < look)) {
      this.start(time)
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
  }

  private start(time: number): void {
    this.turn += 1
    const turn = this.turn
    Effect.runFork(Effect.suspend(() => this.sleep(time, turn)))
    this.nextLook = this.soonest(time)
  }

  private soonest(time: number): number {
    let soonest = time + look
    for (const item of this.watched) if (item.expiry < soonest) soonest = item.expiry
    return soonest
  }

  private sleep(time: number, turn: number): Effect.Effect<void> {
    this.nextLook = this.soonest(time)
    const pause = Duration.millis(Math.max(1, Math.ceil(this.nextLook - time)))
    return Effect.flatMap(this.clock.sleep(pause), () => this.see(turn))
  }

  private see(turn: number): Effect.Effect<void> {
    if (turn !== this.turn) return Effect.void
    const time = now(this.clock)
    const due = this.watched.filter(({ expiry }) => expiry <= time)
    if (due.length === 0) return this.goOn(time, turn)
    // What one deadline throws, for an adapter that cannot be abandoned, must not stop the others.
    const fire = Effect.forEach(due, (item) => Effect.exit(Effect.sync(() => this.fire(item))), {
      discard: true
    })
    return Effect.flatMap(fire, () => this.goOn(time, turn))
  }

  private fire(item: Watched): void {
    const { fire } = item
    this.remove(item)
    fire?.()
  }

  private goOn(time: number, turn: number): Effect.Effect<void> {
    if (this.watched.length > 0) return this.sleep(time, turn)
    this.nextLook = Number.POSITIVE_INFINITY
    return Effect.void
  }
}

const watches = /*#__PURE__*/ new WeakMap<Clock.Clock, Watch>()

/** Calls `fire` once `milliseconds` have passed on the clock, unless the function that it returns is called before. */
export const after = (clock: Clock.Clock, milliseconds: number, fire: () => void): (() => void) => {
  let watch = watches.get(clock)
  if (watch === undefined) {
    watch = new Watch(clock)
    watches.set(clock, watch)
  }
  return watch.add(milliseconds, fire)
}
