/** Routes, derived from the operations that the handlers name: nothing lists the calls twice. */
import { type Audience, type Declared, Path } from "@quartet/sdk/extend"
import * as Decoding from "./decoding.js"
import type { Handler } from "./handler.js"

/** One segment of a path: fixed text, or the name of a parameter. */
type Segment = { readonly text: string } | { readonly name: string }

/** One operation at its address. */
export interface Route {
  readonly handler: Handler
  readonly declared: Declared
  readonly segments: ReadonlyArray<Segment>
  readonly decode: Decoding.Decode
}

/** A route whose template matches a path. */
export interface Match {
  readonly route: Route
  readonly params: Readonly<Record<string, string>>
}

export interface Router {
  readonly routes: ReadonlyArray<Route>
  /** All routes that match a method and a path, those with more fixed text first. */
  readonly match: (method: string, path: string) => ReadonlyArray<Match>
  /** The methods of a path. */
  readonly methods: (path: string) => ReadonlyArray<string>
}

const segment = (text: string): Segment => {
  const { names } = Path.parse(text)
  return names[0] === undefined ? { text } : { name: names[0] }
}

const decodedOf = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

const fit = (route: Route, parts: ReadonlyArray<string>): Match | undefined => {
  if (route.segments.length !== parts.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, expected] of route.segments.entries()) {
    const value = decodedOf(parts[index] ?? "")
    if (value === undefined || value === "") return undefined
    if ("name" in expected) params[expected.name] = value
    else if (expected.text !== value) return undefined
  }
  return { route, params }
}

/** The position of the first parameter in a template: `a/b/{c}` goes before `a/{b}/c`. */
const specificity = ({ segments }: Route): string =>
  segments.map((part) => ("text" in part ? "0" : "1")).join("")

const partsOf = (path: string): ReadonlyArray<string> =>
  path.replace(/^\/+/, "").replace(/\/$/, "").split("/")

/** Makes the router of a list of handlers. */
export const make = (handlers: ReadonlyArray<Handler>): Router => {
  const routes = handlers.map((handler): Route => {
    const declared = handler.operation.declaration()
    return {
      handler,
      declared,
      segments: partsOf(declared.path).map(segment),
      decode: Decoding.make(declared)
    }
  })
  const ordered = [...routes].sort((a, b) => (specificity(a) < specificity(b) ? -1 : 1))
  return {
    routes,
    match: (method, path) => {
      const parts = partsOf(path)
      return ordered.flatMap((route) => (route.declared.method === method ? (fit(route, parts) ?? []) : []))
    },
    methods: (path) => {
      const parts = partsOf(path)
      const known = routes.filter((route) => fit(route, parts) !== undefined)
      return [...new Set(known.map((route) => route.declared.method))]
    }
  }
}

/** Whether a route needs no credentials. */
export const isOpen = ({ route }: Match): boolean => route.declared.credentials === "none"

/** Whether a route serves an audience by its credentials. */
export const serves =
  (audience: Audience) =>
  (match: Match): boolean =>
    !isOpen(match) && match.route.declared.audiences.includes(audience)
