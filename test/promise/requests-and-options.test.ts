// Calls that the SDK does not know, and clients derived with other options: in each form of client, over real HTTP.

import { Stub } from "@quartet/sandbox/fakes"
import type { Exchange } from "@quartet/support/scripted-server.js"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { describe, expect, test } from "vitest"
import * as FetchTransport from "../../adapters/fetch/index.js"
import * as AdminRequests from "../../clients/admin/requests.js"
import * as Root from "../../clients/index.js"
import { createAdmin } from "../../clients/promise/admin.js"
import {
  type ClientOptions,
  Errors,
  type PromiseMiddleware,
  request,
  withOptions,
  withResponse
} from "../../clients/promise/index.js"
import { createPublic } from "../../clients/promise/public.js"
import * as Project from "../../clients/public/project.js"
import type { RequestInput } from "../../core/kernel/dispatch/request.js"
import { login, playAdmin, rejected, serve } from "./served.js"

const { admin, over, server, targets, visitor } = await serve()

const echoed = ({ body, json, method, target }: Exchange): void => json({ method, target, body })
const isApi = ({ target }: Exchange): boolean => !target.startsWith("/auth")

/** Plays the sign-ins, and anything else by hand. */
const play = (other: (exchange: Exchange) => void): void =>
  server.play((exchange) => (isApi(exchange) ? other(exchange) : playAdmin(exchange)))

/** What was asked for besides the sign-ins. */
const asked = (): ReadonlyArray<string> => targets().filter((target) => !target.includes("/auth"))

const quick = { policy: { pause: 0 } }

over("a request", ({ config, visitor: client }) => {
  test("is sent with method, path, query and body, and the client's credentials", async () => {
    server.play(echoed)
    const call = createPublic(config)
    const input = {
      method: "POST",
      path: "v2/reports",
      query: { tags: ["a", "b"], from: 7, none: undefined },
      body: { a: 1 }
    } as const
    for (const form of [call, client]) {
      expect(await request(form, input)).toEqual({
        method: "POST",
        target: "/v2/reports?tags=a%2Cb&from=7",
        body: '{"a":1}'
      })
    }
    expect(server.exchanges.map(({ response }) => response.req.headers["x-api-key"])).toEqual([
      "key-1",
      "key-1"
    ])
  })

  test("takes each method", async () => {
    server.play(echoed)
    for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const)
      await request(client, { method, path: "/v2/things/a%2Fb" })
    expect(targets()).toEqual(
      ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"].map((method) => `${method} /v2/things/a%2Fb`)
    )
  })

  test("by HEAD, or with an answer of no body, is answered nothing", async () => {
    server.play(({ method, response }) => {
      if (method === "HEAD")
        response
          .writeHead(200, { "content-length": "99999999999", "content-encoding": "gzip", etag: "v7" })
          .end()
      else response.writeHead(204).end()
    })
    const head = await request.withResponse(client, { method: "HEAD", path: "v2/things" })
    expect([head.value, head.status, head.headers.etag]).toEqual([undefined, 200, "v7"])
    expect(await request(client, { method: "DELETE", path: "v2/things" })).toBeUndefined()
    expect(await request(client, { method: "GET", path: "v2/things" })).toBeUndefined()
  })

  test("by GET or HEAD is retried, and by others only with an idempotency key", async () => {
    const call = createPublic(config)
    const failing = ({ json }: Exchange): void => json({}, 503)
    const attempts = async (method: RequestInput["method"], options = {}) => {
      server.play(failing)
      await rejected(request(call, { method, path: "v2/things" }, undefined, { ...quick, ...options }))
      return server.exchanges.length
    }
    const idempotencyKey = "once-1"
    expect([await attempts("GET"), await attempts("HEAD")]).toEqual([3, 3])
    for (const method of ["POST", "PUT", "PATCH", "DELETE"] as const)
      expect([await attempts(method), await attempts(method, { idempotencyKey })]).toEqual([1, 3])
  })

  test("follows no redirect, and reads no page of the web", async () => {
    server.play(({ response }) => response.writeHead(302, { location: "https://elsewhere.example/" }).end())
    const get = { method: "GET", path: "v2/things" } as const
    expect(await rejected(request(client, get))).toMatchObject({ tag: "AnswerError", reason: "Redirect" })
    server.play(({ response }) =>
      response.writeHead(200, { "content-type": "text/html" }).end("<html></html>")
    )
    expect(await rejected(request(client, get))).toMatchObject({
      tag: "AnswerError",
      operation: "request.get"
    })
    server.play(({ response }) => response.end("{not"))
    expect(await rejected(request(client, get))).toMatchObject({ tag: "AnswerError" })
  })

  test("is cancelled by its signal, and ends at its deadline", async () => {
    server.play(() => undefined)
    const get = { method: "GET", path: "v2/things" } as const
    const controller = new AbortController()
    const cancelled = rejected(request(client, get, undefined, { signal: controller.signal }))
    await server.exchange(0)
    controller.abort(new Error("enough"))
    expect(await cancelled).toMatchObject({ message: "enough" })
    const late = rejected(request(client, get, undefined, { policy: { deadline: 50, attempts: 1 } }))
    expect(await late).toMatchObject({ tag: "DeadlineExceeded" })
  })
})

