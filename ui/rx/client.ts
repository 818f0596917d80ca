/**
 * The client of one query client in one registry: built from its layer on first use, run from there, and closed with it.
 *
 * effect-rx's `runtime` cannot try a layer before it replaces another with it: a sign-in that is refused takes the client
 * away that there was.
 */
import type * as Rx from "@effect-rx/rx/Rx"
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import type * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { CredentialsError } from "../../core/kernel/errors/errors.js"
import { hydrations } from "./hydration.js"
import { QueryCache, type Signal } from "./query-cache.js"
import { service } from "./registry.js"

const nobody = /*#__PURE__*/ Effect.suspend(
  () => new CredentialsError({ operation: "client", reason: "Missing", advice: "nobody is signed in" })
)

/** Effects over a layer, and the means to change the layer under them. */
export class Client<R, E> {
  private runtime: ManagedRuntime.ManagedRuntime<R, E> | undefined
  private readonly running = new Set<() => void>()
  /** Called with the cause of every failure, after whoever ran the effect. */
  onFailure: (cause: Cause.Cause<unknown>) => void = () => undefined

  constructor(layer: Layer.Layer<R, E> | undefined) {
    if (layer !== undefined) this.runtime = ManagedRuntime.make(layer)
  }

  get isOpen(): boolean {
    return this.runtime !== undefined
  }

  /**
   * Runs an effect and calls back once with its exit, never before this has returned; the function that it returns
   * interrupts the effect. Without a layer it fails with CredentialsError `Missing`.
   */
  fork<A, E2>(
    effect: Effect.Effect<A, E2, R>,
    onExit: (exit: Exit.Exit<A, E2 | E | CredentialsError>) => void
  ): () => void {
    const fiber = Effect.runFork<A, E2 | E | CredentialsError>(
      this.runtime === undefined ? nobody : Effect.provide(effect, this.runtime)
    )
    const end = (exit: Exit.Exit<A, E2 | E | CredentialsError>): void => {
      if (!this.running.delete(interrupt)) return
      onExit(exit)
      if (Exit.isFailure(exit)) this.onFailure(exit.cause)
    }
    const interrupt = (): void => {
      fiber.unsafeInterruptAsFork(FiberId.none)
      end(Exit.interrupt(FiberId.none))
    }
    this.running.add(interrupt)
    queueMicrotask(() => fiber.addObserver(end))
    return interrupt
  }

  /** Replaces its layer, which is closed, by that of another client. */
  adopt(other: Client<R, E>): void {
    this.close()
    this.runtime = other.runtime
    other.runtime = undefined
  }

  /** Interrupts what runs, calls back with that, and releases the layer. */
  close(): void {
    const { runtime } = this
    this.runtime = undefined
    for (const interrupt of [...this.running]) interrupt()
    if (runtime !== undefined) Effect.runFork(runtime.disposeEffect)
  }
}

export interface ClientState<R, E> {
  readonly client: Client<R, E>
  readonly cache: QueryCache
  /** The network is back. */
  readonly reconnect: Signal
  /** Called when somebody has signed in, again or instead of another (`isSame`), or nobody is signed in any more. */
  readonly onUserChange: Set<(isSame: boolean) => void>
}

/** Where a query client keeps its states, for what is made of it by a function of its own. */
export const StatesId: unique symbol = Symbol.for("@quartet/sdk/rx/States")

/** Each registry's state of a query client, and its session, made when the registry first needs them. */
export const makeStates = <R, E, S extends { readonly close: () => void }>(
  layer: () => Layer.Layer<R, E> | undefined,
  gcTime: number,
  capacity: number,
  reconnect: Signal,
  sessionOf: (state: ClientState<R, E>) => S
): Rx.Rx<ClientState<R, E> & { readonly session: S }> =>
  service(
    (registry) => {
      const { arrived, caches } = registry.get(hydrations)
      const cache = new QueryCache(gcTime, capacity, arrived)
      caches.add(cache)
      const onUserChange = new Set([cache.changeUser])
      const state = { client: new Client(layer()), cache, reconnect, onUserChange }
      return { ...state, session: sessionOf(state) }
    },
    ({ client, session }) => {
      session.close()
      client.close()
    }
  )
