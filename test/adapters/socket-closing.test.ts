// Closing a socket lets go of every connection, also those of a server that has stalled.
import type { Server as HttpServer, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { Server } from "socket.io"
import { afterEach, describe, expect, test } from "vitest"
import { aWhile, eventually } from "../contracts/eventually.js"
import { closeAll, closers, connections, listen, open, path, upgraded } from "./socket-server.js"

afterEach(closeAll)

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
