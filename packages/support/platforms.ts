/** What is said of a platform that speaks a dialect of the sandbox: for each of its choices what a user of the SDK would write. */
import type { Dialect } from "@quartet/sandbox"
import type * as Platform from "@quartet/sdk/platform"

const lists = (dialect: Dialect): NonNullable<Platform.Definition["lists"]> => {
  const { lists: envelope, paging, parameters } = dialect
  const envelopes = {
    paging: {},
    bare: {},
    data: { items: "data", total: "meta.total" },
    rows: { items: "result.rows", total: "result.count" },
    hal: { items: "_embedded.*", total: "total" },
    "json-api": { items: "data", total: "meta.total" },
    edges: { items: "edges", item: "node", total: "totalCount", next: "pageInfo.endCursor" },
    "by-id": { items: "items", total: "total" },
    named: { items: "*", total: "totalCount" }
  } as const satisfies Record<Dialect["lists"], Platform.Lists>
  /** Where the next cursor or its address stands. */
  const cursors: Partial<Record<Dialect["lists"], Platform.Lists>> = {
    paging: { next: "paging.nextCursor" },
    data: { next: "meta.nextCursor" },
    rows: { next: "result.nextCursor" },
    "by-id": { next: "nextCursor" },
    named: { next: "nextCursor" },
    hal: { next: "_links.next", page: { by: "link" } },
    "json-api": { next: "links.next", page: { by: "link" } },
    edges: { page: { by: "cursor", parameter: "after", limit: "first" } }
  }
  const pages = {
    page: {},
    "from-zero": { page: { by: "page", parameter: "pageNumber", limit: "pageSize", first: 0 } },
    bracketed: { page: { by: "page", parameter: "page[number]", limit: "page[size]" } },
    offset: { page: { by: "offset" } },
    cursor: { page: { by: "cursor" }, ...cursors[envelope] },
    link: {
      page: { by: "page", limit: "per_page" },
      next: { header: "link" },
      total: { header: "x-total-count" }
    }
  } as const satisfies Record<Dialect["paging"], Platform.Lists>
  const joined = { comma: "comma", repeated: "repeat", brackets: "brackets" } as const
  return { ...envelopes[envelope], ...pages[paging], parameters: joined[parameters] }
}

const errors: Record<Dialect["errors"], Platform.Errors> = {
  nested: {},
  problem: { field: ({ body }) => pointed(body, "pointer") },
  "json-api": { field: ({ body }) => pointed(body, "source.pointer"), code: "errors.0.code" },
  text: {},
  flat: { message: "message", field: ({ body }) => Object.keys(Object(Object(body).errors))[0] }
}

