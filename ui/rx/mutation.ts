/** Calls that change something or send a file: shown before they are confirmed, undone where they fail. */
import * as Result from "@effect-rx/rx/Result"
import type * as Rx from "@effect-rx/rx/Rx"
import {
  type CallOptions,
  type CredentialsError,
  currentWatch,
  doneOf,
  OutcomeUnknown,
  sliceOf,
  type Watch
} from "@quartet/sdk/extend"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import * as Option from "effect/Option"
import type { ClientState } from "./client.js"
import { inspections } from "./inspection.js"
import { type AnyCall, functionOf, type Query, type QueryFunction, QueryId } from "./query.js"
import type { CacheEntry } from "./query-cache.js"
import { fromStore, type Registry, Store } from "./registry.js"

/**
 * What a mutation makes outdated: one query, all queries of a call, however they are narrowed, or all that a word
 * names. @category models
 */
export type QueryFilter = Query<unknown, unknown> | AnyCall<never, unknown, unknown> | string

const isQuery = (target: object): target is Query<unknown, unknown> => QueryId in target

/** Whether any of the filters names an entry. */
export const matching = (...filters: ReadonlyArray<QueryFilter>): ((entry: CacheEntry) => boolean) => {
  const names = new Set(
    filters.map((filter) => {
      if (typeof filter === "string") return filter
      return isQuery(filter) ? filter[QueryId].key : functionOf(filter).family
    })
  )
  return ({ keys }) => [...keys].some((key) => names.has(key))
}

/** A change to what one or more queries show. @category models */
export interface Change {
  readonly matches: (entry: CacheEntry) => boolean
  readonly update: (value: unknown, input: unknown) => unknown
}

/**
 * A change to what a query shows, or every query of a call that is narrowed alike. `update` answers the new value and leaves the old one as it
 * is. If it throws, the run ends as a defect before anything is sent; over an answer that comes later, the change is left
 * out. @category constructors
 */
export const change: {
  <A, E>(query: Query<A, E>, update: (value: A) => A): Change
  <I, A, R>(call: AnyCall<I, A, R>, update: (value: A, input: I) => A): Change
} = (target: object, update: (value: never, input: never) => unknown): Change => {
  // The overloads take nothing else, and tie the update to the target's own types.
  const { id } = isQuery(target) ? { id: undefined } : functionOf(target as AnyCall<never, unknown, unknown>)
  return {
    matches: ({ definition }) =>
      isQuery(target)
        ? definition.key === target[QueryId].key
        : definition.of.id === id && definition.kind === "",
    update: update as Change["update"]
  }
}

/** What a mutation does besides its call. @category models */
export interface MutationOptions<I> {
  /** What it makes outdated, and so is fetched again; every query of its slice where it is left out. */
  readonly invalidates?: ReadonlyArray<QueryFilter> | ((input: I) => ReadonlyArray<QueryFilter>)
  /** What is shown at once, and undone if the call fails. What it changes is fetched again afterwards. */
  readonly optimistic?: (input: I) => ReadonlyArray<Change>
}

/**
 * How one run ended. `cancelled`: it was given up before it was sent, or by the upload's own `cancel`. What was given up by anything else
 * after it was sent is an `error` `OutcomeUnknown`. `defect`: a fault in the program, not in the call. @category models
 */
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
 * Runs a call in a registry and calls back once with its exit. The function that it returns interrupts the run. Throws
 * where the mutation's own options do; nothing is sent then.
 */
export type Perform<in I, out A, out E> = (
  registry: Registry,
  input: I,
  onExit: (exit: Exit.Exit<A, E>) => void,
  options?: CallOptions
) => () => void

/** What runs, its name, and whose runs they are. */
export interface Performer<in I, out A, out E> {
  readonly name: string
  readonly state: (registry: Registry) => Pick<ClientState<never, unknown>, "cache" | "onUserChange">
  readonly perform: Perform<I, A, E>
}

/** Whether the platform may have done its work though the call failed: the present state has to be read. */
const mayHaveHappened = (cause: Cause.Cause<unknown>): boolean => {
  const error = Cause.failureOption(cause)
  return Option.isNone(error) || doneOf(Object(error.value)) !== "no"
}

/** Ends of changes that are shown, each with the answer that it changes. */
export type Applied = Map<(isCommitted: boolean) => void, CacheEntry>

/** Shows changes in the answers that they are for. If one of them throws, none is shown. */
export const apply = (entries: ReadonlyArray<CacheEntry>, changes: ReadonlyArray<Change>): Applied => {
  const applied: Applied = new Map()
  try {
    for (const { matches, update } of changes)
      for (const entry of entries.filter(matches))
        applied.set(
          entry.update((value) => update(value, entry.definition.input)),
          entry
        )
  } catch (fault) {
    for (const end of applied.keys()) end(false)
    throw fault
  }
  return applied
}

