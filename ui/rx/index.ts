/** React bindings of Quartet's clients, over effect-rx: queries, mutations, lists, chats, sessions and uploads. */

export * as Level from "../../core/permissions/level.js"
export type { Identity } from "./account.js"
export { makeRegistry, type Registry, type Result, type Rx, useRegistry, type Writable } from "./engine.js"
export {
  type InfiniteQueryActions,
  type MutationActions,
  type QueryActions,
  type UploadActions,
  useInfiniteQuery,
  useInvalidate,
  useMutation,
  usePrefetch,
  useQuery,
  useUpload
} from "./hooks.js"
export { type ChatActions, type SessionActions, useChat, useSession } from "./hooks-live.js"
export { type DehydratedQuery, type DehydratedState, dehydrate, hydrate, toScript } from "./hydration.js"
export type {
  ChatSource,
  ChatState,
  ChatStore,
  ChatStoreError,
  ChatStoreOptions,
  Connection,
  OutgoingMessage
} from "./live.js"
export type { Mutation, MutationOptions, Outcome } from "./mutation.js"
export { type Change, change, type QueryFilter } from "./optimistic.js"
export type { InfiniteData, InfiniteQuery, InfiniteQueryOptions } from "./pages.js"
export { QuartetProvider, type QuartetProviderProps } from "./provider.js"
export { prefetch, type Query, type QueryOptions } from "./query.js"
export { makeQueryClient, type QueryClient, type QueryClientOptions } from "./query-client.js"
export type { PermissionArgs, Session, SessionError, SessionState } from "./session.js"
export { focus, never, reconnect, type Signal } from "./signals.js"
export { type Source, source } from "./source.js"
export type { Idle, MutationState, QueryState } from "./state.js"
export type { Upload, UploadState } from "./upload.js"
