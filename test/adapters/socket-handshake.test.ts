// How the socket's handshake carries credentials, and that no redirect leads it to another host.
import type { IncomingHttpHeaders } from "node:http"
import { Server } from "socket.io"
import { afterEach, describe, expect, test } from "vitest"
import { aWhile, eventually } from "../contracts/eventually.js"
import { closeAll, handshake, listen, open, path } from "./socket-server.js"

afterEach(closeAll)

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