/** Runs a call with optimistic changes before and invalidation after. */
export const performing = <I, A, E, R, LE>(
  states: Rx.Rx<ClientState<R, LE>>,
  { call, name, run }: QueryFunction<I, A, E, R>,
  { invalidates = [sliceOf(name)], optimistic = () => [] }: MutationOptions<I> = {}
): Performer<I, A, E | LE | CredentialsError | OutcomeUnknown> => ({
  name,
  state: (registry) => registry.get(states),
  perform: (registry, input, onExit, options) => {
    const { cache, client } = registry.get(states)
    const isOutdated = matching(...(typeof invalidates === "function" ? invalidates(input) : invalidates))
    const changes = apply(cache.all, optimistic(input))
    const endAll = (isCommitted: boolean): void => {
      for (const end of changes.keys()) end(isCommitted)
    }
    const watch: Watch = { sent: 0 }
    const watched = Effect.suspend(() => {
      // Of an effect of the app's own, nobody knows what it has sent.
      if (call === undefined) watch.sent += 1
      return Effect.locally(run(input, options), currentWatch, watch)
    })
    return client.fork(watched, (ended) => {
      const isInterrupted = Exit.isFailure(ended) && Cause.isInterruptedOnly(ended.cause)
      // Its fiber gives it up a moment later.
      if (isInterrupted) watch.leave?.()
      const exit: Exit.Exit<A, E | LE | CredentialsError | OutcomeUnknown> =
        isInterrupted && watch.sent > 0
          ? Exit.fail(new OutcomeUnknown({ operation: name, reason: "Interrupted", attempts: watch.sent }))
          : ended
      endAll(Exit.isSuccess(exit))
      if (Exit.isSuccess(exit) || mayHaveHappened(exit.cause))
        cache.invalidate((entry) => isOutdated(entry) || [...changes.values()].includes(entry))
      onExit(exit)
    })
  }
})

/** Ways to act on a mutation. @category models */
export interface MutationActions<I, A, E> {
  /** Runs the call and answers how it ended. It never rejects, and so need not be awaited. */
  readonly mutate: (
    ...input: Record<never, never> extends I ? readonly [input?: I] : readonly [input: I]
  ) => Promise<Outcome<A, E>>
  /** Forgets what the latest run came to. */
  readonly reset: () => void
}

/** Where an upload stands. @category models */
export type UploadState<A, E> =
  | { readonly status: "idle" }
  | {
      readonly status: "uploading"
      /** Bytes sent; 0 where the transport cannot know. */
      readonly sent: number
      /** All bytes; undefined until the transport knows, and of a stream. */
      readonly total: number | undefined
      /** From 0 to 1; undefined until the transport knows, and of a stream. */
      readonly progress: number | undefined
    }
  | Exclude<Outcome<A, E>, { readonly status: "cancelled" }>

/** Ways to act on an upload. @category models */
export interface UploadActions<in I, out A, out E> {
  /** Begins an upload, cancels one under way, and answers how it ended. It never rejects. */
  readonly start: (input: I) => Promise<Outcome<A, E>>
  /** Gives the upload up: the exchange is abandoned. */
  readonly cancel: () => void
}

/** Shows the latest run of a call: a message to it (`registry.set(value, input)`) begins one. */
interface Runs<S, I, Actions> extends Rx.Writable<S, I> {
  /** The same with runs of its own, as each component has them. */
  readonly instance: () => Runs<S, I, Actions>
  readonly actions: (registry: Registry) => Actions
}

/**
 * A call that changes something. A run continues when nobody observes it any more, and is there for whoever observes it next: until
 * another run, `reset`, or another user. @category models
 */
export interface Mutation<I, A, E> extends Runs<Result.Result<A, E>, I, MutationActions<I, A, E>> {}

/**
 * A call that sends a file. It is interrupted when nobody observes it any more; whoever observes it next is told that it may have been
 * done. @category models
 */
export interface Upload<I, A, E> extends Runs<UploadState<A, E>, I, UploadActions<I, A, E>> {}

/** The states of a call's runs. */
interface RunStates<S, A, E> {
  readonly idle: S
  readonly start: (before: S) => S
  readonly end: (exit: Exit.Exit<A, E>) => S
  /** The options of one run, which may show further states. */
  readonly options?: (show: (state: S) => void) => CallOptions
  /** Whether a run is interrupted by the next one, and with its last observer. */
  readonly isExclusive: boolean
}

/**
 * The runs of a call, of which each registry shows the latest to the user who began it: also to observers that come back, as those do
 * that an `Activity` has hidden. effect-rx's `fn` interrupts a write when another one begins.
 */
