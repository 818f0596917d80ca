/** From a client's layer to everything that a React app needs of it. */
import type * as Rx from "@effect-rx/rx/Rx"
import { type Args, type CallError, type Known, Options, type Page, type Paged } from "@quartet/sdk/extend"
import * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { OutboxError } from "../outbox/error.js"
import * as Chats from "./chat-store.js"
import { type ClientState, makeStates, StatesId } from "./client.js"
import * as Mutations from "./mutation.js"
import * as Queries from "./query.js"
import * as Signals from "./query-cache.js"
import { type QueuedMutation, type QueuedMutationOptions, QueueId } from "./queue.js"
import type { Registry } from "./registry.js"
import {
  type Calls,
  makeSession,
  makeStore,
  type Session,
  type SessionError,
  type SharedSession
} from "./session.js"

/** The options of a query client. @category models */
export interface QueryClientOptions {
  /** Distinguishes the query clients of a page whose answers travel from a server to a browser; empty by default. */
  readonly name?: string
  /** How long an answer is not fetched again on mount, focus and reconnect; 5 seconds. A number is milliseconds. */
  readonly staleTime?: Duration.DurationInput
  /** How long an answer is kept that nobody observes; 5 minutes. A number is milliseconds. */
  readonly gcTime?: Duration.DurationInput
  /** Most answers that nobody observes; 200. */
  readonly capacity?: number
  /** When old answers are fetched again because the user is back; the page's visibility and focus. */
  readonly focus?: Signals.Signal
  /** When they are because the network is; the browser's `online`. */
  readonly reconnect?: Signals.Signal
  /** The client's calls, such as the module `Admin`, so that `can("requests", "markSeen")` knows their levels. */
  readonly calls?: Calls
}

const known: Known<QueryClientOptions & { readonly credentials?: unknown; readonly tabs?: unknown }> = {
  name: "string",
  staleTime: "any",
  gcTime: "any",
  capacity: "any",
  focus: "function",
  reconnect: "function",
  calls: "any",
  credentials: "any",
  tabs: "any"
}

const ofQueries: Known<Queries.QueryOptions> = {
  keys: "any",
  staleTime: "any",
  refetchOnWindowFocus: "boolean",
  refetchOnReconnect: "boolean"
}

const ofLists: Known<Queries.InfiniteQueryOptions> = { ...ofQueries, first: "any", limit: "any" }

const ofMutations: Known<Mutations.MutationOptions<never>> = { invalidates: "any", optimistic: "function" }

const ofQueued: Known<QueuedMutationOptions<never>> = {
  ...ofMutations,
  outbox: "any",
  scope: "function",
  name: "string"
}

/** Everything over one client, whose layer can fail with `E`; signing in takes `C`. @category models */
export interface QueryClient<R, E, in C> {
  /**
   * What a call, or an effect of the app's own, answers to an input. Equal queries are the same value. Throws InputError
   * for an input with a field that is named like a secret, because a query keeps its input: that is for a mutation.
   */
  readonly query: <I, A, E2 = never>(
    callOrSource: Queries.AnyCall<I, A, R> | Queries.Source<I, A, E2, R>,
    ...args: Args<I, Queries.QueryOptions>
  ) => Queries.Query<A, CallError | E | E2>
  /** All pages of a list, one after another. Sends `page`, and `limit` where it is given, beside the input. */
  readonly infiniteQuery: <I, A>(
    call: Queries.AnyCall<I, Page<A>, R>,
    ...args: Args<NoInfer<Paged<I>>, Queries.InfiniteQueryOptions>
  ) => Queries.InfiniteQuery<A, CallError | E>
  /** A call that changes something. It makes every query of its slice outdated, unless it says what. */
  readonly mutation: {
    /** With an outbox, what it does is kept on the device until the platform has done it. */
    <I, A>(
      call: Queries.AnyCall<I, A, R>,
      options: QueuedMutationOptions<I>
    ): QueuedMutation<I, A, CallError | E | OutboxError>
    <I, A, E2 = never>(
      callOrSource: Queries.AnyCall<I, A, R> | Queries.Source<I, A, E2, R>,
      options?: Mutations.MutationOptions<I> & { readonly outbox?: never }
    ): Mutations.Mutation<I, A, CallError | E | E2>
  }
  /** A call that sends a file, with progress and a way to stop it. */
  readonly upload: <I, A>(
    call: Queries.AnyCall<I, A, R>,
    options?: Pick<Mutations.MutationOptions<I>, "invalidates">
  ) => Mutations.Upload<I, A, CallError | E>
  /** A chat, open while it is observed: give it what opens one, made once. */
  readonly chat: <E2>(
    open: Effect.Effect<Chats.ChatSource, E2, R | Scope.Scope>,
    options?: Chats.ChatStoreOptions
  ) => Chats.ChatStore<Chats.ChatStoreError<E | E2>>
  readonly session: Session<C, SessionError<E>>
  /** Fetches again what changed outside of a mutation: at once where somebody observes it, otherwise when somebody does. */
  readonly invalidate: (registry: Registry, ...filters: ReadonlyArray<Mutations.QueryFilter>) => void
  readonly [StatesId]: Rx.Rx<ClientState<R, E>>
}

