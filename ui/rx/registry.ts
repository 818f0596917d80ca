/** What the bindings add to a registry of effect-rx: services, and stores whose state outlives the nodes that show it. */
import * as Registries from "@effect-rx/rx/Registry"
import * as Values from "@effect-rx/rx/Rx"
import { scheduleTask } from "@effect-rx/rx-react"
import * as Option from "effect/Option"

/** Holds the present state of Rx values. An app has one; a server has one a request. @category models */
export type Registry = Registries.Registry

/** Whether this is no browser. */
export const isServer = (): boolean => typeof window === "undefined"

/** The registries of providers, and whether React may still forget the provider, and with it the registry that it made. */
export const provided = /*#__PURE__*/ new WeakMap<Registry, boolean>()

/** Makes a registry: for a server's request, a test, or an isolated part of an app. @category constructors */
export const makeRegistry = (): Registry =>
  // A server component may import React's scheduler and not call it: on a server, Effect's stands in.
  Registries.make(isServer() ? {} : { scheduleTask })

/** A service of which each registry makes its own on first use, and keeps it until the registry is reset or disposed. */
export const service = <S>(
  make: (registry: Registry) => S,
  dispose: (service: S) => void = () => undefined
): Values.Rx<S> =>
  Values.keepAlive(
    Values.readable((get) => {
      const instance = make(get.registry)
      get.addFinalizer(() => dispose(instance))
      return instance
    })
  )

const current = /*#__PURE__*/ service((registry) => registry)

/** A state outside of the registry's nodes, as `useSyncExternalStore` knows them. */
export interface ExternalStore<A> {
  readonly getState: () => A
  /** Calls back with later states, never before it has returned. `isRefresh` where the registry refreshed the value. */
  readonly subscribe: (emit: (state: A) => void, isRefresh: boolean) => () => void
}

/** A value that shows a store and takes messages. A server's render reads the state and subscribes to nothing. */
export const fromStore = <A, W>(
  find: (registry: Registry) => ExternalStore<A>,
  write: (registry: Registry, message: W) => void
): Values.Writable<A, W> =>
  Values.writable<A, W>(
    (get) => {
      const store = find(get.registry)
      get.addFinalizer(store.subscribe((state) => get.setSelf(state), Option.isSome(get.self<A>())))
      return store.getState()
    },
    (context, message) => write(context.get(current), message)
  ).pipe(
    // At once, whatever the registry's default is: an idle node would keep its exchange and its connection open.
    Values.setIdleTTL(0),
    Values.withServerValue((get) => find(get(current)).getState())
  )

/** A store that one value shows. */
export class Store<A> implements ExternalStore<A> {
  private emit: ((state: A) => void) | undefined
  /** Called after each change, also while nobody shows it. */
  onChange: (() => void) | undefined

  constructor(protected state: A) {}

  readonly getState = (): A => this.state

  get isMounted(): boolean {
    return this.emit !== undefined
  }

  set(state: A): void {
    this.state = state
    this.emit?.(state)
    this.onChange?.()
  }

  /** Called when it begins to be observed; answers what is called when it ends. */
  onMount: () => (() => void) | undefined = () => undefined

  readonly subscribe = (emit: (state: A) => void): (() => void) => {
    let onUnmount: (() => void) | undefined
    this.emit = emit
    // Not at once: this may be the render of a component, which must not update other components.
    queueMicrotask(() => {
      if (this.emit === emit) onUnmount = this.onMount()
    })
    return () => {
      this.emit = undefined
      onUnmount?.()
    }
  }
}
