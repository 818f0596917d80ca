/**
 * All that Quartet takes from effect-rx, in one place: values that a registry holds, results, and the way into React.
 * A move to the library's successor is a change of this file.
 */
import {
  Registry as Registries,
  RegistryContext,
  Result as Results,
  scheduleTask,
  useRxValue,
  Rx as Values
} from "@effect-rx/rx-react"
import * as Cause from "effect/Cause"
import * as Option from "effect/Option"
import * as React from "react"

/** A value that a registry computes, holds while it is used, and tells of when it changes. */
export type Rx<A> = Values.Rx<A>

/** A value that takes a message of type W. */
export type Writable<A, W> = Values.Writable<A, W>

/** `Initial`, `Success` or `Failure`; `waiting` while it is being asked for (again). */
export type Result<A, E> = Results.Result<A, E>

/** Holds the present state of Rx values. An app has one; a server has one a request. */
export type Registry = Registries.Registry

/** A value that lives outside of the registry, and is told of through it. */
export interface External<A> {
  /**
   * Begins to observe; `emit` tells of later values, and never before this has returned. `again` where the registry
   * was asked to refresh a value that it held.
   */
  readonly attach: (
    registry: Registry,
    emit: (value: A) => void,
    again: boolean
  ) => { readonly value: A; readonly detach: () => void }
  /** The value at a glance: nothing is begun. It is what a server renders, and what a browser hydrates. */
  readonly peek: (registry: Registry) => A
}

const current: Rx<Registry> = /*#__PURE__*/ Values.keepAlive(
  /*#__PURE__*/ Values.readable((get) => get.registry)
)

const read =
  <A>(source: External<A>) =>
  (get: Values.Context): A => {
    const again = Option.isSome(get.self<A>())
    const { detach, value } = source.attach(get.registry, (next) => get.setSelf(next), again)
    get.addFinalizer(detach)
    return value
  }

/** Idle values go at once, whatever the registry's default is: what outlives them is kept by their source. */
const prompt = <A, V extends Rx<A>>(rx: V, source: External<A>): V =>
  Object.assign(Values.setIdleTTL(rx, 0), {
    [Values.ServerValueTypeId]: (get: <B>(rx: Rx<B>) => B) => source.peek(get(current))
  })

/** A value that a registry observes while it is used. */
export const observed = <A>(source: External<A>): Rx<A> => prompt(Values.readable(read(source)), source)

/** The same, taking messages. */
export const commanded = <A, W>(
  source: External<A>,
  write: (registry: Registry, message: W) => void
): Writable<A, W> =>
  prompt(
    Values.writable<A, W>(read(source), (context, message) => write(context.get(current), message)),
    source
  )

/** A value of which each registry makes its own, once, and keeps it until the registry is reset or disposed. */
export const singleton = <A>(make: (registry: Registry) => A, dispose: (value: A) => void): Rx<A> =>
  Values.keepAlive(
    Values.readable((get) => {
      const value = make(get.registry)
      get.addFinalizer(() => dispose(value))
      return value
    })
  )

/** Nothing was asked yet, or the first answer is under way. */
export const initial = <A, E>(waiting: boolean): Result<A, E> => Results.initial(waiting)

/** A value, and when it was answered in milliseconds since 1970. */
export interface Answered<A> {
  readonly value: A
  readonly at: number
}

export const success = <A, E>({ at, value }: Answered<A>, waiting: boolean): Result<A, E> =>
  Results.success(value, { timestamp: at, waiting })

export const failure = <A, E>(
  cause: Cause.Cause<E>,
  previous: Answered<A> | undefined,
  waiting: boolean
): Result<A, E> =>
  Results.failure(cause, {
    waiting,
    previousSuccess:
      previous === undefined
        ? Option.none()
        : Option.some(Results.success<A, E>(previous.value, { timestamp: previous.at }))
  })

/** What a result says, without the library's own types. */
export interface View<A, E> {
  /** The answer, or the last one before a failure. */
  readonly answered: Answered<A> | undefined
  readonly cause: Cause.Cause<E> | undefined
  readonly waiting: boolean
}

export const view = <A, E>(result: Result<A, E>): View<A, E> => {
  const { waiting } = result
  switch (result._tag) {
    case "Initial":
      return { answered: undefined, cause: undefined, waiting }
    case "Success":
      return { answered: { value: result.value, at: result.timestamp }, cause: undefined, waiting }
    case "Failure": {
      const previous = Option.getOrUndefined(result.previousSuccess)
      const answered = previous && { value: previous.value, at: previous.timestamp }
      // An interruption is nobody's failure: it is as if nothing had been asked.
      const cause = Cause.isInterruptedOnly(result.cause) ? undefined : result.cause
      return { answered, cause, waiting }
    }
  }
}

/** Waits until a result is there, and no other one is under way. */
export const settled = <A, E>(registry: Registry, rx: Rx<Result<A, E>>): Promise<void> =>
  new Promise((resolve) => {
    const see = ({ _tag, waiting }: Result<A, E>): void => {
      if (_tag === "Initial" || waiting) return
      leave()
      resolve()
    }
    const leave = registry.subscribe(rx, see)
    registry.get(rx)
    // Once it is known whether what was there is still good.
    queueMicrotask(() => see(registry.get(rx)))
  })

/** Makes a registry: for a server's request, a test, or a part of an app that shares nothing with the rest. */
export const makeRegistry = (): Registry => Registries.make({ scheduleTask })

/** The registry of the nearest provider. */
export const useRegistry = (): Registry => React.useContext(RegistryContext)

/** The present value, and a render whenever it changes. */
export const useValue = <A>(rx: Rx<A>): A => useRxValue(rx)

/** Gives a registry to everything inside. */
export const RegistryBoundary = (props: {
  readonly registry: Registry
  readonly children?: React.ReactNode
}): React.ReactElement =>
  React.createElement(RegistryContext.Provider, { value: props.registry }, props.children)
