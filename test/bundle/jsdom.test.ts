// @vitest-environment jsdom
// The entries under jsdom, as tests of apps import them: its File, Blob and FormData beside Node's fetch and bytes.
import { createServer } from "node:http"
import { listen } from "@quartet/support/servers.js"
import { afterAll, beforeEach, expect, test } from "vitest"

let bodies: Array<string> = []
const server = await listen(
  createServer((request, response) => {
    let body = ""
    request.on("data", (piece: Buffer) => {
      body += piece.toString()
    })
    request.on("end", () => {
      bodies.push(body)
      response
        .setHeader("content-type", "application/json")
        .end('{"_id":"f1","createdAt":"2024-05-01T10:00:00.000Z"}')
    })
  })
)
afterAll(server.close)
beforeEach(() => {
  bodies = []
})

const { createPublicClient } = await import("../../clients/promise/index.js")
const FetchTransport = await import("../../adapters/fetch/index.js")
const config = { baseUrl: server.url, apiKey: "key", policy: { attempts: 1 } }

test.each([
  "@quartet/sdk/admin",
  "@quartet/sdk/public",
  "@quartet/sdk/private",
  "@quartet/sdk/end-user",
  "@quartet/react",
  "@quartet/sandbox",
  "@quartet/sandbox/testing"
])("%s is imported under jsdom", async (name) => {
  expect(Object.keys(await import(name))).not.toEqual([])
})

const transports = [
  ["the default transport", () => ({})],
  ["fetch", () => ({ transport: FetchTransport.make() })]
] as const

test.each(transports)("a call is made and answered over %s", async (_, options) => {
  await using client = createPublicClient({ ...config, ...options() })
  expect(await client.boxes.get({ id: "b" })).toEqual({
    _id: "f1",
    createdAt: new Date("2024-05-01T10:00:00Z")
  })
})

test.each(transports)(
  "jsdom's File over %s arrives whole, or is refused and nothing is sent",
  async (_, options) => {
    await using client = createPublicClient({ ...config, ...options() })
    const file = new File(["some text"], "a.txt", { type: "text/plain" })
    const ended = await client.files.upload({ form: "f1", file }).then(
      () => "done",
      (error: { readonly _tag: string; readonly message: string }) => error
    )
    if (ended === "done") expect(bodies).toEqual([expect.stringContaining("some text")])
    else {
      expect(ended).toMatchObject({
        _tag: "InputError",
        message: expect.stringContaining("Nothing was sent")
      })
      expect(bodies).toEqual([])
    }
  }
)

test.each(transports)(
  "bytes with a name over %s arrive whole, or are refused and nothing is sent",
  async (_, options) => {
    await using client = createPublicClient({ ...config, ...options() })
    const content = Buffer.from("some text")
    const ended = await client.files.upload({ form: "f1", file: { content, name: "a.txt" } }).then(
      () => "done",
      (error: { readonly _tag: string; readonly message: string }) => error
    )
    if (ended === "done") expect(bodies).toEqual([expect.stringContaining("some text")])
    else {
      expect(ended).toMatchObject({
        _tag: "InputError",
        message: expect.stringContaining("Nothing was sent")
      })
      expect(bodies).toEqual([])
    }
  }
)
