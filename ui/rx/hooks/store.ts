"use client"
/** What all hooks have in common: they show one value, and give the ways to act on it. */
import type * as Rx from "@effect-rx/rx/Rx"
import * as Cause from "effect/Cause"
import * as Option from "effect/Option"
import * as React from "react"
import type { Registry } from "../registry.js"
import { useRegistry, useValue } from "../value.js"

/** A value that can be acted upon. */
export interface Store<S, A> extends Rx.Rx<S> {
  readonly actions: (registry: Registry) => A
}

/** What `view`, the same function in every render, makes of the state, beside the actions. */
export const useStore = <S, A, V>(store: Store<S, A>, view: (state: S) => V): V & A => {
  const registry = useRegistry()
  const state = useValue(store)
  const actions = React.useMemo(() => store.actions(registry), [store, registry])
  return React.useMemo(() => ({ ...view(state), ...actions }), [view, state, actions])
}

/** The error of a cause. A fault in the program is thrown, to the error boundary that is nearest. */
export const errorOf = <E>(cause: Cause.Cause<E>): E => {
  const error = Cause.failureOption(cause)
  if (Option.isSome(error)) return error.value
  throw Cause.squash(cause)
}

export interface Shown<S, A = undefined, E = undefined> {
  readonly status: S
  readonly data: A
  readonly error: E
}

export interface Fetched<S, A = undefined, E = undefined, T = undefined> extends Shown<S, A, E> {
  /** Whether it is being fetched, for the first time or again. */
  readonly isFetching: boolean
  /** When `data` was answered. */
  readonly updatedAt: T
}

export const nothing = { data: undefined, error: undefined } as const
