// Downloads of a Promise client: as they come, as bytes or as text; a loop that is left gives the connection back.
import { afterAll, describe, expect, test } from "vitest"
import { createEndUserClient, Errors } from "../../clients/promise/index.js"
import { type Exchange, listen, silent } from "../support/scripted-server.js"
import { transports } from "../support/transports.js"

const text = "Größe,10\r\n".repeat(2_000)

/** Answers in pieces that cut characters in two. */
const inPieces = ({ response }: Exchange): void => {
  const all = Buffer.from(text)
  response.writeHead(200, { "content-type": "text/csv" })
  for (let offset = 0; offset < all.length; offset += 1_001)
    response.write(all.subarray(offset, offset + 1_001))
  response.end()
}

/** Sends a first piece, and nothing more. */
const firstPiece = ({ response }: Exchange): void => {
  response.writeHead(200, { "content-type": "application/octet-stream" })
  response.write("first")
}

const server = await listen()
afterAll(() => server.close())

describe.each(transports)("over $name, a download", ({ open }) => {
  const opened = open()
  const client = createEndUserClient({
    baseUrl: server.url,
    apiKey: "key-1",
    sessionId: "session-1",
    transport: opened.transport,
    policy: { attempts: 1 }
  })
  afterAll(async () => {
    await client.close()
    await opened.close()
  })

  test("is all bytes at once", async () => {
    server.play(inPieces)
    expect(Buffer.from(await client.files.download.bytes({ id: "f1" })).toString()).toBe(text)
  })

  test("is all text at once, whatever the pieces in which it came", async () => {
    server.play(inPieces)
    expect(await client.files.download.text({ id: "f1" })).toBe(text)
  })

  test("is no text where its bytes are no UTF-8", async () => {
    server.play(({ response }) => response.end(Buffer.from([0x61, 0xc3, 0x28])))
    await expect(client.files.download.text({ id: "f1" })).rejects.toMatchObject({
      tag: "AnswerError",
      operation: "files.download",
      reason: "Encoding"
    })
  })

  test("is a loop over the bytes as they come, anew for each loop", async () => {
    // The rest is sent when the first piece was read.
    let goOn: () => void = () => undefined
    server.play(({ response }) => {
      response.writeHead(200, { "content-type": "text/csv" })
      const all = Buffer.from(text)
      response.write(all.subarray(0, 1_001))
      goOn = () => response.end(all.subarray(1_001))
    })
    const download = client.files.download({ id: "f1" })
    for (let loop = 1; loop <= 2; loop++) {
      const pieces: Array<Uint8Array> = []
      for await (const piece of download) {
        if (pieces.push(piece) === 1) goOn()
      }
      expect(Buffer.concat(pieces).toString()).toBe(text)
      expect(pieces.length).toBeGreaterThan(1)
      expect(server.exchanges).toHaveLength(loop)
    }
  })

  test("sends nothing before it is read", async () => {
    server.play(inPieces)
    client.files.download({ id: "f1" })
    await client.files.download.bytes({ id: "f2" })
    expect(server.exchanges.map(({ target }) => target)).toEqual(["/cms/file/f2/download"])
  })

  test("that has no bytes ends at once", async () => {
    server.play(({ response }) => response.writeHead(200).end())
    for await (const piece of client.files.download({ id: "f1" })) expect(piece).toHaveLength(0)
    expect(await client.files.download.text({ id: "f1" })).toBe("")
  })

  test("hangs up when its loop is left", async () => {
    server.play(firstPiece)
    for await (const piece of client.files.download({ id: "f1" })) {
      expect(Buffer.from(piece).toString()).toBe("first")
      break
    }
    expect(await (await server.exchange(0)).over).toBe(false)
  })

  test("hangs up when its loop throws", async () => {
    server.play(firstPiece)
    const loop = async () => {
      for await (const _ of client.files.download({ id: "f1" })) throw new Error("disk full")
    }
    await expect(loop()).rejects.toThrow("disk full")
    expect(await (await server.exchange(0)).over).toBe(false)
  })

  test("hangs up when its signal is aborted while it waits for more", async () => {
    server.play(firstPiece)
    const controller = new AbortController()
    const reason = new Error("enough")
    const read = client.files.download.bytes({ id: "f1" }, { signal: controller.signal })
    const { over } = await server.exchange(0)
    controller.abort(reason)
    await expect(read).rejects.toBe(reason)
    expect(await over).toBe(false)
  })

  test("hangs up at once when its signal is aborted, though its reader is busy with a piece", async () => {
    server.play(firstPiece)
    const controller = new AbortController()
    const reason = new Error("enough")
    const reader = client.files.download({ id: "f1" }, { signal: controller.signal })[Symbol.asyncIterator]()
    expect((await reader.next()).done).toBe(false)
    controller.abort(reason)
    expect(await (await server.exchange(0)).over).toBe(false)
    await expect(reader.next()).rejects.toBe(reason)
    expect((await reader.next()).done).toBe(true)
  })

  test.each([
    ["bytes", () => client.files.download.bytes({ id: "f1" })],
    ["text", () => client.files.download.text({ id: "f1" })],
    ["a loop", () => client.files.download({ id: "f1" })[Symbol.asyncIterator]().next()]
  ])("rejects with NotFound where there is no such file: %s", async (_, read) => {
    server.play(({ json }) => json({ message: "no such file" }, 404))
    const error: unknown = await read().catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(Errors.NotFound)
    expect(error).toMatchObject({ operation: "files.download", serverMessage: "no such file" })
  })

  test("rejects where the connection is lost in the middle", async () => {
    server.play(({ response }) => {
      response.writeHead(200, { "content-length": "1000" })
      response.write("first", () => response.destroy())
    })
    await expect(client.files.download.bytes({ id: "f1" })).rejects.toMatchObject({
      tag: "NetworkError",
      operation: "files.download"
    })
  })

  test("rejects with a signal that was aborted before, and sends nothing", async () => {
    server.play(silent)
    const reason = new Error("too late")
    const options = { signal: AbortSignal.abort(reason) }
    await expect(client.files.download.bytes({ id: "f1" }, options)).rejects.toBe(reason)
    const reader = client.files.download({ id: "f1" }, options)[Symbol.asyncIterator]()
    await expect(reader.next()).rejects.toBe(reason)
    expect(server.exchanges).toEqual([])
  })
})
