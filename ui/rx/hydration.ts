/**
 * Takes answers from a server's render to the browser, Dates included, so that the page does not fetch them again.
 *
 * effect-rx's `Hydration` replaces a newer answer by an older one, and throws in the render where an answer is not what
 * its schema says.
 */
import * as Either from "effect/Either"
import * as Equal from "effect/Equal"
import * as Hash from "effect/Hash"
import * as ParseResult from "effect/ParseResult"
import { isObject } from "effect/Predicate"
import * as Schema from "effect/Schema"
import type * as AST from "effect/SchemaAST"
import * as Decoder from "../../core/kernel/codec/decoder.js"
import * as Page from "../../core/kernel/codec/page.js"
import { InputError } from "../../core/kernel/errors/errors.js"
import type { Operation } from "../../core/kernel/operation/operation.js"
import type { Arrived, Codec, QueryCache } from "./query-cache.js"
import { type Registry, service } from "./registry.js"
import type { Canonical } from "./structure.js"

/** One answer on its way from a server to a browser: plain JSON. @category models */
export interface DehydratedQuery extends Arrived {
  readonly key: string
}

/** The answers of a registry, as plain JSON. @category models */
export type DehydratedState = ReadonlyArray<DehydratedQuery>

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? "null")

const hasItems = (
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
  return {
    key: () =>
      JSON.stringify([queryClient, client, operation.name, Hash.string(String(ast)), kind, input.text]),
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
  arrived: new Map<string, Arrived>()
}))

/** Takes a state in without a call to any observer: safe while React renders. Throws InputError where it is none. */
export const stage = (registry: Registry, state: DehydratedState): void => {
  if (!(Array.isArray(state) && state.every((item) => typeof Object(item).key === "string")))
    throw new InputError({ operation: "hydrate", field: "state", rule: "must be what dehydrate answers" })
  const { arrived } = registry.get(hydrations)
  for (const item of state) {
    if (!((arrived.get(item.key)?.at ?? 0) > item.at)) arrived.set(item.key, item)
  }
}

/** Gives what has arrived to the entries that there are already. */
export const settle = (registry: Registry): void => {
  for (const cache of registry.get(hydrations).caches) cache.hydrateAll()
}

/**
 * Puts a server's answers into a registry. An answer that is newer there stays. Throws InputError where the state is not
 * one. @category operations
 */
export const hydrate = (registry: Registry, state: DehydratedState): void => {
  stage(registry, state)
  settle(registry)
}

/** Whether two answers hold the same. What cannot be looked into is not the same, save what its class compares. */
const isSame = (one: unknown, other: unknown): boolean => {
  if (Object.is(one, other)) return true
  if (!(isObject(one) && isObject(other)) || Object.getPrototypeOf(one) !== Object.getPrototypeOf(other))
    return false
  if (Equal.isEqual(one) && Equal.equals(one, other)) return true
  if (one instanceof Date || one instanceof URL) return JSON.stringify(one) === JSON.stringify(other)
  if (one instanceof Map || one instanceof Set) return isSame([...one], [...Object(other)])
  // A field that is undefined counts as left out, as in JSON.
  const names = [one, other].map((of) =>
    Reflect.ownKeys(of).filter((name) => Reflect.get(of, name) !== undefined)
  )
  const [all = []] = names
  return (
    (all.length > 0 || Array.isArray(one) || Object.getPrototypeOf(one) === Object.prototype) &&
    all.length === names[1]?.length &&
    all.every(
      (name) => Object.hasOwn(other, name) && isSame(Reflect.get(one, name), Reflect.get(other, name))
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
  const one = (item: unknown): unknown =>
    Either.getOrElse(
      Either.flatMap(
        Either.try(() => encode(item)),
        (result) => result
      ),
      () => item
    )
  const json = Either.try(() => {
    const all = plain(isPage && hasItems(value) ? { ...value, items: value.items.map(one) } : one(value))
    const found = read(all)
    return found !== undefined && isSame(value, found.value)
      ? [{ value: all, ...(found.isDrifted ? { isDrifted: true } : {}) }]
      : []
  })
  return Either.getOrElse(json, () => [])
}

/** Everything that the query clients of a registry were answered, as plain JSON. @category operations */
export const dehydrate = (registry: Registry): DehydratedState =>
  [...registry.get(hydrations).caches]
    .flatMap(({ all }) => all)
    .flatMap(({ answered, definition: { codec } }) =>
      answered === undefined || codec === undefined
        ? []
        : written(codec, answered.value).map((json) => ({ key: codec.key(), ...json, at: answered.at }))
    )

/** A state as JSON that may stand inside a `<script>` of a page. @category operations */
export const toScript = (state: DehydratedState): string =>
  JSON.stringify(state).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  )
