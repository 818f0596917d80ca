/** Work in flight: it ends with the owner that it depends on, such as a client. */
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { InputError } from "../../errors/errors.js"
import type { Middleware } from "../middleware.js"
import { Bag, gone, type Placed } from "./bag.js"
import { Deadlines, type StartFiber } from "./deadlines.js"

/** What a client tells core of its runtime. */
export interface Runtime {
  readonly start: StartFiber
  /** The origin of the page, or worker of a page, that runs the client; true elsewhere. */
  readonly page: string | true
  /** Makes a span of each call; for where a tracer is installed. */
  readonly traced: Middleware
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
  /** The deadlines of what runs in it. */
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
