// What the contract of the port cannot say: how socket.io's handshake, redirects and stalled servers are borne.

import { createHash } from "node:crypto"
import {
  createServer,
  type Server as HttpServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse
} from "node:http"
import type { AddressInfo } from "node:net"
import type { Duplex } from "node:stream"
import { Server } from "socket.io"
import { afterEach, describe, expect, test } from "vitest"
import * as SocketChat from "../../adapters/socket/index.js"
import type { Connection, Handshake, Trouble } from "../../core/ports/chat-socket.js"
import { aWhile, eventually } from "../contracts/eventually.js"

const path = "/api_private/v1/chat"
const handshake: Handshake = {
  query: { token: "canary-token" },
  headers: {
    authorization: "Bearer canary-token",
    "x-api-key": "canary-key",
    "x-session-id": "canary-session"
  }
}

const closers: Array<() => unknown> = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const listen = async (listener?: RequestListener): Promise<{ http: HttpServer; origin: string }> => {
  const http = listener === undefined ? createServer() : createServer(listener)
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve))
  closers.push(() => {
    http.closeAllConnections()
    return new Promise((resolve) => http.close(resolve))
  })
  return { http, origin: `http://127.0.0.1:${(http.address() as AddressInfo).port}` }
}

const open = (
  origin: string,
  options: SocketChat.Options = {},
  namespace = "/"
): { connection: Connection; troubles: Array<Trouble> } => {
  const troubles: Array<Trouble> = []
  const connection = SocketChat.make(options).open({ origin, path, namespace }, handshake, {
    onEvent: () => undefined,
    onTrouble: (trouble) => troubles.push(trouble)
  })
  closers.push(() => connection.close())
  return { connection, troubles }
}

const connections = (http: HttpServer): Promise<number> =>
  new Promise((resolve, reject) =>
    http.getConnections((error, count) => (error === null ? resolve(count) : reject(error)))
  )

const acceptOf = (key: string): string =>
  createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64")

const upgraded = ({ headers }: IncomingMessage): string =>
  `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n` +
  `sec-websocket-accept: ${acceptOf(headers["sec-websocket-key"] ?? "")}\r\n\r\n`

describe("the handshake", () => {
  for (const transports of [["polling", "websocket"], ["polling"], ["websocket"]] as const) {
    test(`carries the token as a query, and the credentials as headers and as auth (${transports.join(", ")})`, async () => {
      const { http, origin } = await listen()
      const io = new Server(http, { path })
      const seen: Array<{ query: unknown; headers: IncomingHttpHeaders; auth: unknown }> = []
      io.on("connection", (socket) => seen.push(socket.handshake))
      const { connection } = open(origin, { transports })
      await eventually(() => expect(connection.connected()).toBe(true))
      expect(seen).toHaveLength(1)
      expect(seen[0]?.query).toMatchObject({ token: "canary-token" })
      expect(seen[0]?.headers).toMatchObject(handshake.headers)
      expect(seen[0]?.auth).toEqual({ ...handshake.query, ...handshake.headers })
    })
  }

  test("goes to the namespace that the address names", async () => {
    const { http, origin } = await listen()
    const io = new Server(http, { path })
    const seen: Array<string> = []
    io.of("/desk").on("connection", (socket) => seen.push(socket.nsp.name))
    const { connection } = open(origin, {}, "/desk")
    await eventually(() => expect(connection.connected()).toBe(true))
    expect(seen).toEqual(["/desk"])
  })

  test("goes over from polling to a WebSocket", async () => {
    const { http, origin } = await listen()
    const io = new Server(http, { path })
    const { connection } = open(origin)
    await eventually(() => expect(connection.connected()).toBe(true))
    await eventually(() => {
      const names = [...io.of("/").sockets.values()].map(({ conn }) => conn.transport.name)
      expect(names).toEqual(["websocket"])
    })
  })
})

