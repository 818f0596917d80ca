// The server of `quartet record --port`: what it learns, what it says that it did not, and what it passes on.
import { createServer, get, type RequestListener, request } from "node:http"
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib"
import { describe, expect } from "@effect/vitest"
import { live } from "@quartet/support/effect.js"
import { listen } from "@quartet/support/servers.js"
import { Effect } from "effect"
import * as Recording from "../recording/index.js"
import { serve } from "../recording/proxy.js"

const item = { _id: "65f0c1a2b3c4d5e6f7a8b9c0", price: 1 }
const body = Buffer.from(JSON.stringify(item))
const json = { "content-type": "application/json" }

/** The proxy before a platform that answers so. */
const proxied = (listener: RequestListener, prefix = "") =>
  Effect.gen(function* () {
    const server = createServer(listener)
    const upstream = yield* Effect.acquireRelease(
      Effect.promise(() => listen(server)),
      ({ close }) => Effect.promise(close)
    )
    const recorder = Recording.make()
    const lines: Array<string> = []
    const address = { origin: upstream.url, prefix }
    const report = (line: string) => lines.push(line)
    const access = { port: 0, allowedHosts: [], allowedOrigins: [] }
    const url = yield* serve(access, { api: address, legacy: address }, recorder, report)
    return { lines, recorder, server, upstream, url }
  })

/** One request; its answer's bytes as they came. */
const ask = (url: string) =>
  Effect.async<{
    readonly status: number
    readonly headers: Readonly<Record<string, unknown>>
    readonly bytes: Buffer
  }>((resume) => {
    get(url, { headers: { authorization: "Bearer t" } }, (answer) => {
      const pieces: Array<Buffer> = []
      answer.on("data", (piece: Buffer) => pieces.push(piece))
      answer.on("end", () =>
        resume(
          Effect.succeed({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            bytes: Buffer.concat(pieces)
          })
        )
      )
    })
  })

const path = `/item/${item._id}`

describe("an answer", () => {
  live.each<readonly [encoding: string, body: Buffer]>([
    ["identity", body],
    ["gzip", gzipSync(body)],
    ["BR", brotliCompressSync(body)],
    ["deflate", deflateSync(body)],
    ["deflate", deflateRawSync(body)],
    ["deflate, gzip", gzipSync(deflateSync(body))]
  ])("is learnt and passed on as it came, however it is packed: %s", function* ([encoding, packed]) {
    const { lines, recorder, url } = yield* proxied((_, answer) =>
      answer.writeHead(200, { ...json, "content-encoding": encoding }).end(packed)
    )
    const { bytes, headers } = yield* ask(`${url}${path}`)
    expect([bytes.equals(packed), headers["content-encoding"]]).toEqual([true, encoding])
    expect(lines).toEqual([`200 GET ${path}`])
    expect(Object.keys(recorder.recording().calls)).toEqual(["admin.items.get"])
  })

  const spaces = Buffer.alloc(17 * 1024 * 1024, " ")
  live.each<readonly [reason: string, path: string, body: Buffer, encoding: string]>([
    ["it is packed as zstd", path, body, "zstd"],
    ["it is not gzip, as it says", path, body, "gzip"],
    ["it is larger than 16 MiB", path, gzipSync(spaces), "gzip"],
    ["it is larger than 16 MiB", path, spaces, "identity"],
    ["it is no JSON", path, Buffer.from("<html>"), "identity"],
    [
      "it is of no call whose answers are recorded, or --client has to say of which",
      "/no/such/call",
      body,
      "identity"
    ]
  ])("that teaches nothing is passed on, and told: %s", function* ([reason, path, bytes, encoding]) {
    const { lines, recorder, url } = yield* proxied((_, answer) =>
      answer.writeHead(200, { ...json, "content-encoding": encoding }).end(bytes)
    )
    expect((yield* ask(`${url}${path}`)).bytes.equals(bytes)).toBe(true)
    expect(lines).toEqual([`200 GET ${path} (not learnt: ${reason})`])
    expect(recorder.recording()).toEqual(Recording.empty)
  })

  live.each<readonly [location: (upstream: string) => string, expected: string | undefined]>([
    [(upstream) => `${upstream}/v2/item/1?a=1#b`, "/item/1?a=1#b"],
    [() => "/v2/item/1", "/item/1"],
    [() => "2", "/item/2"],
    [() => "https://elsewhere.test/v2/item/1", undefined],
    [(upstream) => `${upstream}/other`, undefined],
    [() => "http://[", undefined]
  ])("that redirects to the platform leads to the proxy: %s", function* ([location, expected]) {
    let own = ""
    const { upstream, url } = yield* proxied(
      (_, answer) => answer.writeHead(302, { location: location(own) }).end(),
      "/v2"
    )
    own = upstream.url
    const { headers, status } = yield* ask(`${url}/item/1`)
    expect([status, headers.location]).toEqual([302, expected ?? location(own)])
  })
})

live("the chat's connection is passed on, both ways", function* () {
  const { server, url } = yield* proxied(() => undefined)
  server.on("upgrade", (incoming, socket) => {
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\nx-path: ${incoming.url}\r\n\r\n`
    )
    socket.on("data", (piece: Buffer) => socket.end(`echo ${piece}`))
  })
  const said = yield* Effect.async<string>((resume) => {
    const asking = request(`${url}/socket.io/?EIO=4`, {
      headers: { connection: "Upgrade", upgrade: "websocket" }
    })
    asking.on("upgrade", (answer, socket) => {
      socket.write("hello")
      socket.on("data", (piece: Buffer) => {
        socket.destroy()
        resume(Effect.succeed(`${answer.headers["x-path"]} ${piece}`))
      })
    })
    asking.end()
  })
  expect(said).toBe("/socket.io/?EIO=4 echo hello")
})
