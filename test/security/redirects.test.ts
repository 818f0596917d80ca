// A redirect leads nowhere: no request, no credential and no body reaches another address, or the same one again.
import { describe, expect, it } from "@effect/vitest"
import { answer, serve } from "@quartet/support/raw-server.js"
import { ended } from "@quartet/support/transports.js"
import { overEachTransport } from "@quartet/support/wire.js"
import { Context, DefaultServices, Effect, Tracer } from "effect"
import * as SocketIo from "../../adapters/socket/index.js"
import * as EndUser from "../../clients/end-user/index.js"
import * as Private from "../../clients/private/index.js"
import * as Auth from "../../core/auth/operations.js"
import * as Boxes from "../../core/boxes/operations.js"
import * as Files from "../../core/files/operations.js"
import { streaming } from "../../core/kernel/dispatch/response.js"
import type { Trouble } from "../../core/ports/chat-socket.js"
import * as Projects from "../../core/projects/operations.js"

const statuses = [300, 301, 302, 303, 305, 307, 308]

overEachTransport((wire) => {
  const targets = (): ReadonlyArray<string> => [
    `${wire.elsewhere.url}/v1/box/1`,
    `//127.0.0.1:${wire.elsewhere.port}/v1/box/1`,
    `http://user:password@127.0.0.1:${wire.elsewhere.port}/`,
    "/v1/box/2",
    "",
    "file:///etc/passwd",
    "http://[::1",
    "\u00e9\u00ff"
  ]

  const password = "correct horse battery staple"
  const calls = () => {
    const client = wire.dispatcher()
    const common = { baseUrl: wire.server.url, policy: { attempts: 1 } }
    const endUser = wire.over(EndUser.make({ ...common, apiKey: "k-1", sessionId: "s-1" })).dispatcher
    const privately = wire.over(Private.make({ ...common, privateKey: "p-1" })).dispatcher
    const file = { content: new Blob(["secret bytes"]), name: "a.txt" }
    return {
      GET: client.call(Boxes.get, { id: "1" }),
      PUT: client.call(Boxes.update, { id: "1", payload: { a: 1 } }),
      DELETE: client.call(Boxes.remove, { id: "1" }),
      "POST with a password": client.call(Auth.login, { email: "a@b.test", password }),
      "POST of a form": endUser.call(Files.upload, { file }),
      "GET of a private client": privately.call(Projects.self, {}),
      "GET of a stream": endUser.open(Files.download, { id: "1" }, undefined, streaming)
    }
  }

  it.each(statuses)("status %d ends every kind of call, whatever its location", async (status) => {
    for (const target of targets()) {
      wire.reply = answer(status, [`location: ${target}`], "moved")
      for (const [name, call] of Object.entries(calls())) {
        const { error } = await ended<unknown>(call)
        expect([name, error]).toMatchObject([name, { _tag: "AnswerError", reason: "Redirect", status }])
      }
    }
    expect(wire.sent().length).toBe(targets().length * 7)
    expect(wire.elsewhere.connections()).toBe(0)
  })

  it("an answer with status 200 that names another address leads nowhere either", async () => {
    wire.reply = answer(
      200,
      [
        `location: ${wire.elsewhere.url}/`,
        `refresh: 0; url=${wire.elsewhere.url}/`,
        `content-location: ${wire.elsewhere.url}/`,
        `alt-svc: http/1.1="127.0.0.1:${wire.elsewhere.port}"; ma=3600`,
        `link: <${wire.elsewhere.url}/>; rel=preload`
      ],
      '{"_id":"1"}'
    )
    for (let round = 0; round < 3; round++) {
      expect(await wire.call(Boxes.get, { id: "1" })).toEqual({ value: { _id: "1" } })
    }
    expect(wire.sent().length).toBe(3)
    expect(wire.elsewhere.connections()).toBe(0)
  })
})

const native = Context.get(DefaultServices.liveServices, Tracer.Tracer)
const tracer = Tracer.make({ span: (...args) => native.span(...args), context: (run) => run() })

describe("the header of a span", () => {
  overEachTransport((wire) => {
    it("reaches the client's own address, and none that an answer names", async () => {
      wire.reply = answer(302, [`location: ${wire.elsewhere.url}/v1/box/1`], "moved")
      await ended(Effect.withTracer(wire.dispatcher().call(Boxes.get, { id: "1" }), tracer))
      expect(wire.last()?.headers.traceparent).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-01$/)
      expect(wire.elsewhere.connections()).toBe(0)
    })
  })
})

describe.each(["polling", "websocket"] as const)("the chat by %s", (name) => {
  it.each(statuses)("does not follow status %d with its token, session or key", async (status) => {
    const elsewhere = await serve(() => answer(200, [], "0{}"))
    const server = await serve(() => answer(status, [`location: ${elsewhere.url}/socket.io/?x=1`], "", "end"))
    const trouble = await new Promise<Trouble>((done) => {
      SocketIo.make({ transports: [name] }).open(
        { origin: server.url, path: "/chat", namespace: "/" },
        { query: { token: "t-1" }, headers: { authorization: "Bearer t-1", "x-session-id": "s-1" } },
        { onEvent: () => undefined, onTrouble: done }
      )
    })
    expect(trouble.reason).toBe("Unreachable")
    expect(server.requests).toHaveLength(1)
    expect(elsewhere.connections()).toBe(0)
    await server.close()
    await elsewhere.close()
  })
})
