/** Calls that change something: run when they are told to, shown before they are confirmed, undone where they fail. */
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type { CallOptions } from "../../core/kernel/dispatch/endpoint.js"
import type { CredentialsError } from "../../core/kernel/errors/errors.js"
import { sliceOf } from "../../core/kernel/operation/operation.js"
import { Board, eachRegistry, posted } from "./board.js"
import {
  failure,
  initial,
  type Registry,
  type Result,
  type Rx,
  success,
  view,
  type Writable
} from "./engine.js"
import { type Change, matching, type QueryFilter, show } from "./optimistic.js"
import type { Asked } from "./source.js"
import type { Store } from "./store.js"

/** What a mutation does besides its call. */
export interface MutationOptions<I> {
  /** What it makes outdated, and so is asked anew; every query of its slice where it is left out. */
  readonly invalidates?: ReadonlyArray<QueryFilter> | ((input: I) => ReadonlyArray<QueryFilter>)
  /** What is shown at once, and undone if the call fails. What it changes is asked anew afterwards. */
  readonly optimistic?: (input: I) => ReadonlyArray<Change>
}

/** How one run ended. `defect`: a fault in the program, not in the call. */
export type Outcome<A, E> =
  | { readonly status: "success"; readonly data: A }
  | { readonly status: "error"; readonly error: E }
  | { readonly status: "cancelled" }
  | { readonly status: "defect"; readonly defect: unknown }

export const outcomeOf = <A, E>(exit: Exit.Exit<A, E>): Outcome<A, E> => {
  if (Exit.isSuccess(exit)) return { status: "success", data: exit.value }
  const error = Cause.failureOption(exit.cause)
  if (Option.isSome(error)) return { status: "error", error: error.value }
  if (Cause.isInterruptedOnly(exit.cause)) return { status: "cancelled" }
  return { status: "defect", defect: Cause.squash(exit.cause) }
}

/**
 * Runs an action in a registry and tells how it ended, and when in milliseconds since 1970. The function that it
 * returns interrupts the run; otherwise it goes on when nobody looks any more.
 */
export type Perform<in I, out A, out E> = (
  registry: Registry,
  input: I,
  onEnd: (exit: Exit.Exit<A, E>, at: number) => void,
  options?: CallOptions
) => () => void

/** Whether the platform may have done its work though the call failed: the present state has to be read. */
const mayHaveHappened = (cause: Cause.Cause<unknown>): boolean => {
  const error = Option.getOrUndefined(Cause.failureOption(cause))
  if (error === undefined) return true
  const tag = typeof error === "object" && error !== null && "_tag" in error ? error._tag : undefined
  return tag === "OutcomeUnknown" || tag === "AnswerError"
}

/** Makes the runs of an action: optimistic changes before, invalidation after. */
export const performing =
  <I, A, E, R, LE>(
    stores: Rx<Store<R, LE>>,
    asked: Asked<I, A, E, R>,
    { invalidates = [sliceOf(asked.name)], optimistic = () => [] }: MutationOptions<I>
  ): Perform<I, A, E | LE | CredentialsError> =>
  (registry, input, onEnd, options) => {
    const { cache, client } = registry.get(stores)
    const targets = typeof invalidates === "function" ? invalidates(input) : invalidates
    const matches = targets.map(matching)
    const shown = show(cache, optimistic(input))
    return client.fork(asked.run(input, options), (exit) => {
      shown.end(Exit.isSuccess(exit))
      if (Exit.isSuccess(exit) || mayHaveHappened(exit.cause)) {
        cache.invalidate((slot) => shown.entries.has(slot.entry) || matches.some((match) => match(slot)))
      }
      onEnd(exit, client.now())
    })
  }

export const ActionId: unique symbol = Symbol.for("@quartet/sdk/rx/Mutation")

/** Runs of one mutation, and what the latest of them came to. */
export interface Action<in I, out A, out E> {
  readonly rx: Writable<Result<A, E>, I>
  /** Begins a run and tells how it ended. It never rejects. */
  readonly run: (registry: Registry, input: I) => Promise<Outcome<A, E>>
  /** Forgets what the latest run came to. */
  readonly reset: (registry: Registry) => void
}

/**
 * A call that changes something, as a value: a message to it (`registry.set(mutation, input)`) runs the call, and it
 * shows what the latest run came to. A run goes on when nobody looks any more: a write is not given up half-way.
 */
export interface Mutation<in I, out A, out E> extends Writable<Result<A, E>, I> {
  /** Makes runs of its own, as each component has them. */
  readonly [ActionId]: () => Action<I, A, E>
}

const makeAction = <I, A, E>(perform: Perform<I, A, E>): Action<I, A, E> => {
  interface Latest {
    readonly board: Board<Result<A, E>>
    count: number
  }
  const latestIn = eachRegistry((): Latest => {
    const forget = (): void => {
      if (!board.value.waiting) board.set(initial(false))
    }
    const board: Board<Result<A, E>> = new Board<Result<A, E>>(initial(false), undefined, forget)
    return { board, count: 0 }
  })
  const run: Action<I, A, E>["run"] = (registry, input) =>
    new Promise((resolve) => {
      const latest = latestIn(registry)
      const { answered } = view(latest.board.value)
      latest.count += 1
      const { count } = latest
      latest.board.set(answered === undefined ? initial(true) : success(answered, true))
      perform(registry, input, (exit, at) => {
        if (latest.count === count) {
          latest.board.set(
            Exit.isSuccess(exit)
              ? success({ value: exit.value, at }, false)
              : failure(exit.cause, undefined, false)
          )
        }
        resolve(outcomeOf(exit))
      })
    })
  const rx = posted<Result<A, E>, I>(
    (registry) => latestIn(registry).board,
    (registry, input) => {
      void run(registry, input)
    }
  )
  const reset = (registry: Registry): void => {
    const latest = latestIn(registry)
    latest.count += 1
    latest.board.set(initial(false))
  }
  return { rx, run, reset }
}

/** A mutation over a way to perform it. */
export const makeMutation = <I, A, E>(perform: Perform<I, A, E>): Mutation<I, A, E> =>
  Object.assign(makeAction(perform).rx, { [ActionId]: () => makeAction(perform) })
