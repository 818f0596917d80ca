/**
 * What TanStack Query has to know of a client's calls, derived from their operations: the key, the function, the pages, the errors.
 * Everything else about a query is said in TanStack's own words, beside them. Of TanStack nothing is imported but two types.
 */

import {
  type Args,
  type Call,
  type CallError,
  type CallOptions,
  callOf,
  cancelled,
  closed,
  type Declared,
  type HasParts,
  InputError,
  isWrite,
  operationOf,
  orThrow,
  type Page,
  PageSource,
  parts,
  read,
  sliceOf
} from "@quartet/sdk/extend"
import type { DataTag, SkipToken } from "@tanstack/react-query"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { ManagedRuntime } from "effect/ManagedRuntime"
import { refuseSecrets } from "../rx/secrets.js"
import { hashOf, share } from "../rx/structure.js"
import { keyOf } from "./json.js"
import { type ListPage, type PageParam, paramOf, readPage } from "./pages.js"

/** A key of queries: a prefix of it names more of them. @category models */
export type Key = ReadonlyArray<unknown>

/** A key that says what its query answers. In an app with another framework TypeScript does not find the tag, and the key is `any`. */
type Tagged<Data, E> = DataTag<Key, Data, E>

/** All pages that were read, as TanStack holds them. */
interface Pages<A> {
  pages: Array<ListPage<A>>
  pageParams: Array<PageParam>
}

/** The options of a query's call. @category models */
export type ReadOptions = Pick<CallOptions, "policy" | "answers">

/** How a list is read: from page `first`, else the input's `page`, else 1, with `limit` items a page. @category models */
export type ListOptions = ReadOptions & PageSource.PageRange

/** The options of a mutation's call. @category models */
export interface WriteOptions<in I> extends Omit<CallOptions, "idempotencyKey"> {
  /**
   * The key that is sent with a write, made once for each `mutate` and the same if TanStack repeats it. It promises that the platform
   * performs calls with one key once: the client then repeats a write whose answer was lost.
   */
  readonly idempotencyKey?: (input: I) => string
}

/** What is the same for all queries. */
interface Common<E> {
  /** Never: the client has repeated already what may be repeated. */
  readonly retry: (failureCount: number, error: E) => boolean
  /** Keeps what a new answer left unchanged, Dates included. */
  readonly structuralSharing: (before: unknown, after: unknown) => unknown
  /** Absent: it tells `useQueries` the type of the errors. */
  readonly throwOnError?: (error: E) => boolean
}

/** The options of a query. @category models */
export interface QueryOptions<A, E> extends Common<E> {
  readonly queryKey: Tagged<A, E>
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<A>
}

/** The options of a query whose input may not be there yet. @category models */
export interface SkippableQueryOptions<A, E> extends Common<E> {
  readonly queryKey: Tagged<A, E>
  readonly queryFn: QueryOptions<A, E>["queryFn"] | SkipToken
}

/** What the two kinds of infinite queries share. */
interface Infinite<A, E> extends Common<E> {
  readonly queryKey: Tagged<Pages<A>, E>
  readonly initialPageParam: PageParam
  readonly getNextPageParam: (last: ListPage<A>) => PageParam | null
  readonly getPreviousPageParam: (
    first: ListPage<A>,
    all: ReadonlyArray<ListPage<A>>,
    param: PageParam
  ) => PageParam | null
}

/** The options of an infinite query. @category models */
export interface InfiniteQueryOptions<A, E> extends Infinite<A, E> {
  readonly queryFn: (context: {
    readonly signal: AbortSignal
    readonly pageParam: PageParam
  }) => Promise<ListPage<A>>
}

/** The options of an infinite query whose input may not be there yet. @category models */
export interface SkippableInfiniteQueryOptions<A, E> extends Infinite<A, E> {
  readonly queryFn: InfiniteQueryOptions<A, E>["queryFn"] | SkipToken
}

/** The variables of a mutation: none are needed where the call needs no input. @category models */
export type Variables<I> =
  Record<never, never> extends I
    ? // biome-ignore lint/suspicious/noConfusingVoidType: with `undefined`, `mutate()` would not compile.
      I | void
    : I

/** The options of a mutation. @category models */
export interface MutationOptions<I, A, E> {
  readonly mutationKey: Key
  readonly mutationFn: (variables: Variables<I>, context?: object) => Promise<A>
  /** Never: the client has repeated already what may be repeated. */
  readonly retry: (failureCount: number, error: E) => boolean
}

type AnyCall<I, A, R> = Call<I, A, never, R>

