/** Queries: what components observe and share, at once or page by page. */
import type * as Result from "@effect-rx/rx/Result"
import * as Rx from "@effect-rx/rx/Rx"
import {
  type AnswerError,
  type Call,
  type CallError,
  type CallOptions,
  type CredentialsError,
  type InputError,
  type Operation,
  type Page,
  type PageRange,
  PageSource,
  Pagination,
  type Place,
  sliceOf
} from "@quartet/sdk/extend"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Hash from "effect/Hash"
import type { ClientState } from "./client.js"
import { codecOf } from "./hydration.js"
import { type CacheEntry, type FetchKind, never, type Signal } from "./query-cache.js"
import { fromStore, type Registry } from "./registry.js"
import { refuseSecrets } from "./secrets.js"
import { canonical, entityIdOf, idOf, share } from "./structure.js"

/** A call of any client that a layer of R holds. */
export type AnyCall<I, A, R> = Call<I, A, never, R>

/** A call or a source, as queries and mutations run it. */
export interface QueryFunction<in I, out A, out E, out R> {
  readonly name: string
  /** Names it in this process, whatever the input and however narrowed. */
  readonly family: string
  /** Names it in this process with the schema of its answers. */
  readonly id: string
  readonly run: (input: I, options?: CallOptions) => Effect.Effect<A, E, R>
  /** The operation and its client, where it is a call. */
  readonly call?: { readonly operation: Operation<never, unknown, never>; readonly client: string }
}

const SourceId: unique symbol = Symbol.for("@quartet/react/Source")

/** An effect of the app's own with a name, `<slice>.<call>` as operations have. @category models */
export interface Source<in I, out A, out E, out R> {
  readonly [SourceId]: QueryFunction<I, A, E, R>
}

/**
 * Gives an effect a name, so that a query client can run it as it does calls. Make it once and keep it.
 *
 * ```ts
 * const tasks = source("onboarding.tasks", () => Effect.flatMap(Admin.onboarding.State, (state) => state.tasks))
 * ```
 * @category constructors
 */
export const source = <A, E, R, I = Record<never, never>>(
  name: string,
  run: (input: I) => Effect.Effect<A, E, R>
): Source<I, A, E, R> => {
  const id = `${name}@${idOf(run)}`
  return { [SourceId]: { name, family: id, id, run: (input) => run(input) } }
}

/** Reads a call or a source. */
export const functionOf = <I, A, E, R>(
  callOrSource: AnyCall<I, A, R> | Source<I, A, E, R>
): QueryFunction<I, A, CallError | E, R> => {
  if (SourceId in callOrSource) return callOrSource[SourceId]
  const { client, operation } = callOrSource
  const { success } = operation.declaration()
  // Narrowings of a call differ in their schemas.
  const schema = "page" in success ? success.page.ast : "ast" in success ? success.ast : success
  // A call takes its input first, and may go without it only where I accepts an empty one.
  const call = callOrSource as (input: I, options?: CallOptions) => Effect.Effect<A, CallError, R>
  const family = `${client}/${operation.name}`
  return {
    name: operation.name,
    family,
    id: `${family}/${idOf(schema)}`,
    run: (input, options) => Effect.suspend(() => call(input, options)),
    call: { operation, client }
  }
}

/** How a query keeps its answer good. @category models */
export interface QueryOptions {
  /** Further words by which a mutation's `invalidates` can name it, besides its own name and its slice's. */
  readonly keys?: ReadonlyArray<string>
  /** How long an answer is not fetched again on mount, focus and reconnect; the query client's where left out. */
  readonly staleTime?: Duration.DurationInput
  /** Whether it is fetched again when the user comes back to the page; true. */
  readonly refetchOnWindowFocus?: boolean
  /** Whether it is fetched again when the browser is back online; true. */
  readonly refetchOnReconnect?: boolean
}

export const QueryId: unique symbol = Symbol.for("@quartet/react/Query")

