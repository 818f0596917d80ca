/** Errors, routes, downloads, faults and the chat of dialects, by bare requests; and that the sandbox's own form stays as it is. */
import { expect } from "@effect/vitest"
import { served } from "@quartet/support/clients.js"
import { live } from "@quartet/support/effect.js"
import { Effect, type Scope } from "effect"
import { io, type Socket } from "socket.io-client"
import * as Sandbox from "../../index.js"
import { accounts, type Dialect, dialectNames, dialectOf } from "../../index.js"
import { account, ask, at, key, listAt, project, renamedAccount, textAt, twoSignIns } from "./wire.js"

/** The answer to a box of a wrong type of a field, in a form of errors. */
const refusals: ReadonlyArray<readonly [errors: Dialect["errors"], type: string, body: unknown]> = [
  [
    "problem",
    "application/problem+json",
    {
      type: "https://errors.example/bad_request",
      title: "Bad Request",
      status: 400,
      detail: expect.stringContaining('the field "page"'),
      instance: "/v1/box",
      errors: [{ pointer: "#/page", detail: expect.stringContaining('the field "page"') }]
    }
  ],
  [
    "json-api",
    "application/vnd.api+json",
    {
      errors: [
        {
          status: "400",
          code: "bad_request",
          title: "Bad Request",
          detail: expect.stringContaining('the field "page"'),
          source: { pointer: "/data/attributes/page" }
        }
      ]
    }
  ],
  [
    "flat",
    "application/json",
    {
      success: false,
      message: expect.stringContaining('the field "page"'),
      errors: { page: [expect.stringContaining('the field "page"')] }
    }
  ],
  ["text", "text/plain; charset=utf-8", undefined]
]

for (const [errors, type, body] of refusals)
  served.with({ dialect: { errors } })(`an error has the form "${errors}"`, function* ({ control, url }) {
    const answer = yield* ask(url, "/v1/box?page=x", { headers: key })
    expect([answer.status, answer.headers.get("content-type")]).toEqual([400, type])
    expect(answer.body).toEqual(body)
    expect(answer.text).toContain("must be a")
    expect(answer.headers.get("x-request-id")).toBe("sandbox-000001")
    control.failNext(1, 503, 7)
    const planned = yield* ask(url, "/v1/box", { headers: key })
    expect([planned.status, planned.headers.get("retry-after")]).toEqual([503, "7"])
    expect(planned.text).toContain("this failure was planned")
  })

for (const [errors, path] of [
  ["nested", "error.requestId"],
  ["problem", "requestId"],
  ["flat", "requestId"],
  ["json-api", "errors.0.id"]
] as const)
  served.with({ dialect: { errors, requestId: "body" } })(
    `the id of a request stands in the body of an error in the form "${errors}"`,
    function* ({ url }) {
      const { body, headers } = yield* ask(url, "/nothing", { headers: key })
      expect([at(body, path), headers.get("x-request-id")]).toEqual(["sandbox-000001", null])
    }
  )

served.with({ dialect: { requestId: "x-correlation-id" } })(
  "the id of a request has another header",
  function* ({ url }) {
    const { headers } = yield* ask(url, "/v1/box", { headers: { ...key, origin: "http://localhost:5173" } })
    expect([headers.get("x-correlation-id"), headers.get("x-request-id")]).toEqual(["sandbox-000001", null])
    expect(headers.get("access-control-expose-headers")).toContain("x-correlation-id")
  }
)

served.with({ dialect: { errors: "flat" }, maxBodyBytes: 100 })(
  "a body that is refused is refused in the same form",
  function* ({ url }) {
    const { body, status } = yield* ask(url, "/v1/box", {
      method: "POST",
      headers: key,
      body: "x".repeat(200)
    })
    expect([status, at(body, "success")]).toEqual([413, false])
  }
)

served.with({ dialect: { routes: "moved" } })(
  "some calls have another method, a query in their path, or another path, and none is at its old place",
  function* ({ url }) {
    const headers = yield* twoSignIns(url)
    const made = yield* ask(url, "/v1/box", { method: "POST", headers: key, body: { type: "QUIZ_RESULT" } })
    const box = `/v1/box/${textAt(made.body, "_id")}`
    const change = (method: string) =>
      Effect.map(
        ask(url, box, { method, headers: key, body: { data: { score: 4 } } }),
        ({ status }) => status
      )
    expect(yield* Effect.all([change("PUT"), change("PATCH")])).toEqual([404, 200])
    const id = textAt((yield* ask(url, `/order/search?${project}&limit=1`, { headers })).body, "items.0._id")
    const read = (target: string) => Effect.map(ask(url, target, { headers }), ({ status }) => status)
    expect(
      yield* Effect.all([read(`/order/${id}?${project}`), read(`/order/${id}?view=full&${project}`)])
    ).toEqual([404, 200])
    const item = textAt((yield* ask(url, `/item/search?${project}&limit=1`, { headers })).body, "items.0._id")
    expect(
      yield* Effect.all([read(`/item/${item}?${project}`), read(`/catalogue/${item}/item?${project}`)])
    ).toEqual([404, 200])
    const before = yield* ask(url, box, { method: "OPTIONS", headers: { origin: "http://localhost:5173" } })
    expect(before.headers.get("access-control-allow-methods")).toContain("PATCH")
  }
)

