"use client"
/** The provider, and the hooks: each shows one value and gives the ways to act on it. */
import * as Result from "@effect-rx/rx/Result"
import * as Rx from "@effect-rx/rx/Rx"
import { RegistryContext } from "@effect-rx/rx-react"
import * as Cause from "effect/Cause"
import { identity } from "effect/Function"
import * as Option from "effect/Option"
import * as React from "react"
import { InputError } from "@quartet/sdk/extend"
import type { ChatActions, ChatState, ChatStore } from "./chat-store.js"
import { type DehydratedState, settle, stage } from "./hydration.js"
import type { Live, LiveActions, LiveState } from "./live.js"
import type {
  Mutation,
  MutationActions,
  QueryFilter,
  Upload,
  UploadActions,
  UploadState
} from "./mutation.js"
import { type InfiniteData, type InfiniteQuery, prefetch, type Query, QueryId } from "./query.js"
import type { QueryClient } from "./query-client.js"
import type { QueuedActions, QueuedMutation, QueuedState } from "./queue.js"
import { isServer, makeRegistry, provided, type Registry } from "./registry.js"
import type { Session, SessionActions, SessionState } from "./session.js"
import { listen, openStream, receive, takeScript } from "./streaming.js"
import { claim, forgetErrors, suspend } from "./suspense.js"
import { useRegistry, useValue } from "./value.js"

export { useRegistry }

/** The props of the provider. @category models */
export interface QuartetProviderProps {
  readonly children?: React.ReactNode
  /** A registry that the app has made: a server's request has one, which it fills before it renders. */
  readonly registry?: Registry
  /** Answers that a server has written into the page with `dehydrate`. */
  readonly state?: DehydratedState
}

/** Takes answers over that have come with the page. */
const useArrived = (registry: Registry, state: DehydratedState | undefined): void => {
  // What is new is taken in while rendering, so that it is shown at once; the rest afterwards.
  React.useMemo(() => {
    if (state !== undefined) stage(registry, state)
  }, [registry, state])
  React.useEffect(() => {
    if (state !== undefined) settle(registry)
  }, [registry, state])
}

/**
 * Holds the state of every query, mutation, chat and session inside. One around the whole app is right; it works with
 * any number of query clients. When it is unmounted, everything under way is interrupted.
 *
 * effect-rx's `RegistryProvider` disposes its registry for good when an `Activity` hides it.
 * @category hooks
 */
export const QuartetProvider = ({ children, registry, state }: QuartetProviderProps): React.ReactElement => {
  const [own] = React.useState(makeRegistry)
  const current = registry ?? own
  if (!provided.has(current)) provided.set(current, registry === undefined)
  useArrived(current, state)
  const timer = React.useRef<ReturnType<typeof setTimeout>>(undefined)
  React.useEffect(() => {
    provided.set(own, false)
    clearTimeout(timer.current)
    return () => {
      // Strict Mode unmounts and mounts again at once, without a reason to interrupt anything.
      timer.current = setTimeout(() => own.reset(), 0)
    }
  }, [own])
  return React.createElement(RegistryContext.Provider, { value: current }, children)
}

/** The props of a hydration boundary. @category models */
export interface HydrationBoundaryProps {
  readonly children?: React.ReactNode
  /** Answers that a server has written with `dehydrate`, or the promise of them. */
  readonly state: DehydratedState | PromiseLike<DehydratedState>
}

/** Waits for a promise. React 18 is thrown it, and tells how it stands as React 19 does: by fields of the promise. */
const use = <A>(promise: React.ReactPromise<A>): A => {
  // By its name alone: bundlers warn of what React 18 does not export.
  const native: typeof React.use | undefined = Reflect.get(React, "use")
  if (native !== undefined) return native(promise)
  if (promise.status === "fulfilled") return promise.value
  if (promise.status === "rejected") throw promise.reason
  if (promise.status === undefined) {
    const pending = Object.assign(promise, { status: "pending" })
    promise.then(
      (value) => void Object.assign(pending, { status: "fulfilled", value }),
      (reason: unknown) => void Object.assign(pending, { status: "rejected", reason })
    )
  }
  throw promise
}