/**
 * What a call answers to one input. Equal queries are one value and one exchange, which begins when it is first observed
 * and is interrupted when nobody observes it any more. @category models
 */
export interface Query<out A, out E> extends Rx.Rx<Result.Result<A, E>> {
  readonly [QueryId]: {
    readonly key: string
    readonly staleTime: number
    readonly entry: (registry: Registry) => CacheEntry
  }
}

/** The pages of a list that are there so far. @category models */
export interface InfiniteData<out A> extends Page<A> {
  /** Whether this is the whole list. */
  readonly done: boolean
  readonly place: Place
}

/** A list as a value. A message to it (`registry.set(query, undefined)`) asks for the next page. @category models */
export interface InfiniteQuery<out A, out E>
  extends Query<InfiniteData<A>, E>,
    Rx.Writable<Result.Result<InfiniteData<A>, E>, void> {}

/** How a list is read: from page `first`, else the input's `page`, else 1, with `limit` items a page. @category models */
export interface InfiniteQueryOptions extends QueryOptions, PageRange {}

/** What a query reads, and how. */
export interface Fetcher<A, E, R> {
  readonly of: Pick<QueryFunction<never, unknown, unknown, unknown>, "call" | "family" | "id" | "name">
  readonly input: unknown
  /** How a list is read page by page; empty where all is fetched at once. */
  readonly kind: string
  readonly run: (previous: A | undefined, kind: FetchKind) => Effect.Effect<A, E, R>
  readonly hasNext: (data: A) => boolean
}

/** Fetches all at once. */
export const whole = <I, A, E, R>(of: QueryFunction<I, A, E, R>, input: I | undefined): Fetcher<A, E, R> => ({
  of,
  input,
  kind: "",
  // Callers may leave the input out only where I accepts an empty one.
  run: () => of.run((input ?? {}) as I),
  hasNext: () => false
})

/**
 * Fetches a list page by page. effect-rx's `pull` fails with NoSuchElementException where a list is empty, and no
 * message makes it read on after a page that failed.
 */
export const byPages = <I, A, E, R>(
  of: QueryFunction<I, Page<A>, E, R>,
  operation: Operation<I, Page<A>, never>,
  input: I | undefined,
  range: PageRange = {}
): Fetcher<InfiniteData<A>, E | InputError | AnswerError, R> => {
  type Reading = Effect.Effect<InfiniteData<A>, E | InputError | AnswerError, R>
  const read = PageSource.make(operation, (input ?? {}) as I, range)
  /**
   * Reads one page more than there is. Where the list was known, each page takes over of it what has not changed: to compare
   * all of a long list with what was known, once it is read, would hold the page for as long.
   */
  const next = (previous: InfiniteData<A> | undefined, known: ReadonlyArray<A> = []): Reading =>
    Effect.flatMap(read, (source) =>
      Effect.map(Pagination.next(source, of.run, previous?.place), ({ done, page, place }) => {
        const before = previous?.items ?? []
        const ids = new Set(before.map(entityIdOf))
        // An item that has moved to this page since the one before it was read stands there already.
        const added = page.items.filter((item) => {
          const id = entityIdOf(item)
          return id === undefined || !ids.has(id)
        })
        const there = known.slice(before.length, before.length + added.length)
        return { items: [...before, ...share(there, added)], paging: page.paging, done, place }
      })
    )
  return {
    of,
    input,
    kind: `pages ${range.first ?? ""} ${range.limit ?? ""}`,
    run: (previous, kind) =>
      kind === "next"
        ? next(previous)
        : Effect.flatMap(next(undefined, previous?.items), (first) =>
            Effect.iterate(first, {
              // An empty page, which may have been the end, is not among the pages of a place.
              while: ({ done, place }) =>
                !done && place.pages < (previous?.place.pages ?? 1) + Number(previous?.done ?? false),
              body: (list) => next(list, previous?.items)
            })
          ),
    hasNext: (list) => !list.done
  }
}

