/** Writes answers as JSON on a server: apart from what reads them, so that a browser loads no encoder. */
import * as Either from "effect/Either"
import * as Equal from "effect/Equal"
import * as ParseResult from "effect/ParseResult"
import { isObject } from "effect/Predicate"
import * as Schema from "effect/Schema"
import { type DehydratedState, hasItems, hydrations, plain } from "./hydration.js"
import { prefetch, type Query, QueryId } from "./query.js"
import type { Arrived, CacheEntry, Codec } from "./query-cache.js"
import { makeRegistry, type Registry } from "./registry.js"
import { hasFailed } from "./suspense.js"

/** Whether two answers hold the same. What cannot be looked into is not the same, save what its class compares. */
const isSame = (left: unknown, right: unknown): boolean => {
  if (Object.is(left, right)) return true
  if (!(isObject(left) && isObject(right)) || Object.getPrototypeOf(left) !== Object.getPrototypeOf(right))
    return false
  if (Equal.isEqual(left) && Equal.equals(left, right)) return true
  if (left instanceof Date || left instanceof URL) return JSON.stringify(left) === JSON.stringify(right)
  if (left instanceof Map || left instanceof Set) return isSame([...left], [...Object(right)])
  // A field that is undefined counts as left out, as in JSON.
  const names = [left, right].map((of) =>
    Reflect.ownKeys(of).filter((name) => Reflect.get(of, name) !== undefined)
  )
  const [all = []] = names
  return (
    (all.length > 0 || Array.isArray(left) || Object.getPrototypeOf(left) === Object.prototype) &&
    all.length === names[1]?.length &&
    all.every(
      (name) => Object.hasOwn(right, name) && isSame(Reflect.get(left, name), Reflect.get(right, name))
    )
  )
}

/**
 * An answer as JSON, written by its schema's encoder, which only those bundle that dehydrate. What the encoder refuses
 * or throws over travels as it is, as an answer does that was not what it was declared. Left out, and so asked again in
 * the browser, is what would be read there as something else.
 */
const written = ({ ast, isPage, read }: Codec, value: unknown): ReadonlyArray<Omit<Arrived, "at">> => {
  const encode = ParseResult.encodeUnknownEither(Schema.make(ast), { onExcessProperty: "preserve" })
  const encodeItem = (item: unknown): unknown =>
    Either.getOrElse(
      Either.flatMap(
        Either.try(() => encode(item)),
        (result) => result
      ),
      () => item
    )
  const json = Either.try(() => {
    const all = plain(
      isPage && hasItems(value) ? { ...value, items: value.items.map(encodeItem) } : encodeItem(value)
    )
    const decoded = read(all)
    return decoded !== undefined && isSame(value, decoded.value)
      ? [{ value: all, ...(decoded.isDrifted ? { isDrifted: true } : {}) }]
      : []
  })
  return Either.getOrElse(json, () => [])
}

/**
 * What these queries, or all of a registry, were answered. Left out is what has its key in common with another query there:
 * the browser could not tell whose it is.
 */
export const dehydrateEntries = (registry: Registry, entries?: Iterable<CacheEntry>): DehydratedState => {
  const all = [...registry.get(hydrations).caches].flatMap((cache) => cache.all)
  const counts = new Map<string, number>()
  for (const { definition } of all) {
    const key = definition.codec?.key()
    if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return [...(entries ?? all)].flatMap(({ answered, definition: { codec } }) => {
    const key = codec?.key()
    return answered === undefined || codec === undefined || key === undefined || Number(counts.get(key)) > 1
      ? []
      : written(codec, answered.value).map((json) => ({ key, ...json, at: answered.at }))
  })
}

/** Everything that the query clients of a registry were answered, as plain JSON. @category operations */
export const dehydrate = (registry: Registry): DehydratedState => dehydrateEntries(registry)

/**
 * Fetches on a server, and answers what came as plain JSON: for `state` of a provider, or, as a promise that nobody has
 * awaited, for that of a `HydrationBoundary`, so that the page is sent before its answers. What failed is
 * named without its error: a server that renders with it does not ask again, a browser does. @category operations
 */
export const prefetchState = async (
  ...queries: ReadonlyArray<Query<unknown, unknown>>
): Promise<DehydratedState> => {
  const registry = makeRegistry()
  try {
    await prefetch(registry, ...queries)
    const failed = queries.flatMap((query): DehydratedState => {
      const { definition, result } = query[QueryId].entry(registry)
      const key = hasFailed(result) ? definition.codec?.key() : undefined
      return key === undefined ? [] : [{ key, value: null, at: 0, hasFailed: true }]
    })
    return [...dehydrate(registry), ...failed]
  } finally {
    registry.dispose()
  }
}
