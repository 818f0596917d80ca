/** Methods and paths in a dialect, and where a request names the project. */
import * as Effect from "effect/Effect"
import { invalid, notFound, type Refusal } from "../platform/refusal.js"
import type { Received, Request } from "../platform/wire.js"
import type { Dialect } from "./axes.js"

/** A call that has moved: what it is asked by, and what the platform itself knows it as. */
interface Move {
  readonly method: string
  /** A path of segments, `*` for one of any text. */
  readonly path: string
  /** A parameter that the path holds. */
  readonly query?: readonly [name: string, value: string]
  readonly own: { readonly method: string; readonly path: string }
}

const moves: ReadonlyArray<Move> = [
  ...["request-action/*", "auth/user/*", "v1/box/*"].map((path) => ({
    method: "PATCH",
    path,
    own: { method: "PUT", path }
  })),
  // The view stands in the path of the call, as a query.
  { method: "GET", path: "order/*", query: ["view", "full"], own: { method: "GET", path: "order/*" } },
  { method: "GET", path: "catalogue/*/item", own: { method: "GET", path: "item/*" } }
]

/** Paths of the platform that a move's would hide. */
const fixed = new Set(["order/search", "item/search", "item/feature", "request-action/confirm"])

const partsOf = (path: string): ReadonlyArray<string> => path.replace(/^\/+|\/$/g, "").split("/")

/** The text in a path's place of `*`; undefined if it is another path. */
const textAt = (template: string, path: string): string | undefined => {
  const expected = template.split("/")
  const parts = partsOf(path)
  if (parts.length !== expected.length || fixed.has(parts.join("/"))) return undefined
  return expected.every((part, index) => part === "*" || part === parts[index])
    ? parts[expected.indexOf("*")]
    : undefined
}

/** The parameter, or the header, that names the project. */
const projectParameter = "project"
const projectHeader = "x-project"

/** The project before the path of a call. */
const prefix = /^\/tenants\/([^/?]+)(?=\/)/

/** The path without the project before it. */
const inner = (dialect: Dialect, path: string): string =>
  dialect.project === "path" ? path.replace(prefix, "") : path

export interface Routes {
  readonly receive: (request: Request) => Effect.Effect<Received, Refusal>
  readonly methods: (path: string, known: (path: string) => ReadonlyArray<string>) => ReadonlyArray<string>
  /** The methods beside the usual ones. */
  readonly further: ReadonlyArray<string>
}

export const make = (dialect: Dialect, projectId: string): Routes => {
  const moved = dialect.routes === "moved" ? moves : []

  const project = ({ headers, path }: Request, query: URLSearchParams): string | undefined => {
    switch (dialect.project) {
      case "parameter": {
        const name = query.get(projectParameter) ?? undefined
        query.delete(projectParameter)
        return name
      }
      case "header":
        return headers[projectHeader]
      case "path": {
        const name = prefix.exec(path)?.[1]
        return name === undefined ? undefined : decodeURIComponent(name)
      }
      case "none":
        return projectId
      default:
        return undefined
    }
  }

  const place = (): string => {
    switch (dialect.project) {
      case "parameter":
        return `the query has ${projectParameter}`
      case "header":
        return `the header ${projectHeader} names the project`
      case "path":
        return "the path names the project"
      default:
        return "a request does not name the project"
    }
  }

  return {
    receive: (request) =>
      Effect.gen(function* () {
        const [whole = "/", text = ""] = request.path.split(/\?(.*)/s)
        const query = new URLSearchParams(text)
        const name = project(request, query)
        if (dialect.project !== "query" && query.has("projectId"))
          return yield* invalid("projectId", `is not a parameter: ${place()}`)
        let path = inner(dialect, whole)
        let { method } = request
        for (const move of moved) {
          const part = textAt(move.path, path)
          if (
            part !== undefined &&
            method === move.method &&
            (move.query === undefined || query.get(move.query[0]) === move.query[1])
          ) {
            if (move.query !== undefined) query.delete(move.query[0])
            method = move.own.method
            path = `/${move.own.path.replace("*", part)}`
            break
          }
          const old = textAt(move.own.path, path)
          if (old !== undefined && method === move.own.method)
            return yield* notFound(`the call ${method} ${path} (it has moved)`)
        }
        const rest = query.toString()
        return {
          ...request,
          method,
          path: rest === "" ? path : `${path}?${rest}`,
          ...(dialect.project === "query" ? {} : { projectId: name })
        }
      }),
    methods: (path, known) => {
      const own = inner(dialect, path)
      const move = moved.find((candidate) => textAt(candidate.path, own) !== undefined)
      const further = move === undefined ? [] : [move.method]
      return [...known(own), ...further]
    },
    further: moved.length === 0 ? [] : ["PATCH"]
  }
}