const makeRuns = <I, A, E, S, Actions>(
  performer: Performer<I, A, E>,
  states: RunStates<S, A, E>,
  /** `end` interrupts an exclusive run, and forgets any other. */
  actionsOf: (run: (input: I) => Promise<Outcome<A, E>>, end: () => void) => Actions
): Runs<S, I, Actions> => {
  const { idle, isExclusive } = states
  const makeRunner = (registry: Registry) => {
    const store = new Store(idle)
    /** The run under way that is shown. */
    let latest: { stop?: () => void; isGivenUp?: true } | undefined
    /** Whose run is shown. */
    let owner: object | undefined
    const forget = (): void => {
      latest = owner = undefined
      store.set(idle)
    }
    const cancel = (): void => {
      if (latest === undefined) return
      latest.isGivenUp = true
      latest.stop?.()
    }
    /** Forgets the run of a user who has left while nobody observed it. */
    const check = (): void => {
      if (owner !== undefined && owner !== performer.state(registry).cache.owner) forget()
    }
    const onUserChange = (isSame: boolean): void => {
      if (!isSame) forget()
    }
    store.onMount = () => {
      check()
      const { onUserChange: users } = performer.state(registry)
      users.add(onUserChange)
      return () => {
        users.delete(onUserChange)
        if (isExclusive) latest?.stop?.()
      }
    }
    const run = (input: I): Promise<Outcome<A, E>> =>
      new Promise((resolve) => {
        if (isExclusive) cancel()
        const current: NonNullable<typeof latest> = {}
        latest = current
        owner = performer.state(registry).cache.owner
        const seen = registry.get(inspections).onRun?.(performer.name, input)
        const show = (state: S): void => {
          if (latest === current) store.set(state)
        }
        show(states.start(store.getState()))
        const onExit = (ended: Exit.Exit<A, E>): void => {
          const exit = current.isGivenUp ? Exit.interrupt(FiberId.none) : ended
          const outcome = outcomeOf(exit)
          show(states.end(exit))
          seen?.(outcome)
          if (latest === current) latest = undefined
          resolve(outcome)
        }
        try {
          current.stop = performer.perform(registry, input, onExit, states.options?.(show))
        } catch (fault) {
          onExit(Exit.die(fault))
        }
      })
    return { store, run, check, actions: actionsOf(run, isExclusive ? cancel : forget) }
  }
  const runners = new WeakMap<Registry, ReturnType<typeof makeRunner>>()
  const runnerIn = (registry: Registry): ReturnType<typeof makeRunner> => {
    const runner = runners.get(registry) ?? makeRunner(registry)
    runners.set(registry, runner)
    return runner
  }
  const value = fromStore<S, I>(
    (registry) => {
      const { check, store } = runnerIn(registry)
      check()
      return store
    },
    (registry, input) => runnerIn(registry).run(input)
  )
  return Object.assign(value, {
    instance: () => makeRuns(performer, states, actionsOf),
    actions: (registry: Registry) => runnerIn(registry).actions
  })
}

export const makeMutation = <I, A, E>(performer: Performer<I, A, E>): Mutation<I, A, E> => {
  const states: RunStates<Result.Result<A, E>, A, E> = {
    idle: Result.initial(),
    start: (before) => (Result.isSuccess(before) ? Result.waiting(before) : Result.initial(true)),
    end: Result.fromExit,
    isExclusive: false
  }
  return makeRuns(performer, states, (run, reset) => ({
    // The arguments allow no input only where I accepts an empty one.
    mutate: (...[input]) => run((input ?? {}) as I),
    reset
  }))
}

export const makeUpload = <I, A, E>(performer: Performer<I, A, E>): Upload<I, A, E> => {
  const states: RunStates<UploadState<A, E>, A, E> = {
    idle: { status: "idle" },
    start: () => ({ status: "uploading", sent: 0, total: undefined, progress: undefined }),
    end: (exit) => {
      const outcome = outcomeOf(exit)
      return outcome.status === "cancelled" ? { status: "idle" } : outcome
    },
    options: (show) => {
      let step = -1
      const onUpload = (sent: number, all: number): void => {
        const [total, progress] = all > 0 ? [all, sent / all] : [undefined, undefined]
        // A render for each percent, not for each packet; of a stream, for each 64 KiB.
        const next = Math.floor(progress === undefined ? sent / 65_536 : progress * 100)
        if (next !== step) show({ status: "uploading", sent, total, progress })
        step = next
      }
      return { onUpload }
    },
    isExclusive: true
  }
  return makeRuns(performer, states, (start, cancel) => ({ start, cancel }))
}
