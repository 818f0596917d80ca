// The default transport on Node: one pool of undici's for all clients, and fetch where the program has changed that.
import { createServer, type ServerResponse } from "node:http"
import { createServer as createMuteServer } from "node:net"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { eventually } from "@quartet/support/eventually.js"
import { patient } from "@quartet/support/patience.js"
import { bundled } from "@quartet/support/programs.js"
import { type Listening, listen } from "@quartet/support/servers.js"
import { Layer, ManagedRuntime } from "effect"
import {
  Agent,
  Dispatcher,
  getGlobalDispatcher,
  MockAgent,
  Agent as Plain,
  Pool,
  setGlobalDispatcher
} from "undici"
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest"
import * as DefaultTransport from "../../adapters/transport/index.js"
import {
  createEndUserClient,
  createPublicClient,
  Errors,
  signInEndUser
} from "../../clients/promise/index.js"
import * as Public from "../../clients/public/index.js"

setFlagsFromString("--expose_gc")
const collectGarbage: () => void = runInNewContext("gc")

let server: Listening
/** Requests that wait for their answer, while answers are held back. */
let held: Array<ServerResponse> | undefined
/** What the requests were sent by: fetch sends a header that undici alone does not. */
let senders: Array<"fetch" | "undici"> = []
let encodings: Array<string | undefined> = []

const answer = (response: ServerResponse): void => {
  response.setHeader("content-type", "application/json").end('[{ "_id": "b1" }]')
}

beforeAll(async () => {
  server = await listen(
    createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
      senders.push("sec-fetch-mode" in request.headers ? "fetch" : "undici")
      encodings.push(request.headers["transfer-encoding"])
      if (held === undefined) answer(response)
      else held.push(response)
    })
  )
  return server.close
})

beforeEach(() => {
  senders = []
  encodings = []
})

const config = () => ({
  baseUrl: server.url,
  apiKey: "key-1",
  policy: { attempts: 1 },
  logDrift: false
})
const visitor = () => createPublicClient(config())
const member = () => createEndUserClient({ ...config(), sessionId: "s1" })

const file = (content: ReadableStream<Uint8Array>) => ({ file: { name: "a.txt", content } })

/** As many calls in flight as the pool may send, answered together. */
const crowd = async <A>(call: () => Promise<A>): Promise<ReadonlyArray<A>> => {
  held = []
  const calls = Array.from({ length: 600 }, call)
  await eventually(() => expect(held).toHaveLength(64))
  expect(server.sockets.size).toBe(64)
  const waiting = held
  held = undefined
  waiting.forEach(answer)
  const answers = await Promise.all(calls)
  expect(server.sockets.size).toBe(64)
  return answers
}

describe("600 calls in flight open 64 connections, which are closed with what opened them:", () => {
  test("a Promise client", async () => {
    const client = visitor()
    expect(await crowd(() => client.boxes.list())).toHaveLength(600)
    await client.close()
    await eventually(() => expect(server.sockets.size).toBe(0))
  })

  test("the layer of Effect programs", async () => {
    const layer = Public.layer({ baseUrl: server.url, apiKey: "key-1" })
    const runtime = ManagedRuntime.make(Layer.provide(layer, DefaultTransport.layer))
    expect(await crowd(() => runtime.runPromise(Public.boxes.list()))).toHaveLength(600)
    await runtime.dispose()
    await eventually(() => expect(server.sockets.size).toBe(0))
  })

  test("several clients share them, and the last one closes them", async () => {
    const [one, other] = [visitor(), member()]
    expect(await crowd(() => (senders.length % 2 === 0 ? one : other).boxes.list())).toHaveLength(600)
    await one.close()
    await expect(other.boxes.list()).resolves.toMatchObject({ items: [{ _id: "b1" }] })
    expect(server.sockets.size).toBe(64)
    await other.close()
    await other.close()
    await eventually(() => expect(server.sockets.size).toBe(0))
    const next = visitor()
    await expect(next.boxes.list()).resolves.toMatchObject({ items: [{ _id: "b1" }] })
    await next.close()
    await eventually(() => expect(server.sockets.size).toBe(0))
  })
})

