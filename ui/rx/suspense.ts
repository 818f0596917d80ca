/**
 * Queries that a render waits for. React holds no component while it waits, so somebody else observes the query then, for
 * as long as renders come back for its answer.
 *
 * effect-rx's `useRxSuspense` has one promise for all registries of a process, and goes on with an exchange that no render
 * comes back for.
 */
import * as Result from "@effect-rx/rx/Result"
import { InputError } from "@quartet/sdk/extend"
import * as Option from "effect/Option"
import { hydrations } from "./hydration.js"
import { type Query, QueryId } from "./query.js"
import type { CacheEntry } from "./query-cache.js"
import { isServer, provided, type Registry, service } from "./registry.js"

type AnyQuery = Query<unknown, unknown>
type AnyResult = Result.Result<unknown, unknown>

/** Observes a query for renders. */
interface Hold {
  readonly entry: CacheEntry
  /** Resolves when it is worth to render again. */
  promise: Promise<void>
  /** Whether a render has come since the last look. */
  isWanted: boolean
  /** When a render was first given the error. */
  thrownAt: number | undefined
  readonly release: () => void
}

/** Milliseconds after which renders are asked to come back, and after which a query is given up for which none came. */
const patience = 5_000

/** Milliseconds in which renders are given the same error: React renders once more before it shows one. */
const errorTime = 1_000

const holds = /*#__PURE__*/ new WeakMap<CacheEntry, Hold>()

/** A browser's holds in providers that are not mounted yet. */
const early = /*#__PURE__*/ new Map<AnyQuery, Hold>()

/** What a server's render was answered, and not yet written into its page, and the id of the component that it is for. */
export const streams = /*#__PURE__*/ service(() => ({
  answered: new Set<CacheEntry>(),
  id: undefined as string | undefined
}))

const isThere = (result: AnyResult): boolean => Option.isSome(Result.value(result))

export const hasFailed = (result: AnyResult): result is Result.Failure<unknown, unknown> =>
  Result.isFailure(result) && !result.waiting && !isThere(result)

/** Whether a query has failed on this server, while the page is rendered or before: then it is left to the browser. */
const isLeft = (registry: Registry, { definition: { codec }, result }: CacheEntry): boolean =>
  isServer() &&
  !isThere(result) &&
  (hasFailed(result) || (codec !== undefined && registry.get(hydrations).failed.has(codec.key())))

/**
 * Whether React may still forget the registry's provider: it does where its content suspends before it is mounted, and makes
 * another one then, which knows nothing.
 */
const isEarly = (registry: Registry): boolean => !isServer() && provided.get(registry) === true

const isSpent = ({ entry, thrownAt }: Hold): boolean =>
  hasFailed(entry.result) && thrownAt !== undefined && Date.now() - thrownAt > errorTime

const makeHold = (registry: Registry, query: AnyQuery, entry: CacheEntry): Hold => {
  let resolve = (): void => undefined
  const next = (): Promise<void> =>
    new Promise((settle) => {
      resolve = settle
    })
  /** Has renders come back. Those that still have to wait then get another promise. */
  const wake = (): void => {
    const before = resolve
    hold.promise = next()
    before()
  }
  const look = (result: AnyResult): void => {
    if (isServer() && isThere(result)) registry.get(streams).answered.add(entry)
    if (isThere(result) || hasFailed(result)) wake()
  }
  const unobserve = entry.observe(look, query[QueryId].staleTime, false, () => hold.release())
  const timer: ReturnType<typeof setInterval> | number = setInterval(() => {
    if (!hold.isWanted) return hold.release()
    hold.isWanted = false
    wake()
  }, patience)
  // In Node, it keeps no process alive.
  if (typeof timer === "object") timer.unref()
  const hold: Hold = {
    entry,
    promise: next(),
    isWanted: true,
    thrownAt: undefined,
    release: () => {
      clearInterval(timer)
      unobserve()
      wake()
      if (holds.get(entry) === hold) holds.delete(entry)
      if (early.get(query) === hold) early.delete(query)
    }
  }
  holds.set(entry, hold)
  if (isEarly(registry)) early.set(query, hold)
  return hold
}

/** The hold of a query, also where React has forgotten the provider that it was made in. */
const holdOf = (registry: Registry, query: AnyQuery, entry: CacheEntry): Hold | undefined => {
  const hold = holds.get(entry) ?? (isEarly(registry) ? early.get(query) : undefined)
  if (hold === undefined || !isSpent(hold)) return hold
  hold.release()
  return undefined
}

/**
 * Answers what a query shows once there is an answer. Until then it throws a promise, which suspends the render. Where the
 * query has failed without an answer before, it answers that failure, and asks again when it is called a moment later.
 */
export const suspend = <A, E>(registry: Registry, query: Query<A, E>): Result.Result<A, E> => {
  if (isServer() && !provided.has(registry))
    throw new InputError({
      operation: "useSuspenseQuery",
      field: "registry",
      rule: "must be that of a QuartetProvider: without one, all visitors of a server would share their answers"
    })
  const entry = query[QueryId].entry(registry)
  const hold = holdOf(registry, query, entry)
  if (hold !== undefined) {
    hold.isWanted = true
    if (hold.entry !== entry && hold.entry.answered !== undefined) entry.put(hold.entry.answered)
  }
  // The query has the type of what its entry holds.
  const shown = (result: AnyResult): Result.Result<A, E> => result as Result.Result<A, E>
  if (isThere(entry.result)) {
    // Nothing is mounted on a server: its renders find the answer in the cache.
    if (isServer()) hold?.release()
    return shown(entry.result)
  }
  if (isLeft(registry, entry)) {
    hold?.release()
    if (hasFailed(entry.result)) return shown(entry.result)
    throw new Error(`${entry.definition.of.name} failed on the server: the browser asks again`)
  }
  const current = hold ?? makeHold(registry, query, entry)
  if (!hasFailed(current.entry.result)) throw current.promise
  current.thrownAt ??= Date.now()
  return shown(current.entry.result)
}

/** A component shows the query from now on. */
export const claim = (registry: Registry, query: AnyQuery): void => {
  holds.get(query[QueryId].entry(registry))?.release()
  const earlyHold = early.get(query)
  if (earlyHold !== undefined && isThere(earlyHold.entry.result)) earlyHold.release()
}

/** Forgets the errors that were thrown: the next render asks again. */
export const forgetErrors = (registry: Registry): void => {
  for (const { all } of registry.get(hydrations).caches)
    for (const entry of all) if (hasFailed(entry.result)) holds.get(entry)?.release()
}
