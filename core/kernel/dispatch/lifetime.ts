/**
 * Work in flight: each call ends by its deadline, and with the owner that it depends on, such as a client. Both keep
 * lists of what is in flight.
 */
import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { InputError } from "../errors/errors.js"
import type { Middleware } from "./middleware.js"

/**
 * Starts a fiber, like `Effect.runFork`. Core starts none itself: a client passes this, and its fibers end with the
 * client.
 */
export type StartFiber = <A, E>(effect: Effect.Effect<A, E>) => Fiber.RuntimeFiber<A, E>

/** What a client tells core of its runtime. */
export interface Runtime {
  readonly start: StartFiber
  /** The origin of the page, or worker of a page, that runs the client; true elsewhere. */
  readonly page: string | true
  /** Makes a span of each call; for where a tracer is installed. */
  readonly traced: Middleware
}

/** The position of an item that is in no list. */
export const gone = -1

/** An item that knows its position in a list. */
export interface Placed {
  place: number
}

/**
 * An unordered list with removal in constant time: the last item moves into the gap. Items are not linked, so removed
 * ones keep nothing alive.
 */
export class Bag<T extends Placed> {
  readonly items: Array<T> = []

  add(item: T): void {
    item.place = this.items.length
    this.items.push(item)
  }

  /** False if the item was removed before. */
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

/** Work in flight, and how to end it from outside. */
class Running implements Placed {
  place = gone
  /** The call itself does what is urgent, the effect the rest. */
  constructor(readonly end: () => Effect.Effect<void>) {}
}

/** The lifetime of an owner, such as a client: its work in flight ends with it. */
export class Lifetime {
  private readonly running = new Bag<Running>()
  /** Whether it is closed. */
  isOver = false
  /** The number of entries. */
  readonly deadlines: Deadlines

  constructor(readonly start: StartFiber) {
    this.deadlines = new Deadlines(start)
  }

  /** Adds work that ends with this, or ends it at once if this is closed. The returned function removes it. */
  enter(end: () => Effect.Effect<void>): () => void {
    if (this.isOver) {
      this.start(end())
      return () => undefined
    }
    const item = new Running(end)
    this.running.add(item)
    return () => void this.running.remove(item)
  }

  /** Runs an effect for a caller without a fiber. The returned function interrupts it; then nothing is reported. */
  run<A, E>(effect: Effect.Effect<A, E>, settle: (exit: Exit.Exit<A, E>) => void): () => void {
    const fiber = this.start(effect)
    fiber.addObserver(settle)
    return () => {
      fiber.removeObserver(settle)
      fiber.unsafeInterruptAsFork(fiber.id())
    }
  }

  /** Runs an effect beside its caller, until it ends or this closes. */
  fork<A, E>(effect: Effect.Effect<A, E>): Effect.Effect<Fiber.RuntimeFiber<A, E>> {
    // biome-ignore lint/plugin: the fiber ends with this lifetime.
    return Effect.tap(Effect.forkDaemon(effect), (fiber) => Effect.sync(() => this.own(fiber)))
  }

  /** Interrupts a fiber when this closes. */
  own(fiber: Fiber.RuntimeFiber<unknown, unknown>): void {
    fiber.addObserver(this.enter(() => Effect.asVoid(Fiber.interrupt(fiber))))
  }

  /** Waits until this closes, and is then interrupted. */
  readonly over: Effect.Effect<never> = Effect.async((resume) => {
    const leave = this.enter(() => {
      resume(Effect.interrupt)
      return Effect.void
    })
    return Effect.sync(leave)
  })

  /** Ends all work in flight, and waits until it has ended. */
  readonly close: Effect.Effect<void> = Effect.suspend(() => {
    this.isOver = true
    // One that was ended by another one is already removed.
    const ends = [...this.running.items].map((item) => (this.running.remove(item) ? item.end() : Effect.void))
    const ended = Effect.all(ends, { concurrency: "unbounded", discard: true })
    return Effect.zipRight(
      ended,
      Effect.sync(() => this.deadlines.rest())
    )
  })
}

/** The error of a call to a closed client. */
export const closed = (operation: string): InputError =>
  new InputError({ operation, field: "client", rule: "is closed: make a new one" })
