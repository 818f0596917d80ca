"use client"
/** The hooks for calls: each shows one value and gives the ways to act on it. */
import { useCallback, useEffect, useMemo } from "react"
import { initial, observed, type Result, useRegistry, useValue } from "./engine.js"
import { ActionId, type Mutation, type Outcome } from "./mutation.js"
import type { QueryFilter } from "./optimistic.js"
import type { InfiniteQuery } from "./pages.js"
import { HandleId, prefetch, type Query } from "./query.js"
import type { QueryClient } from "./query-client.js"
import { type Idle, idle, type MutationState, mutationState, type QueryState, queryState } from "./state.js"
import { type Upload, UploadId, type UploadState } from "./upload.js"

/** Ways to act on a query. */
export interface QueryActions {
  /** Asks again, whatever the age of the answer. */
  readonly refetch: () => void
}

const noResult: Result<never, never> = /*#__PURE__*/ initial(false)
const noQuery = /*#__PURE__*/ observed<Result<never, never>>({
  attach: () => ({ value: noResult, detach: () => undefined }),
  peek: () => noResult
})

const useAsked = <A, E>(query: Query<A, E> | undefined) => {
  const registry = useRegistry()
  const result = useValue<Result<A, E>>(query ?? noQuery)
  const handle = query?.[HandleId]
  useEffect(() => handle?.entry(registry).touch(handle.staleTime), [handle, registry])
  const refetch = useCallback(() => handle?.entry(registry).refresh(), [handle, registry])
  return { registry, result, refetch }
}

/**
 * What a call answers: `loading`, then `success` with `data`, or `error` with a typed `error` and the last data there
 * was. Asked when the first component shows it and shared by all that ask the same; given up with the last one. Without
 * a query, `idle`. A fault in the program is thrown to the nearest error boundary.
 *
 * ```tsx
 * const request = useQuery(client.query(Admin.requests.get, { id }))
 * if (request.status === "error") return <p>{request.error.message}</p>
 * ```
 */
export function useQuery<A, E>(query: Query<A, E>): QueryState<A, E> & QueryActions
export function useQuery<A, E>(query: Query<A, E> | undefined): (QueryState<A, E> | Idle) & QueryActions
export function useQuery<A, E>(query: Query<A, E> | undefined): (QueryState<A, E> | Idle) & QueryActions {
  const { refetch, result } = useAsked(query)
  const hasQuery = query !== undefined
  return useMemo(() => ({ ...(hasQuery ? queryState(result) : idle), refetch }), [hasQuery, result, refetch])
}

/** What `useInfiniteQuery` shows besides the state. */
export interface InfiniteQueryActions<A> extends QueryActions {
  /** The items of all pages that are there; empty before the first. */
  readonly items: ReadonlyArray<A>
  /** Whether the list may go on: true before its first page. */
  readonly hasNextPage: boolean
  /** Asks for the next page, where there is one. */
  readonly fetchNextPage: () => void
}

/**
 * A list that grows: its first page at once, and another one with each `fetchNextPage`. When it is refreshed, as many pages
 * are read as were there. A page that failed is asked for again by `fetchNextPage`.
 */
export const useInfiniteQuery = <A, E>(
  pages: InfiniteQuery<A, E>
): QueryState<unknown, E> & InfiniteQueryActions<A> => {
  const { refetch, registry, result } = useAsked(pages)
  const { entry } = pages[HandleId]
  const fetchNextPage = useCallback(() => entry(registry).more(), [entry, registry])
  return useMemo(() => {
    const state = queryState(result)
    const { done = false, items = [] } = state.data ?? {}
    return { ...state, items, hasNextPage: !done, refetch, fetchNextPage }
  }, [result, refetch, fetchNextPage])
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
 * A call that changes something, run by `mutate`. Each component sees its own runs; one that is unmounted does not
 * give them up. A fault in the program is thrown to the nearest error boundary.
 */
export const useMutation = <I, A, E>(
  mutation: Mutation<I, A, E>
): MutationState<A, E> & MutationActions<I, A, E> => {
  const registry = useRegistry()
  const action = useMemo(() => mutation[ActionId](), [mutation])
  const result = useValue(action.rx)
  const actions = useMemo((): MutationActions<I, A, E> => {
    return {
      // The arguments allow no input only where I accepts an empty one.
      mutate: (...[input]) => action.run(registry, (input ?? {}) as I),
      reset: () => action.reset(registry)
    }
  }, [action, registry])
  return useMemo(() => ({ ...mutationState(result), ...actions }), [result, actions])
}

/** Ways to act on an upload. */
export interface UploadActions<I, A, E> {
  /** Begins an upload in the place of one under way, and tells how it ended. It never rejects. */
  readonly start: (input: I) => Promise<Outcome<A, E>>
  /** Gives the upload up. */
  readonly cancel: () => void
}

/** Sends a file: `uploading` with the bytes sent so far, then `success` or `error`. Given up with the component. */
export const useUpload = <I, A, E>(
  upload: Upload<I, A, E>
): Exclude<UploadState<A, E>, { readonly status: "defect" }> & UploadActions<I, A, E> => {
  const registry = useRegistry()
  const place = useMemo(() => upload[UploadId](), [upload])
  const state = useValue(place.rx)
  if (state.status === "defect") throw state.defect
  const actions = useMemo((): UploadActions<I, A, E> => {
    return { start: (input) => place.start(registry, input), cancel: () => place.cancel(registry) }
  }, [place, registry])
  return useMemo(() => ({ ...state, ...actions }), [state, actions])
}

/** Asks anew for what changed outside of a mutation: `invalidate("requests")`, `invalidate(Admin.requests.list)`. */
export const useInvalidate = <R, E, C>(
  client: QueryClient<R, E, C>
): ((...targets: ReadonlyArray<QueryFilter>) => void) => {
  const registry = useRegistry()
  return useCallback((...targets) => client.invalidate(registry, ...targets), [client, registry])
}

/** Asks ahead of a screen, such as when the pointer rests on the link that leads there. */
export const usePrefetch = (): ((...queries: ReadonlyArray<Query<unknown, unknown>>) => Promise<void>) => {
  const registry = useRegistry()
  return useCallback((...queries) => prefetch(registry, ...queries), [registry])
}