const isPromise = <A>(value: A | PromiseLike<A>): value is PromiseLike<A> =>
  typeof Object(value).then === "function"

/**
 * Hands answers of a server to the provider around it. Where they are still on their way, it suspends, and so they follow
 * the page to the place where they are shown:
 *
 * ```tsx
 * <Suspense fallback={<p>Loading…</p>}>
 *   <HydrationBoundary state={prefetchState(comments(id))}>
 *     <Comments id={id} />
 *   </HydrationBoundary>
 * </Suspense>
 * ```
 * @category hooks
 */
export const HydrationBoundary = ({ children, state }: HydrationBoundaryProps): React.ReactElement => {
  useArrived(useRegistry(), isPromise(state) ? use(state) : state)
  return React.createElement(React.Fragment, undefined, children)
}

/** The props of streamed hydration. @category models */
export interface StreamedHydrationProps {
  readonly children?: React.ReactNode
  /**
   * The hook of a framework that writes into the page between what React has rendered so far and what comes next: Next has
   * one of this name in `next/navigation`. An app that renders by itself uses `streamAnswers`.
   */
  readonly useServerInsertedHTML?: (insert: () => React.ReactNode) => void
  /** What a Content-Security-Policy asks of the scripts that bring the answers. */
  readonly nonce?: string
}

const insertNothing = (): void => undefined

/**
 * Brings the answers that `useSuspenseQuery` waited for on a server to the browser, with the HTML that shows them, so that
 * the browser does not ask again. Put it inside of the provider, around everything else. @category hooks
 */
export const StreamedHydration = ({
  children,
  nonce,
  useServerInsertedHTML = insertNothing
}: StreamedHydrationProps): React.ReactElement => {
  const registry = useRegistry()
  const id = React.useId()
  React.useMemo(() => (isServer() ? openStream(registry, id) : receive(registry, id)), [registry, id])
  React.useEffect(() => listen(registry, id), [registry, id])
  useServerInsertedHTML(() => {
    const script = takeScript(registry)
    if (script === "") return null
    return React.createElement("script", { nonce, dangerouslySetInnerHTML: { __html: script } })
  })
  return React.createElement(React.Fragment, undefined, children)
}

/** A value that can be acted upon. */
interface Store<S, A> extends Rx.Rx<S> {
  readonly actions: (registry: Registry) => A
}

/** What `view`, the same function in every render, makes of the state, beside the actions. */
const useStore = <S, A, V>(store: Store<S, A>, view: (state: S) => V): V & A => {
  const registry = useRegistry()
  const state = useValue(store)
  const actions = React.useMemo(() => store.actions(registry), [store, registry])
  return React.useMemo(() => ({ ...view(state), ...actions }), [view, state, actions])
}

/** The error of a cause. A fault in the program is thrown, to the error boundary that is nearest. */
const errorOf = <E>(cause: Cause.Cause<E>): E => {
  const error = Cause.failureOption(cause)
  if (Option.isSome(error)) return error.value
  throw Cause.squash(cause)
}

interface Shown<S, A = undefined, E = undefined> {
  readonly status: S
  readonly data: A
  readonly error: E
}

interface Fetched<S, A = undefined, E = undefined, T = undefined> extends Shown<S, A, E> {
  /** Whether it is being fetched, for the first time or again. */
  readonly isFetching: boolean
  /** When `data` was answered. */
  readonly updatedAt: T
}

/** How a query stands. Beside an error, `data` is the last answer before it, where there was one. @category models */
export type QueryState<A, E> =
  | Fetched<"loading">
  | Fetched<"success", A, undefined, Date>
  | Fetched<"error", A | undefined, E, Date | undefined>