test("a request of an admin names the project on the new service alone, and asks no permission", async () => {
  play(echoed)
  const client = admin()
  await request(client, { method: "GET", path: "v2/reports", query: { year: 2026 } })
  await request(client, { method: "PATCH", path: "v2/reports", query: { projectId: "p2" }, body: [] })
  await request(client, { method: "GET", path: "v2/reports", host: "legacy" })
  expect(asked()).toEqual([
    "GET /v2/reports?year=2026&projectId=p1",
    "PATCH /v2/reports?projectId=p2",
    "GET /v2/reports"
  ])
  await client.close()
})

test("a request is answered what its schema says, and is refused where it does not hold", async () => {
  const Report = Schema.Struct({ total: Schema.Number })
  const client = visitor()
  const get = { method: "GET", path: "v2/reports" } as const
  server.play(({ json }) => json({ total: 7, at: "2026-01-01T00:00:00.000Z" }))
  const report: { readonly total: number } = await request(client, get, Report)
  expect(report.total).toBe(7)
  expect(await request(client, get)).toEqual({ total: 7, at: new Date("2026-01-01T00:00:00.000Z") })
  server.play(({ json }) => json({ total: "7" }))
  expect(await rejected(request(client, get, Report))).toMatchObject({ tag: "AnswerError", field: "total" })
  await client.close()
})

describe("a request that cannot be right is refused, and nothing is sent", () => {
  const get = { method: "GET", path: "v2/x" } as const
  const paths = [
    ...[
      "https://evil.example/x",
      "HTTP:/x",
      "//evil.example/x",
      "/\\evil.example/x",
      "\\\\evil.example",
      "javascript:1"
    ],
    ...["../x", "v2/../../x", "v2/%2e%2E/x", "v2/..", "./x", "v2/%2e", "v2/..%2fx", "v2%5c..%5cx"],
    ...[
      "v2/x?y=1",
      "v2/x#y",
      "v2/{id}",
      "v2/a b",
      "v2/a\nb",
      "v2/\u0000",
      "v2/ü",
      "v2\\x",
      "v2/%zz",
      "v2/%2",
      ""
    ]
  ]
  class Computed {
    readonly method = "POST"
    readonly path = "payment/transaction/p1/refund"
    get body(): object {
      return { amount: 1 }
    }
  }
  const holding: Record<string, unknown> = {}
  holding.self = holding
  const cases: ReadonlyArray<readonly [input: unknown, field: string]> = [
    ...paths.map((path) => [{ ...get, path }, "path"] as const),
    [{ ...get, path: 7 }, "path"],
    [{ method: "GET" }, "path"],
    [{ path: "x" }, "method"],
    [{ ...get, method: "get" }, "method"],
    [{ ...get, method: "TRACE" }, "method"],
    [{ ...get, host: "https://evil.example" }, "host"],
    [{ ...get, url: "x" }, "url"],
    [{ ...get, query: "a=1" }, "query"],
    [{ ...get, query: Object.assign(Object.create({ userId: "u1" }), { page: 1 }) }, "query"],
    [{ ...get, query: { a: { b: 1 } } }, "query.a"],
    [{ ...get, query: { a: null } }, "query.a"],
    [{ ...get, query: { a: ["x,y"] } }, "query.a"],
    [{ ...get, query: { projectId: {} } }, "query.projectId"],
    [{ ...get, body: {} }, "body"],
    [{ ...get, method: "DELETE", body: {} }, "body"],
    [{ ...get, method: "POST", body: new FormData() }, "body"],
    [{ ...get, method: "POST", body: () => 1 }, "body"],
    [{ ...get, method: "POST", body: { a: { b: 1n } } }, "body.a.b"],
    [{ ...get, method: "POST", body: holding }, "body.self"],
    [Object.defineProperty({ ...get, method: "POST" }, "body", { value: { amount: 1 } }), "body"],
    [Object.assign(Object.create({ body: { amount: 1 } }), { ...get, method: "POST" }), "body"],
    [new Computed(), "body"],
    [Object.assign(Object.create({ query: { userId: "u1" } }), get), "query"],
    [Object.assign(Object.create({ host: "legacy" }), get), "host"],
    [undefined, "input"],
    ["v2/x", "input"]
  ]
  test.each(cases)("case %#: %o", async (input, field) => {
    server.play(echoed)
    const client = visitor()
    const error = await rejected(request(client, input as RequestInput))
    expect(error).toBeInstanceOf(Errors.InputError)
    expect(error).toMatchObject({ field })
    expect(server.exchanges).toHaveLength(0)
    await client.close()
  })

  test("a schema that is none, or for HEAD", async () => {
    const client = visitor()
    expect(await rejected(request(client, get, {} as never))).toMatchObject({
      tag: "InputError",
      field: "schema"
    })
    const head = request(client, { ...get, method: "HEAD" }, Schema.String)
    expect(await rejected(head)).toMatchObject({ tag: "InputError", field: "schema" })
    await client.close()
  })
})

