/** Calls that change something or send a file: shown before they are confirmed, undone where they fail. */
import { Result, type Rx } from "@effect-rx/rx-react"
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type { CallOptions } from "../../core/kernel/dispatch/endpoint.js"
import type { CredentialsError } from "../../core/kernel/errors/errors.js"
import { sliceOf } from "../../core/kernel/operation/operation.js"
import type { ClientState } from "./client.js"
import { type AnyCall, functionOf, type Query, type QueryFunction, QueryId, whole } from "./query.js"
import type { CacheEntry, OptimisticUpdate } from "./query-cache.js"
import { local, type Registry } from "./registry.js"

/** What a mutation makes outdated: one query, all queries of a call, or all that a word names. */
export type QueryFilter = Query<unknown, unknown> | AnyCall<never, unknown, unknown> | string

const isQuery = (target: object): target is Query<unknown, unknown> => QueryId in target

/** Tells the entries that a filter names. */
const matching = (target: QueryFilter): ((entry: CacheEntry) => boolean) => {
  if (typeof target === "string") return ({ keys }) => keys.has(target)
  if (isQuery(target)) {
    const { key } = target[QueryId]
    return ({ definition }) => definition.key === key
  }
  const { id } = functionOf(target)
  return ({ definition }) => definition.call === id
}

/** Tells the entries that any of the filters names. */
export const matchingAny = (targets: ReadonlyArray<QueryFilter>): ((entry: CacheEntry) => boolean) => {
  const filters = targets.map(matching)
  return (entry) => filters.some((matches) => matches(entry))
}

/** A change to what one or more queries show. */
export interface Change {
  readonly matches: (entry: CacheEntry) => boolean
  readonly update: (value: unknown, input: unknown) => unknown
}

/**
 * A change to what a query shows, or to what every query of a call shows, whatever its input. `update` answers the
 * new value and leaves the old one as it is.
 */
export const change: {
  <A, E>(query: Query<A, E>, update: (value: A) => A): Change
  <I, A, R>(call: AnyCall<I, A, R>, update: (value: A, input: I) => A): Change
} = (target: object, update: (value: never, input: never) => unknown): Change => {
  const matches = matching(target as QueryFilter)
  return {
    matches: (entry) => matches(entry) && (isQuery(target) || entry.definition.kind === whole),
    // The overloads tie the update to the target's own types.
    update: update as Change["update"]
  }
}

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

/** Runs a call in a registry and tells, once, how it ended. The function that it returns interrupts the run. */
export type Perform<in I, out A, out E> = (
  registry: Registry,
  input: I,
  onEnd: (exit: Exit.Exit<A, E>) => void,
  options?: CallOptions
) => () => void

/** Whether the platform may have done its work though the call failed: the present state has to be read. */
const mayHaveHappened = (cause: Cause.Cause<unknown>): boolean => {
  const error = Option.getOrUndefined(Cause.failureOption(cause))
  if (error === undefined) return true
  const tag = typeof error === "object" && error !== null && "_tag" in error ? error._tag : undefined
  return tag === "OutcomeUnknown" || tag === "AnswerError"
}

/** Makes the runs of a call: optimistic changes before, invalidation after. */
export const performing =
  <I, A, E, R, LE>(
    states: Rx.Rx<ClientState<R, LE>>,
    { name, run }: QueryFunction<I, A, E, R>,
    { invalidates = [sliceOf(name)], optimistic = () => [] }: MutationOptions<I>
  ): Perform<I, A, E | LE | CredentialsError> =>
  (registry, input, onEnd, options) => {
    const { cache, client } = registry.get(states)
    const isOutdated = matchingAny(typeof invalidates === "function" ? invalidates(input) : invalidates)
    const shown = optimistic(input).flatMap(({ matches, update }) =>
      cache.all.filter(matches).map((entry) => {
        const pending: OptimisticUpdate = (value) => update(value, entry.definition.input)
        entry.add(pending)
        return { entry, pending }
      })
    )
    const changed = new Set(shown.map(({ entry }) => entry))
    return client.fork(run(input, options), (exit) => {
      for (const { entry, pending } of shown) entry.end(pending, Exit.isSuccess(exit))
      if (Exit.isSuccess(exit) || mayHaveHappened(exit.cause))
        cache.invalidate((entry) => changed.has(entry) || isOutdated(entry))
      onEnd(exit)
    })
  }

/** Ways to act on a mutation. */
export interface MutationActions<I, A, E> {
  /** Runs the call and tells how it ended. It never rejects, and so need not be awaited. */
  readonly mutate: (
    ...input: Record<never, never> extends I ? readonly [input?: I] : readonly [input: I]
  ) => Promise<Outcome<A, E>>
  /** Forgets what the latest run came to. */
  readonly reset: () => void
}

