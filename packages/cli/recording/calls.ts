/** Which call an exchange is of, by its method and route, or by the operation's name, and for which client. */

import type { Audience, Host } from "@quartet/sdk/extend"
import { type Described, described } from "@quartet/sdk/extend/description"
import type * as AST from "effect/SchemaAST"

/** What is known of an exchange. */
export interface Seen {
  readonly method: string
  /** Path with or without its query, from `/`. */
  readonly path: string
  /** The names of the request's headers. */
  readonly headers: ReadonlyArray<string>
  /** The operation's name, where it is known. */
  readonly operation?: string | undefined
  /** Whether nothing stands before the route in the path. Elsewhere a client's address may have a path of its own. */
  readonly isWhole?: boolean
}

type Segments = ReadonlyArray<string>

const segmentsOf = (path: string): Segments =>
  (path.split(/[?#]/)[0] ?? "").split("/").filter((segment) => segment !== "")

/** Whether a call's answer can be recorded: not that of a sign-in, which is credentials, nor a download. */
export const isRecordable = ({ declared, isDownload }: Described): boolean =>
  declared.credentials !== "none" && !isDownload

const recordable: ReadonlyArray<Described> = described.filter(isRecordable)

const byKey: ReadonlyMap<string, Described> = new Map(recordable.map((call) => [call.key, call]))

/** The call of a key, such as `admin.items.list`. */
export const callOf = (key: string): Described | undefined => byKey.get(key)

/** What a call declares of its answer; of a list, of each item. */
export const declaredOf = (call: Described | undefined): AST.AST | undefined => {
  const success = call?.declared.success
  if (success === undefined || "bytes" in success) return undefined
  return "page" in success ? success.page.ast : success.ast
}

/** How well a template matches the end of a path: its length and its fixed parts; undefined where it does not. */
const fit = (template: Segments, path: Segments, isWhole = false): number | undefined => {
  if (isWhole ? template.length !== path.length : template.length > path.length) return undefined
  const rest = path.slice(path.length - template.length)
  const fixed = template.filter((segment) => !segment.startsWith("{")).length
  const isMatch = template.every((segment, at) => segment.startsWith("{") || segment === rest[at])
  return isMatch ? template.length * 100 + fixed : undefined
}

/** The best of the calls that match a method and a path; several where clients share a route. */
const byRoute = (
  method: string,
  path: string,
  isWhole?: boolean,
  calls: ReadonlyArray<Described> = recordable
): ReadonlyArray<Described> => {
  const segments = segmentsOf(path)
  let best = 0
  let candidates: ReadonlyArray<Described> = []
  for (const call of calls) {
    if (call.declared.method !== method) continue
    const score = fit(segmentsOf(call.declared.path), segments, isWhole) ?? 0
    if (score === 0 || score < best) continue
    candidates = score > best ? [call] : [...candidates, call]
    best = score
  }
  return candidates
}

/** The calls whose route a path ends with; a path of the platform's own may stand before it. @category getters */
export const routesOf = (
  method: string,
  path: string,
  calls?: ReadonlyArray<Described>
): ReadonlyArray<Described> => byRoute(method, path, false, calls)

/** The calls of a name; where several have it, those that are sent so. */
const byName = (name: string, method: string, path: string): ReadonlyArray<Described> => {
  const named = described.filter((call) => call.name === name)
  const segments = segmentsOf(path)
  const sent = named.filter(
    ({ declared }) => declared.method === method && fit(segmentsOf(declared.path), segments) !== undefined
  )
  return (sent.length > 0 ? sent : named).filter(isRecordable)
}

/** The service that a path belongs to, by its route: the new API where it has none. @category getters */
export const hostOf = (method: string, path: string): Host => byRoute(method, path)[0]?.declared.host ?? "api"

/** The client that sends such headers, by the names that they have by default. */
const audienceOf = (headers: ReadonlyArray<string>): Audience | undefined => {
  const names = new Set(headers.map((name) => name.toLowerCase()))
  if (names.has("authorization")) return "admin"
  if (names.has("x-private-key")) return "private"
  if (names.has("x-session-id")) return names.has("x-api-key") ? "endUser" : "admin"
  return names.has("x-api-key") ? "public" : undefined
}

/**
 * The calls that an exchange may be of, for the client that `audience` or the headers say. Where neither does, it is one for
 * each client that has an operation of this name, and none of a route: each of these calls has headers.
 */
export const find = (
  { headers, isWhole, method, operation, path }: Seen,
  audience?: Audience
): ReadonlyArray<Described> => {
  const all = operation === undefined ? byRoute(method, path, isWhole) : byName(operation, method, path)
  const client = audience ?? audienceOf(headers)
  const own = all.filter((call) => call.audience === client)
  return own.length > 0 || audience !== undefined || operation === undefined ? own : all
}

/** Whether a request shows that it was sent to the platform: by its headers and route, or by the operation's name. */
export const isOfPlatform = ({
  headers,
  method,
  operation,
  url
}: Omit<Seen, "path"> & { readonly url: URL }): boolean =>
  operation !== undefined || find({ headers, method, path: url.pathname }).length > 0
