// A redirect leads nowhere: no request, no credential and no body reaches another address, or the same one again.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SocketIo from "../../adapters/socket/index.js"
import * as EndUser from "../../clients/end-user/index.js"
import * as Private from "../../clients/private/index.js"
import * as Auth from "../../core/auth/operations.js"
import * as Boxes from "../../core/boxes/operations.js"
import * as Files from "../../core/files/operations.js"
import type { Trouble } from "../../core/ports/chat-socket.js"
import { Transport } from "../../core/ports/transport.js"
import * as Projects from "../../core/projects/operations.js"
import { answer, type RawServer, type Reply, serve } from "./raw-server.js"
import { ended, type Opened, open, visitor, ways } from "./ways.js"

const statuses = [300, 301, 302, 303, 305, 307, 308]

describe.each(ways)("over $name", (way) => {
  let server: RawServer
  let other: RawServer
  let opened: Opened
  let next: Reply

  beforeAll(async () => {
    server = await serve(() => next)
    other = await serve(() => answer(200, [], '{"_id":"1"}'))
    opened = await open(way)
  })
  afterAll(async () => {
    await opened.close()
    await server.close()
    await other.close()
  })

  let before = 0
  beforeEach(() => {
    before = server.requests.length
  })

  const targets = (): ReadonlyArray<string> => [
    `${other.url}/v1/box/1`,
    `//127.0.0.1:${other.port}/v1/box/1`,
    `http://user:password@127.0.0.1:${other.port}/`,
    "/v1/box/2",
    "",
    "file:///etc/passwd",
    "http://[::1",
    "\u00e9\u00ff"
  ]

  const password = "correct horse battery staple"
  const calls = () => {
    const client = visitor(opened.transport, server.url).dispatcher
    const endUser = Effect.runSync(
      Effect.provideService(
        EndUser.make({ baseUrl: server.url, apiKey: "k-1", sessionId: "s-1", policy: { attempts: 1 } }),
        Transport,
        opened.transport
      )
    ).dispatcher
    const privately = Effect.runSync(
      Effect.provideService(
        Private.make({ baseUrl: server.url, privateKey: "p-1", policy: { attempts: 1 } }),
        Transport,
        opened.transport
      )
    ).dispatcher
    const file = { content: new Blob(["secret bytes"]), name: "a.txt" }
    return {
      GET: client.call(Boxes.get, { id: "1" }),
      PUT: client.call(Boxes.update, { id: "1", payload: { a: 1 } }),
      DELETE: client.call(Boxes.remove, { id: "1" }),
      "POST with a password": client.call(Auth.login, { email: "a@b.test", password }),
      "POST of a form": endUser.call(Files.upload, { file }),
      "GET of a private client": privately.call(Projects.self, {}),
      "GET of a stream": endUser.open(Files.download, { id: "1" })
    }
  }

  it.each(statuses)("status %d ends every kind of call, whatever its location", async (status) => {
    for (const target of targets()) {
      next = answer(status, [`location: ${target}`], "moved")
      for (const [name, call] of Object.entries(calls())) {
        const { error } = await ended<unknown>(call)
        expect([name, error]).toMatchObject([name, { _tag: "AnswerError", reason: "Redirect", status }])
      }
    }
    expect(server.requests.length - before).toBe(targets().length * 7)
    expect(other.connections()).toBe(0)
  })

  it("an answer with status 200 that names another address leads nowhere either", async () => {
    next = answer(
      200,
      [
        `location: ${other.url}/`,
        `refresh: 0; url=${other.url}/`,
        `content-location: ${other.url}/`,
        `alt-svc: http/1.1="127.0.0.1:${other.port}"; ma=3600`,
        `link: <${other.url}/>; rel=preload`
      ],
      '{"_id":"1"}'
    )
    for (let round = 0; round < 3; round++) {
      expect(
        await ended(visitor(opened.transport, server.url).dispatcher.call(Boxes.get, { id: "1" }))
      ).toEqual({
        value: { _id: "1" }
      })
    }
    expect(server.requests.length - before).toBe(3)
    expect(other.connections()).toBe(0)
  })

  it("the error names neither the location nor a credential", async () => {
    next = answer(302, [`location: ${other.url}/?key=key-of-the-project`], "key-of-the-project")
    const { error } = await ended(
      visitor(opened.transport, server.url).dispatcher.call(Boxes.get, { id: "1" })
    )
    expect(JSON.stringify(error) + String(error?.stack)).not.toMatch(/key-of-the-project|location/)
    expect(error?.message).toContain("is a redirect, which is never followed: correct the base URL")
  })
})

describe.each(["polling", "websocket"] as const)("the chat by %s", (name) => {
  it.each(statuses)("does not follow status %d with its token, session or key", async (status) => {
    const other = await serve(() => answer(200, [], "0{}"))
    const server = await serve(() => answer(status, [`location: ${other.url}/socket.io/?x=1`], "", "end"))
    const trouble = await new Promise<Trouble>((done) => {
      SocketIo.make({ transports: [name] }).open(
        { origin: server.origin, path: "/chat", namespace: "/" },
        { query: { token: "t-1" }, headers: { authorization: "Bearer t-1", "x-session-id": "s-1" } },
        { onEvent: () => undefined, onTrouble: done }
      )
    })
    expect(trouble.reason).toBe("Unreachable")
    expect(server.requests).toHaveLength(1)
    expect(other.connections()).toBe(0)
    await server.close()
    await other.close()
  })
})
