/** From a client's layer to everything that a React app needs of it. */
import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { Args } from "../../core/kernel/dispatch/binding.js"
import type { Paged } from "../../core/kernel/dispatch/pagination.js"
import type { CallError } from "../../core/kernel/errors/errors.js"
import type { Page } from "../../core/kernel/operation/answer.js"
import type { Registry } from "./engine.js"
import { family } from "./family.js"
import {
  type ChatSource,
  type ChatStore,
  type ChatStoreError,
  type ChatStoreOptions,
  makeChatStore
} from "./live.js"
import { type Mutation, type MutationOptions, makeMutation, performing } from "./mutation.js"
import { matching, type QueryFilter } from "./optimistic.js"
import { type InfiniteQuery, type InfiniteQueryOptions, listing } from "./pages.js"
import { inquire, type Query, type QueryOptions, type Site, whole } from "./query.js"
import { type Calls, makeSession, type Session, type SessionError } from "./session.js"
import * as Signals from "./signals.js"
import { type AnyCall, type Asked, asked, type Source } from "./source.js"
import { makeStores } from "./store.js"
import { makeUpload, type Upload } from "./upload.js"

/** What a client is told besides its layer. */
export interface QueryClientOptions {
  /** Tells the clients of one page apart where answers travel from a server to a browser; empty where there is one. */
  readonly name?: string
  /** Milliseconds for which an answer is not asked for again on mount, focus and reconnect; 5,000. */
  readonly staleTime?: number
  /** Milliseconds for which an answer that nobody looks at is kept; 300,000. */
  readonly gcTime?: number
  /** Most answers that nobody looks at; 200. */
  readonly capacity?: number
  /** When old answers are asked for again because the user is back; the page's visibility and focus. */
  readonly focus?: Signals.Signal
  /** When they are because the network is; the browser's `online`. */
  readonly reconnect?: Signals.Signal
  /** The client's calls, such as the module `Admin`, so that `can("requests", "markSeen")` knows their levels. */
  readonly calls?: Calls
}

/** Queries, mutations, lists, chats and the session over one client. `E` is what its layer can fail with. */
export interface QueryClient<R, E, in C> {
  /** What a call, or an effect of the app's own, answers to an input. Equal questions are the same value. */
  readonly query: {
    <I, A>(call: AnyCall<I, A, R>, ...args: Args<I, QueryOptions>): Query<A, CallError | E>
    <I, A, E2>(source: Source<I, A, E2, R>, ...args: Args<I, QueryOptions>): Query<A, CallError | E | E2>
  }
  /** All pages of a list, one after another. Sends `page`, and `limit` where it is given, beside the input. */
  readonly infiniteQuery: <I, A>(
    call: AnyCall<I, Page<A>, R>,
    ...args: Args<NoInfer<Paged<I>>, InfiniteQueryOptions>
  ) => InfiniteQuery<A, CallError | E>
  /** A call that changes something. It makes every query of its slice outdated, unless it says what. */
  readonly mutation: {
    <I, A>(call: AnyCall<I, A, R>, options?: MutationOptions<I>): Mutation<I, A, CallError | E>
    <I, A, E2>(source: Source<I, A, E2, R>, options?: MutationOptions<I>): Mutation<I, A, CallError | E | E2>
  }
  /** A call that sends a file, with progress and a way to stop it. */
  readonly upload: <I, A>(
    call: AnyCall<I, A, R>,
    options?: Pick<MutationOptions<I>, "invalidates">
  ) => Upload<I, A, CallError | E>
  /** A chat, open while it is observed: give it what opens one, made once. */
  readonly chat: <E2>(
    open: Effect.Effect<ChatSource, E2, R | Scope.Scope>,
    options?: ChatStoreOptions
  ) => ChatStore<ChatStoreError<E | E2>>
  readonly session: Session<C, SessionError<E>>
  /** Asks anew for what changed outside of a mutation: at once where somebody looks, otherwise when somebody does. */
  readonly invalidate: (registry: Registry, ...targets: ReadonlyArray<QueryFilter>) => void
}

/**
 * Makes a client. With a layer, the client signs in by itself, with what its configuration says; nothing is built or sent
 * before the first question. With a function from credentials to a layer, nobody is signed in until
 * `session.signIn(credentials)`, or from the start where `credentials` are given. Make it once, outside of components;
 * on a server, once a request.
 *
 * ```ts
 * const client = makeQueryClient(Layer.provide(Admin.layer(config), FetchTransport.layer))
 * ```
 */
export const makeQueryClient: {
  <R, E>(layer: Layer.Layer<R, E>, options?: QueryClientOptions): QueryClient<R, E, void>
  <C, R, E>(
    layerFor: (credentials: C) => Layer.Layer<R, E>,
    options?: QueryClientOptions & { readonly credentials?: NoInfer<C> | undefined }
  ): QueryClient<R, E, C>
} = <C, R, E>(
  given: Layer.Layer<R, E> | ((credentials: C) => Layer.Layer<R, E>),
  options: QueryClientOptions & { readonly credentials?: C | undefined } = {}
): QueryClient<R, E, C> => {
  const { calls = {}, credentials, name = "", staleTime = 5_000 } = options
  const reconnect = options.reconnect ?? Signals.reconnect
  const [layerFor, first] =
    typeof given === "function"
      ? [given, credentials === undefined ? undefined : given(credentials)]
      : [() => given, given]
  const stores = makeStores(first, {
    gcTime: options.gcTime ?? 300_000,
    capacity: options.capacity ?? 200,
    focus: options.focus ?? Signals.focus,
    reconnect
  })
  const site: Site<R, E> = { name, staleTime, stores, held: family() }

  const ask = <I, A, E2>(whom: Asked<I, A, E2, R>, input: I, queryOptions?: QueryOptions) =>
    inquire(
      site,
      { asked: whom, input, kind: whole, ask: () => whom.run(input), hasMore: () => false },
      queryOptions
    )
  const perform = <I, A, E2>(whom: Asked<I, A, E2, R>, mutationOptions: MutationOptions<I> = {}) =>
    performing(stores, whom, mutationOptions)

  return {
    // Args allows no input only where I accepts an empty one.
    query: <I, A, E2>(
      whom: AnyCall<I, A, R> | Source<I, A, E2, R>,
      ...[input, queryOptions]: Args<I, QueryOptions>
    ) => ask(asked(whom), (input ?? {}) as I, queryOptions),
    infiniteQuery: <I, A>(
      call: AnyCall<I, Page<A>, R>,
      ...[input, pagesOptions = {}]: Args<NoInfer<Paged<I>>, InfiniteQueryOptions>
    ) => {
      return inquire(
        site,
        listing(asked(call), call.operation, (input ?? {}) as I, pagesOptions),
        pagesOptions
      )
    },
    mutation: <I, A, E2>(
      whom: AnyCall<I, A, R> | Source<I, A, E2, R>,
      mutationOptions?: MutationOptions<I>
    ) => makeMutation(perform(asked(whom), mutationOptions)),
    upload: (call, uploadOptions) => makeUpload(perform(asked(call), uploadOptions)),
    chat: (open, liveOptions = {}) => makeChatStore(stores, reconnect, open, liveOptions),
    session: makeSession(stores, layerFor, calls),
    invalidate: (registry, ...targets) => {
      const matches = targets.map(matching)
      registry.get(stores).cache.invalidate((slot) => matches.some((match) => match(slot)))
    }
  }
}
