/**
 * Takes answers from a server's render to the browser, Dates included, so that the page does not fetch them again.
 *
 * effect-rx's `Hydration` replaces a newer answer by an older one, and throws in the render where an answer is not what
 * its schema says.
 */

import { Decoder, InputError, type Operation, Pages as Page } from "@quartet/sdk/extend"
import * as Either from "effect/Either"
import type * as AST from "effect/SchemaAST"
import type { Arrived, Codec, QueryCache } from "./query-cache.js"
import { type Registry, service } from "./registry.js"
import { type Canonical, hashOf } from "./structure.js"

/** One answer on its way from a server to a browser: plain JSON. @category models */
export interface DehydratedQuery extends Arrived {
  readonly key: string
  /** It failed on the server: there is no value, and only the browser asks again. */
  readonly hasFailed?: true
}

/** The answers of a registry, as plain JSON. @category models */
export type DehydratedState = ReadonlyArray<DehydratedQuery>

export const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? "null")

export const hasItems = (
  value: unknown
): value is { readonly items: ReadonlyArray<unknown>; readonly paging?: unknown } =>
  Array.isArray(Object(value).items)

/**
 * How the answers of a call travel: written by its schema's encoder and read by the client's own decoder, as if the
 * platform had sent them. Nothing travels whose input or schema does not mean the same elsewhere.
 */
export const codecOf = (
  queryClient: string,
  { client, operation }: { readonly client: string; readonly operation: Operation<never, unknown, never> },
  kind: string,
  input: Canonical
): Codec | undefined => {
  const { success } = operation.declaration()
  if (!(input.isPortable && ("page" in success || "ast" in success))) return undefined
  const [ast, decode]: readonly [AST.AST, Decoder.Decode<unknown>] =
    "page" in success
      ? [success.page.ast, Page.decoder(success)]
      : [success.ast, Decoder.make<unknown>(success)]
  const isPage = "page" in success
  let key: string | undefined
  return {
    key: () => {
      key ??= JSON.stringify([queryClient, client, operation.name, hashOf(ast), kind, input.text])
      return key
    },
    ast,
    isPage,
    read: (json) => {
      let isDrifted = false
      // What a list knows beside its page is no part of an answer.
      const { items, paging, ...beside } = isPage && hasItems(json) ? json : {}
      const decoded = decode(plain(items === undefined ? json : { items, paging }), "", () => {
        isDrifted = true
      })
      return Either.getOrUndefined(
        Either.map(decoded, (value) => ({
          value: items === undefined ? value : { ...beside, ...Object(value) },
          isDrifted
        }))
      )
    }
  }
}

/** The caches of a registry, and the answers that have come with the page and that no entry has taken yet. */
export const hydrations = /*#__PURE__*/ service(() => ({
  caches: new Set<QueryCache>(),
  arrived: new Map<string, Arrived>(),
  /** The keys of queries that have failed on the server before the page was rendered there. */
  failed: new Set<string>()
}))

/** Takes a state in without a call to any observer: safe while React renders. Throws InputError where it is none. */
export const stage = (registry: Registry, state: DehydratedState): void => {
  if (!(Array.isArray(state) && state.every((item) => typeof Object(item).key === "string")))
    throw new InputError({ operation: "hydrate", field: "state", rule: "must be what dehydrate answers" })
  const { arrived, failed } = registry.get(hydrations)
  for (const item of state) {
    if (item.hasFailed === true) failed.add(item.key)
    else if (!((arrived.get(item.key)?.at ?? 0) > item.at)) arrived.set(item.key, item)
  }
}

/** Gives what has arrived to the entries that there are already. */
export const settle = (registry: Registry): void => {
  for (const cache of registry.get(hydrations).caches) cache.hydrate()
}

/**
 * Puts a server's answers into a registry. An answer that is newer there stays. Throws InputError where the state is not
 * one. @category operations
 */
export const hydrate = (registry: Registry, state: DehydratedState): void => {
  stage(registry, state)
  settle(registry)
}

/** A state, or other JSON, that may stand inside a `<script>` of a page. @category operations */
export const toScript = (state: DehydratedState | string): string =>
  JSON.stringify(state).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  )