/** The field that the first of several errors points to. */
const pointed = (body: unknown, path: string): string | undefined => {
  const [first] = Array.isArray(Object(body).errors) ? Object(body).errors : []
  const pointer: unknown = path.split(".").reduce((holder, name) => Object(holder)[name], first)
  return typeof pointer === "string"
    ? pointer.replace(/^[#/]*(data\/attributes\/)?/, "").replaceAll("/", ".")
    : undefined
}

const requestId = ({ errors: form, requestId: place }: Dialect): Platform.Errors => {
  if (place !== "body") return {}
  if (form === "nested") return { requestId: "error.requestId" }
  return { requestId: form === "json-api" ? "errors.0.id" : "requestId" }
}

const words = { none: 0, read: 1, write: 3, admin: 9 } as const

/** The grants of a token that lists them as `resource:action:level`. */
const granted = (claims: Platform.Claims): unknown => {
  const grants: Record<string, Record<string, string>> = {}
  for (const scope of String(claims.scope).split(" ")) {
    const [resource = "", action = "", level = ""] = scope.split(":")
    grants[resource] = { ...grants[resource], [action]: level }
  }
  return grants
}

const token = (dialect: Dialect): Platform.Definition["token"] => {
  if (dialect.token === "jwt" && (dialect.signIn === "two" || dialect.signIn === "one")) return "jwt"
  if (dialect.token !== "other-claims") return "opaque"
  return { email: "preferred_username", name: "display_name", permissions: granted, levels: words }
}

const signIn = (dialect: Dialect): Platform.SignIn => {
  const refresh =
    dialect.token === "refreshed"
      ? {
          refresh: {
            path: "auth/refresh",
            field: "refresh_token",
            answer: {
              accessToken: "data.token.access",
              refreshToken: "data.token.refresh",
              expiresIn: "data.token.expires_in"
            }
          }
        }
      : {}
  const fields = { email: "username", password: "pass" }
  switch (dialect.signIn) {
    case "two":
      return {
        ...(dialect.token === "refreshed"
          ? { admin: { refreshToken: "refresh", expiresIn: "expires_in" } }
          : {}),
        ...refresh
      }
    case "one":
      return {
        fields,
        legacy: false,
        admin: {
          accessToken: "data.token.access",
          sessionId: false,
          refreshToken: "data.token.refresh",
          expiresIn: "data.token.expires_in",
          user: "data.user"
        },
        endUser: { sessionId: "data.session.id", user: "data.user" },
        ...refresh
      }
    case "session":
      return {
        fields,
        legacy: false,
        admin: { sessionId: "session.key", user: "account" },
        endUser: { sessionId: "session.key", user: "account" }
      }
    case "cookie":
      return { fields, legacy: false, admin: { user: "account" }, endUser: { user: "account" } }
  }
}

const credentials = (dialect: Dialect): Platform.Credentials => {
  const carriers = {
    bearer: {},
    "token-scheme": { accessToken: { header: "authorization", scheme: "Token" } },
    headers: {
      accessToken: { header: "x-auth-token" },
      session: { header: "x-session" },
      apiKey: { header: "x-client-key" },
      privateKey: { header: "x-server-key" }
    },
    "query-key": { apiKey: { query: "api_key" } }
  } as const satisfies Record<Dialect["credentials"], Platform.Credentials>
  const projects = {
    query: {},
    parameter: { project: { query: "project" } },
    header: { project: { header: "x-project" } },
    path: { project: { path: "tenants/{projectId}" } },
    none: { project: false }
  } as const satisfies Record<Dialect["project"], Platform.Credentials>
  return {
    ...carriers[dialect.credentials],
    ...(dialect.signIn === "session" || dialect.signIn === "cookie" ? { accessToken: false } : {}),
    ...(dialect.signIn === "cookie"
      ? { session: { cookie: "quartet_session" }, csrf: { header: "x-csrf-protection", value: "1" } }
      : {}),
    ...projects[dialect.project],
    ...(dialect.idempotency === "x-write-key" ? { idempotencyKey: "x-write-key" } : {}),
    ...(dialect.version === "none" ? {} : { headers: { "x-api-version": "2" } })
  }
}

/** What a user writes for a platform that speaks a dialect. `storage` is the host to which its downloads redirect. */
export const definitionOf = (dialect: Dialect, storage = "127.0.0.1"): Platform.Definition => ({
  signIn: signIn(dialect),
  ...(token(dialect) === "jwt" ? {} : { token: token(dialect) ?? "jwt" }),
  credentials: credentials(dialect),
  lists: lists(dialect),
  entities: {
    ...(dialect.things === "data" ? { unwrap: "data" } : {}),
    ...(dialect.things === "json-api" ? { unwrap: "json:api", wrap: "json:api" } : {}),
    id: dialect.idField,
    numericIds: dialect.ids === "numbers",
    ...(dialect.names === "snake" ? { names: "snake_case" } : {})
  },
  errors: { ...errors[dialect.errors], ...requestId(dialect) },
  ...(dialect.dates === "iso" ? {} : { dates: dialect.dates }),
  ...(dialect.routes === "moved"
    ? {
        routes: {
          "requests.update": { method: "PATCH" },
          "users.update": { method: "PATCH" },
          "boxes.update": { method: "PATCH" },
          "orders.get": { path: "order/{id}?view=full" },
          "admin.items.get": { path: "catalogue/{id}/item" },
          "endUser.items.get": { path: "catalogue/{id}/item" }
        }
      }
    : {}),
  ...(dialect.downloads === "redirect" ? { downloads: { redirectTo: [storage] } } : {}),
  ...(dialect.chat === "nested"
    ? {
        chat: {
          path: "/realtime",
          namespace: "/messages",
          events: { message: "message:new", history: "message:list", send: "message:send" },
          message: "data.message",
          wrap: "data.message"
        }
      }
    : {})
})
