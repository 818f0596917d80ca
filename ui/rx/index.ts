/** React bindings of Quartet's clients, over effect-rx: queries, mutations, lists, chats, sessions and uploads. */

export * as Level from "../../core/permissions/level.js"
export type { Identity } from "./account.js"
export { makeRegistry, type Registry, type Result, type Rx, useRegistry, type Writable } from "./engine.js"
export {
  type MutationActions,
  type PagesView,
  type QueryActions,
  type UploadActions,
  useInvalidate,
  useMutation,
  usePages,
  usePrefetch,
  useQuery,
  useUpload
} from "./hooks.js"
export { type ChatActions, type SessionActions, useLive, useSession } from "./hooks-live.js"
export { type Dehydrated, type DehydratedState, dehydrate, hydrate, toScript } from "./hydration.js"
export { type Kit, type KitOptions, make } from "./kit.js"
export type { Connection, Line, Live, LiveError, LiveOptions, LiveState, Outgoing } from "./live.js"
export type { Mutation, MutationOptions, Outcome } from "./mutation.js"
export { type Change, change, type Target } from "./optimistic.js"
export type { List, Pages, PagesOptions } from "./pages.js"
export { QuartetProvider, type QuartetProviderProps } from "./provider.js"
export { prefetch, type Query, type QueryOptions } from "./query.js"
export type { Session, SessionError, SessionState, Wish } from "./session.js"
export { focus, never, reconnect, type Signal } from "./signals.js"
export { type Source, source } from "./source.js"
export type { Idle, MutationState, QueryState } from "./state.js"
export type { Upload, UploadState } from "./upload.js"
