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