describe("a server that does not speak socket.io", () => {
  const cases: ReadonlyArray<readonly [number, Trouble["reason"]]> = [
    [401, "Refused"],
    [403, "Refused"],
    [404, "Unreachable"],
    [500, "Unreachable"],
    [503, "Unreachable"]
  ]
  for (const [status, reason] of cases) {
    for (const transport of ["polling", "websocket"] as const) {
      test(`is ${reason} where it answers ${status} (${transport})`, async () => {
        const { http, origin } = await listen((_, response) => response.writeHead(status).end("no"))
        http.on("upgrade", (_, socket) => socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`))
        const { troubles } = open(origin, { transports: [transport] })
        await eventually(() => expect(troubles).toHaveLength(1))
        expect(troubles[0]).toMatchObject({ reason, message: expect.stringContaining(`HTTP ${status}`) })
      })
    }
  }

  test("is Refused where socket.io's own check of the request says no", async () => {
    const { http, origin } = await listen()
    new Server(http, { path, allowRequest: (_, done) => done("no", false) })
    const { troubles } = open(origin)
    await eventually(() => expect(troubles).toMatchObject([{ reason: "Refused" }]))
  })

  test("is Unreachable where it answers with a page", async () => {
    const { origin } = await listen((_, response) => response.end("<html>welcome</html>"))
    const { connection, troubles } = open(origin)
    await aWhile(200)
    expect(connection.connected()).toBe(false)
    expect(troubles.filter(({ reason }) => reason === "Refused")).toEqual([])
  })

  const handshakes = [
    ["is no JSON", '0{"sid":"a","upgrades":[],"maxPayload"$1000}'],
    ["is null", "0null"],
    ["is a number", "0123"],
    ["lacks its parts", "0{}"],
    ["is cut", '0{"sid":']
  ] as const
  for (const [what, packet] of handshakes) {
    for (const transport of ["polling", "websocket"] as const) {
      test(`is reported, and throws nothing, where its handshake ${what} (${transport})`, async () => {
        const { http, origin } = await listen((_, response) => response.end(packet))
        http.on("upgrade", (request, socket) => {
          socket.write(upgraded(request))
          socket.write(Buffer.concat([Buffer.from([0x81, packet.length]), Buffer.from(packet)]))
          socket.resume().on("end", () => socket.destroy())
        })
        const { connection, troubles } = open(origin, { transports: [transport] })
        await eventually(() => expect(troubles).toMatchObject([{ reason: "Unreachable" }]))
        expect(connection.connected()).toBe(false)
        connection.close()
        if (transport === "websocket") await eventually(async () => expect(await connections(http)).toBe(0))
      })
    }
  }

  test("is not told any credential in what is reported", async () => {
    const { origin } = await listen((_, response) => response.writeHead(500).end("no"))
    const { troubles } = open(origin)
    await eventually(() => expect(troubles).toHaveLength(1))
    expect(JSON.stringify(troubles)).not.toContain("canary")
  })
})

describe("a redirect", () => {
  for (const status of [301, 302, 303, 307, 308]) {
    for (const transport of ["polling", "websocket"] as const) {
      test(`${status} is not followed, and nothing reaches the other host (${transport})`, async () => {
        const reached: Array<IncomingHttpHeaders> = []
        const other = await listen((request, response) => {
          reached.push(request.headers)
          response.end("caught")
        })
        other.http.on("upgrade", (request, socket) => {
          reached.push(request.headers)
          socket.destroy()
        })
        const location = `${other.origin}/caught`
        const { http, origin } = await listen((_, response) => response.writeHead(status, { location }).end())
        http.on("upgrade", (_, socket) =>
          socket.end(`HTTP/1.1 ${status} Moved\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`)
        )
        const { troubles } = open(origin, { transports: [transport] })
        await eventually(() => expect(troubles).toMatchObject([{ reason: "Unreachable" }]))
        await aWhile()
        expect(reached).toEqual([])
      })
    }
  }
})

/** The sockets over which requests and upgrades come in from now on, none of which is answered. */
const usedBy = (http: HttpServer): ReadonlyArray<Duplex> => {
  const used: Array<Duplex> = []
  http.on("request", ({ socket }) => used.push(socket))
  http.on("upgrade", (_, socket) => {
    // A server's socket stays half open until it ends it.
    used.push(socket.resume().on("end", () => socket.destroy()))
    closers.push(() => socket.destroy())
  })
  return used
}

describe("closing", () => {
  for (const transport of ["polling", "websocket"] as const) {
    test(`lets go of a server that never answers the handshake (${transport})`, async () => {
      const { http, origin } = await listen()
      const used = usedBy(http)
      const { connection } = open(origin, { transports: [transport] })
      await eventually(() => expect(used).toHaveLength(1))
      connection.close()
      await eventually(() => expect(used.every(({ destroyed }) => destroyed)).toBe(true))
      await aWhile()
      expect(used).toHaveLength(1)
    })
  }

  test("lets go of a server that stops answering (polling)", async () => {
    const { http, origin } = await listen()
    const io = new Server(http, { path, pingInterval: 60_000 })
    const { connection } = open(origin, { transports: ["polling"] })
    await eventually(() => expect(connection.connected()).toBe(true))
    for (const { conn } of io.of("/").sockets.values()) conn.transport.on("error", () => undefined)
    http.removeAllListeners("request")
    const used = usedBy(http)
    connection.emit("chat", { text: "anyone?" }, () => undefined)
    connection.close()
    await eventually(() => {
      expect(used.length).toBeGreaterThan(0)
      expect(used.every(({ destroyed }) => destroyed)).toBe(true)
    })
  })

  test("lets go of the last poll where all is lost while a WebSocket takes over", async () => {
    const polls: Array<ServerResponse> = []
    const answers = [
      '0{"sid":"a","upgrades":["websocket"],"pingInterval":60000,"pingTimeout":60000,"maxPayload":1000}',
      '40{"sid":"b"}'
    ]
    let probe: Duplex | undefined
    const { http, origin } = await listen((request, response) => {
      const chunks: Array<string> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk.toString()))
      request.on("end", () => {
        if (request.method === "GET") {
          const answer = answers.shift()
          if (answer === undefined) polls.push(response)
          else response.end(answer)
        } else if (chunks.join("").startsWith("40")) response.end("ok")
        else {
          // The message is on its way, and polling about to be paused: its connection breaks.
          probe?.write(Buffer.concat([Buffer.from([0x81, 6]), Buffer.from("3probe")]))
          setTimeout(() => response.destroy(), 50)
        }
      })
    })
    http.on("upgrade", (request, socket) => {
      socket.write(upgraded(request))
      socket.resume().on("end", () => socket.destroy())
      probe = socket
    })
    const { connection, troubles } = open(origin)
    await eventually(() => expect(connection.connected() && probe !== undefined).toBe(true))
    connection.emit("chat", { text: "hello" }, () => undefined)
    await eventually(() => expect(troubles).toMatchObject([{ reason: "Lost" }]))
    expect(polls).toHaveLength(1)
    connection.close()
    await eventually(() => expect(polls.every(({ destroyed }) => destroyed)).toBe(true))
  })

  test("cuts off a server that does not answer the good-bye (websocket)", async () => {
    const { http, origin } = await listen()
    const ended: Array<number> = []
    http.on("upgrade", (request, socket) => {
      const text = (content: string) =>
        socket.write(Buffer.concat([Buffer.from([0x81, content.length]), Buffer.from(content)]))
      socket.write(upgraded(request))
      text('0{"sid":"a","upgrades":[],"pingInterval":60000,"pingTimeout":60000,"maxPayload":1000}')
      // Whatever comes is only answered once: by the namespace's yes.
      socket.once("data", () => text('40{"sid":"b"}'))
      socket.resume().on("end", () => {
        ended.push(performance.now())
        socket.destroy()
      })
    })
    const { connection } = open(origin, { transports: ["websocket"] })
    await eventually(() => expect(connection.connected()).toBe(true))
    const closed = performance.now()
    connection.close()
    await eventually(() => expect(ended).toHaveLength(1))
    expect((ended[0] ?? 0) - closed).toBeLessThan(3_000)
  })

  test("two hundred times over returns every connection, timer and listener", async () => {
    const { http, origin } = await listen()
    const io = new Server(http, { path })
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length
    const cycle = async () => {
      const { connection } = open(origin, { transports: ["websocket"] })
      await eventually(() => expect(connection.connected()).toBe(true))
      connection.close()
    }
    await cycle()
    await eventually(() => expect(io.of("/").sockets.size).toBe(0))
    const before = timers()
    for (let n = 0; n < 200; n++) await cycle()
    await eventually(async () => {
      expect(io.of("/").sockets.size).toBe(0)
      expect(await connections(http)).toBe(0)
      expect(timers()).toBeLessThanOrEqual(before + 1)
    })
  })
})