test("a secret that a request carries is masked in its error", async () => {
  const client = visitor()
  server.play(({ body, json, target }) => json({ message: `${target} ${body} key-1` }, 400))
  const input = {
    method: "POST",
    path: "v2/x",
    query: { token: "hush-71" },
    body: { password: "hush-72" }
  } as const
  const error = await rejected(request(client, input))
  expect(error).toMatchObject({ tag: "Rejected", operation: "request.post" })
  expect(JSON.stringify(error)).not.toMatch(/hush|key-1/)
  await client.close()
})

test("middleware sees a request by one name and one template", async () => {
  server.play(echoed)
  const seen: Array<unknown> = []
  const client = visitor({
    middleware: [
      (next) => (call) => {
        seen.push([call.operation, call.method, call.template])
        return next(call)
      }
    ]
  })
  await request(client, { method: "PATCH", path: "v2/users/7" })
  expect(seen).toEqual([["request.patch", "PATCH", "/{path}"]])
  await client.close()
})

describe("a derived client", () => {
  test("has other options in each form, and leaves those of the first one", async () => {
    const call = createPublic({ baseUrl: server.url, apiKey: "key-1", ...quick })
    const whole = visitor(quick)
    server.play(({ json }) => json({}, 503))
    const once = { policy: { attempts: 1 } }
    await rejected(withOptions(call, once)(Project.self))
    await rejected(withOptions(whole, once).project.self())
    expect(server.exchanges).toHaveLength(2)
    await rejected(call(Project.self))
    await rejected(whole.project.self())
    expect(server.exchanges).toHaveLength(8)
    await Promise.all([call.close(), whole.close()])
  })

  test("sends its headers with each call, below those of the call, and derives again", async () => {
    server.play(echoed)
    const client = visitor()
    const first = withOptions(client, { headers: { "X-A": "1", "x-b": "1" } })
    const second = withOptions(first, { headers: { "x-b": "2" } })
    await second.project.self({}, { headers: { "x-c": "3" } })
    await first.project.self({}, { headers: { "x-a": "9" } })
    await client.project.self()
    const sent = server.exchanges.map(({ response }) =>
      ["x-a", "x-b", "x-c"].map((name) => response.req.headers[name])
    )
    expect(sent).toEqual([
      ["1", "2", "3"],
      ["9", "1", undefined],
      [undefined, undefined, undefined]
    ])
    await client.close()
  })

  test("has the headers of its first client, and null takes one away from it or from a call", async () => {
    server.play(echoed)
    const client = visitor({ headers: { "X-App": "shop/1", "x-a": "1", "x-b": undefined } })
    const derived = withOptions(client, { headers: { "x-app": null } })
    await client.project.self()
    await client.project.self({}, { headers: { "x-APP": null } })
    await client.project.self({}, { headers: { "x-app": undefined } })
    await derived.project.self()
    await derived.project.self({}, { headers: { "x-app": "shop/2" } })
    const sent = server.exchanges.map(({ response }) =>
      ["x-app", "x-a", "x-b"].map((name) => response.req.headers[name])
    )
    expect(sent).toEqual([
      ["shop/1", "1", undefined],
      [undefined, "1", undefined],
      ["shop/1", "1", undefined],
      [undefined, "1", undefined],
      ["shop/2", "1", undefined]
    ])
    await client.close()
  })

  test("leaves the sign-in, which both share, the headers of the first client", async () => {
    play(({ json }) => json({ _id: "r1" }))
    const client = admin({ headers: { "x-app": "shop/1" } })
    await withOptions(client, { headers: { "x-app": "shop/2", "x-job": "export" } }).requests.get({
      id: "r1"
    })
    const sent = server.exchanges.map(({ response }) =>
      ["x-app", "x-job"].map((name) => response.req.headers[name])
    )
    expect(sent.slice(0, 2)).toEqual([
      ["shop/1", undefined],
      ["shop/1", undefined]
    ])
    expect(sent.slice(2)).toEqual([["shop/2", "export"]])
    await client.close()
  })

  test("shares the session", async () => {
    play(({ json }) => json({ _id: "r1" }))
    const client = admin()
    const derived = withOptions(client, { policy: { deadline: 5_000 } })
    await derived.requests.get({ id: "r1" })
    await client.requests.get({ id: "r1" })
    expect(targets().filter((target) => target === "POST /auth/admin/login")).toHaveLength(1)
    await derived.session.signOut()
    await client.requests.get({ id: "r1" })
    expect(targets().filter((target) => target === "POST /auth/admin/login")).toHaveLength(2)
    expect(derived.onboarding).toBe(client.onboarding)
    await client.close()
  })

  test("shares the retry budget", async () => {
    server.play(({ json }) => json({}, 503))
    const client = visitor({ retryBudget: 5, policy: { pause: 0 } })
    await rejected(withOptions(client, { headers: { "x-a": "1" } }).project.self())
    await rejected(client.project.self())
    expect(server.exchanges).toHaveLength(3)
    await client.close()
  })

  test("that is closed ends its own calls alone", async () => {
    server.play(({ json, target }) => (target.includes("project") ? undefined : json({ items: [] })))
    const client = visitor()
    const derived = withOptions(client, {})
    const own = rejected(derived.project.self())
    const other = client.project.self()
    await server.exchange(1)
    await derived.close()
    expect(await own).toMatchObject({ name: "AbortError" })
    expect(await rejected(derived.boxes.list())).toMatchObject({ tag: "InputError", field: "client" })
    expect((await client.boxes.list()).items).toEqual([])
    server.exchanges[1]?.json({ _id: "p1" })
    server.exchanges[0]?.json({ _id: "p1" })
    expect(await other).toEqual({ _id: "p1" })
    await client.close()
  })

  test("ends with the first one: calls, loops and calls with their answer", async () => {
    server.play(() => undefined)
    const client = visitor()
    const derived = withOptions(client, {})
    const loop = async () => {
      for await (const _ of derived.boxes.list.pages());
    }
    const calls = [derived.project.self(), derived.project.self.withResponse(), loop()].map(rejected)
    await server.exchange(2)
    await client.close()
    for (const reason of await Promise.all(calls)) expect(reason).toMatchObject({ name: "AbortError" })
    expect(await rejected(derived.project.self())).toMatchObject({ tag: "InputError", field: "client" })
    expect(await rejected(withOptions(client, {}).project.self())).toMatchObject({
      tag: "InputError",
      field: "client"
    })
  })

  test("has its middleware inside of the first one's, and reports drift for itself", async () => {
    const seen: Array<string> = []
    const named = (name: string): ReadonlyArray<PromiseMiddleware> => [
      (next) => (call) => {
        seen.push(name)
        return next(call)
      }
    ]
    server.play(({ json }) => json({ items: [{}] }))
    const client = visitor({
      middleware: named("first"),
      onDrift: () => void seen.push("first heard"),
      logDrift: false
    })
    const derived = withOptions(client, {
      middleware: named("derived"),
      onDrift: () => void seen.push("derived heard"),
      logDrift: false
    })
    await derived.boxes.list()
    expect([...new Set(seen)]).toEqual(["first", "derived", "derived heard"])
    await rejected(withOptions(client, { answers: "strict" }).boxes.list())
    await client.close()
  })

  const hidden = { value: { attempts: 1 } }
  const refused: ReadonlyArray<readonly [options: unknown, field: string]> = [
    [Object.defineProperty({}, "policy", hidden), "policy"],
    [Object.assign(Object.create({ policy: { attempts: 1 } }), { headers: {} }), "policy"],
    [{ headers: Object.assign(Object.create({ "x-t": "1" }), { "x-a": "1" }) }, "headers"],
    ...[
      "baseUrl",
      "legacyUrl",
      "apiKey",
      "projectId",
      "password",
      "sessionId",
      "transport",
      "sessionStore",
      "routes",
      "headerNames",
      "retryBudget"
    ].map((name) => [{ [name]: "hush-1" }, name] as const),
    [{ headers: { authorization: "hush-1" } }, "headers.authorization"],
    [{ policy: { attempts: 0 } }, "policy.attempts"],
    [{ deadline: 5 }, "deadline"],
    [{ answers: "lax" }, "answers"],
    [{ middleware: [5] }, "middleware"],
    [{ onDrift: 5 }, "onDrift"],
    [{ logDrift: "no" }, "logDrift"],
    [null, "options"],
    [5, "options"]
  ]
  test.each(refused)("is not made of %j", async (options, field) => {
    const client = visitor()
    const make = () => withOptions(client, options as ClientOptions)
    expect(make).toThrow(expect.objectContaining({ _tag: "InputError", operation: "withOptions", field }))
    try {
      make()
    } catch (error) {
      expect(JSON.stringify(error)).not.toContain("hush-1")
    }
    await client.close()
  })

  test("takes no options that say who or where", async () => {
    const client = visitor()
    // @ts-expect-error where
    expect(() => withOptions(client, { baseUrl: "http://127.0.0.1:1" })).toThrow("baseUrl")
    // @ts-expect-error who
    expect(() => withOptions(client, { apiKey: "k" })).toThrow("apiKey")
    // @ts-expect-error no client
    expect(() => withOptions({}, {})).toThrow("client")
    await client.close()
  })
})

