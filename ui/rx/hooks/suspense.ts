"use client"
/** Hooks of queries whose component waits for the answer. */
import * as Result from "@effect-rx/rx/Result"
import * as Option from "effect/Option"
import * as React from "react"
import type { InfiniteData, InfiniteQuery, Query } from "../query.js"
import { claim, forgetErrors, suspend } from "../suspense.js"
import { useRegistry } from "../value.js"
import {
  checked,
  type InfiniteQueryActions,
  type QueryActions,
  queryState,
  useGrowing,
  useResult
} from "./query.js"
import { errorOf, type Fetched } from "./store.js"

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
 * What a call answers, for components that wait for it: until there is an answer, the nearest `Suspense` boundary
 * shows its fallback, and what fails before that is thrown to the nearest error boundary. Once there is an answer, a
 * later error stands beside it as with `useQuery`. The exchange goes on for as long as renders come back for it.
 *
 * @example
 * ```tsx
 * import * as FetchTransport from "@quartet/sdk/adapters/fetch"
 * import * as Admin from "@quartet/sdk/admin"
 * import { makeQueryClient, useSuspenseQuery } from "@quartet/react"
 * import * as Layer from "effect/Layer"
 *
 * const account = { baseUrl: "https://api.example.com", projectId: "p1", email: "ada@example.com", password: "…" }
 * const client = makeQueryClient(Layer.provide(Admin.layer(account), FetchTransport.layer))
 * const Title = ({ id }: { readonly id: string }) => {
 *   const { data } = useSuspenseQuery(client.query(Admin.requests.get, { id }))
 *   return <p>{data.title}</p>
 * }
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