/** Makes the options of TanStack Query for the calls that R can make. @category models */
export interface OptionsFactory<R, E> {
  /**
   * The options of a query: `useQuery(queryOptions(Admin.requests.get, { id }))`. With `skipToken`, a symbol, as input it waits. A
   * write fails with InputError: TanStack repeats queries by itself. A call that takes a secret, such as a sign-in, is thrown as one,
   * because keys are kept: it is for `mutationOptions`.
   */
  readonly queryOptions: {
    <I, A>(call: AnyCall<I, A, R>, ...args: Args<NoInfer<I>, ReadOptions>): QueryOptions<A, E>
    <I, A>(
      call: AnyCall<I, A, R>,
      input: NoInfer<I> | symbol,
      options?: ReadOptions
    ): SkippableQueryOptions<A, E>
  }
  /** The options of an infinite query over the pages of a list. It fails as `pages` does. */
  readonly infiniteQueryOptions: {
    <I, A>(
      call: AnyCall<I, Page<A>, R>,
      ...args: [PageSource.Paged<I>] extends [never] ? never : Args<NoInfer<I>, ListOptions>
    ): InfiniteQueryOptions<A, E>
    <I, A>(
      call: AnyCall<I, Page<A>, R>,
      input: [PageSource.Paged<I>] extends [never] ? never : NoInfer<I> | symbol,
      options?: ListOptions
    ): SkippableInfiniteQueryOptions<A, E>
  }
  /** The options of a mutation, whose variables are the input of the call. */
  readonly mutationOptions: <I, A>(
    call: AnyCall<I, A, R>,
    options?: WriteOptions<NoInfer<I>>
  ) => MutationOptions<I, A, E>
  /** The key of one query; without an input also the prefix of all queries of the call, without a call that of all. */
  readonly queryKey: {
    <I, A>(call: AnyCall<I, A, R>, ...args: Args<NoInfer<I>, never>): Tagged<A, E>
    (call?: AnyCall<never, unknown, R>): Key
  }
  /** The prefix of all queries of a call's slice: what a write of that slice may have made outdated. */
  readonly sliceKey: (call: AnyCall<never, unknown, R>) => Key
}

/** How the keys of a factory begin. @category models */
export interface KeyOptions {
  /** `["quartet"]` by default. Two projects over one QueryClient need different ones. */
  readonly prefix?: Key
}

/** Runs an effect to its end, or until the signal. */
interface Runner<R> {
  /** The key of the client's tag, if there is one client. */
  readonly key?: string
  readonly run: <A>(
    name: string,
    effect: Effect.Effect<A, unknown, R>,
    signal: AbortSignal | undefined
  ) => Promise<A>
}

/** What Effect says of a call over a runtime that was disposed. */
const disposed = "ManagedRuntime disposed"

const refused = (field: string, rule: string): InputError =>
  new InputError({ operation: "makeQueryOptions", field, rule })

const runnerOf = <R>(clientOrRuntime: HasParts<R> | ManagedRuntime<R, unknown>): Runner<R> => {
  if (parts in Object(clientOrRuntime)) {
    const { key, provide, runner } = (clientOrRuntime as HasParts<R>)[parts]
    return { key, run: (name, effect, signal) => runner.runEffect(name, provide(effect), signal) }
  }
  const runtime = clientOrRuntime as ManagedRuntime<R, unknown>
  if (typeof Object(runtime).runPromiseExit !== "function")
    throw refused(
      "client",
      "must be a client with Promises, as createAdmin returns, or a ManagedRuntime of a client's layer"
    )
  return {
    run: async (name, effect, signal) => {
      const exit = await runtime.runPromiseExit(effect, signal === undefined ? {} : { signal })
      if (exit._tag === "Success") return exit.value
      if (signal?.aborted) throw signal.reason
      if (Cause.isInterruptedOnly(exit.cause)) throw cancelled()
      const fault = Cause.squash(exit.cause)
      throw fault === disposed ? closed(name) : fault
    }
  }
}

const never = (): boolean => false

/** What tells the answers of a narrowed call from those of others, on a server as in a browser: what its schema says. */
const narrowingOf = ({ isNarrowed, success }: Declared): { readonly as?: string } => {
  if (isNarrowed !== true || "bytes" in success) return {}
  return { as: hashOf(("page" in success ? success.page : success).ast) }
}

/** The idempotency keys of the mutations under way, by the context that TanStack makes for each `mutate`. */
const idempotencyKeys = /*#__PURE__*/ new WeakMap<object, string>()

/**
 * Makes the options of TanStack Query for the calls of a client: of a client with Promises, in either form, or of all
 * clients that a ManagedRuntime holds. Make it once for each client. Throws InputError where it is given neither, as
 * its functions do for what is no call of the client.
 *
 * @example
 * ```tsx
 * import { makeQueryOptions } from "@quartet/react/tanstack-query"
 * import { get } from "@quartet/sdk/admin/requests"
 * import { createAdmin } from "@quartet/sdk/promise/admin"
 *
 * const account = { baseUrl: "https://api.example.com", projectId: "p1", email: "ada@example.com", password: "…" }
 * const { queryOptions } = makeQueryOptions(createAdmin(account))
 * const options = { ...queryOptions(get, { id: "r1" }), staleTime: 5_000 }
 * ```
 * @category constructors
 */
