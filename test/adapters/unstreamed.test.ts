// A `fetch` whose answers have no stream: React Native's, that of a polyfill, and mocks made by hand.

import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import { Input } from "@quartet/sdk"
import { claims, jwt } from "@quartet/support/jwt.js"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import * as FetchTransport from "../../adapters/fetch/index.js"
import * as PlatformTransport from "../../adapters/platform/index.js"
import { createAdminClient } from "../../clients/promise/index.js"
import { Transport } from "../../core/ports/transport.js"

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const headers = { "content-type": "application/json", "x-request-id": "r-7" }

/** A Response's parts, of which a mock has some. */
const parts = (text: string) => ({
  arrayBuffer: async () => encode(text).buffer,
  text: async () => text,
  json: async () => JSON.parse(text)
})
const failing = {
  arrayBuffer: () => Promise.reject(new Error("FileReader.readAsArrayBuffer is not implemented"))
}

type Make = (status: number, text: string) => object
const head = (status: number) => ({ status, ok: status < 300, headers: new Headers(headers) })

/** What a `fetch` answers that makes no streams. */
const answers: ReadonlyArray<readonly [name: string, make: Make]> = [
  ["body undefined, as in React Native", (status, text) => ({ ...head(status), ...parts(text) })],
  ["body null, and bytes all the same", (status, text) => ({ ...head(status), body: null, ...parts(text) })],
  [
    "another kind of stream, as node-fetch",
    (status, text) => ({ ...head(status), body: { pipe: () => 0 }, ...parts(text) })
  ],
  ["text alone", (status, text) => ({ ...head(status), text: parts(text).text })],
  ["a Blob alone", (status, text) => ({ ...head(status), blob: async () => new Blob([text]) })],
  ["bytes alone", (status, text) => ({ ...head(status), bytes: async () => new TextEncoder().encode(text) })],
  [
    "a body that can only be iterated",
    (status, text) => ({
      ...head(status),
      body: {
        async *[Symbol.asyncIterator]() {
          for (const byte of new TextEncoder().encode(text)) yield Uint8Array.of(byte)
        }
      }
    })
  ],
  [
    "an arrayBuffer that is not implemented, and no clone",
    (status, text) => ({ ...head(status), ...failing, text: parts(text).text })
  ],
  ["headers in an object", (status, text) => ({ ...head(status), headers, text: parts(text).text })],
  [
    "an arrayBuffer that is not implemented, as in older React Native",
    (status, text) => ({ ...head(status), ...parts(text), ...failing, clone: () => parts(text) })
  ]
]

const config = {
  baseUrl: "http://platform.test",
  projectId: "p1",
  sessionId: "s",
  accessToken: jwt(claims)
} as const
const client = (make: Make, status: number, text: string, more: object = {}) =>
  createAdminClient({
    ...config,
    policy: { attempts: 1 },
    logDrift: false,
    transport: FetchTransport.make({ fetch: (async () => make(status, text)) as never }),
    ...more
  })

describe.each(answers)("an answer with %s", (_, make) => {
  test("is read whole: as a value, as a list, and as an empty body", async () => {
    const sdk = client(make, 200, '{"_id":"é","createdAt":"2024-05-01T10:00:00.000Z"}')
    expect(await sdk.requests.get({ id: "x" })).toEqual({
      _id: "é",
      createdAt: new Date("2024-05-01T10:00:00Z")
    })
    const list = client(make, 200, '[{"_id":"a"},{"_id":"b"}]')
    expect((await list.requests.list()).items).toHaveLength(2)
    const none = client(make, 200, "")
    expect(await none.content.delete({ id: "x" })).toBeUndefined()
  })

  test("is a download: as bytes, as text, and as they arrive", async () => {
    const file = client(make, 200, "one;two\n1;é\n")
    expect(await file.payments.csv.text()).toBe("one;two\n1;é\n")
    const pieces: Array<number> = []
    for await (const piece of file.payments.csv()) pieces.push(...piece)
    expect(new Uint8Array(pieces)).toEqual(encode("one;two\n1;é\n"))
  })

  test("says why a call or a download was refused", async () => {
    const refused = client(make, 409, '{"message":"it moved on"}')
    const error = { _tag: "Conflict", status: 409, serverMessage: "it moved on", requestId: "r-7" }
    await expect(refused.requests.get({ id: "x" })).rejects.toMatchObject(error)
    await expect(refused.payments.csv.text()).rejects.toMatchObject(error)
  })

  test("is refused where it is larger than may be held", async () => {
    const large = client(make, 200, JSON.stringify({ _id: "x".repeat(2_000) }), {
      policy: { attempts: 1, maxBytes: 1_000 }
    })
    const error = { _tag: "AnswerError", reason: "TooLarge" }
    await expect(large.requests.get({ id: "x" })).rejects.toMatchObject(error)
    await expect(large.payments.csv.text()).rejects.toMatchObject(error)
  })
})

test("a mock that has nothing but ok and json is an answer", async () => {
  const mock = client(() => ({ ok: true, json: async () => ({ _id: "x" }) }), 0, "")
  expect(await mock.requests.get({ id: "x" })).toEqual({ _id: "x" })
})

test("a body that nothing can read is a lost answer, and never an empty one", async () => {
  const mute: Make = (status) => ({ ...head(status), body: {} })
  await expect(client(mute, 200, "").requests.list()).rejects.toMatchObject({ _tag: "NetworkError" })
  await expect(client(mute, 201, "").requests.create({ payload: Input.raw({}) })).rejects.toMatchObject({
    _tag: "OutcomeUnknown"
  })
})

test("a body without a stream that fails to arrive is a lost answer, and a status all the same", async () => {
  const lost: Make = (status) => ({
    ...head(status),
    arrayBuffer: () => Promise.reject(new TypeError("gone"))
  })
  await expect(client(lost, 200, "").requests.get({ id: "x" })).rejects.toMatchObject({
    _tag: "NetworkError"
  })
  await expect(client(lost, 404, "").requests.get({ id: "x" })).rejects.toMatchObject({
    _tag: "NotFound"
  })
})

test("an answer without a stream is read over HttpClient, too", async () => {
  const fetch: typeof globalThis.fetch = async () =>
    Object.defineProperty(Response.json({ _id: "x" }), "body", { value: undefined })
  const transport = PlatformTransport.layer.pipe(
    Layer.provide(FetchHttpClient.layer),
    Layer.provide(Layer.succeed(FetchHttpClient.Fetch, fetch))
  )
  const service = await Effect.runPromise(Effect.provide(Transport, transport))
  const admin = client(() => ({}), 0, "", { transport: service })
  expect(await admin.requests.get({ id: "x" })).toEqual({ _id: "x" })
})

describe("without a class of streams, as in React Native", () => {
  beforeEach(() => vi.stubGlobal("ReadableStream", undefined))
  afterEach(() => vi.unstubAllGlobals())

  test("downloads are read all the same, and can be left", async () => {
    const file = client(answers[0]?.[1] ?? expect.unreachable(), 200, "some bytes")
    expect(await file.payments.csv.text()).toBe("some bytes")
    for await (const piece of file.payments.csv()) {
      expect(piece).toEqual(encode("some bytes"))
      break
    }
  })
})
