// A server that does not speak socket.io is told of as what it is, without a credential in it, and throws nothing.
import { Server } from "socket.io"
import { afterEach, describe, expect, test } from "vitest"
import type { Trouble } from "../../core/ports/chat-socket.js"
import { aWhile, eventually } from "../contracts/eventually.js"
import { closeAll, connections, listen, open, path, upgraded } from "./socket-server.js"

afterEach(closeAll)

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

  const words: ReadonlyArray<readonly [string, string, string, unknown?]> = [
    ["JSON with a message", '{"message":"API key expired"}', "API key expired"],
    ["JSON with an error", '{"error":"API key expired"}', "API key expired"],
    [
      "JSON with an error of parts",
      '{"error":{"message":"API key expired","data":{"code":7}}}',
      "API key expired",
      { code: 7 }
    ],
    ["JSON with a list of errors", '{"errors":[{"message":"API key expired"}]}', "API key expired"],
    ["JSON with a list of texts", '{"errors":["API key expired"]}', "API key expired"],
    ["a text", "API key expired\n", "API key expired"],
    ["a page", "<html>API key expired</html>", "answered without a reason"],
    ["nothing", "", "answered without a reason"]
  ]
  for (const [what, body, message, data] of words) {
    for (const transport of ["polling", "websocket"] as const) {
      test(`is told of in its own words where it refuses with ${what} (${transport})`, async () => {
        const { http, origin } = await listen((_, response) => response.writeHead(401).end(body))
        http.on("upgrade", (_, socket) =>
          socket.end(`HTTP/1.1 401 No\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
        )
        const { troubles } = open(origin, { transports: [transport] })
        await eventually(() => expect(troubles).toHaveLength(1))
        expect(troubles).toEqual([
          { reason: "Refused", message: `${message} (HTTP 401)`, ...(data === undefined ? {} : { data }) }
        ])
      })
    }
  }

  for (const transport of ["polling", "websocket"] as const) {
    test(`is reported though its words never end, and let go of (${transport})`, async () => {
      const { http, origin } = await listen((_, response) => {
        response.writeHead(403).write("API key")
      })
      http.on("upgrade", (_, socket) => {
        socket.write("HTTP/1.1 403 No\r\ncontent-length: 1000\r\n\r\nAPI key")
        socket.resume().on("end", () => socket.destroy())
      })
      const { troubles } = open(origin, { transports: [transport] })
      await eventually(() => expect(troubles).toEqual([{ reason: "Refused", message: "API key (HTTP 403)" }]))
      await eventually(async () => expect(await connections(http)).toBe(0))
    })

    test(`whose words are endless costs no more than their beginning (${transport})`, async () => {
      const { http, origin } = await listen((_, response) => {
        response.writeHead(403).write("x".repeat(1_000_000))
      })
      http.on("upgrade", (_, socket) => {
        socket.write(`HTTP/1.1 403 No\r\ncontent-length: 9000000\r\n\r\n${"x".repeat(1_000_000)}`)
        socket.on("error", () => undefined)
        socket.resume().on("end", () => socket.destroy())
      })
      const { troubles } = open(origin, { transports: [transport] })
      await eventually(() => expect(troubles).toHaveLength(1))
      expect(troubles[0]?.message).toBe(`${"x".repeat(16_384)} (HTTP 403)`)
    })

    test(`in socket.io's own middleware is told of with its message and its data (${transport})`, async () => {
      const { http, origin } = await listen()
      const io = new Server(http, { path })
      io.use((_, next) => next(Object.assign(new Error("API key expired"), { data: { code: "EXPIRED" } })))
      const { troubles } = open(origin, { transports: [transport] })
      await eventually(() => expect(troubles).toHaveLength(1))
      expect(troubles).toEqual([{ reason: "Refused", message: "API key expired", data: { code: "EXPIRED" } }])
    })
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
