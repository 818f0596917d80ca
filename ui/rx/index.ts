/** React bindings of Quartet's clients, over effect-rx: queries, mutations, lists, chats, sessions and uploads. */
import type * as Results from "@effect-rx/rx/Result"
import type * as Values from "@effect-rx/rx/Rx"

/** The levels of permissions, by their names. @category constants */
export { Levels as Level } from "@quartet/sdk/extend"
export type {
  ChatActions,
  ChatSource,
  ChatState,
  ChatStore,
  ChatStoreError,
  ChatStoreOptions,
  Connection,
  OutgoingMessage
} from "./chat-store.js"
export { dehydrate, prefetchState } from "./dehydrate.js"
export * from "./hooks/live.js"
export { type MutationState, useMutation, useUpload } from "./hooks/mutation.js"
export {
  HydrationBoundary,
  type HydrationBoundaryProps,
  QuartetProvider,
  type QuartetProviderProps,
  StreamedHydration,
  type StreamedHydrationProps
} from "./hooks/provider.js"
export {
  type Idle,
  type InfiniteQueryActions,
  type QueryActions,
  type QueryState,
  useInfiniteQuery,
  useInvalidate,
  usePrefetch,
  useQuery
} from "./hooks/query.js"
export * from "./hooks/suspense.js"
export { type DehydratedQuery, type DehydratedState, hydrate, toScript } from "./hydration.js"
export {
  entities,
  type Live,
  type LiveActions,
  type LiveEntity,
  type LiveEvent,
  type LiveRule,
  type LiveSource,
  type LiveState,
  live,
  outdates,
  type Placement,
  type Subscribe
} from "./live.js"
export {
  type Change,
  change,
  type Mutation,
  type MutationActions,
  type MutationOptions,
  type Outcome,
  type QueryFilter,
  type Upload,
  type UploadActions,
  type UploadState
} from "./mutation.js"
export {
  type InfiniteData,
  type InfiniteQuery,
  type InfiniteQueryOptions,
  prefetch,
  type Query,
  type QueryOptions,
  type Source,
  source
} from "./query.js"
export { focus, never, reconnect, type Signal } from "./query-cache.js"
export { makeQueryClient, type QueryClient, type QueryClientOptions } from "./query-client.js"
export type {
  EntryEnd,
  EntryError,
  MutationQueue,
  QueuedActions,
  QueuedMutation,
  QueuedMutationOptions,
  QueuedRun,
  QueuedState,
  QueueOutcome
} from "./queue.js"
export { makeRegistry, type Registry } from "./registry.js"
export type {
  Identity,
  PermissionArgs,
  Session,
  SessionActions,
  SessionError,
  SessionState,
  SharedSession
} from "./session.js"
export { streamAnswers } from "./streaming.js"
export { useRegistry } from "./value.js"

/** A value that a registry computes, keeps while it is used, and publishes when it changes. @category models */
export type Rx<A> = Values.Rx<A>

/** A value that takes a message of type W. @category models */
export type Writable<A, W> = Values.Writable<A, W>

/** `Initial`, `Success` or `Failure`; `waiting` while it is being fetched. @category models */
export type Result<A, E> = Results.Result<A, E>