test("clients that could not be made hold nothing open", async () => {
  expect(() => createPublicClient({ baseUrl: "no address", apiKey: "key-1" })).toThrow(Errors.InputError)
  const routes = { "boxs.list": { path: "x" } }
  expect(() => createPublicClient({ ...config(), routes } as never)).toThrow(Errors.InputError)
  await expect(signInEndUser({ ...config(), email: "a@b.c", password: "p" })).rejects.toThrow()
  const client = visitor()
  await client.boxes.list()
  await client.close()
  await eventually(() => expect(server.sockets.size).toBe(0))
})

test("a call that is abandoned while undici is loaded sends nothing", async () => {
  const client = visitor()
  const abort = new AbortController()
  const call = client.boxes.list({}, { signal: abort.signal })
  abort.abort(new Error("left"))
  await expect(call).rejects.toThrow("left")
  await client.boxes.list()
  expect(senders).toEqual(["undici"])
  await client.close()
})

test("a write whose deadline passes before it has a connection fails as not sent, and is never sent", async () => {
  const client = member()
  const late = { policy: { deadline: 100 } }
  held = []
  const calls = Array.from({ length: 64 }, () => client.boxes.list())
  await eventually(() => expect(held).toHaveLength(64))
  const stream = new Blob(["hello"]).stream()
  for (const write of [client.boxes.create({ payload: {} }, late), client.files.upload(file(stream), late)])
    await expect(write).rejects.toMatchObject({ _tag: "DeadlineExceeded", retryable: true })
  held.forEach(answer)
  held = undefined
  await Promise.all(calls)
  await client.boxes.list()
  expect(senders).toHaveLength(65)
  held = []
  await expect(client.boxes.create({ payload: {} }, late)).rejects.toMatchObject({ _tag: "OutcomeUnknown" })
  held = undefined
  await client.close()
})

test("so does one whose TLS handshake does not end", async () => {
  const mute = await listen(createMuteServer())
  const client = createEndUserClient({
    ...config(),
    baseUrl: mute.url.replace("http:", "https:"),
    sessionId: "s1",
    policy: { deadline: 200 }
  })
  await expect(client.boxes.create({ payload: {} })).rejects.toMatchObject({ _tag: "DeadlineExceeded" })
  await client.close()
  await mute.close()
})

test("writes that are abandoned while they wait for a connection are not kept, and cost none", async () => {
  const client = member()
  held = []
  const calls = Array.from({ length: 64 }, () => client.boxes.list())
  await eventually(() => expect(held).toHaveLength(64))
  const opened = [...server.sockets]
  const abort = new AbortController()
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  const write = (_: unknown, at: number) =>
    client.boxes.create({ payload: { text: "x".repeat(100_000) + at } }, { signal: abort.signal })
  const writes = Promise.allSettled(Array.from({ length: 200 }, write))
  // They are in the queue by then.
  await new Promise((resolve) => setTimeout(resolve, 50))
  abort.abort(new Error("left"))
  expect((await writes).every(({ status }) => status === "rejected")).toBe(true)
  collectGarbage()
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(5_000_000)
  const next = client.boxes.list()
  held.forEach(answer)
  held = undefined
  await Promise.all([...calls, next])
  expect(senders).toHaveLength(65)
  expect(opened.filter(({ destroyed }) => destroyed)).toEqual([])
  await client.close()
})

describe("a program that closes nothing", () => {
  const run = bundled(new URL("./transport/child.ts", import.meta.url))

  test("ends at once when it has nothing left to do", { timeout: patient(60_000) }, async () => {
    expect(await run([server.url])).toEqual({ code: 0, stdout: "b1 true\n", stderr: "" })
  })
})

test("a streamed file is sent while it is read", async () => {
  const client = member()
  await client.files.upload(file(new Blob(["hello"]).stream()))
  expect([senders, encodings]).toEqual([["undici"], ["chunked"]])
  await client.close()
})