/** Where there is no query: the state of `undefined`. @category models */
export type Idle = Fetched<"idle"> & { readonly isFetching: false }

const nothing = { data: undefined, error: undefined } as const
const idle = (): Idle => ({ ...nothing, status: "idle", isFetching: false, updatedAt: undefined })

const queryState = <A, E>(result: Result.Result<A, E>): QueryState<A, E> => {
  const { waiting: isFetching } = result
  if (Result.isInitial(result)) return { ...nothing, status: "loading", isFetching, updatedAt: undefined }
  if (Result.isSuccess(result)) {
    const { timestamp, value: data } = result
    return { status: "success", data, error: undefined, isFetching, updatedAt: new Date(timestamp) }
  }
  const error = errorOf(result.cause)
  const before = Option.getOrUndefined(result.previousSuccess)
  const updatedAt = before && new Date(before.timestamp)
  return { status: "error", data: before?.value, error, isFetching, updatedAt }
}

/** Ways to act on a query. @category models */
export interface QueryActions {
  /** Fetches again, whatever the age of the answer. */
  readonly refetch: () => void
}

const initial: Result.Result<never, never> = /*#__PURE__*/ Result.initial()
const noQuery = /*#__PURE__*/ Rx.readable(() => initial)

/** An untyped program may pass anything. */
const checked = <Q extends object>(query: Q): Q => {
  if (QueryId in Object(query)) return query
  throw new InputError({ operation: "query", field: "query", rule: "must be a query of a query client" })
}

const useResult = <A, E, V>(query: Query<A, E> | undefined, view: (result: Result.Result<A, E>) => V) => {
  const registry = useRegistry()
  const result = useValue<Result.Result<A, E>>(query ?? noQuery)
  const handle = query?.[QueryId]
  React.useEffect(() => handle?.entry(registry).touch(handle.staleTime), [handle, registry])
  const refetch = React.useCallback(() => handle?.entry(registry).refetch(), [handle, registry])
  return React.useMemo(() => ({ ...view(result), refetch }), [view, result, refetch])
}

/**
 * What a call answers: `loading`, then `success` with `data`, or `error` with a typed `error` and the last data there
 * was; `idle` without a query. All components that show the same share one exchange, which is interrupted with the last
 * one. A fault in the program is thrown to the nearest error boundary.
 *
 * ```tsx
 * const request = useQuery(client.query(Admin.requests.get, { id }))
 * if (request.status === "error") return <p>{request.error.message}</p>
 * ```
 * @category hooks
 */
export function useQuery<A, E>(query: Query<A, E>): QueryState<A, E> & QueryActions
export function useQuery<A, E>(query: Query<A, E> | undefined): (QueryState<A, E> | Idle) & QueryActions
export function useQuery<A, E>(query: Query<A, E> | undefined): (QueryState<A, E> | Idle) & QueryActions {
  const [given, view] = query === undefined ? [query, idle] : [checked(query), queryState<A, E>]
  return useResult<A, E, QueryState<A, E> | Idle>(given, view)
}

/** What `useInfiniteQuery` shows besides the state. @category models */
export interface InfiniteQueryActions<A> extends QueryActions {
  /** The items of all pages that are there; empty before the first. */
  readonly items: ReadonlyArray<A>
  /** Whether the list may go on: true before its first page. */
  readonly hasNextPage: boolean
  /** Asks for the next page, where there is one. */
  readonly fetchNextPage: () => void
}

const listState = <A, E>(result: Result.Result<InfiniteData<A>, E>) => {
  const state = queryState(result)
  const { done = false, items = [] } = state.data ?? {}
  return { ...state, items, hasNextPage: !done }
}

const useGrowing = <A, E, L>(query: InfiniteQuery<A, E>, list: L) => {
  const registry = useRegistry()
  return React.useMemo(
    () => ({ ...list, fetchNextPage: () => registry.set(query, undefined) }),
    [list, query, registry]
  )
}

