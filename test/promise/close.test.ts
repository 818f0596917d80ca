// The end of a Promise client: what is under way is cancelled on the wire, and later calls are refused.

import { silent } from "@quartet/support/scripted-server.js"
import { afterEach, beforeEach, expect, test } from "vitest"
import { createEndUserClient, type EndUserClient, Errors } from "../../clients/promise/index.js"
import { rejected, serve } from "./served.js"

const { over, server, targets } = await serve()

over("closing a client", ({ config }) => {
  const make = () => createEndUserClient({ ...config, sessionId: "session-1" })
  let client: EndUserClient
  beforeEach(() => {
    client = make()
  })
  afterEach(() => client.close())

  const abortError = { name: "AbortError", message: "the client was closed" }

  test("cancels the calls under way, and the server sees their connections closed", async () => {
    server.play(silent)
    const calls = [client.boxes.list(), client.items.get({ id: "i1" }), client.boxes.create({ payload: {} })]
    const settled = Promise.all(calls.map(rejected))
    const exchanges = [await server.exchange(0), await server.exchange(1), await server.exchange(2)]
    await client.close()
    for (const error of await settled) expect(error).toMatchObject(abortError)
    expect(await settled).toEqual(calls.map(() => expect.any(Error)))
    expect(await Promise.all(exchanges.map(({ over }) => over))).toEqual([false, false, false])
  })

  test("cancels a download under way", async () => {
    server.play(silent)
    const download = client.files.download.bytes({ id: "f1" })
    const { over } = await server.exchange(0)
    await Promise.all([client.close(), expect(download).rejects.toMatchObject(abortError)])
    expect(await over).toBe(false)
  })

  test("hangs up on a download whose reader is busy, and its next read rejects", async () => {
    server.play(({ response }) => response.writeHead(200).write("first"))
    const reader = client.files.download({ id: "f1" })[Symbol.asyncIterator]()
    expect((await reader.next()).done).toBe(false)
    await client.close()
    expect(await (await server.exchange(0)).over).toBe(false)
    await expect(reader.next()).rejects.toMatchObject(abortError)
  })

  test("ends a loop over pages at its next item", async () => {
    server.play(({ json }) => json([{ _id: "b1" }, { _id: "b2" }]))
    const seen: Array<string> = []
    const loop = async () => {
      for await (const { _id } of client.boxes.list.pages()) {
        seen.push(_id)
        await client.close()
      }
    }
    await expect(loop()).rejects.toMatchObject(abortError)
    expect(seen).toEqual(["b1"])
  })

  test("refuses every later call, and sends nothing", async () => {
    server.play(({ json }) => json([]))
    const { pages } = client.boxes.list
    await client.close()
    const refused = { tag: "InputError", field: "client", rule: "is closed: make a new one" }
    await expect(client.boxes.list()).rejects.toMatchObject({ ...refused, operation: "boxes.list" })
    await expect(client.boxes.list()).rejects.toBeInstanceOf(Errors.InputError)
    await expect(client.files.download.text({ id: "f1" })).rejects.toMatchObject(refused)
    await expect(pages()[Symbol.asyncIterator]().next()).rejects.toMatchObject(refused)
    expect(targets()).toEqual([])
  })

  test("happens by itself at the end of an `await using` block", async () => {
    server.play(({ json, target }) => (target === "/v1/box" ? undefined : json({ _id: "i1" })))
    const began: Array<Promise<unknown>> = []
    {
      await using scoped = make()
      began.push(scoped.boxes.list().catch((reason: unknown) => reason))
      expect(await scoped.items.get({ id: "i1" })).toEqual({ _id: "i1" })
    }
    expect(await began[0]).toMatchObject(abortError)
  })
})
