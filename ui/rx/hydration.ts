/** Takes answers from a server's render to the browser, Dates included, so that the page does not ask again. */
import * as Either from "effect/Either"
import * as Hash from "effect/Hash"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as Decoder from "../../core/kernel/codec/decoder.js"
import * as Page from "../../core/kernel/codec/page.js"
import type { Cache, Portable, Question } from "./cache.js"
import { type Registry, type Rx, singleton } from "./engine.js"
import type { Entry } from "./entry.js"
import type { Canonical } from "./identity.js"
import type { Asked } from "./source.js"

/** One answer on its way from a server to a browser: plain JSON. */
export interface DehydratedQuery {
  readonly key: string
  readonly value: unknown
  /** When it was answered, in milliseconds since 1970. */
  readonly at: number
}

/** The answers of a registry, as plain JSON. */
export type DehydratedState = ReadonlyArray<DehydratedQuery>

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? "null")

const isPage = (value: unknown): value is { readonly items: ReadonlyArray<unknown> } =>
  typeof value === "object" && value !== null && "items" in value && Array.isArray(value.items)

/**
 * How the answers of a call travel: written by its schema's encoder and read by the client's own decoder, as if the
 * platform had sent them. Nothing travels whose question or schema does not mean the same elsewhere.
 */
export const portable = (
  client: string,
  call: Asked<never, unknown, unknown, unknown>["call"],
  kind: string,
  input: Canonical
): Portable | undefined => {
  if (call === undefined || !input.isPortable) return undefined
  const { success } = call.operation.declaration()
  if (!("page" in success || "ast" in success)) return undefined
  const { ast } = "page" in success ? success.page : success
  const encode = ParseResult.encodeUnknownEither(Schema.make<unknown, unknown>(ast), {
    onExcessProperty: "preserve"
  })
  const decode: Decoder.Decode<unknown> = "page" in success ? Page.decoder(success) : Decoder.make(success)
  // What was answered otherwise than it was declared travels as it came.
  const writeOne = (value: unknown): unknown => Either.getOrElse(encode(value), () => value)
  const write = (value: unknown): unknown =>
    "page" in success && isPage(value) ? { ...value, items: value.items.map(writeOne) } : writeOne(value)
  return {
    key: () =>
      JSON.stringify([client, call.client, call.operation.name, Hash.string(String(ast)), kind, input.text]),
    write: (value) => plain(write(value)),
    read: (json) => {
      const copy = plain(json)
      const whole = isPage(copy) && "page" in success ? { ...copy } : {}
      return Either.getOrUndefined(
        Either.map(decode(copy, ""), (value) => ({ value: isPage(value) ? { ...whole, ...value } : value }))
      )
    }
  }
}

/** The caches that fill a registry. */
export const caches: Rx<Set<Cache>> = /*#__PURE__*/ singleton<Set<Cache>>(
  () => new Set(),
  (all) => all.clear()
)

/** What has come with the page and has not been looked for yet. */
const arrived: Rx<Map<string, DehydratedQuery>> = /*#__PURE__*/ singleton<Map<string, DehydratedQuery>>(
  () => new Map(),
  (all) => all.clear()
)

/** Puts an answer that has come with the page into an entry that has none, or an older one. */
export const takeArrived =
  (registry: Registry, now: () => number) =>
  (question: Question<unknown, unknown>, entry: Entry<unknown, unknown>): void => {
    const waiting = registry.get(arrived)
    if (waiting.size === 0 || question.portable === undefined) return
    const key = question.portable.key()
    const found = waiting.get(key)
    if (found === undefined) return
    waiting.delete(key)
    const read = question.portable.read(found.value)
    // A server's clock that is ahead must not make its answers good for longer.
    if (read !== undefined) entry.put({ value: read.value, at: Math.min(found.at, now()) })
  }

/** Takes a state in without telling anyone: safe while React renders. */
export const stage = (registry: Registry, state: DehydratedState): void => {
  const waiting = registry.get(arrived)
  for (const item of state) {
    const known = waiting.get(item.key)
    if (known === undefined || known.at < item.at) waiting.set(item.key, item)
  }
}

/** Forgets what has arrived: it was for somebody else. */
export const dropArrived = (registry: Registry): void => registry.get(arrived).clear()

/** Gives what has arrived to the entries that there are already. */
export const settle = (registry: Registry): void => {
  for (const cache of registry.get(caches)) cache.hydrateAll()
}

/** Puts a server's answers into a registry. An answer that is newer there stays. */
export const hydrate = (registry: Registry, state: DehydratedState): void => {
  stage(registry, state)
  settle(registry)
}

/** Everything that the clients of a registry were answered, as plain JSON. */
export const dehydrate = (registry: Registry): DehydratedState => {
  const state: Array<DehydratedQuery> = []
  for (const cache of registry.get(caches)) {
    for (const { entry, question } of cache.all) {
      const { base } = entry
      if (base === undefined || question.portable === undefined) continue
      const value = question.portable.write(base.value)
      if (value !== undefined) state.push({ key: question.portable.key(), value, at: base.at })
    }
  }
  return state
}

/** A state as JSON that may stand inside a `<script>` of a page. */
export const toScript = (state: DehydratedState): string =>
  JSON.stringify(state).replace(/[<>&\u2028\u2029]/g, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, "0")
    return `\\u${code}`
  })
