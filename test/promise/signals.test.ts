// One signal for many calls: no warning, one listener, none left behind.
import { getEventListeners } from "node:events"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { createEndUserClient, createPublicClient } from "../../clients/promise/index.js"
import { listen, silent } from "../support/scripted-server.js"
import { transports } from "../support/transports.js"

const server = await listen()
afterAll(() => server.close())

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe.each(transports)("over $name, one signal of many calls", ({ open }) => {
  const opened = open()
  const warnings: Array<Error> = []
  const warned = (warning: Error) => warnings.push(warning)
  beforeAll(() => void process.on("warning", warned))
  afterEach(() => {
    warnings.length = 0
  })
  afterAll(async () => {
    process.off("warning", warned)
    await opened.close()
  })

  const make = () => createPublicClient({ baseUrl: server.url, apiKey: "key-1", transport: opened.transport })
  const listeners = (signal: AbortSignal) => getEventListeners(signal, "abort").length

  test("prints no warning for thirty calls at once, and has no listener after them", async () => {
    server.play(({ json }) => json([{ _id: "b1" }]))
    const client = make()
    const { signal } = new AbortController()
    const calls = Array.from({ length: 30 }, () => client.boxes.list({}, { signal }))
    expect(listeners(signal)).toBe(1)
    expect(await Promise.all(calls)).toHaveLength(30)
    await turn()
    expect(warnings).toEqual([])
    expect(listeners(signal)).toBe(0)
    await client.close()
  })

  test("prints no warning for thirty clients", async () => {
    server.play(({ json }) => json([{ _id: "b1" }]))
    const { signal } = new AbortController()
    const clients = Array.from({ length: 30 }, make)
    const calls = clients.map((client) => client.boxes.list({}, { signal }))
    expect(listeners(signal)).toBe(1)
    await Promise.all(calls)
    await turn()
    expect(warnings).toEqual([])
    expect(listeners(signal)).toBe(0)
  })

  test("cancels all of them, and those that end before stay as they are", async () => {
    server.play(({ json, target }) => (target.includes("b0") ? json({ _id: "b0" }) : undefined))
    const client = make()
    const controller = new AbortController()
    const { signal } = controller
    await expect(client.boxes.get({ id: "b0" }, { signal })).resolves.toMatchObject({ _id: "b0" })
    expect(listeners(signal)).toBe(0)
    const calls = Array.from({ length: 30 }, (_, id) => client.boxes.get({ id: `c${id}` }, { signal }))
    const settled = Promise.allSettled(calls)
    await server.exchange(30)
    const reason = new Error("enough")
    controller.abort(reason)
    expect((await settled).map((one) => (one.status === "rejected" ? one.reason : one))).toEqual(
      calls.map(() => reason)
    )
    expect(await Promise.all(server.exchanges.map(({ over }) => over))).toEqual([
      true,
      ...calls.map(() => false)
    ])
    expect(listeners(signal)).toBe(0)
    await expect(client.boxes.list({}, { signal })).rejects.toBe(reason)
    await client.close()
  })

  test("cancels loops and calls together, and a loop that is left takes its listener with it", async () => {
    server.play(({ json }) => json({ items: [{ _id: "b1" }], paging: { page: 1, pages: 9 } }))
    const client = make()
    const { signal } = new AbortController()
    for await (const box of client.boxes.list.pages({}, { signal })) {
      expect(box).toMatchObject({ _id: "b1" })
      expect(listeners(signal)).toBe(1)
      break
    }
    expect(listeners(signal)).toBe(0)
    await client.close()
  })

  test("is let go when the client is closed", async () => {
    server.play(silent)
    const client = createEndUserClient({
      baseUrl: server.url,
      apiKey: "key-1",
      sessionId: "session-1",
      transport: opened.transport
    })
    const { signal } = new AbortController()
    const settled = Promise.allSettled([
      client.boxes.list({}, { signal }),
      client.files.download.bytes({ id: "f1" }, { signal })
    ])
    await server.exchange(1)
    await client.close()
    expect((await settled).map(({ status }) => status)).toEqual(["rejected", "rejected"])
    expect(listeners(signal)).toBe(0)
  })
})

describe("a broken signal", () => {
  beforeEach(() => server.play(({ json }) => json({ items: [{ _id: "b1" }], paging: { pages: 1 } })))

  const make = () => createPublicClient({ baseUrl: server.url, apiKey: "key-1" })
  const thrower = (): never => {
    throw new Error("canary")
  }
  const broken = (member: string) =>
    Object.defineProperty(new AbortController().signal, member, { get: thrower })

  test("that cannot be listened to rejects the call, and the client goes on and is closed", async () => {
    const client = make()
    const signal = Object.assign(new AbortController().signal, { addEventListener: thrower })
    const refused = { tag: "InputError", field: "signal", operation: "boxes.list" }
    await expect(client.boxes.list({}, { signal })).rejects.toMatchObject(refused)
    const loop = client.boxes.list.pages({}, { signal })[Symbol.asyncIterator]()
    await expect(loop.next()).rejects.toMatchObject(refused)
    expect(server.exchanges).toHaveLength(0)
    await expect(client.boxes.list()).resolves.toMatchObject({ items: [{ _id: "b1" }] })
    await client.close()
  })

  test("that nobody can be taken off again does not keep an answered call from settling", async () => {
    const client = make()
    const signal = Object.assign(new AbortController().signal, { removeEventListener: thrower })
    await expect(client.boxes.list({}, { signal })).resolves.toMatchObject({ items: [{ _id: "b1" }] })
    const ids: Array<string> = []
    for await (const { _id } of client.boxes.list.pages({}, { signal })) ids.push(_id)
    expect(ids).toEqual(["b1"])
    await client.close()
  })

  test("that does not tell its reason cancels all the same", async () => {
    server.play(silent)
    const client = make()
    const controller = new AbortController()
    Object.defineProperty(controller.signal, "reason", { get: thrower })
    const called = client.boxes.list({}, { signal: controller.signal })
    await server.exchange(0)
    controller.abort()
    await expect(called).rejects.toMatchObject({ name: "AbortError" })
    await expect(client.boxes.list({}, { signal: controller.signal })).rejects.toMatchObject({
      name: "AbortError"
    })
    await client.close()
  })

  test.each(["aborted", "addEventListener", "removeEventListener"])(
    "whose %s throws is refused by a rejection",
    async (member) => {
      const client = make()
      await expect(client.boxes.list({}, { signal: broken(member) })).rejects.toMatchObject({
        tag: "InputError",
        field: "signal"
      })
      await client.close()
    }
  )
})
