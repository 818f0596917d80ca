// The socket.io adapter against servers that tests make up: its handshake, what it says of a refusal, how it closes.
import { createHash } from "node:crypto"
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type RequestListener } from "node:http"
import type { Duplex } from "node:stream"
import { aWhile, eventually } from "@quartet/support/eventually.js"
import { patient } from "@quartet/support/patience.js"
import { listen } from "@quartet/support/servers.js"
import { Server } from "socket.io"
import { describe, expect, onTestFinished, test } from "vitest"
import * as SocketChat from "../../adapters/socket/index.js"
import type { Handshake, Trouble } from "../../core/ports/chat-socket.js"

const path = "/api_private/v1/chat"
const handshake: Handshake = {
  query: { token: "canary-token" },
  headers: {
    authorization: "Bearer canary-token",
    "x-api-key": "canary-key",
    "x-session-id": "canary-session"
  }
}
const ways = ["polling", "websocket"] as const

const serve = async (listener?: RequestListener) => {
  const http = listener === undefined ? createServer() : createServer(listener)
  const { close, sockets, url: origin } = await listen(http)
  onTestFinished(close)
  return { http, origin, sockets }
}

const open = (origin: string, options: SocketChat.Options = {}, namespace = "/") => {
  const troubles: Array<Trouble> = []
  const connection = SocketChat.make(options).open({ origin, path, namespace }, handshake, {
    onEvent: () => undefined,
    onTrouble: (trouble) => troubles.push(trouble)
  })
  onTestFinished(() => connection.close())
  return { connection, troubles }
}