/** Makes the queries of a query client: one value for equal inputs with equal options, while anyone holds it. */
export const makeQueries = <R, LE>(
  queryClient: string,
  defaultStaleTime: Duration.DurationInput,
  states: Rx.Rx<ClientState<R, LE>>,
  focus: Signal,
  reconnect: Signal
) => {
  const describe = (fetcher: Fetcher<unknown, unknown, R>, options: QueryOptions) => {
    const input = canonical(fetcher.input)
    const key = `${fetcher.of.id}#${fetcher.kind}#${input.text}`
    const id = `${key}#${canonical(options).text}`
    const hash = (): number => Hash.string(id)
    const equals = (that: object): boolean => "id" in that && that.id === id
    return { fetcher, options, input, key, id, [Hash.symbol]: hash, [Equal.symbol]: equals }
  }
  const queries = Rx.family(({ fetcher, input, key, options }: ReturnType<typeof describe>) => {
    const { kind, of, run } = fetcher
    if (of.call !== undefined) refuseSecrets(of.call.operation)
    const { keys = [], refetchOnReconnect = true, refetchOnWindowFocus = true } = options
    const staleTime = Duration.toMillis(options.staleTime ?? defaultStaleTime)
    const codec = of.call && codecOf(queryClient, of.call, kind, input)
    const definition = { ...fetcher, key, keys: [key, of.family, of.name, sliceOf(of.name), ...keys], codec }
    const entry = (registry: Registry): CacheEntry => {
      const { cache, client } = registry.get(states)
      return cache.entry(definition, (previous, fetchKind, onExit) =>
        client.fork(run(previous, fetchKind), onExit)
      )
    }
    const query = fromStore<Result.Result<unknown, unknown>, void>(
      (registry) => {
        const cacheEntry = entry(registry)
        const ensure = (): void => cacheEntry.ensure(staleTime)
        return {
          getState: () => cacheEntry.result,
          subscribe: (emit, isRefresh) => {
            const ends = [
              cacheEntry.observe(emit, staleTime, isRefresh),
              (refetchOnWindowFocus ? focus : never)(ensure),
              (refetchOnReconnect ? reconnect : never)(ensure)
            ]
            return () => {
              for (const end of ends) end()
            }
          }
        }
      },
      (registry) => entry(registry).fetchNext()
    )
    return Object.assign(query, { [QueryId]: { key, staleTime, entry } })
  })
  return <A, E>(fetcher: Fetcher<A, E, R>, options: QueryOptions = {}) => {
    type Answer = Result.Result<A, E | LE | CredentialsError>
    const query: unknown = queries(describe(fetcher as unknown as Fetcher<unknown, unknown, R>, options))
    // The key names the call, its schema and the kind of the query, and so the type of the answer.
    return query as Query<A, E | LE | CredentialsError> & Rx.Writable<Answer, void>
  }
}

/** Waits for an answer, unless another user or a mutation makes it outdated first. */
const fetched = (registry: Registry, query: Query<unknown, unknown>): Promise<void> =>
  new Promise((resolve) => {
    const { entry: find, staleTime } = query[QueryId]
    const entry = find(registry)
    const end = (): void => {
      stop()
      resolve()
    }
    const look = ({ waiting }: Result.Result<unknown, unknown>): void => {
      if (!waiting) end()
    }
    const stop = entry.observe(look, staleTime, false, end)
    look(entry.result)
  })

/**
 * Fetches, and waits for the answers: before a server renders, or ahead of a screen. What another user or a mutation makes
 * outdated meanwhile is left to who shows it. Never rejects. @category operations
 */
export const prefetch = async (
  registry: Registry,
  ...queries: ReadonlyArray<Query<unknown, unknown>>
): Promise<void> => {
  await Promise.allSettled(queries.map((query) => fetched(registry, query)))
}
