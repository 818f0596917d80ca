/**
 * What is under way: each call ends by its deadline, and with whatever it depends on, such as a client. Both are lists of
 * what is in flight.
 */
import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { InputError } from "../errors/errors.js"

/**
 * Starts a fiber, as `Effect.runFork` does. Core runs nothing by itself: a client passes this, and what is started ends
 * with the client.
 */
export type StartFiber = <A, E>(effect: Effect.Effect<A, E>) => Fiber.RuntimeFiber<A, E>

/** The place of what is in no list. */
export const gone = -1

/** Something that knows its place in a list. */
export interface Placed {
  place: number
}

/**
 * A list without an order, which is left without a search: the last item moves into the gap. Nothing links one item to
 * another, so that dead ones keep nothing alive.
 */
export class Bag<T extends Placed> {
  readonly items: Array<T> = []

  add(item: T): void {
    item.place = this.items.length
    this.items.push(item)
  }

  /** False where the item has left before. */
  remove(item: T): boolean {
    const { place } = item
    if (place === gone) return false
    item.place = gone
    const last = this.items.pop()
    if (last === undefined || last === item) return true
    this.items[place] = last
    last.place = place
    return true
  }
}

const firstLook = 50

/** Milliseconds that a timer takes at most, and a little less. */
const longestSleep = 2_147_000_000

/** One call in flight. */
interface Watched extends Placed {
  readonly expiry: number
  fire: (() => void) | undefined
}

/** Milliseconds that only run forward, whatever happens to the wall clock. */
export const now = (clock: Clock.Clock): number => Number(clock.unsafeCurrentTimeNanos()) / 1e6

/**
 * The deadlines on one clock, at next to no cost: one fiber looks after all calls of a client in flight, instead of a
 * fiber a call. It first looks after 50 ms, since most calls have ended by then, and from then on sleeps until the
 * soonest deadline.
 */
class Watch {
  private readonly watched = new Bag<Watched>()
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
    const item: Watched = { expiry: time + milliseconds, fire, place: gone }
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
    // The timer of a long sleep would keep the process running with nothing left to do. A first look is not worth the stop.
    if (this.isPatient && this.watched.items.length === 0) this.stop()
  }

  /** Ends a first look that is due though nothing is in flight. */
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
    // What one deadline throws, for an adapter that cannot be abandoned, must not stop the others.
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

/** Something under way, and how it is ended from outside. */
interface Running extends Placed {
  /** What has to be done at once is done when it is called, and the rest by the effect. */
  readonly end: () => Effect.Effect<void>
}

/** How long something lives that others depend on, such as a client: whatever it has under way ends with it. */
export class Lifetime {
  private readonly running = new Bag<Running>()
  /** Whether it is over. */
  isOver = false
  /** Of what is under way. */
  readonly deadlines: Deadlines

  constructor(readonly start: StartFiber) {
    this.deadlines = new Deadlines(start)
  }

  /** Enters something that ends with this, at once where this is over. The function that it answers takes it off. */
  enter(end: () => Effect.Effect<void>): () => void {
    if (this.isOver) {
      this.start(end())
      return () => undefined
    }
    const item: Running = { end, place: gone }
    this.running.add(item)
    return () => void this.running.remove(item)
  }

  /** Runs an effect for a caller that has no fiber. The function that it answers interrupts it; nothing is told then. */
  run<A, E>(effect: Effect.Effect<A, E>, settle: (exit: Exit.Exit<A, E>) => void): () => void {
    const fiber = this.start(effect)
    fiber.addObserver(settle)
    return () => {
      fiber.removeObserver(settle)
      fiber.unsafeInterruptAsFork(fiber.id())
    }
  }

  /** Interrupts a fiber at the end of this. */
  own(fiber: Fiber.RuntimeFiber<unknown, unknown>): void {
    fiber.addObserver(this.enter(() => Effect.asVoid(Fiber.interrupt(fiber))))
  }

  /** Waits for the end of this, and is then interrupted. */
  readonly over: Effect.Effect<never> = Effect.async((resume) => {
    const leave = this.enter(() => {
      resume(Effect.interrupt)
      return Effect.void
    })
    return Effect.sync(leave)
  })

  /** Ends whatever is under way, and waits until it has ended. */
  readonly close: Effect.Effect<void> = Effect.suspend(() => {
    this.isOver = true
    // One that was ended by another one is off the list already.
    const ends = [...this.running.items].map((item) => (this.running.remove(item) ? item.end() : Effect.void))
    const ended = Effect.all(ends, { concurrency: "unbounded", discard: true })
    return Effect.zipRight(
      ended,
      Effect.sync(() => this.deadlines.rest())
    )
  })
}

/** What a call of a client that is over fails with. */
export const closed = (operation: string): InputError =>
  new InputError({ operation, field: "client", rule: "is closed: make a new one" })
