/**
 * The client of one query client in one registry: built from its layer on first use, run from there, and closed with it.
 *
 * effect-rx's `runtime` builds a layer once for all registries, so that the requests of a server would share one session;
 * it can neither try a layer before it takes the place of another, nor tell what it runs that it is closed.
 */
import type { Rx } from "@effect-rx/rx-react"
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import type * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { CredentialsError } from "../../core/kernel/errors/errors.js"
import { dropArrived, register, takeArrived } from "./hydration.js"
import { type CacheClock, type CacheOptions, QueryCache } from "./query-cache.js"
import { service } from "./registry.js"

const nobody = /*#__PURE__*/ Effect.suspend(
  () => new CredentialsError({ operation: "client", reason: "Missing", advice: "nobody is signed in" })
)

/** Effects over a layer, and the means to change the layer under them. */
export class Client<R, E> implements CacheClock {
  private runtime: ManagedRuntime.ManagedRuntime<R, E> | undefined
  private clock: Clock.Clock | undefined
  private readonly running = new Set<() => void>()

  constructor(layer: Layer.Layer<R, E> | undefined) {
    if (layer !== undefined) this.runtime = ManagedRuntime.make(layer)
  }

  get isOpen(): boolean {
    return this.runtime !== undefined
  }

  readonly now = (): number => (this.clock ?? Effect.runSync(Effect.clock)).unsafeCurrentTimeMillis()

  /** At once, or when the layer is built, or cannot be. */
  readonly withClock = (then: () => unknown): void => {
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
    const fiber = Effect.runFork(this.provide(effect))
    const end = (exit: Exit.Exit<A, E2 | E | CredentialsError>): void => {
      if (this.running.delete(interrupt)) onExit(exit)
    }
    const interrupt = (): void => {
      fiber.unsafeInterruptAsFork(FiberId.none)
      end(Exit.interrupt(FiberId.none))
    }
    this.running.add(interrupt)
    fiber.addObserver(end)
    return interrupt
  }

  private provide<A, E2>(effect: Effect.Effect<A, E2, R>): Effect.Effect<A, E2 | E | CredentialsError> {
    if (this.runtime === undefined) return nobody
    const work = Effect.clockWith((clock) => {
      this.clock = clock
      return effect
    })
    return Effect.provide(work, this.runtime)
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

export interface ClientState<R, E> {
  readonly client: Client<R, E>
  readonly cache: QueryCache
  /** Told when somebody else is signed in, or nobody any more. */
  readonly onUserChange: Set<() => void>
}

/** Each registry's state of a query client, made when the registry first needs it. */
export const makeStates = <R, E>(
  layer: Layer.Layer<R, E> | undefined,
  options: CacheOptions
): Rx.Rx<ClientState<R, E>> =>
  service(
    (registry) => {
      const client = new Client(layer)
      const cache = new QueryCache(options, client, takeArrived(registry, client.now))
      register(registry, cache)
      const onUserChange = new Set([() => dropArrived(registry), () => cache.reset()])
      return { client, cache, onUserChange }
    },
    ({ cache, client }) => {
      cache.dispose()
      client.close()
    }
  )
