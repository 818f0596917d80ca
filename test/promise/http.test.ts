// The whole of HTTP: the answer that a value stood in, and headers of one call, in each style of client.

import type { Exchange } from "@quartet/support/scripted-server.js"
import { expect, test } from "vitest"
import * as Payments from "../../clients/admin/payments.js"
import * as AdminRequests from "../../clients/admin/requests.js"
import { createAdmin } from "../../clients/promise/admin.js"
import { Errors, withResponse } from "../../clients/promise/index.js"
import { createPublic } from "../../clients/promise/public.js"
import * as Boxes from "../../clients/public/boxes.js"
import * as Project from "../../clients/public/project.js"
import { login, playAdmin, rejected, serve } from "./served.js"

const { admin, over, server, visitor } = await serve()

const house = { _id: "p1", name: "House" }

/** Answers a project, with headers that a program may read and others that nobody may. */
const answered = ({ json, response }: Exchange): void => {
  response.setHeader("Set-Cookie", ["sid=cookie-1; HttpOnly", "theme=dark"])
  json(house, 200, {
    "X-Request-Id": "req-7",
    "X-RateLimit-Remaining": "41",
    "X-Session-Id": "session-9",
    "X-Echo": "you sent key-1",
    ETag: '"v3"'
  })
}

/** Fails so many times, then answers. */
const afterFailures = (failures: number): ((exchange: Exchange) => void) => {
  let count = 0
  return (exchange) => {
    count += 1
    if (count <= failures) exchange.json({ message: "down" }, 500, { "x-request-id": `req-${count}` })
    else answered(exchange)
  }
}

const quick = { policy: { pause: 0 } }

over("answers", ({ config, visitor: client }) => {
  test("come with status, headers by lower-case names, request id and attempts, and hold no secret", async () => {
    server.play(answered)
    const { attempts, headers, requestId, status, value } = await client.project.self.withResponse()
    expect({ attempts, requestId, status, value }).toEqual({
      attempts: 1,
      requestId: "req-7",
      status: 200,
      value: house
    })
    expect(headers).toMatchObject({
      "x-request-id": "req-7",
      "x-ratelimit-remaining": "41",
      "content-type": "application/json",
      etag: '"v3"',
      "x-session-id": "•••",
      "x-echo": "you sent •••"
    })
    expect(headers["X-Request-Id"]).toBeUndefined()
    expect(JSON.stringify(headers)).not.toMatch(/cookie-1|session-9|key-1/)
  })

  test("have names that every object has like any others", async () => {
    server.play(({ json }) => json(house, 200, { constructor: "a", valueOf: "c" }))
    const { headers } = await client.project.self.withResponse()
    expect(headers).toMatchObject({ constructor: "a", valueof: "c" })
  })

  test("of a call that was repeated are those of the last attempt", async () => {
    const call = createPublic(config)
    server.play(afterFailures(2))
    const { attempts, requestId, status } = await withResponse(call, Project.self, {}, quick)
    expect({ attempts, requestId, status }).toEqual({ attempts: 3, requestId: "req-7", status: 200 })
    expect(server.exchanges).toHaveLength(3)
  })

  test("of one page of a list come with the page", async () => {
    server.play(({ json }) => json({ items: [{ _id: "b1" }], paging: { total: 1 } }, 200, { link: "<next>" }))
    const { headers, value } = await client.boxes.list.withResponse({ page: 1 })
    expect({ ids: value.items.map(({ _id }) => _id), link: headers.link }).toEqual({
      ids: ["b1"],
      link: "<next>"
    })
  })

  test("of nothing have their status", async () => {
    server.play(({ response }) => response.writeHead(204, { "x-request-id": "req-8" }).end())
    const { requestId, status } = await client.boxes.delete.withResponse({ id: "b1" })
    expect({ requestId, status }).toEqual({ requestId: "req-8", status: 204 })
  })

  test("that are errors reject as without", async () => {
    server.play(({ json }) => json({ message: "none" }, 404, { "x-correlation-id": "trace-1" }))
    const error = await rejected(client.project.self.withResponse())
    expect(error).toBeInstanceOf(Errors.NotFound)
    expect(error).toMatchObject({ status: 404, requestId: "trace-1" })
  })
})

test("an admin's answer is that of the call, and not that of the sign-in before it", async () => {
  server.play((exchange) => {
    exchange.response.setHeader("x-target", exchange.target)
    playAdmin(exchange)
  })
  const client = admin()
  const { attempts, headers } = await client.projects.get.withResponse({ id: "p1" })
  expect({ attempts, target: headers["x-target"] }).toEqual({ attempts: 1, target: "/project/p1" })
  await client.close()
})