/**
 * A list that grows: its first page at once, and another one with each `fetchNextPage`, which also retries a page that
 * failed. A refetch reads as many pages as there were. @category hooks
 */
export const useInfiniteQuery = <A, E>(
  query: InfiniteQuery<A, E>
): QueryState<InfiniteData<A>, E> & InfiniteQueryActions<A> =>
  useGrowing(query, useResult(checked(query), listState))

/** How a query stands that has an answer. Beside an error, `data` is the last answer before it. @category models */
export type SuspenseQueryState<A, E> = Fetched<"success", A, undefined, Date> | Fetched<"error", A, E, Date>

const useSuspended = <A, E, V>(query: Query<A, E>, view: (result: Result.Result<A, E>) => V) => {
  const registry = useRegistry()
  // Before it is observed here: that would begin another exchange where this one has failed.
  const result = suspend(registry, checked(query))
  if (Result.isFailure(result) && Option.isNone(result.previousSuccess)) throw errorOf(result.cause)
  const shown = useResult(query, view)
  // Last of all, so that the component observes the query already.
  React.useEffect(() => claim(registry, query), [registry, query])
  return shown
}

// What suspends shows nothing before there is an answer.
const answeredState = <A, E>(result: Result.Result<A, E>): SuspenseQueryState<A, E> =>
  queryState(result) as SuspenseQueryState<A, E>

/**
 * What a call answers, for components that wait for it: until there is an answer, the nearest `Suspense` boundary shows its
 * fallback, and what fails before that is thrown to the nearest error boundary. Once there is an answer, a later error
 * stands beside it as with `useQuery`. The exchange goes on for as long as renders come back for it.
 *
 * ```tsx
 * const { data } = useSuspenseQuery(client.query(Admin.requests.get, { id }))
 * ```
 * @category hooks
 */
export const useSuspenseQuery = <A, E>(query: Query<A, E>): SuspenseQueryState<A, E> & QueryActions =>
  useSuspended(query, answeredState<A, E>)

const answeredList = <A, E>(result: Result.Result<InfiniteData<A>, E>) => {
  const state = answeredState(result)
  const { done, items } = state.data
  return { ...state, items, hasNextPage: !done }
}

/** A list that grows, for components that wait for its first page, as `useSuspenseQuery` does. @category hooks */
export const useSuspenseInfiniteQuery = <A, E>(
  query: InfiniteQuery<A, E>
): SuspenseQueryState<InfiniteData<A>, E> & InfiniteQueryActions<A> =>
  useGrowing(query, useSuspended(query, answeredList))

/**
 * Makes every query that failed without an answer be asked again: call it where an error boundary is reset. Without it, the
 * error of the last second is thrown again.
 *
 * ```tsx
 * const forgetErrors = useErrorReset()
 * return <ErrorBoundary onReset={forgetErrors} …>
 * ```
 * @category hooks
 */
export const useErrorReset = (): (() => void) => {
  const registry = useRegistry()
  return React.useCallback(() => forgetErrors(registry), [registry])
}

/** The latest run of a mutation. While it is pending, `data` is the result of the run before. @category models */
export type MutationState<A, E> =
  | Shown<"idle">
  | Shown<"pending", A | undefined>
  | Shown<"success", A>
  | Shown<"error", undefined, E>

const mutationState = <A, E>(result: Result.Result<A, E>): MutationState<A, E> => {
  if (result.waiting)
    return { ...nothing, status: "pending", data: Option.getOrUndefined(Result.value(result)) }
  if (Result.isSuccess(result)) return { ...nothing, status: "success", data: result.value }
  // A run that was interrupted is nobody's failure: it is as if there had been none.
  if (Result.isInitial(result) || Cause.isInterruptedOnly(result.cause)) return { ...nothing, status: "idle" }
  return { ...nothing, status: "error", error: errorOf(result.cause) }
}

