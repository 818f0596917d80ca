/** The axes along which platforms differ that were written from one specification, and the choices on each. */

const choices = <const C extends ReadonlyArray<string>>(...all: C): Readonly<C> => Object.freeze(all)

/** All choices by their axis. The first of each is the sandbox's own. @category constants */
export const axes = Object.freeze({
  /** The envelope of one thing. */
  things: choices("bare", "data", "json-api"),
  /** The envelope of a list. */
  lists: choices("paging", "bare", "data", "rows", "hal", "json-api", "edges", "by-id", "named"),
  /** How a page of a list is asked for. */
  paging: choices("page", "from-zero", "bracketed", "offset", "cursor", "link"),
  /** How the values of a list parameter are joined. */
  parameters: choices("comma", "repeated", "brackets"),
  /** What ids are. */
  ids: choices("text", "numbers"),
  /** The field of a thing's id. */
  idField: choices("_id", "id"),
  /** The names of declared fields. */
  names: choices("camel", "snake"),
  /** What stands for a time in declared fields. */
  dates: choices("iso", "seconds", "milliseconds"),
  /** The body of an error. */
  errors: choices("nested", "problem", "json-api", "text", "flat"),
  /** Where the id of a request stands. */
  requestId: choices("x-request-id", "x-correlation-id", "body"),
  /** What admins and end users sign in with, and what they get. */
  signIn: choices("two", "one", "session", "cookie"),
  /** What an access token is. */
  token: choices("jwt", "opaque", "refreshed", "other-claims"),
  /** Where credentials stand in a request. */
  credentials: choices("bearer", "token-scheme", "headers", "query-key"),
  /** Where a request names the project. */
  project: choices("query", "parameter", "header", "path", "none"),
  /** The header of the idempotency key. */
  idempotency: choices("idempotency-key", "x-write-key"),
  /** A header that each request must have. */
  version: choices("none", "x-api-version"),
  /** Methods and paths. */
  routes: choices("usual", "moved"),
  /** How files are downloaded. */
  downloads: choices("direct", "redirect"),
  /** Names and messages of the chat. */
  chat: choices("flat", "nested")
})

/** The axes of a dialect. @category models */
export type Axis = keyof typeof axes

/** A dialect: one choice on each axis. @category models */
export type Dialect = { readonly [A in Axis]: (typeof axes)[A][number] }

/** The names of all axes. */
export const axisNames: ReadonlyArray<Axis> = Object.keys(axes) as ReadonlyArray<Axis>

/** The sandbox's own dialect. */
export const standard: Dialect = {
  things: "bare",
  lists: "paging",
  paging: "page",
  parameters: "comma",
  ids: "text",
  idField: "_id",
  names: "camel",
  dates: "iso",
  errors: "nested",
  requestId: "x-request-id",
  signIn: "two",
  token: "jwt",
  credentials: "bearer",
  project: "query",
  idempotency: "idempotency-key",
  version: "none",
  routes: "usual",
  downloads: "direct",
  chat: "flat"
}

/** Why no platform can make two choices at once; undefined if one can. */
export const contradictionOf = (dialect: Dialect): string | undefined => {
  const { errors, ids, lists, paging, requestId, signIn, token } = dialect
  if (lists === "bare" && paging === "cursor")
    return "a bare list has no place for the cursor of the next page"
  if (lists === "edges" && paging !== "cursor") return "edges are paged by cursors"
  if (lists === "by-id" && ids === "numbers") return "a map by numbers loses its order"
  if (errors === "text" && requestId === "body") return "plain text has no place for the id of a request"
  if ((signIn === "session" || signIn === "cookie") && token !== "jwt") return "a session alone has no token"
  return undefined
}
