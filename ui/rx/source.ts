/** What can be asked: the calls of a client, and effects of the app's own under a name. */
import * as Effect from "effect/Effect"
import type { Call } from "../../core/kernel/dispatch/binding.js"
import type { CallOptions } from "../../core/kernel/dispatch/endpoint.js"
import type { CallError } from "../../core/kernel/errors/errors.js"
import { type Operation, sliceOf } from "../../core/kernel/operation/operation.js"
import { idOf, schemaOf } from "./identity.js"

const SourceId: unique symbol = Symbol.for("@quartet/sdk/rx/Source")

/** An effect of the app's own that takes an input and has a name, `<slice>.<call>` as operations have. */
export interface Source<in I, out A, out E, out R> {
  readonly [SourceId]: true
  readonly name: string
  readonly run: (input: I) => Effect.Effect<A, E, R>
}

/**
 * Gives an effect a name, so that a client can query it and run it as it does calls. Make it once and keep it.
 *
 * ```ts
 * const tasks = source("onboarding.tasks", () => Effect.flatMap(Admin.onboarding.State, (state) => state.tasks))
 * ```
 */
export const source = <A, E, R, I = Record<never, never>>(
  name: string,
  run: (input: I) => Effect.Effect<A, E, R>
): Source<I, A, E, R> => ({ [SourceId]: true, name, run })

/** A call of any client that a layer of R holds. */
export type AnyCall<I, A, R> = Call<I, A, never, R>

/** What a client needs to know of anything that it asks. */
export interface Asked<in I, out A, out E, out R> {
  readonly name: string
  /** The words by which a mutation names it: its own name, and its slice's. */
  readonly words: ReadonlyArray<string>
  /** Names it in this process, whatever the input. */
  readonly id: string
  readonly run: (input: I, options?: CallOptions) => Effect.Effect<A, E, R>
  /** The operation and its client, where it is a call. */
  readonly call: { readonly operation: Operation<never, unknown, never>; readonly client: string } | undefined
}

const wordsOf = (name: string): ReadonlyArray<string> => [name, sliceOf(name)]

const isSource = (asked: object): asked is Source<never, unknown, unknown, unknown> => SourceId in asked

/** Reads a call or a source. */
export const asked = <I, A, E, R>(
  given: AnyCall<I, A, R> | Source<I, A, E, R>
): Asked<I, A, CallError | E, R> => {
  if (isSource(given)) {
    const { name, run } = given
    return {
      name,
      words: wordsOf(name),
      id: `${name}@${idOf(given)}`,
      run: (input) => run(input),
      call: undefined
    }
  }
  const { client, operation } = given
  const { name } = operation
  const schema = schemaOf(operation.declaration().success)
  // A call takes its input first, and may go without it only where I accepts an empty one.
  const call = given as (input: I, options?: CallOptions) => Effect.Effect<A, CallError, R>
  return {
    name,
    words: wordsOf(name),
    id: `${client}/${name}/${idOf(schema)}`,
    run: (input, options) => Effect.suspend(() => call(input, options)),
    call: { operation, client }
  }
}
