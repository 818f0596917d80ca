/**
 * The client of one query client in one registry: built from its layer on first use, run from there, and closed with it.
 *
 * effect-rx's `runtime` cannot try a layer before it replaces another with it: a sign-in that is refused takes the client
 * away that there was.
 */
import type * as Rx from "@effect-rx/rx/Rx"
import { CredentialsError } from "@quartet/sdk/extend"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { hydrations } from "./hydration.js"
import { inspections } from "./inspection.js"
import { QueryCache, type Signal } from "./query-cache.js"
import { service } from "./registry.js"

const nobody = /*#__PURE__*/ Effect.suspend(
  () => new CredentialsError({ operation: "client", reason: "Missing", advice: "nobody is signed in" })
)

/** Effects over a layer, and the means to change the layer under them. */
export class Client<R, E> {
  private runtime: ManagedRuntime.ManagedRuntime<R, E> | undefined
  /** What runs, by what interrupts it, and over which layer. */
  private readonly running = new Map<() => void, ManagedRuntime.ManagedRuntime<R, E> | undefined>()
  /** Layers that are released once nothing runs over them. */
  private readonly retired = new Set<ManagedRuntime.ManagedRuntime<R, E>>()
  /** Called with every exit over the present layer, after whoever ran the effect. */
  onExit: (exit: Exit.Exit<unknown, unknown>) => void = () => undefined

  /** What its layer has built. */
  private built: { context?: Context.Context<R> } = {}

  constructor(layer: Layer.Layer<R, E> | undefined) {
    const { built } = this
    const noted = Effect.map(Effect.context<R>(), (context) => {
      built.context = context
    })
    if (layer !== undefined)
      this.runtime = ManagedRuntime.make(Layer.provideMerge(Layer.effectDiscard(noted), layer))
  }

  /** The services of its layer, once it is built. */
  get services(): Iterable<unknown> {
    return this.isOpen ? (this.built.context?.unsafeMap.values() ?? []) : []
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
    const { runtime } = this
    const fiber = Effect.runFork<A, E2 | E | CredentialsError>(
      runtime === undefined ? nobody : Effect.provide(effect, runtime)
    )
    const end = (exit: Exit.Exit<A, E2 | E | CredentialsError>): void => {
      if (!this.running.delete(interrupt)) return
      onExit(exit)
      if (runtime === this.runtime) this.onExit(exit)
      this.release()
    }
    const interrupt = (): void => {
      fiber.unsafeInterruptAsFork(FiberId.none)
      end(Exit.interrupt(FiberId.none))
    }
    this.running.set(interrupt, runtime)
    queueMicrotask(() => fiber.addObserver(end))
    return interrupt
  }

  /** Replaces its layer by that of another client. What runs over the former one is interrupted, or goes on to its end. */
  adopt(replacement: Client<R, E>, goesOn: boolean): void {
    if (!goesOn) this.close()
    this.retire()
    this.runtime = replacement.runtime
    this.built = replacement.built
    replacement.runtime = undefined
    this.release()
  }

  /** Interrupts what runs, calls back with that, and releases the layer. */
  close(): void {
    this.retire()
    for (const interrupt of [...this.running.keys()]) interrupt()
    this.release()
  }

  private retire(): void {
    if (this.runtime !== undefined) this.retired.add(this.runtime)
    this.runtime = undefined
  }

  private release(): void {
    if (this.retired.size === 0) return
    const used = new Set(this.running.values())
    for (const runtime of this.retired)
      if (!used.has(runtime)) {
        this.retired.delete(runtime)
        Effect.runFork(runtime.disposeEffect)
      }
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
export const StatesId: unique symbol = Symbol.for("@quartet/react/States")

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
      registry.get(inspections).clients.add(state.client)
      return { ...state, session: sessionOf(state) }
    },
    ({ client, session }) => {
      session.close()
      client.close()
    }
  )
