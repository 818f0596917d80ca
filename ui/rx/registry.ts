/** What the bindings add to a registry of effect-rx: services, and values that are held outside of its nodes. */
import { Registry as Registries, scheduleTask, Rx as Values } from "@effect-rx/rx-react"
import * as Option from "effect/Option"

/** Holds the present state of Rx values. An app has one; a server has one a request. @category models */
export type Registry = Registries.Registry

/**
 * Makes a registry: for a server's request, a test, or a part of an app that shares nothing with the rest.
 * @category constructors
 */
export const makeRegistry = (): Registry => Registries.make({ scheduleTask })

/** A service of which each registry makes its own on first use, and keeps it until the registry is reset or disposed. */
export const service = <S>(
  make: (registry: Registry) => S,
  dispose: (service: S) => void = () => undefined
): Values.Rx<S> =>
  Values.keepAlive(
    Values.readable((get) => {
      const made = make(get.registry)
      get.addFinalizer(() => dispose(made))
      return made
    })
  )

const current = /*#__PURE__*/ service((registry) => registry)

/** Holds a state that outlives the node of the value that shows it. */
export interface Held<A> {
  readonly state: () => A
  /** Begins to tell of later states, never before it has returned. `isRefresh` where the registry refreshed the value. */
  readonly observe: (emit: (state: A) => void, isRefresh: boolean) => () => void
}

/** A value that shows a held state and takes messages. A server renders the state at a glance, which begins nothing. */
export const showing = <A, W>(
  find: (registry: Registry) => Held<A>,
  write: (registry: Registry, message: W) => void
): Values.Writable<A, W> =>
  Values.writable<A, W>(
    (get) => {
      const held = find(get.registry)
      const isRefresh = Option.isSome(get.self<A>())
      get.addFinalizer(held.observe((state) => get.setSelf(state), isRefresh))
      return held.state()
    },
    (context, message) => write(context.get(current), message)
  ).pipe(
    // At once, whatever the registry's default is: an idle node would keep its exchange and its connection open.
    Values.setIdleTTL(0),
    Values.withServerValue((get) => find(get(current)).state())
  )

/** A value that only actions change. It is forgotten with its last observer, who calls `onRelease`. */
export const local = <A, W>(
  first: A,
  write: (registry: Registry, message: W) => void,
  onRelease: (registry: Registry) => void = () => undefined
) => {
  const places = new WeakMap<Registry, { state: A; readonly emit: (state: A) => void }>()
  const get = (registry: Registry): A => places.get(registry)?.state ?? first
  const set = (registry: Registry, state: A): void => {
    const place = places.get(registry)
    if (place === undefined) return
    place.state = state
    place.emit(state)
  }
  const observe = (registry: Registry, emit: (state: A) => void) => {
    places.set(registry, { state: first, emit })
    return () => {
      places.delete(registry)
      onRelease(registry)
    }
  }
  const held = (registry: Registry): Held<A> => ({
    state: () => get(registry),
    observe: (emit) => observe(registry, emit)
  })
  return { value: showing(held, write), get, set }
}

/** A held state that changes by itself, with one value that shows it. */
export abstract class Subject<A> implements Held<A> {
  private emit: ((state: A) => void) | undefined

  constructor(private shown: A) {}

  readonly state = (): A => this.shown

  get isObserved(): boolean {
    return this.emit !== undefined
  }

  protected set(state: A): void {
    this.shown = state
    this.emit?.(state)
  }

  protected abstract onObserve(): void
  protected onRelease(): void {}

  observe(emit: (state: A) => void): () => void {
    this.emit = emit
    // Not at once: this may be the render of a component, and other components must not be told within it.
    queueMicrotask(() => {
      if (this.emit === emit) this.onObserve()
    })
    return () => {
      this.emit = undefined
      this.onRelease()
    }
  }
}