export const makeQueryOptions: {
  <Id>(client: HasParts<Id>, options?: KeyOptions): OptionsFactory<Id, CallError>
  <R, E>(runtime: ManagedRuntime<R, E>, options?: KeyOptions): OptionsFactory<R, CallError | E>
} = <R, F extends OptionsFactory<R, never>>(
  clientOrRuntime: HasParts<R> | ManagedRuntime<R, unknown>,
  options: KeyOptions = {}
): F => {
  const { key: own, run } = runnerOf(clientOrRuntime)
  const { prefix = ["quartet"] } = orThrow(read("makeQueryOptions", "options", options, { prefix: "any" }))
  if (!Array.isArray(prefix)) throw refused("prefix", 'must be a list, such as ["shop"]')

  /** A call of this client, and the keys that name it. */
  const describe = <I, A>(name: string, call: AnyCall<I, A, R>) => {
    const client = own ?? String(Object(call).client)
    const operation = orThrow(operationOf(name, { key: client }, call, false))
    const sliceKey: Key = [...prefix, client.slice(client.lastIndexOf("/") + 1), sliceOf(operation.name)]
    const callKey: Key = [...sliceKey, callOf(operation.name)]
    /** The key of a query; an input without fields is left out, unless something follows it. */
    const queryKey = (input: unknown, pages?: PageSource.PageRange): Key => {
      const how = {
        ...narrowingOf(operation.declaration()),
        ...(pages === undefined ? {} : { pages: keyOf(pages) })
      }
      const inputKey = typeof input === "symbol" ? "skipped" : keyOf(input ?? {})
      refuseSecrets(operation)
      if (Object.keys(how).length > 0) return [...callKey, inputKey, how]
      return Object.keys(Object(inputKey)).length === 0 ? callKey : [...callKey, inputKey]
    }
    // A call takes its input first, and may go without it only where I accepts an empty one.
    const invoke = call as (input: I, options?: CallOptions) => Effect.Effect<A, CallError, R>
    const ask = (input: I, options?: ReadOptions): Effect.Effect<A, CallError, R> => {
      if (!isWrite(operation.declaration())) return invoke(input, options)
      const rule = "is a write, and TanStack repeats queries by itself: pass it to mutationOptions"
      return Effect.fail(new InputError({ operation: operation.name, field: "call", rule }))
    }
    return { operation, sliceKey, callKey, queryKey, invoke, ask }
  }

  const common = { retry: never, structuralSharing: share }

  const queryOptions = <I, A>(call: AnyCall<I, A, R>, input?: I | symbol, options?: ReadOptions) => {
    const { ask, operation, queryKey } = describe("queryOptions", call)
    const queryFn = ({ signal }: { readonly signal: AbortSignal }) =>
      run(operation.name, ask((input ?? {}) as I, options), signal)
    return { ...common, queryKey: queryKey(input), queryFn: typeof input === "symbol" ? input : queryFn }
  }

  const infiniteQueryOptions = <I, A>(
    call: AnyCall<I, Page<A>, R>,
    input?: I | symbol,
    options: ListOptions = {}
  ) => {
    const { ask, operation, queryKey } = describe("infiniteQueryOptions", call)
    const { first, limit, ...rest } = options
    const range = { ...(first === undefined ? {} : { first }), ...(limit === undefined ? {} : { limit }) }
    const source = PageSource.make(operation, (input ?? {}) as I, range)
    const begin = Either.match(source, { onLeft: () => 1, onRight: (pageSource) => pageSource.first })
    const queryFn = ({
      pageParam,
      signal
    }: {
      readonly pageParam: PageParam
      readonly signal: AbortSignal
    }) =>
      run(
        operation.name,
        Effect.flatMap(source, (pageSource) =>
          readPage(pageSource, pageParam, (pageInput) => ask(pageInput, rest))
        ),
        signal
      )
    return {
      ...common,
      queryKey: queryKey(input, range),
      queryFn: typeof input === "symbol" ? input : queryFn,
      initialPageParam: paramOf(begin),
      getNextPageParam: (last: ListPage<A>) => last.next,
      getPreviousPageParam: (_first: unknown, _all: unknown, { page }: PageParam) =>
        page > begin ? paramOf(page - 1) : null
    }
  }

  const mutationOptions = <I, A>(
    call: AnyCall<I, A, R>,
    { idempotencyKey, ...options }: WriteOptions<I> = {}
  ): MutationOptions<I, A, never> => {
    const { callKey, invoke, operation } = describe("mutationOptions", call)
    return {
      mutationKey: callKey,
      mutationFn: async (variables, context) => {
        const input = (variables ?? {}) as I
        const key = (context && idempotencyKeys.get(context)) ?? idempotencyKey?.(input)
        if (context !== undefined && key !== undefined) idempotencyKeys.set(context, key)
        const keyed = key === undefined ? options : { ...options, idempotencyKey: key }
        return run(operation.name, invoke(input, keyed), undefined)
      },
      retry: never
    }
  }

  const factory = {
    queryOptions,
    infiniteQueryOptions,
    mutationOptions,
    queryKey: <I, A>(call?: AnyCall<I, A, R>, input?: I): Key =>
      call === undefined ? prefix : describe("queryKey", call).queryKey(input),
    sliceKey: (call: AnyCall<never, unknown, R>) => describe("sliceKey", call).sliceKey
  }
  // The types tie a key to what its query answers, which nothing does at run time.
  return factory as unknown as F
}
