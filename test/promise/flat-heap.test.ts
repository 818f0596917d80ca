// 100,000 items through `pages`, 1,000 pages of 100 over real HTTP: what is held does not grow with what was read.
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { patient } from "@quartet/support/patience.js"
import { listen, type Server } from "@quartet/support/scripted-server.js"
import { Effect, Layer, Stream } from "effect"
import { Agent } from "undici"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as UndiciTransport from "../../adapters/undici/index.js"
import { createPublicClient } from "../../clients/promise/index.js"
import * as Public from "../../clients/public/index.js"
import { pages } from "../../core/kernel/dispatch/streaming.js"
import { Transport } from "../../core/ports/transport.js"

const total = 100_000
const size = 100
const mebibyte = 1024 * 1024

/** Most that the heap may grow between the 10,000th item and the last. The pages are 35 kB each, 35 MB together. */
const bound = mebibyte

setFlagsFromString("--expose_gc")
const collectGarbage: () => void = runInNewContext("gc")

/** Bytes of live objects on the heap. Two turns of the event loop let what has just ended let go. */
const heap = async (): Promise<number> => {
  for (let turn = 0; turn < 2; turn++) {
    await new Promise((resolve) => setImmediate(resolve))
    collectGarbage()
  }
  return process.memoryUsage().heapUsed
}

const item = (index: number) => ({
  _id: `box-${index}`,
  type: "QUIZ_RESULT",
  made: "2024-05-01T10:00:00.000Z",
  answers: Array.from({ length: 5 }, (_, question) => ({ question, text: `answer ${index}`, isRight: true }))
})

describe("100,000 items through pages hold a flat heap", { timeout: patient(120_000) }, () => {
  let server: Server
  const agent = new Agent()
  const transport = UndiciTransport.make(agent)
  const config = () => ({ baseUrl: server.url, apiKey: "key-1" })

  beforeAll(async () => {
    server = await listen()
    server.play(({ json, target }) => {
      const page = Number(new URL(target, server.url).searchParams.get("page"))
      const items = Array.from({ length: size }, (_, index) => item((page - 1) * size + index))
      // The record of requests is the test's own, and must not grow either.
      if (server.exchanges.length === size) server.forget()
      json({ items, paging: { page, limit: size, total } })
    })
  })

  afterAll(async () => {
    await agent.destroy()
    await server.close()
  })

  type Take = (box: { readonly _id: string; readonly made?: unknown }) => Promise<void>
  const forms: ReadonlyArray<readonly [form: string, read: (take: Take) => Promise<void>]> = [
    [
      "an AsyncIterable",
      async (take) => {
        await using client = createPublicClient({ ...config(), transport })
        for await (const box of client.boxes.list.pages({}, { limit: size })) await take(box)
      }
    ],
    [
      "a Stream",
      async (take) => {
        const layer = Layer.provide(Public.layer(config()), Layer.succeed(Transport, transport))
        const boxes = pages(Public.boxes.list, {}, { limit: size })
        const reading = Stream.runForEach(boxes, (box) => Effect.promise(() => take(box)))
        await Effect.runPromise(Effect.provide(reading, layer))
      }
    ]
  ]
  test.each(forms)("as %s", async (form, read) => {
    let count = 0
    let tenth = 0
    await read(async ({ made }) => {
      if (!(made instanceof Date)) throw new Error("an item was not decoded")
      count += 1
      if (count === total / 10) tenth = await heap()
    })
    const end = await heap()
    const [first, last, more] = [tenth, end, end - tenth].map((bytes) => (bytes / mebibyte).toFixed(2))
    console.info(`pages as ${form}: heap ${first} MiB at 10,000 items, ${last} MiB at 100,000 (${more} more)`)
    expect(count).toBe(total)
    expect(end - tenth).toBeLessThan(bound)
  })

  test("control: what is kept is seen to grow", async () => {
    await using client = createPublicClient({ ...config(), transport })
    const kept: Array<unknown> = []
    let tenth = 0
    for await (const box of client.boxes.list.pages({}, { limit: size })) {
      kept.push(box)
      if (kept.length === total / 10) tenth = await heap()
      if (kept.length === total / 5) break
    }
    expect((await heap()) - tenth).toBeGreaterThan(bound)
    expect(kept).toHaveLength(total / 5)
  })
})