/**
 * A call that changes something, as a value: a message to it (`registry.set(mutation, input)`) runs the call, and it
 * shows what the latest run came to. A run goes on when nobody observes it any more: a write is not given up half-way.
 */
export interface Mutation<I, out A, out E> extends Rx.Writable<Result.Result<A, E>, I> {
  /** The same with runs of its own, as each component has them. */
  readonly instance: () => Mutation<I, A, E>
  readonly actions: (registry: Registry) => MutationActions<I, A, E>
}

/**
 * A mutation over a way to perform it. effect-rx's `fn` interrupts a write when its component is unmounted or another
 * one begins, and its promise answers with the latest run's result for each of them.
 */
export const makeMutation = <I, A, E>(perform: Perform<I, A, E>): Mutation<I, A, E> => {
  const latest = new WeakMap<Registry, object>()
  const mutate = (registry: Registry, input: I): Promise<Outcome<A, E>> =>
    new Promise((resolve) => {
      const run = {}
      latest.set(registry, run)
      const before = shown.get(registry)
      shown.set(registry, Result.isSuccess(before) ? Result.waiting(before) : Result.initial(true))
      perform(registry, input, (exit) => {
        if (latest.get(registry) === run) shown.set(registry, Result.fromExit(exit))
        resolve(outcomeOf(exit))
      })
    })
  const shown = local<Result.Result<A, E>, I>(Result.initial(), mutate)
  return Object.assign(shown.value, {
    instance: () => makeMutation(perform),
    actions: (registry: Registry): MutationActions<I, A, E> => ({
      // The arguments allow no input only where I accepts an empty one.
      mutate: (...[input]) => mutate(registry, (input ?? {}) as I),
      reset: () => {
        latest.delete(registry)
        shown.set(registry, Result.initial())
      }
    })
  })
}

/** Where an upload stands. */
export type UploadState<A, E> =
  | { readonly status: "idle" }
  | {
      readonly status: "uploading"
      /** Bytes sent; 0 where the transport cannot know. */
      readonly sent: number
      /** All bytes; undefined until the transport tells, and of a stream. */
      readonly total: number | undefined
      /** From 0 to 1; undefined until the transport tells, and of a stream. */
      readonly progress: number | undefined
    }
  | { readonly status: "success"; readonly data: A }
  | { readonly status: "error"; readonly error: E }
  | { readonly status: "defect"; readonly defect: unknown }

/** Ways to act on an upload. */
export interface UploadActions<in I, out A, out E> {
  /** Begins an upload in the place of one under way, and tells how it ended. It never rejects. */
  readonly start: (input: I) => Promise<Outcome<A, E>>
  /** Gives the upload up: the exchange is abandoned. */
  readonly cancel: () => void
}

/**
 * A call that sends a file, as a value: a message to it (`registry.set(upload, input)`) begins an upload. It is given
 * up when nobody observes it any more.
 */
export interface Upload<in I, out A, out E> extends Rx.Writable<UploadState<A, E>, I> {
  /** The same with an upload of its own, as each component has one. */
  readonly instance: () => Upload<I, A, E>
  readonly actions: (registry: Registry) => UploadActions<I, A, E>
}

/** An upload over a way to perform it. */
export const makeUpload = <I, A, E>(perform: Perform<I, A, E>): Upload<I, A, E> => {
  const running = new WeakMap<Registry, () => void>()
  const cancel = (registry: Registry): void => running.get(registry)?.()
  const start = (registry: Registry, input: I): Promise<Outcome<A, E>> =>
    new Promise((resolve) => {
      cancel(registry)
      shown.set(registry, { status: "uploading", sent: 0, total: undefined, progress: undefined })
      let isOver = false
      let step = -1
      const onUpload = (sent: number, all: number): void => {
        const [total, progress] = all > 0 ? [all, sent / all] : [undefined, undefined]
        // A render for each percent, not for each packet; of a stream, for each 64 KiB.
        const next = Math.floor(progress === undefined ? sent / 65_536 : progress * 100)
        if (isOver || next === step) return
        step = next
        shown.set(registry, { status: "uploading", sent, total, progress })
      }
      const onEnd = (exit: Exit.Exit<A, E>): void => {
        isOver = true
        running.delete(registry)
        const outcome = outcomeOf(exit)
        shown.set(registry, outcome.status === "cancelled" ? { status: "idle" } : outcome)
        resolve(outcome)
      }
      const stop = perform(registry, input, onEnd, { onUpload })
      if (!isOver) running.set(registry, stop)
    })
  const shown = local<UploadState<A, E>, I>({ status: "idle" }, start, cancel)
  return Object.assign(shown.value, {
    instance: () => makeUpload(perform),
    actions: (registry: Registry): UploadActions<I, A, E> => ({
      start: (input) => start(registry, input),
      cancel: () => cancel(registry)
    })
  })
}
