// Downloads of a Promise client: as they come, as bytes or as text; a loop that is left gives the connection back.

import { type Exchange, silent } from "@quartet/support/scripted-server.js"
import { expect, test } from "vitest"
import { Errors } from "../../clients/promise/index.js"
import { rejected, serve } from "./served.js"

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

const { over, server, targets } = await serve()

over("a download", ({ endUser: { files } }) => {
  test("is all bytes or all text at once, whatever the pieces in which it came", async () => {
    server.play(inPieces)
    expect(Buffer.from(await files.download.bytes({ id: "f1" })).toString()).toBe(text)
    expect(await files.download.text({ id: "f1" })).toBe(text)
  })

  test("is no text where its bytes are not UTF-8", async () => {
    server.play(({ response }) => response.end(Buffer.from([0x61, 0xc3, 0x28])))
    const error = { tag: "AnswerError", operation: "files.download", reason: "Encoding" }
    await expect(files.download.text({ id: "f1" })).rejects.toMatchObject(error)
  })

  test("is held at once up to `maxBytes`, and broken off past it", async () => {
    server.play(inPieces)
    const size = Buffer.byteLength(text)
    const limited = (maxBytes: number) => files.download.bytes({ id: "f1" }, { policy: { maxBytes } })
    expect(await limited(size)).toHaveLength(size)
    const error = { tag: "AnswerError", operation: "files.download", reason: "TooLarge" }
    await expect(limited(size - 1)).rejects.toMatchObject(error)
    const asText = files.download.text({ id: "f1" }, { policy: { maxBytes: 1 } })
    await expect(asText).rejects.toMatchObject(error)
    let read = 0
    for await (const piece of files.download({ id: "f1" }, { policy: { maxBytes: 1 } }))
      read += piece.byteLength
    expect(read).toBe(size)
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
    const download = files.download({ id: "f1" })
    for (let loop = 1; loop <= 2; loop++) {
      const pieces: Array<Uint8Array> = []
      for await (const piece of download) if (pieces.push(piece) === 1) goOn()
      expect(Buffer.concat(pieces).toString()).toBe(text)
      expect(pieces.length).toBeGreaterThan(1)
      expect(targets()).toHaveLength(loop)
    }
  })

  test("sends nothing before it is read", async () => {
    server.play(inPieces)
    files.download({ id: "f1" })
    await files.download.bytes({ id: "f2" })
    expect(targets()).toEqual(["GET /cms/file/f2/download"])
  })

  test.each([
    ["is left", () => true, undefined],
    [
      "throws",
      () => {
        throw new Error("disk full")
      },
      "disk full"
    ]
  ])("hangs up when its loop %s", async (_, isEnough, message) => {
    server.play(firstPiece)
    const loop = async () => {
      for await (const piece of files.download({ id: "f1" })) {
        expect(Buffer.from(piece).toString()).toBe("first")
        if (isEnough()) break
      }
    }
    if (message === undefined) await loop()
    else await expect(loop()).rejects.toThrow(message)
    expect(await (await server.exchange(0)).over).toBe(false)
  })

  test("hangs up when its signal is aborted while it waits for more", async () => {
    server.play(firstPiece)
    const controller = new AbortController()
    const reason = new Error("enough")
    const error = rejected(files.download.bytes({ id: "f1" }, { signal: controller.signal }))
    const { over } = await server.exchange(0)
    controller.abort(reason)
    expect(await error).toBe(reason)
    expect(await over).toBe(false)
  })

  test("hangs up at once when its signal is aborted, though its reader is busy with a piece", async () => {
    server.play(firstPiece)
    const controller = new AbortController()
    const reason = new Error("enough")
    const reader = files.download({ id: "f1" }, { signal: controller.signal })[Symbol.asyncIterator]()
    expect((await reader.next()).done).toBe(false)
    controller.abort(reason)
    expect(await (await server.exchange(0)).over).toBe(false)
    await expect(reader.next()).rejects.toBe(reason)
    expect((await reader.next()).done).toBe(true)
  })

  test("fails and hangs up where no more comes for as long as its deadline", async () => {
    server.play(firstPiece)
    const reader = files.download({ id: "f1" }, { policy: { deadline: 300 } })[Symbol.asyncIterator]()
    expect((await reader.next()).done).toBe(false)
    const error = { tag: "DeadlineExceeded", operation: "files.download", deadline: 300 }
    await expect(reader.next()).rejects.toMatchObject(error)
    expect(await (await server.exchange(0)).over).toBe(false)
    expect((await reader.next()).done).toBe(true)
  })

  test("rejects with NetworkError where its connection breaks between two pieces", async () => {
    server.play(firstPiece)
    const reader = files.download({ id: "f1" })[Symbol.asyncIterator]()
    await reader.next()
    const { response } = await server.exchange(0)
    response.destroy()
    const error = { tag: "NetworkError", operation: "files.download", reason: "Reset" }
    await expect(reader.next()).rejects.toMatchObject(error)
  })

  test.each([
    ["bytes", () => files.download.bytes({ id: "f1" })],
    ["text", () => files.download.text({ id: "f1" })],
    ["a loop", () => files.download({ id: "f1" })[Symbol.asyncIterator]().next()]
  ])("rejects with NotFound where there is no such file: %s", async (_, read) => {
    server.play(({ json }) => json({ message: "no such file" }, 404))
    const error = await rejected(read())
    expect(error).toBeInstanceOf(Errors.NotFound)
    expect(error).toMatchObject({ operation: "files.download", serverMessage: "no such file" })
  })

  test("rejects with a signal that was aborted before, and sends nothing", async () => {
    server.play(silent)
    const reason = new Error("too late")
    const options = { signal: AbortSignal.abort(reason) }
    await expect(files.download.bytes({ id: "f1" }, options)).rejects.toBe(reason)
    await expect(files.download({ id: "f1" }, options)[Symbol.asyncIterator]().next()).rejects.toBe(reason)
    expect(targets()).toEqual([])
  })
})
