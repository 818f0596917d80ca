/** A handler: one operation of the catalogue and what the sandbox does when it is called. */

import type { Audience, Bytes, Operation, Page } from "@quartet/sdk/extend"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { State } from "../state/state.js"
import type { Caller, CallerOf } from "./caller.js"
import type { Refusal } from "./refusal.js"

/** The input of a handler: the whole state, the caller, the decoded input and the present time. */
export interface Call<I, C> {
  readonly state: State
  readonly caller: C
  readonly input: I
  /** The raw query, for the content's own notation. */
  readonly query: ReadonlyArray<readonly [name: string, text: string]>
  readonly now: Date
}

/** A file as an answer. */
export interface Download {
  readonly body: Uint8Array | Stream.Stream<Uint8Array>
  readonly type: string
  readonly fileName: string
}

/** The result of a handler of an operation that answers A: A itself, its page under no name, or a file if A is bytes. */
export type Answered<A> = [A] extends [Bytes] ? Download : [A] extends [Page<infer Item>] ? Page<Item> : A

/** Deviations from the usual form of an answer. */
export interface Options {
  /** Status of a success; 200, or 204 if the answer is undefined. */
  readonly status?: number
  /** Writes a list as a bare array instead of `{ items, paging }`. */
  readonly bare?: true
}

/** A handler with the types of its operation erased, as the platform runs it. */
export interface Handler {
  readonly operation: Operation<never, unknown, never>
  readonly run: (call: Call<unknown, Caller | undefined>) => Effect.Effect<unknown, Refusal>
  readonly options: Options
}

/** Handles an operation for the audiences that it serves. */
export const handle = <I, A, Aud extends Audience>(
  operation: Operation<I, A, Aud>,
  run: (call: Call<I, CallerOf<Aud>>) => Effect.Effect<Answered<A>, Refusal>,
  options: Options = {}
): Handler => ({
  operation,
  // The platform runs a handler only with input decoded by the operation's own schema and a caller whom it serves.
  run: run as unknown as Handler["run"],
  options
})

/** Handles an operation that sends no credentials. */
export const handleOpen = <I, A, Aud extends Audience>(
  operation: Operation<I, A, Aud>,
  run: (call: Call<I, undefined>) => Effect.Effect<Answered<A>, Refusal>
): Handler => ({
  operation,
  // The platform runs a handler only with input decoded by the operation's own schema.
  run: run as unknown as Handler["run"],
  options: {}
})
