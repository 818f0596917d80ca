/** Values that are read when they are first asked for, once a client, by one call that all askers share. */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Bindable, Dispatcher } from "../dispatch/dispatcher.js"
import type { CallError } from "../errors/errors.js"
import * as SingleFlight from "./single-flight.js"

/** A value that is read on demand. */
export interface OnDemand<A, R> {
  /** Reads the value, or answers the one that was read before. A failure is not kept. */
  readonly get: Effect.Effect<A, CallError, R>
  /** Forgets the value: the next one to ask reads it again. */
  readonly invalidate: Effect.Effect<void, never, R>
}

/** Makes a value on demand of a client. */
export const make = <Id, S extends Bindable, A>(
  tag: Context.Tag<Id, S>,
  read: (client: S) => Effect.Effect<A, CallError>
): OnDemand<A, Id> => {
  const known = new WeakMap<Dispatcher, SingleFlight.Kept<A, CallError>>()
  const keptBy = (client: S): SingleFlight.Kept<A, CallError> => {
    const kept = known.get(client.dispatcher) ?? SingleFlight.keep(read(client))
    known.set(client.dispatcher, kept)
    return kept
  }
  return {
    get: Effect.flatMap(tag, (client) => keptBy(client).get),
    invalidate: Effect.flatMap(tag, (client) => keptBy(client).invalidate)
  }
}