served.with({ dialect: { project: "path" }, fallback: () => new Response("page") })(
  "paths of a dialect are the platform's, and all others the fallback's",
  function* ({ url }) {
    expect((yield* ask(url, `/tenants/${accounts.projectId}/projects`)).status).toBe(401)
    expect((yield* ask(url, "/tenants")).text).toBe("page")
  }
)

served.with({ dialect: { downloads: "redirect" } })(
  "a download redirects to another origin, which refuses whoever brings credentials",
  function* ({ url }) {
    const headers = yield* twoSignIns(url)
    const { headers: found, status, text } = yield* ask(url, `/ecommerce/order/csv?${project}`, { headers })
    const location = new URL(found.get("location") ?? "")
    expect([status, text]).toEqual([302, ""])
    expect([location.hostname, location.origin === url]).toEqual(["127.0.0.1", false])
    const target = `${location.pathname}${location.search}`
    const file = yield* ask(location.origin, target)
    expect([file.status, file.headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"])
    expect(file.text).toContain("_id")
    for (const credentials of [headers, key, { cookie: "quartet_session=1" }])
      expect((yield* ask(location.origin, target, { headers: credentials })).status).toBe(400)
    expect((yield* ask(location.origin, location.pathname)).status).toBe(403)
    expect((yield* ask(location.origin, "/file-99?signature=1")).status).toBe(403)
  }
)

live("in process, where there is no other origin, a download is answered directly", function* () {
  const { platform } = yield* Sandbox.make({ dialect: { downloads: "redirect", signIn: "session" } })
  const send = (method: string, path: string, headers: Record<string, string>, body?: object) =>
    Effect.map(
      Effect.flatten(
        platform.handle({
          method,
          path,
          headers,
          body: body === undefined ? undefined : { _tag: "Json", text: JSON.stringify(body) }
        })
      ),
      (answer) => ({
        status: answer.status,
        type: answer.headers["content-type"],
        text: answer.body instanceof Uint8Array ? new TextDecoder().decode(answer.body) : ""
      })
    )
  const login = yield* send("POST", "/auth/admin/login", {}, renamedAccount)
  const session = textAt(JSON.parse(login.text), "session.key")
  const csv = yield* send("GET", `/ecommerce/order/csv?${project}`, { "x-session-id": session })
  expect([csv.status, csv.type]).toEqual([200, "text/csv; charset=utf-8"])
})

/** A connection to a chat, and what comes in by it. */
const connect = (
  url: string,
  path: string,
  auth: Record<string, string>
): Effect.Effect<
  { readonly socket: Socket; readonly next: (event: string) => Effect.Effect<unknown> },
  string,
  Scope.Scope
> =>
  Effect.acquireRelease(
    Effect.async((resume) => {
      const socket = io(url, { path, forceNew: true, reconnection: false, auth })
      const heard = new Map<string, Array<unknown>>()
      const waiting = new Map<string, (payload: unknown) => void>()
      socket.onAny((event: string, payload: unknown) => {
        const wake = waiting.get(event)
        waiting.delete(event)
        if (wake !== undefined) wake(payload)
        else heard.set(event, [...(heard.get(event) ?? []), payload])
      })
      const next = (event: string): Effect.Effect<unknown> =>
        Effect.async((heed) => {
          const early = heard.get(event)?.shift()
          if (early !== undefined) heed(Effect.succeed(early))
          else waiting.set(event, (payload) => heed(Effect.succeed(payload)))
        })
      socket.once("connect", () => resume(Effect.succeed({ socket, next })))
      socket.once("connect_error", ({ message }) => resume(Effect.fail(message)))
    }),
    ({ socket }) => Effect.sync(() => socket.disconnect())
  )

served.with({
  dialect: {
    chat: "nested",
    names: "snake",
    ids: "numbers",
    idField: "id",
    dates: "seconds",
    credentials: "headers",
    signIn: "one"
  }
})("a chat has names of its own, and its messages have the dialect's fields", function* ({ url }) {
  const login = yield* ask(url, "/auth/admin/login", { method: "POST", body: renamedAccount })
  const credentials = {
    "x-auth-token": textAt(login.body, "data.token.access"),
    "x-client-key": accounts.apiKey
  }
  const { next, socket } = yield* connect(`${url}/messages`, "/realtime", credentials)
  const history = yield* next("message:list")
  const [first] = listAt(history, "data.messages")
  expect(first).toMatchObject({
    id: expect.stringMatching(/^\d+$/),
    conversation_id: expect.stringMatching(/^\d+$/),
    created_at: expect.any(Number)
  })
  const conversation_id = textAt(first, "conversation_id")
  const say = (payload: unknown): Promise<unknown> => socket.emitWithAck("message:send", payload)
  const message = { conversation_id, text: "Hello" }
  const acknowledged = yield* Effect.promise(() => say({ data: { message } }))
  const sent = yield* next("message:new")
  expect(sent).toMatchObject({ data: { message: { ...message, id: expect.any(String) } } })
  expect(acknowledged).toEqual(sent)
  expect(yield* Effect.promise(() => say(message))).toMatchObject({ error: { code: "bad_request" } })
  const refused = yield* Effect.flip(connect(`${url}/messages`, "/realtime", { "x-auth-token": "at_none" }))
  expect(refused).toBe("the API key is missing")
})

for (const name of dialectNames)
  served.with({ dialect: name })(
    `the dialect "${name}" is signed in to, and answers an admin's list`,
    function* ({ control, url }) {
      const { credentials, project: place, signIn, things, version } = dialectOf(name)
      const own: Record<string, string> = version === "none" ? {} : { "x-api-version": "2" }
      const body = signIn === "two" ? account : renamedAccount
      const login = yield* ask(url, "/auth/admin/login", { method: "POST", headers: own, body })
      const legacy = yield* ask(url, "/auth/login", { method: "POST", headers: own, body })
      expect([login.status, legacy.status]).toEqual([200, 200])
      const inThings = things === "bare" ? "" : things === "data" ? "data." : "data.attributes."
      const tokens = ["data.token.access", `${inThings}accessToken`, `${inThings}access_token`]
      const token = tokens.map((path) => at(login.body, path)).find((text) => typeof text === "string")
      const keys = [
        at(login.body, "session.key"),
        at(legacy.body, `${inThings}sessionId`),
        at(legacy.body, `${inThings}session_id`)
      ]
      const session = keys.find((text) => typeof text === "string")
      const cookie = login.headers.get("set-cookie")?.split(";")[0]
      const isOwn = credentials === "headers"
      const scheme = isOwn ? "" : credentials === "token-scheme" ? "Token " : "Bearer "
      const headers = {
        ...own,
        ...(token === undefined
          ? {}
          : { [isOwn ? "x-auth-token" : "authorization"]: `${scheme}${String(token)}` }),
        ...(session === undefined ? {} : { [isOwn ? "x-session" : "x-session-id"]: String(session) }),
        ...(cookie === undefined ? {} : { cookie }),
        ...(place === "header" ? { "x-project": accounts.projectId } : {})
      }
      const prefix = place === "path" ? `/tenants/${accounts.projectId}` : ""
      const query =
        place === "query" ? `?${project}` : place === "parameter" ? `?project=${accounts.projectId}` : ""
      const list = yield* ask(url, `${prefix}/request-action${query}`, { headers })
      expect(list.status, list.text).toBe(200)
      expect(control.log().at(-1)).toMatchObject({
        operation: "requests.list",
        audience: "admin",
        status: 200
      })
      expect(JSON.stringify(control.log())).not.toContain(String(token ?? session ?? cookie))
    }
  )

served("the sandbox's own form stays as it is, to the byte", function* ({ url }) {
  const answers = yield* Effect.all([
    ask(url, "/v1/box?limit=1", { headers: key }),
    ask(url, "/v1/box?limit=0", { headers: key }),
    ask(url, "/nothing", { headers: key }),
    ask(url, "/v1/nbg/USD", { headers: key }),
    ask(url, "/auth/admin/login", { method: "POST", body: { email: "nobody@quartet.test", password: "x" } })
  ])
  const seen = answers.map(({ headers, status, text }) => [
    status,
    headers.get("content-type"),
    headers.get("x-request-id"),
    text
  ])
  const json = "application/json; charset=utf-8"
  expect(seen).toEqual([
    [
      200,
      json,
      "sandbox-000001",
      '{"items":[{"_id":"5d31bdf041e163a997ea019e","type":"M2_WEB_PROPERTY_WISHLIST","userId":null,"data":{"score":7,"choices":["family","parking"]},"createdAt":"2025-08-28T19:02:32.000Z","updatedAt":"2025-08-28T19:02:32.000Z"}],"paging":{"page":1,"limit":1,"total":16,"pages":16}}'
    ],
    [
      400,
      json,
      "sandbox-000002",
      '{"error":{"code":"bad_request","message":"the field \\"limit\\" must be a whole number, at least 1","field":"limit"}}'
    ],
    [
      404,
      json,
      "sandbox-000003",
      '{"error":{"code":"not_found","message":"the call GET /nothing was not found"}}'
    ],
    [200, json, "sandbox-000004", expect.any(String)],
    [
      401,
      json,
      "sandbox-000005",
      '{"error":{"code":"unauthenticated","message":"the e-mail or the password is wrong"}}'
    ]
  ])
})
