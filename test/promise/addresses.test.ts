// A call without an answer says which address gave none and what became of it, over every transport and real sockets.

import { once } from "node:events"
import { createServer } from "node:net"
import { jwt } from "@quartet/support/jwt.js"
import { listen } from "@quartet/support/scripted-server.js"
import { type Opened, open, ways } from "@quartet/support/transports.js"
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest"
import * as Web from "../../adapters/fetch/web.js"
import * as XhrTransport from "../../adapters/xhr/index.js"
import {
  createAdminClient,
  createPrivateClient,
  createPublicClient,
  Errors
} from "../../clients/promise/index.js"
import { rejected } from "./served.js"

/** A port on which nobody listens. */
const freePort = async (): Promise<number> => {
  const server = createServer().listen(0)
  await once(server, "listening")
  const { port } = Object(server.address())
  server.close()
  await once(server, "close")
  return port
}

/** A server that accepts connections and resets each once it has heard something. */
const resetting = createServer((socket) => socket.once("data", () => socket.resetAndDestroy()))
await once(resetting.listen(0, "127.0.0.1"), "listening")
afterAll(() => resetting.close())
const resettingOrigin = `http://127.0.0.1:${Object(resetting.address()).port}`

const port = await freePort()

describe.each(ways)("over $name", (way) => {
  let opened: Opened
  beforeAll(async () => {
    opened = await open(way)
  })
  afterAll(() => opened.close())
  const failing = async (baseUrl: string): Promise<unknown> => {
    const client = createPublicClient({
      baseUrl,
      apiKey: "key-1",
      transport: opened.transport,
      policy: { attempts: 1 }
    })
    const error = await rejected(client.items.get({ id: "secret-id" }))
    await client.close()
    expect(error).toBeInstanceOf(Errors.NetworkError)
    expect(String(error)).not.toContain("secret-id")
    return error
  }

  test.each(["127.0.0.1", "localhost"])(
    "an address that refuses is named, and asked whether it runs: %s",
    async (host) => {
      const origin = `http://${host}:${port}`
      expect(await failing(`${origin}/api/v1`)).toMatchObject({
        reason: "Refused",
        origin,
        detail: "ECONNREFUSED",
        message: `items.get: ${origin} refused the connection (ECONNREFUSED). Is it running?`
      })
    }
  )

  test("a host name that nobody knows is named", async () => {
    const origin = "http://nowhere.invalid"
    const error = await failing(origin)
    expect(error).toMatchObject({ reason: "Unresolved", origin })
    expect(String(error)).toMatch(
      /the host of http:\/\/nowhere\.invalid was not found \((ENOTFOUND\)\. Is the host name right\?|EAI_AGAIN\)\. Is this .*\?)$/
    )
  })

  test("a connection that is reset is named", async () => {
    const error = await failing(resettingOrigin)
    expect(error).toMatchObject({ reason: "Reset", origin: resettingOrigin })
    expect(String(error)).toMatch(
      /closed the connection before its answer was whole \((ECONNRESET|UND_ERR_SOCKET)\)\.$/
    )
  })
})

test("credentials of a base URL are refused, so no origin holds any", async () => {
  expect(() => createPublicClient({ baseUrl: "http://ada:secret-1@127.0.0.1:1", apiKey: "key-1" })).toThrow(
    Errors.InputError
  )
})

describe("in a browser without a network", () => {
  afterEach(() => vi.unstubAllGlobals())

  test.each([
    [false, "Offline"],
    [true, "Unknown"],
    [undefined, "Unknown"]
  ] as const)("navigator.onLine %s is told as %s", (onLine, reason) => {
    vi.stubGlobal("navigator", { onLine })
    expect(Web.failed(new TypeError("Failed to fetch"))).toMatchObject({ reason })
    expect(Web.unanswered(new TypeError("Failed to fetch"))).toMatchObject({ reason, sent: true })
  })

  test("so is an upload with progress", () => {
    vi.stubGlobal("navigator", { onLine: false })
    class Offline {
      upload = {}
      onerror = (): void => undefined
      open(): void {}
      setRequestHeader(): void {}
      abort(): void {}
      send(): void {
        this.onerror()
      }
    }
    vi.stubGlobal("XMLHttpRequest", Offline)
    const settle = vi.fn()
    const below = { start: () => () => undefined }
    XhrTransport.make(below).start(
      {
        operation: "files.upload",
        method: "POST",
        origin: "https://api.example.com",
        path: "/file",
        headers: {},
        body: undefined,
        answer: "bytes",
        maxBytes: 1,
        attempt: 1,
        onUpload: () => undefined
      },
      settle
    )
    expect(settle).toHaveBeenCalledWith(expect.objectContaining({ reason: "Offline", sent: true }))
  })
})

test("a refusal of the platform names who was refused", async () => {
  const server = await listen()
  server.play(({ json }) => json({ message: "no" }, 403))
  const visitor = createPublicClient({ baseUrl: server.url, apiKey: "key-1" })
  const servers = createPrivateClient({ baseUrl: server.url, privateKey: "private-1" })
  expect(await rejected(visitor.items.get({ id: "i1" }))).toMatchObject({
    who: "the public client of the API key",
    message: "items.get: the platform refused it to the public client of the API key (HTTP 403): no"
  })
  expect(await rejected(servers.payments.get({ id: "p1" }))).toMatchObject({
    who: "the private client of its key"
  })
  await Promise.all([visitor.close(), servers.close(), server.close()])
})

test("the client's own check names the admin by the token's e-mail, or its id, and never the token", async () => {
  const server = await listen()
  const refused = async (claims: object) => {
    const accessToken = jwt({ ...claims, p: {} })
    const client = createAdminClient({
      baseUrl: server.url,
      projectId: "p1",
      sessionId: "session-1",
      accessToken
    })
    const error = await rejected(client.requests.get({ id: "r1" }))
    expect(JSON.stringify(error)).not.toContain(accessToken)
    await client.close()
    return error
  }
  expect(await refused({ sub: "admin-1", email: "ada@example.com" })).toMatchObject({
    reason: "Grant",
    who: "the admin ada@example.com",
    message: expect.stringMatching(
      /^requests\.get: the admin ada@example\.com needs requests\.get at level 1, /
    )
  })
  expect(await refused({ sub: "admin-1" })).toMatchObject({ reason: "Grant", who: "the admin admin-1" })
  expect(server.exchanges).toHaveLength(0)
  await server.close()
})
