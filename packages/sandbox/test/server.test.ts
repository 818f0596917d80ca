/** The server itself: what it does with origins, bodies, connections and ports. */
import { once } from "node:events"
import { connect } from "node:net"
import { expect } from "@effect/vitest"
import { adminHeaders, bare, post, served } from "@quartet/support/clients.js"
import { live } from "@quartet/support/effect.js"
import { Effect, Exit, Scope } from "effect"
import { accounts } from "../index.js"
import * as SandboxServer from "../server/index.js"

const key = { "x-api-key": accounts.apiKey }

served("a browser app of another origin may call it, with the headers that it asks for", function* ({ url }) {
  const origin = "http://localhost:5173"
  const before = yield* bare(`${url}/v1/box/x`, {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": "PUT",
      "access-control-request-headers": "content-type,x-api-key,x-session-id"
    }
  })
  expect(before.status).toBe(204)
  expect(before.headers.get("access-control-allow-origin")).toBe(origin)
  expect(before.headers.get("access-control-allow-methods")).toContain("PUT")
  expect(before.headers.get("access-control-allow-headers")).toBe("content-type,x-api-key,x-session-id")
  const after = yield* bare(`${url}/v1/box/x`, { headers: { ...key, origin } })
  expect([after.status, after.headers.get("access-control-allow-origin")]).toEqual([404, origin])
  expect(after.headers.get("access-control-expose-headers")).toContain("x-request-id")
})

served.with({ maxBodyBytes: 1_000 })("a body beyond it is refused, stated or chunked", function* ({ url }) {
  const text = JSON.stringify({ data: "x".repeat(2_000) })
  const stated = yield* post(`${url}/v1/box`, text, key)
  expect([stated.status, stated.json.error?.code]).toEqual([413, "too_large"])
  const headers = { ...key, "content-type": "application/json" }
  const init = { method: "POST", headers, body: new Blob([text]).stream(), duplex: "half" }
  const unstated = yield* bare(`${url}/v1/box`, init)
  expect(unstated.status).toBe(413)
  const small = yield* post(`${url}/v1/box`, "{}", key)
  expect(small.status).toBe(201)
})

served("a body of another kind than JSON or a form is refused", function* ({ url }) {
  const send = (type: string, body: string | Uint8Array<ArrayBuffer>) =>
    bare(`${url}/v1/box`, { method: "POST", headers: { ...key, "content-type": type }, body })
  expect((yield* send("application/x-www-form-urlencoded", "type=QUIZ_RESULT")).status).toBe(415)
  const broken = yield* send("multipart/form-data; boundary=x", "--y")
  expect([broken.status, broken.json.error?.field]).toEqual([400, "body"])
  const notText = yield* send("application/json", Uint8Array.from([34, 255, 34]))
  expect([notText.status, notText.json.error?.field]).toEqual([400, "body"])
})

served.with({
  fallback: ({ url }) => new Response(`page ${new URL(url).pathname}`)
})("paths that no call has are the fallback's, where there is one", function* ({ control, url }) {
  expect((yield* bare(`${url}/index.html`)).text).toBe("page /index.html")
  expect((yield* bare(`${url}/`)).text).toBe("page /")
  expect((yield* bare(`${url}/project/self`)).status).toBe(401)
  expect((yield* bare(`${url}/auth/signup`)).status).toBe(404)
  expect(control.log().map(({ path }) => path)).toEqual(["/project/self", "/auth/signup"])
})

served("a path that looks like an address, or climbs, is only a path", function* ({ url }) {
  expect((yield* bare(`${url}//example.org/project/self`, { headers: key })).status).toBe(404)
  expect((yield* bare(`${url}/v1/box/%2e%2e`, { headers: key })).status).toBe(404)
  expect((yield* bare(`${url}/v1/box/..%2f..%2fproject`, { headers: key })).status).toBe(404)
})

served.with({ host: "localhost" })("listens on it, and names it in its address", function* ({ port, url }) {
  expect(url).toBe(`http://localhost:${port}`)
  expect((yield* bare(`${url}/project/self`, { headers: key })).status).toBe(200)
})

served("a port that is taken is a failure with Node's own reason", function* ({ port }) {
  const error = yield* Effect.flip(Effect.scoped(SandboxServer.serve({ port })))
  expect(error._tag).toBe("ServeError")
  expect(error.cause).toMatchObject({ code: "EADDRINUSE" })
})

live("when its scope closes, it ends open connections and answers nothing more", function* () {
  const scope = yield* Scope.make()
  const { port, url } = yield* Scope.extend(SandboxServer.serve({ port: 0 }), scope)
  expect((yield* bare(`${url}/project/self`, { headers: key })).status).toBe(200)
  const unfinished = connect(port, "localhost")
  const ended = once(unfinished, "close")
  unfinished.on("error", () => undefined).write("POST /v1/box HTTP/1.1\r\nhost: localhost\r\n")
  yield* Effect.promise(() => once(unfinished, "connect"))
  yield* Scope.close(scope, Exit.void)
  yield* Effect.promise(() => ended)
  const after = yield* Effect.exit(Effect.tryPromise(() => fetch(`${url}/project/self`, { headers: key })))
  expect(Exit.isFailure(after)).toBe(true)
})

served("two sandboxes side by side know nothing of each other", function* (first) {
  const second = yield* SandboxServer.serve({ port: 0, seed: 2 })
  const created = yield* post(`${first.url}/v1/box`, { type: "QUIZ_RESULT" }, key)
  expect((yield* bare(`${first.url}/v1/box/${String(created.json._id)}`, { headers: key })).status).toBe(200)
  expect((yield* bare(`${second.url}/v1/box/${String(created.json._id)}`, { headers: key })).status).toBe(404)
  const { authorization } = yield* adminHeaders(first.url)
  for (const [{ url }, status] of [
    [first, 200],
    [second, 401]
  ] as const) {
    const headers = { ...(yield* adminHeaders(url)), authorization }
    expect((yield* bare(`${url}/projects?projectId=${accounts.projectId}`, { headers })).status).toBe(status)
  }
})