describe("with Effect", () => {
  const layer = () => Root.Public.layer({ baseUrl: server.url, apiKey: "key-1", policy: { pause: 0 } })
  const run = <A, E>(program: Effect.Effect<A, E, Root.Public.Client>) =>
    Effect.runPromise(program.pipe(Effect.provide(layer()), Effect.provide(FetchTransport.layer)))

  test("a call, a request and a derived client do the same", async () => {
    server.play((exchange) => {
      exchange.response.setHeader("x-request-id", "req-9")
      echoed(exchange)
    })
    const program = Effect.gen(function* () {
      const { attempts, requestId } = yield* Root.withResponse(Root.Public.project.self())
      const raw = yield* Root.withResponse(
        Root.request(
          Root.Public.Client,
          { method: "GET", path: "v2/x" },
          Schema.Struct({ target: Schema.String })
        )
      )
      const derived = yield* Root.withOptions(yield* Root.Public.Client, { headers: { "x-a": "1" } })
      yield* Effect.provideService(Root.Public.project.self(), Root.Public.Client, derived)
      yield* derived.dispatcher.lifetime.close
      const closed = yield* Effect.flip(
        Effect.provideService(Root.Public.project.self(), Root.Public.Client, derived)
      )
      yield* Root.Public.project.self()
      return { attempts, requestId, target: raw.value.target, closed: closed._tag }
    })
    expect(await run(program)).toEqual({
      attempts: 1,
      requestId: "req-9",
      target: "/v2/x",
      closed: "InputError"
    })
    expect(server.exchanges.map(({ response }) => response.req.headers["x-a"])).toEqual([
      undefined,
      undefined,
      "1",
      undefined
    ])
  })

  test("an option that says where is refused", async () => {
    const program = Effect.flatMap(Root.Public.Client, (client) =>
      // @ts-expect-error where
      Effect.flip(Root.withOptions(client, { baseUrl: "http://127.0.0.1:1" }))
    )
    expect(await run(program)).toMatchObject({ _tag: "InputError", field: "baseUrl" })
  })
})