describe("where a program has changed what fetch does, requests go through it:", () => {
  const before = getGlobalDispatcher()
  afterEach(() => {
    setGlobalDispatcher(before)
    vi.unstubAllGlobals()
  })

  test("a fetch that was replaced, as mocks do", async () => {
    const client = visitor()
    await client.boxes.list()
    vi.stubGlobal("fetch", () => Promise.resolve(Response.json([{ _id: "mocked" }])))
    await expect(client.boxes.list()).resolves.toMatchObject({ items: [{ _id: "mocked" }] })
    vi.unstubAllGlobals()
    await expect(client.boxes.list()).resolves.toMatchObject({ items: [{ _id: "b1" }] })
    await client.close()
  })

  test("a fetch that was replaced before this package was loaded", async () => {
    vi.stubGlobal("fetch", () => Promise.resolve(Response.json([{ _id: "mocked" }])))
    vi.resetModules()
    const { createPublicClient } = await import("../../clients/promise/index.js")
    const client = createPublicClient(config())
    await expect(client.boxes.list()).resolves.toMatchObject({ items: [{ _id: "mocked" }] })
    await client.close()
  })

  test("and none at all is an error that says what to pass", async () => {
    const client = visitor()
    vi.stubGlobal("fetch", undefined)
    const message = expect.stringContaining("FetchTransport.make({ fetch })")
    await expect(client.boxes.list()).rejects.toMatchObject({ _tag: "InputError", field: "fetch", message })
    await client.close()
  })

  test("a mock agent", async () => {
    const mock = new MockAgent()
    mock.disableNetConnect()
    mock
      .get(server.url)
      .intercept({ path: "/v1/box" })
      .reply(200, [{ _id: "mocked" }])
    setGlobalDispatcher(mock)
    const client = visitor()
    await expect(client.boxes.list()).resolves.toMatchObject({ items: [{ _id: "mocked" }] })
    await client.close()
  })

  test.each<[string, () => Dispatcher, "fetch" | "undici"]>([
    [
      "an Agent with options, such as certificates",
      () => new Agent({ connect: { timeout: 1_234 } }),
      "fetch"
    ],
    ["an Agent with interceptors", () => new Agent().compose((dispatch) => dispatch), "fetch"],
    [
      "an Agent that makes its own pools",
      () => new Agent({ factory: (origin) => new Pool(origin) }),
      "fetch"
    ],
    ["an Agent whose connections are watched", () => new Agent().on("connect", () => undefined), "fetch"],
    ["a class that extends Agent, under its name", () => new (class Agent extends Plain {})(), "fetch"],
    ["but not an Agent without any, which undici itself sets", () => new Agent(), "undici"]
  ])("%s", async (_, make, sender) => {
    const agent = make()
    setGlobalDispatcher(agent)
    const client = visitor()
    await client.boxes.list()
    expect(senders).toEqual([sender])
    await client.close()
    await agent.destroy()
  })

  test.each<[string, Agent.Options, "fetch" | "undici"]>([
    ["the default of undici 8 and of Node 26, which wrap it for older copies", {}, "undici"],
    ["but not what they wrap with options", { connect: { timeout: 1_234 } }, "fetch"]
  ])("%s", async (_, options, sender) => {
    const agent = new Agent(options)
    class Dispatcher1Wrapper extends Dispatcher {
      static wrapHandler = () => expect.unreachable("only a dispatch wraps one")
      override dispatch(...args: Parameters<Dispatcher["dispatch"]>) {
        return agent.dispatch(...args)
      }
    }
    setGlobalDispatcher(agent)
    Reflect.set(globalThis, Symbol.for("undici.globalDispatcher.1"), new Dispatcher1Wrapper())
    const client = visitor()
    await client.boxes.list()
    expect(senders).toEqual([sender])
    await client.close()
    await agent.destroy()
  })

  test("a streamed file is read into memory for it", async () => {
    const told: Array<unknown> = []
    vi.stubGlobal("fetch", (_: unknown, { body }: { readonly body: FormData }) => {
      told.push(...body.values())
      return Promise.resolve(Response.json({ _id: "f1" }))
    })
    const client = member()
    await client.files.upload(file(new Blob(["hello"]).stream()))
    expect(told.filter((value) => value instanceof File)).toMatchObject([{ name: "a.txt", size: 5 }])
    const broken = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error("gone"))
    })
    await expect(client.files.upload(file(broken))).rejects.toMatchObject({
      _tag: "InputError",
      field: "file.content"
    })
    await client.close()
  })
})

test("where undici cannot be loaded, as in a bundle without it, requests go through fetch", async () => {
  vi.resetModules()
  vi.doMock("../../adapters/undici/pool.js", () => expect.unreachable("left out"))
  const { createPublicClient } = await import("../../clients/promise/index.js")
  const client = createPublicClient({ baseUrl: server.url, apiKey: "key-1" })
  await client.boxes.list()
  await client.boxes.list()
  expect(senders).toEqual(["fetch", "fetch"])
  await client.close()
})