test("an outcome that nobody knows has what the answer said", async () => {
  server.play((exchange) => {
    if (exchange.target.startsWith("/auth/")) playAdmin(exchange)
    else exchange.json({ message: "down" }, 503, { "x-request-id": "req-9", "retry-after": "0" })
  })
  const options = { idempotencyKey: "k", ...quick }
  const error = await rejected(admin().payments.refund({ id: "p1" }, options))
  const said = { status: 503, requestId: "req-9", retryAfter: 0, serverMessage: "down" }
  expect(error).toMatchObject({ tag: "OutcomeUnknown", ...said })
})

test("a download's answer comes with all of its bytes", async () => {
  server.play((exchange) => {
    if (!exchange.target.startsWith("/payment")) return playAdmin(exchange)
    const disposition = `attachment; filename="${exchange.response.req.headers["x-name"]}"`
    exchange.response.writeHead(200, { "content-disposition": disposition }).end("a;b")
  })
  const options = { headers: { "x-name": "a.csv" } }
  const client = admin()
  const method = await client.payments.csv.withResponse({}, options)
  const called = await withResponse(client, Payments.csv, {}, options)
  for (const { headers, status, value } of [method, called]) {
    const disposition = headers["content-disposition"]
    const text = new TextDecoder().decode(value)
    expect({ disposition, status, text }).toEqual({
      disposition: 'attachment; filename="a.csv"',
      status: 200,
      text: "a;b"
    })
  }
  await client.close()
})

test("attempts count the request whose session was refused", async () => {
  let refusals = 0
  server.play((exchange) => {
    if (exchange.target.startsWith("/auth")) return playAdmin(exchange)
    refusals += 1
    return refusals === 1 ? exchange.json({}, 401) : playAdmin(exchange)
  })
  const client = admin()
  expect((await client.projects.get.withResponse({ id: "p1" })).attempts).toBe(2)
  await client.close()
})

test("middleware sees a call with its answer like any other, and what it answers itself came over no HTTP", async () => {
  server.play(answered)
  const seen: Array<unknown> = []
  const passing = visitor({
    middleware: [
      (next) => async (call) => {
        const value = await next(call)
        seen.push({ ...call.progress })
        return value
      }
    ]
  })
  expect((await passing.project.self.withResponse()).requestId).toBe("req-7")
  expect(seen).toMatchObject([{ attempts: 1, status: 200 }])
  await passing.close()
  const answering = visitor({ middleware: [() => async () => house] })
  expect(await answering.project.self.withResponse()).toEqual({
    value: house,
    status: undefined,
    headers: {},
    requestId: undefined,
    attempts: 0
  })
  await answering.close()
})

test("a call with its answer is cancelled by its signal, and by its client's end", async () => {
  server.play(() => undefined)
  const client = visitor()
  const controller = new AbortController()
  const cancelled = rejected(client.project.self.withResponse({}, { signal: controller.signal }))
  await server.exchange(0)
  controller.abort(new Error("enough"))
  expect(await cancelled).toMatchObject({ message: "enough" })
  const ended = rejected(client.project.self.withResponse())
  await server.exchange(1)
  await client.close()
  expect(await ended).toMatchObject({ name: "AbortError" })
})

test("a call with its answer ends at its deadline", async () => {
  server.play(() => undefined)
  const client = visitor()
  const options = { policy: { deadline: 50, attempts: 1 } }
  expect(await rejected(client.project.self.withResponse({}, options))).toMatchObject({
    tag: "DeadlineExceeded"
  })
  await client.close()
})

test("what is no call of the client is refused by name", async () => {
  const call = createPublic({ baseUrl: server.url, apiKey: "key-1" })
  // @ts-expect-error a call of another client
  const foreign = withResponse(call, AdminRequests.list)
  expect(await rejected(foreign)).toMatchObject({
    field: "call",
    rule: "belongs to another client than this one"
  })
  // @ts-expect-error no call
  expect(await rejected(withResponse(call, undefined))).toMatchObject({ tag: "InputError", field: "call" })
  // @ts-expect-error no client
  expect(await rejected(withResponse({}, Project.self))).toMatchObject({ tag: "InputError", field: "client" })
  await call.close()
})