/**
 * A call that changes something, run by `mutate`. Each component sees its own runs, which continue when it is unmounted.
 * A fault in the program is thrown to the nearest error boundary. @category hooks
 */
export function useMutation<I, A, E>(
  mutation: Mutation<I, A, E>
): MutationState<A, E> & MutationActions<I, A, E>
/** With an outbox, `queued` as soon as it is kept, and then what its entry comes to. */
export function useMutation<I, A, E>(
  mutation: QueuedMutation<I, A, E>
): QueuedState<A, E> & QueuedActions<I, A, E>
export function useMutation<I, A, E>(mutation: Mutation<I, A, E> | QueuedMutation<I, A, E>): unknown {
  // One without a view of its own has the states of a result. The overloads tie the two to their types.
  const { view = mutationState } = mutation as { readonly view?: (state: unknown) => object }
  return useStore(
    React.useMemo((): Store<unknown, object> => mutation.instance(), [mutation]),
    view as (state: unknown) => object
  )
}

type UploadShown<A, E> = Exclude<UploadState<A, E>, { readonly status: "defect" }>

const uploadState = <A, E>(state: UploadState<A, E>): UploadShown<A, E> => {
  if (state.status === "defect") throw state.defect
  return state
}

/** Sends a file: `uploading`, then `success` or `error`. Interrupted with the component. @category hooks */
export const useUpload = <I, A, E>(upload: Upload<I, A, E>): UploadShown<A, E> & UploadActions<I, A, E> =>
  useStore(
    React.useMemo(() => upload.instance(), [upload]),
    uploadState
  )

/** A chat, open while a component shows it. With a `conversationId`, that conversation alone. @category hooks */
export const useChat = <E>(
  chat: ChatStore<E>,
  { conversationId }: { readonly conversationId?: string } = {}
): ChatState<E> & ChatActions => {
  const view = React.useCallback(
    ({ connection, messages, outgoing }: ChatState<E>): ChatState<E> => {
      const isHere = (place: { readonly conversationId?: string | null | undefined }): boolean =>
        conversationId === undefined || place.conversationId === conversationId
      return {
        connection,
        messages: messages.filter(isHere),
        outgoing: outgoing.filter(({ draft }) => isHere(draft))
      }
    },
    [conversationId]
  )
  return useStore(chat, view)
}

type LiveShown<E> = Exclude<LiveState<E>, { readonly status: "defect" }>

const liveState = <E>(state: LiveState<E>): LiveShown<E> => {
  if (state.status === "defect") throw state.defect
  return state
}

/**
 * Keeps answers up to date by events while a component uses it. A fault in a source or a rule is thrown to the nearest
 * error boundary. @category hooks
 */
export const useLive = <E>(live: Live<E>): LiveShown<E> & LiveActions => useStore(live, liveState)

/**
 * Who is signed in, ways to sign in and out, and what they may do:
 *
 * ```tsx
 * const session = useSession(client.session)
 * if (session.status === "signed-in" && session.can(Admin.requests.markSeen)) …
 * ```
 * @category hooks
 */
export const useSession = <C, E>(session: Session<C, E>): SessionState<E> & SessionActions<C, E> =>
  useStore(session, identity)

/** Fetches again what changed outside of a mutation: `invalidate("requests", Admin.items.list)`. @category hooks */
export const useInvalidate = <R, E, C>(
  client: QueryClient<R, E, C>
): ((...filters: ReadonlyArray<QueryFilter>) => void) => {
  const registry = useRegistry()
  return React.useCallback((...filters) => client.invalidate(registry, ...filters), [client, registry])
}

/** Asks ahead of a screen, such as when the pointer rests on the link that leads there. @category hooks */
export const usePrefetch = (): ((...queries: ReadonlyArray<Query<unknown, unknown>>) => Promise<void>) => {
  const registry = useRegistry()
  return React.useCallback((...queries) => prefetch(registry, ...queries), [registry])
}
