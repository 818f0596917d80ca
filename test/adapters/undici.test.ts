// What the contract of the port cannot say of the undici transport: encodings that it did not offer.

import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { Agent } from "undici"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as UndiciTransport from "../../adapters/undici/index.js"
import type { Outcome } from "../../core/ports/transport.js"
import { eventually } from "../contracts/eventually.js"

describe("an answer in an encoding that was not offered", () => {
  let http: Server
  let open = 0
  const agent = new Agent({ connections: 1 })

  beforeAll(async () => {
    http = createServer((request, response) => {
      open += 1
      response.socket?.once("close", () => {
        open -= 1
      })
      response.setHeader("content-encoding", decodeURIComponent(request.url?.slice(1) ?? ""))
      response.flushHeaders()
      response.write("not what it seems")
    })
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve))
  })

  afterAll(async () => {
    await agent.destroy()
    http.closeAllConnections()
    await new Promise((resolve) => http.close(resolve))
  })

  for (const encoding of ["zstd", "compress", "gzip, br", "constructor"]) {
    test(`ends a download instead of passing its bytes undecoded, and lets go (${encoding})`, async () => {
      const { port } = http.address() as AddressInfo
      const outcome = await new Promise<Outcome>((resolve) =>
        UndiciTransport.make(agent).start(
          {
            operation: "files.download",
            method: "GET",
            origin: `http://127.0.0.1:${port}`,
            path: `/${encodeURIComponent(encoding)}`,
            headers: {},
            body: undefined,
            answer: "stream",
            maxBytes: 1_000,
            attempt: 1,
            onUpload: undefined
          },
          resolve
        )
      )
      expect(outcome).toMatchObject({ _tag: "Failed", reason: "Protocol", sent: true })
      await eventually(() => expect(open).toBe(0))
    })
  }
})