over("headers of one call", ({ config, visitor: client }) => {
  test("are sent with each attempt, and with no other call", async () => {
    server.play(afterFailures(1))
    const call = createPublic(config)
    await call(Project.self, {}, { ...quick, headers: { "Accept-Language": "ka", "x-tenant": undefined } })
    const languages = () => server.exchanges.map(({ response }) => response.req.headers["accept-language"])
    expect(languages()).toEqual(["ka", "ka"])
    expect(server.exchanges[0]?.response.req.headers).not.toHaveProperty("x-tenant")
    server.play(answered)
    await call(Project.self)
    expect(languages()).not.toContain("ka")
  })

  test("may have names that are near to those of credentials, as no credential does", async () => {
    const names = ["store-code", "promo-code", "patient", "side", "author", "authored-by", "authority-region"]
    const headers = Object.fromEntries(
      [...names, "tokenizer", "surrogate-key"].map((name) => [`x-${name}`, "7"])
    )
    server.play(answered)
    await client.project.self({}, { headers })
    expect(server.exchanges[0]?.response.req.headers).toMatchObject(headers)
  })

  test("are sent with each page", async () => {
    server.play(({ json, target }) => json({ items: target.includes("page=3") ? [] : [{ _id: target }] }))
    const headers = { "x-shop": "7" }
    const pages = client.boxes.list.pages({}, { headers })
    for await (const _ of pages);
    expect(server.exchanges.map(({ response }) => response.req.headers["x-shop"])).toEqual(["7", "7", "7"])
  })
})

const refusals: ReadonlyArray<readonly [name: string, value: unknown, rule: string]> = [
  ...[
    [
      "authorization",
      "Cookie",
      "X-Api-Key",
      "x-session-id",
      "x-access-token",
      "proxy-authorization",
      "x-key"
    ],
    ["x-private-key", "access-token", "session", "api-key"],
    // Whatever a platform or a gateway calls its own.
    ["token", "x-auth", "x-goog-api-key", "x-amz-security-token", "x-client-secret", "x-jwt", "x-password"],
    ["private-token", "x-vault-token", "ocp-apim-subscription-key", "cf-access-client-secret", "bearer"],
    [
      "authentication",
      "x-oauth2",
      "x-auth0",
      "PHPSESSID",
      "connect.sid",
      "sid",
      "dpop",
      "x-xsrf",
      "x-apikeyv2",
      "x-pat"
    ]
  ]
    .flat()
    .map((name) => [name, "hush-1", "is for credentials, which the client alone sends"] as const),
  ...[
    "host",
    "Content-Length",
    "content-type",
    "accept",
    "connection",
    "transfer-encoding",
    "Idempotency-Key"
  ].map((name) => [name, "hush-1", "must not be the name of another header that is sent"] as const),
  ["x y", "hush-1", "must be a header name"],
  ["x-a\r\nx-b", "hush-1", "must be a header name"],
  ["ключ", "hush-1", "must be a header name"],
  ["", "hush-1", "must be a header name"],
  ["x-a", "hush-1\r\nx-b: 2", "must be ASCII text"],
  ["x-a", "hush-1 ☃", "must be ASCII text"],
  ["x-a", 7, "must be ASCII text"]
]

test.each(refusals)("the header %j of a call is refused, and nothing is sent", async (name, value, rule) => {
  server.play(answered)
  const client = visitor({ headerNames: { apiKey: "x-key" } })
  const error = await rejected(client.project.self({}, { headers: { [name]: value as string } }))
  expect(error).toBeInstanceOf(Errors.InputError)
  expect(error).toMatchObject({ field: `headers.${name}`, rule })
  expect(JSON.stringify(error)).not.toContain("hush-1")
  expect(server.exchanges).toHaveLength(0)
  await client.close()
})

test("headers of a call that are no object are refused", async () => {
  const client = visitor()
  const headers = new Headers({ "x-a": "1" }) as unknown as Record<string, string>
  expect(await rejected(client.boxes.list({}, { headers }))).toMatchObject({
    tag: "InputError",
    field: "headers"
  })
  await client.close()
})

test("each style of an admin's client gives the answer and takes headers", async () => {
  server.play(playAdmin)
  const call = createAdmin({ baseUrl: server.url, projectId: "p1", ...login })
  const options = { headers: { "x-shop": "7" } }
  const { status } = await withResponse(call, AdminRequests.get, { id: "r1" }, options)
  const whole = admin()
  const again = await withResponse(whole, AdminRequests.get, { id: "r1" }, options)
  const method = await whole.requests.get.withResponse({ id: "r1" }, options)
  expect([status, again.status, method.status]).toEqual([200, 200, 200])
  const asked = server.exchanges.filter(({ target }) => target.startsWith("/request-action"))
  expect(asked.map(({ response }) => response.req.headers["x-shop"])).toEqual(["7", "7", "7"])
  await Promise.all([call.close(), whole.close()])
})

test("a page's answer can be read call by call", async () => {
  server.play(({ json, target }) => json({ items: [], paging: { page: 1 } }, 200, { "x-at": target }))
  const call = createPublic({ baseUrl: server.url, apiKey: "key-1" })
  expect((await withResponse(call, Boxes.list, { page: 2 })).headers["x-at"]).toBe("/v1/box?page=2")
  await call.close()
})
