"use client"
/** Hooks of queries and of lists that grow. */
import * as Result from "@effect-rx/rx/Result"
import * as Rx from "@effect-rx/rx/Rx"
import { InputError } from "@quartet/sdk/extend"
import * as Option from "effect/Option"
import * as React from "react"
import type { QueryFilter } from "../mutation.js"
import { type InfiniteData, type InfiniteQuery, prefetch, type Query, QueryId } from "../query.js"
import type { QueryClient } from "../query-client.js"
import { useRegistry, useValue } from "../value.js"
import { errorOf, type Fetched, nothing } from "./store.js"

/** How a query stands. Beside an error, `data` is the last answer before it, where there was one. @category models */
export type QueryState<A, E> =
  | Fetched<"loading">
  | Fetched<"success", A, undefined, Date>
  | Fetched<"error", A | undefined, E, Date | undefined>

/** Where there is no query: the state of `undefined`. @category models */
export type Idle = Fetched<"idle"> & { readonly isFetching: false }

const idle = (): Idle => ({ ...nothing, status: "idle", isFetching: false, updatedAt: undefined })

export const queryState = <A, E>(result: Result.Result<A, E>): QueryState<A, E> => {
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
export const checked = <Q extends object>(query: Q): Q => {
  if (QueryId in Object(query)) return query
  throw new InputError({ operation: "query", field: "query", rule: "must be a query of a query client" })
}

export const useResult = <A, E, V>(
  query: Query<A, E> | undefined,
  view: (result: Result.Result<A, E>) => V
) => {
  const registry = useRegistry()
  const result = useValue<Result.Result<A, E>>(query ?? noQuery)
  const handle = query?.[QueryId]
  React.useEffect(() => handle?.entry(registry).touch(handle.staleTime), [handle, registry])
  const refetch = React.useCallback(() => handle?.entry(registry).refetch(), [handle, registry])
  return React.useMemo(() => ({ ...view(result), refetch }), [view, result, refetch])
}

/**
 * What a call answers: `loading`, then `success` with `data`, or `error` with a typed `error` and the last data there
 * was; `idle` without a query. All components that show the same share one exchange, which is interrupted with the
 * last one. A fault in the program is thrown to the nearest error boundary.
 *
 * @example
 * ```tsx
 * import * as FetchTransport from "@quartet/sdk/adapters/fetch"
 * import * as Admin from "@quartet/sdk/admin"
 * import { makeQueryClient, useQuery } from "@quartet/react"
 * import * as Layer from "effect/Layer"
 *
 * const account = { baseUrl: "https://api.example.com", projectId: "p1", email: "ada@example.com", password: "…" }
 * const client = makeQueryClient(Layer.provide(Admin.layer(account), FetchTransport.layer))
 * const Title = ({ id }: { readonly id: string }) => {
 *   const request = useQuery(client.query(Admin.requests.get, { id }))
 *   if (request.status === "error") return <p>{request.error.message}</p>
 *   return <p>{request.status === "success" ? request.data.title : "Loading…"}</p>
 * }
 * ```
 * @category hooks
 */
export function useQuery<A, E>(query: Query<A, E>): QueryState<A, E> & QueryActions
export function useQuery<A, E>(query: Query<A, E> | undefined): (QueryState<A, E> | Idle) & QueryActions
export function useQuery<A, E>(query: Query<A, E> | undefined): (QueryState<A, E> | Idle) & QueryActions {
  const [checkedQuery, view] = query === undefined ? [query, idle] : [checked(query), queryState<A, E>]
  return useResult<A, E, QueryState<A, E> | Idle>(checkedQuery, view)
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

export const useGrowing = <A, E, L>(query: InfiniteQuery<A, E>, list: L) => {
  const registry = useRegistry()
  return React.useMemo(
    () => ({ ...list, fetchNextPage: () => registry.set(query, undefined) }),
    [list, query, registry]
  )
}

/**
 * A list that grows: its first page at once, and another one with each `fetchNextPage`, which also retries a page
 * that failed. `items` are those of all pages that are there. A refetch reads as many pages as there were. A fault in
 * the program is thrown to the nearest error boundary.
 *
 * @example
 * ```tsx
 * import * as FetchTransport from "@quartet/sdk/adapters/fetch"
 * import * as Admin from "@quartet/sdk/admin"
 * import { makeQueryClient, useInfiniteQuery } from "@quartet/react"
 * import * as Layer from "effect/Layer"
 *
 * const account = { baseUrl: "https://api.example.com", projectId: "p1", email: "ada@example.com", password: "…" }
 * const client = makeQueryClient(Layer.provide(Admin.layer(account), FetchTransport.layer))
 * const Requests = () => {
 *   const { fetchNextPage, hasNextPage, items } = useInfiniteQuery(client.infiniteQuery(Admin.requests.list))
 *   return (
 *     <>
 *       {items.map(({ _id, title }) => <p key={_id}>{title}</p>)}
 *       {hasNextPage && <button type="button" onClick={fetchNextPage}>More</button>}
 *     </>
 *   )
 * }
 * ```
 * @category hooks
 */
export const useInfiniteQuery = <A, E>(
  query: InfiniteQuery<A, E>
): QueryState<InfiniteData<A>, E> & InfiniteQueryActions<A> =>
  useGrowing(query, useResult(checked(query), listState))

/**
 * Fetches again what changed outside of a mutation: one query, all queries of a call, or all that a word names, such
 * as the name of a slice. What is on the screen is fetched at once, other answers when they are shown again.
 *
 * @example
 * ```tsx
 * import * as FetchTransport from "@quartet/sdk/adapters/fetch"
 * import * as Admin from "@quartet/sdk/admin"
 * import { makeQueryClient, useInvalidate } from "@quartet/react"
 * import * as Layer from "effect/Layer"
 *
 * const account = { baseUrl: "https://api.example.com", projectId: "p1", email: "ada@example.com", password: "…" }
 * const client = makeQueryClient(Layer.provide(Admin.layer(account), FetchTransport.layer))
 * const Refresh = () => {
 *   const invalidate = useInvalidate(client)
 *   return <button type="button" onClick={() => invalidate("requests", Admin.items.list)}>Refresh</button>
 * }
 * ```
 * @category hooks
 */
export const useInvalidate = <R, E, C>(
  client: QueryClient<R, E, C>
): ((...filters: ReadonlyArray<QueryFilter>) => void) => {
  const registry = useRegistry()
  return React.useCallback((...filters) => client.invalidate(registry, ...filters), [client, registry])
}

/**
 * Asks ahead of a screen, such as when the pointer rests on the link that leads there. An answer that is fresh
 * (`staleTime`) is not asked for again. The promise resolves when all are there, and never rejects.
 *
 * @example
 * ```tsx
 * import * as FetchTransport from "@quartet/sdk/adapters/fetch"
 * import * as Admin from "@quartet/sdk/admin"
 * import { makeQueryClient, usePrefetch } from "@quartet/react"
 * import * as Layer from "effect/Layer"
 *
 * const account = { baseUrl: "https://api.example.com", projectId: "p1", email: "ada@example.com", password: "…" }
 * const client = makeQueryClient(Layer.provide(Admin.layer(account), FetchTransport.layer))
 * const Open = ({ id }: { readonly id: string }) => {
 *   const prefetch = usePrefetch()
 *   return <a href={`/requests/${id}`} onMouseEnter={() => void prefetch(client.query(Admin.requests.get, { id }))}>Open</a>
 * }
 * ```
 * @category hooks
 */
export const usePrefetch = (): ((...queries: ReadonlyArray<Query<unknown, unknown>>) => Promise<void>) => {
  const registry = useRegistry()
  return React.useCallback((...queries) => prefetch(registry, ...queries), [registry])
}
