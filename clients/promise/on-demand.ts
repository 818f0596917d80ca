/** A client's values on demand, as Promises: `client.onDemand.project.get()`. */
import * as Effect from "effect/Effect"
import type { Bindable } from "../../core/kernel/dispatch/dispatcher.js"
import type { OnDemand } from "../../core/kernel/session/on-demand.js"
import type { Parts } from "./caller.js"
import type { Cancellable } from "./options.js"
import { mapped } from "./slices.js"

/** A value that is read on demand. @category models */
export interface PromiseOnDemand<A> {
  /** Reads the value, or returns the cached one. A failure is not cached. */
  readonly get: (options?: Cancellable) => Promise<A>
  /** Forgets the value: the next `get` reads it again. */
  readonly invalidate: () => Promise<void>
}

/** The members of a client's `onDemand`. */
export type OnDemandMembers<Namespace> = {
  readonly [K in keyof Namespace]: Namespace[K] extends OnDemand<infer A, infer _R>
    ? PromiseOnDemand<A>
    : Namespace[K] extends Effect.Effect<infer A, infer _E, infer _R>
      ? (options?: Cancellable) => Promise<A>
      : never
}

type Values<Id> = Readonly<Record<string, OnDemand<unknown, Id> | Effect.Effect<unknown, unknown, Id>>>

/** Makes the `onDemand` of one client. */
export const makeOnDemand = <Id, V extends Values<Id>>(
  values: V & Values<Id>,
  { provide, runner }: Parts<Id, Bindable>
): OnDemandMembers<V> => {
  const cancellable =
    (name: string, effect: Effect.Effect<unknown, unknown, Id>) =>
    (options?: Cancellable): Promise<unknown> =>
      runner.runCancellable(`onDemand.${name}`, provide(effect), options)
  // The type above states the result of this loop for each name.
  return mapped<Values<Id>[string], unknown>(values, (value, name) =>
    Effect.isEffect(value)
      ? cancellable(name, value)
      : { get: cancellable(name, value.get), invalidate: cancellable(name, value.invalidate) }
  ) as OnDemandMembers<V>
}