/**
 * Makes a query client. With a layer, the client signs in by itself, with what its configuration says; nothing is
 * built or sent before the first query. With a function from credentials to a layer, nobody is signed in until
 * `signIn(credentials)`, or from the start where `credentials` are given. `tabs` (`@quartet/sdk/adapters/tabs`) has a
 * session from the start where another tab has kept one, and follows it: the layer takes what `tabs.session()`
 * answers. Make it once, outside of components; on a server, once a request. It and its methods throw InputError for
 * an option that there is not.
 *
 * @example
 * ```tsx
 * import * as FetchTransport from "@quartet/sdk/adapters/fetch"
 * import * as Admin from "@quartet/sdk/admin"
 * import { makeQueryClient } from "@quartet/react"
 * import * as Layer from "effect/Layer"
 *
 * const account = { baseUrl: "https://api.example.com", projectId: "p1", email: "ada@example.com", password: "…" }
 * const client = makeQueryClient(Layer.provide(Admin.layer(account), FetchTransport.layer))
 *
 * ```
 * @category constructors
 */
export const makeQueryClient: {
  <R, E>(
    layer: Layer.Layer<R, E>,
    options?: QueryClientOptions & { readonly tabs?: SharedSession<unknown> }
  ): QueryClient<R, E, void>
  <C, R, E>(
    layerFor: (credentials: C) => Layer.Layer<R, E>,
    options?: QueryClientOptions & {
      readonly credentials?: NoInfer<C> | undefined
      readonly tabs?: SharedSession<NoInfer<C>>
    }
  ): QueryClient<R, E, C>
} = <C, R, E>(
  layer: Layer.Layer<R, E> | ((credentials: C) => Layer.Layer<R, E>),
  options: QueryClientOptions & {
    readonly credentials?: C | undefined
    readonly tabs?: SharedSession<C>
  } = {}
): QueryClient<R, E, C> => {
  Options.check("makeQueryClient", options, known)
  const { calls = {}, capacity = 200, credentials, focus = Signals.focus, gcTime = 300_000 } = options
  const { name = "", reconnect = Signals.reconnect, staleTime = 5_000, tabs } = options
  const layerFor = typeof layer === "function" ? layer : () => layer
  const first = () => {
    if (typeof layer !== "function") return layer
    const known = credentials ?? tabs?.session()
    return known === undefined ? undefined : Layer.suspend(() => layer(known))
  }
  const states = makeStates(first, Duration.toMillis(gcTime), capacity, reconnect, (state) =>
    makeStore(state, layerFor, calls, tabs)
  )
  const query = Queries.makeQueries(name, staleTime, states, focus, reconnect)
  const session = makeSession(states)
  const mutation = (<I, A>(
    callOrSource: Queries.AnyCall<I, A, R>,
    options?: Mutations.MutationOptions<I> | QueuedMutationOptions<I>
  ) => {
    Options.check<QueuedMutationOptions<I>>(
      "mutation",
      options as QueuedMutationOptions<I> | undefined,
      ofQueued
    )
    return options !== undefined && "outbox" in options && options.outbox !== undefined
      ? options.outbox[QueueId]({ states, session, call: callOrSource, options })
      : Mutations.makeMutation(Mutations.performing(states, Queries.functionOf(callOrSource), options))
  }) as QueryClient<R, E, C>["mutation"]
  return {
    query: (callOrSource, ...[input, queryOptions]) => {
      Options.check("query", queryOptions, ofQueries)
      return query(Queries.whole(Queries.functionOf(callOrSource), input), queryOptions)
    },
    infiniteQuery: (call, ...[input, range]) => {
      Options.check("infiniteQuery", range, ofLists)
      return query(Queries.byPages(Queries.functionOf(call), call.operation, input, range), range)
    },
    mutation,
    upload: (call, effects) => {
      Options.check("upload", effects, { invalidates: "any" })
      return Mutations.makeUpload(Mutations.performing(states, Queries.functionOf(call), effects))
    },
    chat: <E2>(
      open: Effect.Effect<Chats.ChatSource, E2, R | Scope.Scope>,
      limits?: Chats.ChatStoreOptions
    ) => {
      Options.check("chat", limits, { keep: "any" })
      return Chats.makeChatStore<R, E | E2>(states, open, limits)
    },
    session,
    invalidate: (registry, ...filters) =>
      registry.get(states).cache.invalidate(Mutations.matching(...filters)),
    [StatesId]: states
  }
}
