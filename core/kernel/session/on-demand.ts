/** Values that are read on first use, once per client, by one call that all readers share. */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { CredentialsProvider } from "../dispatch/credentials.js"
import type { Bindable, Dispatcher } from "../dispatch/dispatcher.js"
import type { CallError } from "../errors/errors.js"
import * as SingleFlight from "./single-flight.js"

/** A value that is read on demand. */
export interface OnDemand<A, R> {
  /** Reads the value, or returns the cached one. A failure is not cached. */
  readonly get: Effect.Effect<A, CallError, R>
  /** Forgets the value, as a sign-out does: the next `get` reads it again. */
  readonly invalidate: Effect.Effect<void, never, R>
}

/** Caches the first successful reading until it is invalidated, or its reader signs out. */
const keep = <A>(
  read: Effect.Effect<A, CallError>,
  onEnd: CredentialsProvider["onEnd"]
): OnDemand<A, never> => {
  /** One reading and its value; a reader after an invalidation does not join a reading that began before. */
  const make = () => {
    const kept: { value?: { readonly read: A } } = {}
    const reading = SingleFlight.make(
      Effect.tap(read, (value) => {
        kept.value = { read: value }
      })
    )
    return Effect.suspend(() => (kept.value === undefined ? reading : Effect.succeed(kept.value.read)))
  }
  let value = make()
  let leave: (() => void) | undefined
  const invalidate = Effect.sync(() => {
    leave?.()
    leave = undefined
    value = make()
  })
  return {
    get: Effect.suspend(() => {
      leave ??= onEnd?.(() => invalidate)
      return value
    }),
    invalidate
  }
}

/** Makes a value on demand of a client. What somebody has read is forgotten when they sign out. */
export const make = <Id, S extends Bindable, A>(
  tag: Context.Tag<Id, S>,
  read: (client: S) => Effect.Effect<A, CallError>
): OnDemand<A, Id> => {
  const values = new WeakMap<Dispatcher, OnDemand<A, never>>()
  const valueFor = (client: S): OnDemand<A, never> => {
    const { dispatcher } = client
    const value = values.get(dispatcher) ?? keep(read(client), dispatcher.settings.credentialsProvider.onEnd)
    values.set(dispatcher, value)
    return value
  }
  return Object.freeze({
    get: Effect.flatMap(tag, (client) => valueFor(client).get),
    invalidate: Effect.flatMap(tag, (client) => valueFor(client).invalidate)
  })
}
