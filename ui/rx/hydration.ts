/**
 * Takes answers from a server's render to the browser, Dates included, so that the page does not ask again.
 *
 * effect-rx's `Hydration` replaces a newer answer by an older one, and throws in the render where an answer is not what
 * its schema says.
 */
import * as Either from "effect/Either"
import * as Hash from "effect/Hash"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as Decoder from "../../core/kernel/codec/decoder.js"
import * as Page from "../../core/kernel/codec/page.js"
import type { Operation } from "../../core/kernel/operation/operation.js"
import type { Answered, CacheEntry, Codec, QueryCache } from "./query-cache.js"
import { type Registry, service } from "./registry.js"
import type { Canonical } from "./structure.js"

/** One answer on its way from a server to a browser: plain JSON. @category models */
export interface DehydratedQuery extends Answered {
  readonly key: string
}

/** The answers of a registry, as plain JSON. @category models */
export type DehydratedState = ReadonlyArray<DehydratedQuery>

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? "null")

const isPage = (value: unknown): value is { readonly items: ReadonlyArray<unknown> } =>
  typeof value === "object" && value !== null && "items" in value && Array.isArray(value.items)

/**
 * How the answers of a call travel: written by its schema's encoder and read by the client's own decoder, as if the
 * platform had sent them. Nothing travels whose input or schema does not mean the same elsewhere.
 */
export const codecOf = (
  queryClient: string,
  call: { readonly client: string; readonly operation: Operation<never, unknown, never> },
  kind: string,
  input: Canonical
): Codec | undefined => {
  const { success } = call.operation.declaration()
  if (!(input.isPortable && ("page" in success || "ast" in success))) return undefined
  const { ast } = "page" in success ? success.page : success
  const encode = ParseResult.encodeUnknownEither(Schema.make<unknown, unknown>(ast), {
    onExcessProperty: "preserve"
  })
  const decode: Decoder.Decode<unknown> = "page" in success ? Page.decoder(success) : Decoder.make(success)
  // What was answered otherwise than it was declared travels as it came.
  const writeOne = (value: unknown): unknown => Either.getOrElse(encode(value), () => value)
  return {
    key: () =>
      JSON.stringify([
        queryClient,
        call.client,
        call.operation.name,
        Hash.string(String(ast)),
        kind,
        input.text
      ]),
    write: (value) =>
      plain(
        "page" in success && isPage(value) ? { ...value, items: value.items.map(writeOne) } : writeOne(value)
      ),
    read: (json) => {
      const copy = plain(json)
      const around = isPage(copy) && "page" in success ? { ...copy } : {}
      return Either.getOrUndefined(
        Either.map(decode(copy, ""), (value) => ({ value: isPage(value) ? { ...around, ...value } : value }))
      )
    }
  }
}

/** The caches of a registry, and what has come with the page and has not been looked for yet. */
const hydrations = /*#__PURE__*/ service(() => ({
  caches: new Set<QueryCache>(),
  arrived: new Map<string, DehydratedQuery>()
}))

/** Adds a cache to those that are dehydrated and hydrated. */
export const register = (registry: Registry, cache: QueryCache): void => {
  registry.get(hydrations).caches.add(cache)
}

/** Puts an answer that has come with the page into an entry that has none, or an older one. */
export const takeArrived =
  (registry: Registry, now: () => number) =>
  (entry: CacheEntry): void => {
    const { arrived } = registry.get(hydrations)
    const { codec } = entry.definition
    const found = arrived.size === 0 ? undefined : arrived.get(codec?.key() ?? "")
    if (found === undefined) return
    arrived.delete(found.key)
    const read = codec?.read(found.value)
    // A server's clock that is ahead must not make its answers good for longer.
    if (read !== undefined) entry.put({ value: read.value, at: Math.min(found.at, now()) })
  }

/** Takes a state in without telling anyone: safe while React renders. */
export const stage = (registry: Registry, state: DehydratedState): void => {
  const { arrived } = registry.get(hydrations)
  for (const item of state) {
    if (!((arrived.get(item.key)?.at ?? 0) > item.at)) arrived.set(item.key, item)
  }
}

/** Forgets what has arrived: it was for somebody else. */
export const dropArrived = (registry: Registry): void => registry.get(hydrations).arrived.clear()

/** Gives what has arrived to the entries that there are already. */
export const settle = (registry: Registry): void => {
  for (const cache of registry.get(hydrations).caches) cache.hydrateAll()
}

/** Puts a server's answers into a registry. An answer that is newer there stays. @category operations */
export const hydrate = (registry: Registry, state: DehydratedState): void => {
  stage(registry, state)
  settle(registry)
}

/** Everything that the query clients of a registry were answered, as plain JSON. @category operations */
export const dehydrate = (registry: Registry): DehydratedState =>
  [...registry.get(hydrations).caches]
    .flatMap(({ all }) => all)
    .flatMap(({ answered, definition: { codec } }) =>
      answered === undefined || codec === undefined
        ? []
        : [{ key: codec.key(), value: codec.write(answered.value), at: answered.at }]
    )

/** A state as JSON that may stand inside a `<script>` of a page. @category operations */
export const toScript = (state: DehydratedState): string =>
  JSON.stringify(state).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  )
