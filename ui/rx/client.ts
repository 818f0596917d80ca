/** The client of one client in one registry: built from its layer on first use, run from there, and closed with it. */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import type * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { CredentialsError } from "../../core/kernel/errors/errors.js"

const closed = (): CredentialsError =>
  new CredentialsError({ operation: "client", reason: "Missing", advice: "nobody is signed in" })

/** Effects over a layer, and the means to change the layer under them. */
export class Client<R, E> {
  private runtime: ManagedRuntime.ManagedRuntime<R, E> | undefined
  private clock: Clock.Clock | undefined
  private readonly running = new Set<() => void>()

  constructor(layer: Layer.Layer<R, E> | undefined) {
    if (layer !== undefined) this.runtime = ManagedRuntime.make(layer)
  }

  /** Whether there is a layer to run on. */
  get isOpen(): boolean {
    return this.runtime !== undefined
  }

  /** Milliseconds since 1970, by the clock that the layer sets, once it is known. */
  now(): number {
    return (this.clock ?? Effect.runSync(Effect.clock)).unsafeCurrentTimeMillis()
  }

  /** Calls back once the clock of the layer is known: at once, or when the layer is built, or cannot be. */
  withClock(then: () => void): void {
    if (this.clock !== undefined || !this.isOpen) then()
    else this.fork(Effect.void, then)
  }

  /**
   * Runs an effect and tells, once, how it ended; the function that it returns interrupts it. Without a layer it fails
   * with CredentialsError `Missing`.
   */
  fork<A, E2>(
    effect: Effect.Effect<A, E2, R>,
    onExit: (exit: Exit.Exit<A, E2 | E | CredentialsError>) => void
  ): () => void {
    const fiber = this.start(effect)
    let isOver = false
    const end = (exit: Exit.Exit<A, E2 | E | CredentialsError>): void => {
      if (isOver) return
      isOver = true
      this.running.delete(interrupt)
      onExit(exit)
    }
    const interrupt = (): void => {
      fiber.unsafeInterruptAsFork(FiberId.none)
      end(Exit.interrupt(FiberId.none))
    }
    this.running.add(interrupt)
    fiber.addObserver(end)
    return interrupt
  }

  private start<A, E2>(effect: Effect.Effect<A, E2, R>): Fiber.RuntimeFiber<A, E2 | E | CredentialsError> {
    const { clock, runtime } = this
    if (runtime === undefined) return Effect.runFork(Effect.fail(closed()))
    const work = Effect.clockWith((current) => {
      this.clock = current
      return effect
    })
    // Until the first effect has begun, all wait for the layer in a row, so that none overtakes another.
    return clock === undefined ? Effect.runFork(Effect.provide(work, runtime)) : runtime.runFork(work)
  }

  /** Takes the layer of another client in the place of its own, which is closed. */
  adopt(other: Client<R, E>): void {
    this.close()
    this.runtime = other.runtime
    this.clock = other.clock
    other.runtime = undefined
  }

  /** Interrupts what runs, and tells it so, and releases the layer. */
  close(): void {
    const { runtime } = this
    this.runtime = undefined
    this.clock = undefined
    for (const interrupt of [...this.running]) interrupt()
    if (runtime !== undefined) Effect.runFork(runtime.disposeEffect)
  }
}