test("a stubbed client answers with its value over no HTTP, also when it is derived", async () => {
  const written = Stub.on(Root.Admin.requests.get, async ({ id }) => ({ _id: id }))
  const whole = Stub.createAdminClient(written)
  const call = Stub.createAdmin(written)
  const none = { value: { _id: "r1" }, status: undefined, headers: {}, requestId: undefined, attempts: 0 }
  expect(await whole.requests.get.withResponse({ id: "r1" })).toEqual(none)
  expect(await withResponse(call, AdminRequests.get, { id: "r1" })).toEqual(none)
  expect(await withOptions(whole, { policy: { attempts: 1 } }).requests.get({ id: "r2" })).toEqual({
    _id: "r2"
  })
  expect(await withOptions(call, {})(AdminRequests.get, { id: "r3" })).toEqual({ _id: "r3" })
  await Promise.all([whole.close(), call.close()])
})

test("an admin's caller derives too", async () => {
  play(({ json }) => json({ _id: "r1" }))
  const call = createAdmin({ baseUrl: server.url, projectId: "p1", ...login })
  const derived = withOptions(call, { headers: { "x-a": "1" } })
  expect(await derived(AdminRequests.get, { id: "r1" })).toEqual({ _id: "r1" })
  expect(server.exchanges.at(-1)?.response.req.headers["x-a"]).toBe("1")
  await call.close()
})