/** The answer that goes over to a WebSocket. */
const upgraded = ({ headers }: IncomingMessage): string => {
  const key = `${headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
  const accept = createHash("sha1").update(key).digest("base64")
  return `HTTP/1.1 101 x\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`
}

/** A text in a frame of a WebSocket. */
const frame = (text: string): Buffer => Buffer.concat([Buffer.from([0x81, text.length]), Buffer.from(text)])

/** A server's socket stays half open until it ends it. */
const follow = (socket: Duplex): Duplex => socket.resume().on("end", () => socket.destroy())

describe("the handshake", () => {
  // Spec 7.16
  test.each([["polling, websocket"], ["polling"], ["websocket"]])(
    "carries the token as a query, and the credentials as headers and as auth (%s)",
    async (names) => {
      const { http, origin } = await serve()
      const seen: Array<{ query: unknown; headers: IncomingHttpHeaders; auth: unknown }> = []
      new Server(http, { path }).on("connection", (socket) => seen.push(socket.handshake))
      const transports = ways.filter((way) => names.includes(way))
      const { connection } = open(origin, { transports })
      await eventually(() => expect(connection.connected()).toBe(true))
      const auth = { ...handshake.query, ...handshake.headers }
      expect(seen).toMatchObject([{ query: { token: "canary-token" }, headers: handshake.headers }])
      expect(seen[0]?.auth).toEqual(auth)
    }
  )

  test.each([["polling"], ["websocket"]] as const)(
    "carries the token in auth alone where that is chosen, and not in the address (%s)",
    async (way) => {
      const { http, origin } = await serve()
      const seen: Array<{ readonly auth: object; readonly url: string }> = []
      new Server(http, { path }).on("connection", (socket) => seen.push(socket.handshake))
      open(origin, { transports: [way], query: "auth" })
      await eventually(() => expect(seen).toHaveLength(1))
      expect(seen[0]?.auth).toEqual({ ...handshake.query, ...handshake.headers })
      expect(seen[0]?.url).not.toContain("canary-token")
    }
  )

  test("goes to the namespace that the address names", async () => {
    const { http, origin } = await serve()
    const seen: Array<string> = []
    new Server(http, { path }).of("/desk").on("connection", (socket) => seen.push(socket.nsp.name))
    const { connection } = open(origin, {}, "/desk")
    await eventually(() => expect(connection.connected()).toBe(true))
    expect(seen).toEqual(["/desk"])
  })

  test("goes over from polling to a WebSocket", async () => {
    const { http, origin } = await serve()
    const io = new Server(http, { path })
    open(origin)
    await eventually(() => {
      const names = [...io.of("/").sockets.values()].map(({ conn }) => conn.transport.name)
      expect(names).toEqual(["websocket"])
    })
  })
})

describe.each(ways)("a server that does not speak socket.io (%s)", (way) => {
  /** Answers a poll and an upgrade alike. */
  const answering = async (status: number, body: string, type?: string) => {
    const encoding = type === undefined ? "utf8" : "latin1"
    const header = type === undefined ? {} : { "content-type": type }
    const { http, origin } = await serve((_, response) =>
      response.writeHead(status, header).end(body, encoding)
    )
    http.on("upgrade", (_, socket) =>
      socket.end(
        `HTTP/1.1 ${status} No\r\n${type === undefined ? "" : `content-type: ${type}\r\n`}content-length: ${Buffer.byteLength(body, encoding)}\r\n\r\n${body}`,
        encoding
      )
    )
    return open(origin, { transports: [way] })
  }

  test.each([
    [401, "Refused"],
    [403, "Refused"],
    [404, "Unreachable"],
    [500, "Unreachable"],
    [503, "Unreachable"]
  ])("that answers %i is %s, and no credential is in what is reported", async (status, reason) => {
    const { troubles } = await answering(status, "no")
    await eventually(() => expect(troubles).toHaveLength(1))
    expect(troubles[0]).toMatchObject({ reason, message: expect.stringContaining(`HTTP ${status}`) })
    expect(JSON.stringify(troubles)).not.toContain("canary")
  })

  const expired = "API key expired"
  const words: ReadonlyArray<[body: string, message: string, more: object]> = [
    [`{"message":"${expired}"}`, expired, {}],
    [`{"error":"${expired}"}`, expired, {}],
    [`{"error":{"message":"${expired}","data":{"code":7}}}`, expired, { data: { code: 7 } }],
    [`{"errors":[{"message":"${expired}"}]}`, expired, {}],
    [`{"errors":["${expired}"]}`, expired, {}],
    [`${expired}\n`, expired, {}],
    [`<html>${expired}</html>`, "answered without a reason", {}],
    ["", "answered without a reason", {}]
  ]
  test.each(words)("that refuses with %j is reported in its own words", async (body, message, more) => {
    const { troubles } = await answering(401, body)
    await eventually(() => expect(troubles).toHaveLength(1))
    expect(troubles).toEqual([{ reason: "Refused", message: `${message} (HTTP 401)`, ...more }])
  })

  test("that refuses in Latin-1, as its type says, is reported in its own words", async () => {
    const { troubles } = await answering(401, "clé expirée", "text/plain;charset=iso-8859-1")
    await eventually(() =>
      expect(troubles).toEqual([{ reason: "Refused", message: "clé expirée (HTTP 401)" }])
    )
  })

  test.each([
    ["never end", "API key", "API key"],
    ["are too many", "x".repeat(1_000_000), "x".repeat(16_384)]
  ])(
    "whose words %s is reported by their beginning, and its connection is closed",
    async (_, words, message) => {
      const { http, origin, sockets } = await serve((_, response) => {
        response.writeHead(403).write(words)
      })
      http.on("upgrade", (_, socket) => {
        follow(socket).write(`HTTP/1.1 403 No\r\ncontent-length: 9000000\r\n\r\n${words}`)
      })
      const { troubles } = open(origin, { transports: [way] })
      await eventually(() =>
        expect(troubles).toEqual([{ reason: "Refused", message: `${message} (HTTP 403)` }])
      )
      await eventually(() => expect(sockets.size).toBe(0))
    }
  )

  test.each(['0{"sid":"a","upgrades":[],"maxPayload"$1000}', "0null", "0123", "0{}", '0{"sid":'])(
    "is reported, and throws nothing, where its handshake is %s",
    async (packet) => {
      const { http, origin, sockets } = await serve((_, response) => response.end(packet))
      http.on("upgrade", (request, socket) => {
        follow(socket).write(upgraded(request))
        socket.write(frame(packet))
      })
      const { connection, troubles } = open(origin, { transports: [way] })
      await eventually(() => expect(troubles).toMatchObject([{ reason: "Unreachable" }]))
      expect(connection.connected()).toBe(false)
      connection.close()
      if (way === "websocket") await eventually(() => expect(sockets.size).toBe(0))
    }
  )

  test("is told of by message and data where socket.io's middleware refuses", async () => {
    const { http, origin } = await serve()
    const refusal = Object.assign(new Error(expired), { data: { code: "EXPIRED" } })
    new Server(http, { path }).use((_, next) => next(refusal))
    const { troubles } = open(origin, { transports: [way] })
    await eventually(() => expect(troubles).toHaveLength(1))
    expect(troubles).toEqual([{ reason: "Refused", message: expired, data: { code: "EXPIRED" } }])
  })
})

test("a request that socket.io's own check refuses is Refused", async () => {
  const { http, origin } = await serve()
  new Server(http, { path, allowRequest: (_, done) => done("no", false) })
  const { troubles } = open(origin)
  await eventually(() => expect(troubles).toMatchObject([{ reason: "Refused" }]))
})

test("a server that answers with a page is not taken for one that refuses", async () => {
  const { origin } = await serve((_, response) => response.end("<html>welcome</html>"))
  const { connection, troubles } = open(origin)
  await aWhile(200)
  expect(connection.connected()).toBe(false)
  expect(troubles.filter(({ reason }) => reason === "Refused")).toEqual([])
})

describe("closing", () => {
  /** The sockets over which requests and upgrades come in from now on, none of which is answered. */
  const usedBy = (http: Awaited<ReturnType<typeof serve>>["http"]): ReadonlyArray<Duplex> => {
    const used: Array<Duplex> = []
    http.on("request", ({ socket }) => used.push(socket))
    http.on("upgrade", (_, socket) => used.push(follow(socket)))
    return used
  }
  const areClosed = (used: ReadonlyArray<Duplex>) =>
    eventually(() => {
      expect(used.length).toBeGreaterThan(0)
      expect(used.every(({ destroyed }) => destroyed)).toBe(true)
    })

  test.each(ways)("closes the connection to a server that never answers the handshake (%s)", async (way) => {
    const { http, origin } = await serve()
    const used = usedBy(http)
    const { connection } = open(origin, { transports: [way] })
    await eventually(() => expect(used).toHaveLength(1))
    connection.close()
    await areClosed(used)
    await aWhile()
    expect(used).toHaveLength(1)
  })

  test("closes the connections to a server that stops answering (polling)", async () => {
    const { http, origin } = await serve()
    const io = new Server(http, { path, pingInterval: 60_000 })
    const { connection } = open(origin, { transports: ["polling"] })
    await eventually(() => expect(connection.connected()).toBe(true))
    for (const { conn } of io.of("/").sockets.values()) conn.transport.on("error", () => undefined)
    http.removeAllListeners("request")
    const used = usedBy(http)
    connection.emit("chat", { text: "anyone?" }, () => undefined)
    connection.close()
    await areClosed(used)
  })

  test("closes the last poll where all is lost while a WebSocket takes over", async () => {
    const polls: Array<Duplex> = []
    const answers = [
      '0{"sid":"a","upgrades":["websocket"],"pingInterval":60000,"pingTimeout":60000,"maxPayload":1000}',
      '40{"sid":"b"}'
    ]
    let probe: Duplex | undefined
    const { http, origin } = await serve((request, response) => {
      const chunks: Array<string> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk.toString()))
      request.on("end", () => {
        if (request.method === "GET") {
          const answer = answers.shift()
          if (answer === undefined) polls.push(request.socket)
          else response.end(answer)
        } else if (chunks.join("").startsWith("40")) response.end("ok")
        else {
          // The message is on its way, and polling about to be paused: its connection breaks.
          probe?.write(frame("3probe"))
          setTimeout(() => response.destroy(), 50)
        }
      })
    })
    http.on("upgrade", (request, socket) => {
      socket.write(upgraded(request))
      probe = follow(socket)
    })
    const { connection, troubles } = open(origin)
    await eventually(() => expect(connection.connected() && probe !== undefined).toBe(true))
    connection.emit("chat", { text: "hello" }, () => undefined)
    await eventually(() => expect(troubles).toMatchObject([{ reason: "Lost" }]))
    expect(polls).toHaveLength(1)
    connection.close()
    await areClosed(polls)
  })

  test("cuts off a server that does not answer the good-bye (websocket)", async () => {
    const { http, origin } = await serve()
    let ended = 0
    http.on("upgrade", (request, socket) => {
      socket.write(upgraded(request))
      socket.write(
        frame('0{"sid":"a","upgrades":[],"pingInterval":60000,"pingTimeout":60000,"maxPayload":1000}')
      )
      // Whatever comes is only answered once: by the namespace's yes.
      socket.once("data", () => socket.write(frame('40{"sid":"b"}')))
      follow(socket).on("end", () => {
        ended = performance.now()
      })
    })
    const { connection } = open(origin, { transports: ["websocket"] })
    await eventually(() => expect(connection.connected()).toBe(true))
    const closed = performance.now()
    connection.close()
    await eventually(() => expect(ended).toBeGreaterThan(0))
    expect(ended - closed).toBeLessThan(patient(3_000))
  })

  test("two hundred times over returns every connection, timer and listener", async () => {
    const { http, origin, sockets } = await serve()
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
    await eventually(() => {
      expect(io.of("/").sockets.size + sockets.size).toBe(0)
      expect(timers()).toBeLessThanOrEqual(before + 1)
    })
  })
})
