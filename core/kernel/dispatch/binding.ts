/** Binds operations to a client: the one step from a declared call to a function that a program can use. */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { CallError } from "../errors/errors.js"
import type { As, Typed } from "../operation/answer.js"
import type { Audience, Operation } from "../operation/operation.js"
import type { Dispatcher } from "./dispatcher.js"
import type { CallOptions } from "./endpoint.js"

/** A client's part in a binding. */
export interface Bindable {
  readonly dispatcher: Dispatcher
}

/** The arguments of a call: its input, which may be left out where nothing in it is required, and options. */
export type Args<I, O = CallOptions> =
  Record<never, never> extends I ? readonly [input?: I, options?: O] : readonly [input: I, options?: O]

/** A call bound to a client. */
export interface Call<I, A, Aud extends Audience, R> {
  (...args: Args<I>): Effect.Effect<A, CallError, R>
  readonly operation: Operation<I, A, Aud>
  /** The key of the client's tag: tells one operation apart where several clients offer it. */
  readonly client: string
  /** The same call with its answer (of a list: each item) narrowed to the caller's own schema. Make it once and keep it. */
  readonly as: <B>(schema: Typed<B>) => Call<I, As<A, B>, Aud, R>
}

/** A client as a layer: what the client has under way ends with the layer. */
export const layer = <Id, S extends Bindable, E, R>(
  tag: Context.Tag<Id, S>,
  make: Effect.Effect<S, E, R>
): Layer.Layer<Id, E, Exclude<R, Scope.Scope>> =>
  Layer.scoped(
    tag,
    Effect.tap(make, ({ dispatcher }) => Effect.addFinalizer(() => dispatcher.lifetime.close))
  )

/** Makes the `bind` of one client: it accepts only operations that serve the client's audience. */
export const binder =
  <Aud extends Audience>() =>
  <Id, S extends Bindable>(tag: Context.Tag<Id, S>) =>
  <I, A>(operation: Operation<I, A, Aud>): Call<I, A, Aud, Id> => {
    const call = (...[input, options]: Args<I>): Effect.Effect<A, CallError, Id> =>
      // Args allows no input only where I accepts an empty one.
      Effect.flatMap(tag, ({ dispatcher }) => dispatcher.call<I, A>(operation, (input ?? {}) as I, options))
    return Object.assign(call, {
      operation,
      client: tag.key,
      as: <B>(schema: Typed<B>) => binder<Aud>()(tag)(operation.as(schema))
    })
  }
