// Bytes that break HTTP itself: lengths that lie, chunks that do not add up, headers that never end, answers to nothing.
import { afterEach, beforeAll, expect, it } from "@effect/vitest"
import { json, type Reply, raw } from "@quartet/support/raw-server.js"
import { overEachTransport } from "@quartet/support/wire.js"
import * as Boxes from "../../core/boxes/operations.js"

const box = '{"_id":"1"}'
const head = (...lines: ReadonlyArray<string>): string => [...lines, "", ""].join("\r\n")
const ok = (...lines: ReadonlyArray<string>): string => head("HTTP/1.1 200 OK", ...lines)
const chunked = (...chunks: ReadonlyArray<string>): string =>
  ok("transfer-encoding: chunked") + chunks.join("")

/** Answers that must not pass for one. */
const broken: ReadonlyArray<readonly [name: string, reply: Reply]> = [
  ["a length that promises more than comes", raw("end", ok("content-length: 50"), box)],
  ["a connection that is cut within the body", raw("reset", ok("content-length: 50"), box)],
  ["a length that cuts the JSON short", raw("keep", ok("content-length: 5"), box)],
  ["two lengths that differ", raw("end", ok("content-length: 11", "content-length: 5"), box)],
  ["a negative length", raw("end", ok("content-length: -1"), box)],
  ["a length that is no number", raw("end", ok("content-length: many"), box)],
  ["a length in hexadecimal", raw("end", ok("content-length: 0x0b"), box)],
  ["a length of 30 digits", raw("end", ok(`content-length: ${"9".repeat(30)}`), box)],
  [
    "a length and chunks at once",
    raw("end", ok("content-length: 3", "transfer-encoding: chunked"), "zz\r\n")
  ],
  ["a chunk size that is no number", raw("end", chunked("zz\r\n", box, "\r\n0\r\n\r\n"))],
  ["a negative chunk size", raw("end", chunked("-b\r\n", box, "\r\n0\r\n\r\n"))],
  ["a chunk size of 17 digits", raw("end", chunked("fffffffffffffffff\r\n", box))],
  ["a chunk that is longer than it says", raw("end", chunked("5\r\n", box, "\r\n0\r\n\r\n"))],
  ["chunks without an end", raw("end", chunked("b\r\n", box, "\r\n"))],
  ["a chunk that breaks off", raw("end", chunked("ff\r\n", box))],
  ["no answer at all", raw("end")],
  ["a connection that is cut at once", raw("reset")],
  ["a head that breaks off", raw("end", "HTTP/1.1 200 OK\r\ncontent-le")],
  ["another protocol", raw("end", "SSH-2.0-OpenSSH_9.6\r\n")],
  ["the beginning of TLS", raw("end", Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc]))],
  ["a status of five digits", raw("end", "HTTP/1.1 20000 OK\r\ncontent-length: 11\r\n\r\n", box)],
  ["a status that is no number", raw("end", "HTTP/1.1 OK 200\r\ncontent-length: 11\r\n\r\n", box)],
  ["HTTP/9.9", raw("end", "HTTP/9.9 200 OK\r\ncontent-length: 11\r\n\r\n", box)],
  ["ICY", raw("end", "ICY 200 OK\r\ncontent-length: 11\r\n\r\n", box)],
  ["a header with NUL", raw("end", ok("x-a: b\u0000c", "content-length: 11"), box)],
  ["a header line without a colon", raw("end", ok("nonsense", "content-length: 11"), box)],
  [
    "a header line of a megabyte",
    raw("end", ok(`x-long: ${"a".repeat(1_000_000)}`, "content-length: 11"), box)
  ],
  [
    "100,000 header lines",
    raw(
      "end",
      ok(Array.from({ length: 100_000 }, (_, at) => `x-${at}: a`).join("\r\n"), "content-length: 11"),
      box
    )
  ],
  [
    "101 Switching Protocols",
    raw("end", head("HTTP/1.1 101 Switching Protocols", "upgrade: websocket", "connection: upgrade"))
  ]
]

/** Answers that are odd and right. */
const odd: ReadonlyArray<readonly [name: string, reply: Reply]> = [
  [
    "102 and 103 before it",
    raw(
      "keep",
      head("HTTP/1.1 102 Processing"),
      head("HTTP/1.1 103 Early Hints", "link: </evil.js>; rel=preload"),
      ok("content-length: 11"),
      box
    )
  ],
  [
    "a hundred of 103 before it",
    raw("keep", head("HTTP/1.1 103 Early Hints", "x: y").repeat(100), ok("content-length: 11"), box)
  ],
  ["no length: it lasts until the connection ends", raw("end", ok(), box)],
  ["HTTP/1.0", raw("end", "HTTP/1.0 200 OK\r\n\r\n", box)],
  ["no reason phrase", raw("keep", "HTTP/1.1 200\r\ncontent-length: 11\r\n\r\n", box)],
  [
    "chunks with extensions and trailers",
    raw("keep", ok("transfer-encoding: chunked", "trailer: x-t"), `b;a="b"\r\n${box}\r\n0\r\nx-t: 1\r\n\r\n`)
  ],
  [
    "chunks of one byte",
    raw("keep", chunked(...Array.from(box, (character) => `1\r\n${character}\r\n`), "0\r\n\r\n"))
  ],
  ["a head in pieces of one byte", { ...raw("keep", ...ok("content-length: 11"), box) }]
]

/** Answers that some transports refuse, and others read: none may misread them. */
const doubtful: ReadonlyArray<readonly [name: string, reply: Reply]> = [
  ["100 Continue before it", raw("keep", head("HTTP/1.1 100 Continue"), ok("content-length: 11"), box)],
  ["the same length twice", raw("keep", ok("content-length: 11", "content-length: 11"), box)],
  ["a header name with a space", raw("end", ok("x a: b", "content-length: 11"), box)]
]

overEachTransport((wire) => {
  const strays: Array<unknown> = []
  const note = (stray: unknown): void => void strays.push(stray)

  beforeAll(() => {
    process.on("uncaughtException", note).on("unhandledRejection", note)
    return () => void process.off("uncaughtException", note).off("unhandledRejection", note)
  })
  afterEach(async () => {
    await new Promise((done) => setImmediate(done))
    expect(strays).toEqual([])
  })

  const read = () => wire.call(Boxes.get, { id: "1" })

  it.each(broken)("%s fails a read, leaves a write unknown, and is never asked again", async (_, reply) => {
    wire.reply = reply
    const { error } = await read()
    expect(["NetworkError", "AnswerError"]).toContain(error?._tag)
    const written = await wire.call(Boxes.create, { payload: { a: 1 } })
    expect(["OutcomeUnknown", "AnswerError"]).toContain(written.error?._tag)
    expect(wire.sent()).toHaveLength(2)
  })

  it.each(odd)("%s is read", async (_, reply) => {
    wire.reply = reply
    expect(await read()).toEqual({ value: { _id: "1" } })
  })

  it.each(doubtful)("%s is read, or refused with a typed error", async (_, reply) => {
    wire.reply = reply
    const { error, value } = await read()
    if (error === undefined) expect(value).toEqual({ _id: "1" })
    else expect(error._tag).toBe("NetworkError")
  })

  it("bytes after an answer are never taken for the answer to the next call", async () => {
    const evil = `${ok("content-length: 14")}{"_id":"evil"}`
    const rounds = 5
    let answered = 0
    for (let round = 0; round < rounds; round++) {
      wire.reply = raw("keep", ok("content-length: 11") + box + evil)
      const { error, value } = await read()
      // A connection that is being given up may be met by the next call.
      if (error === undefined) expect(value).toEqual({ _id: "1" })
      else expect(error._tag).toBe("NetworkError")
      if (error === undefined) answered += 1
      await new Promise((done) => setTimeout(done, 20))
      wire.reply = json('{"_id":"next"}')
      const after = await read()
      expect(JSON.stringify(after)).not.toContain("evil")
    }
    expect(answered).toBeGreaterThan(0)
  })

  it("an answer that nobody asked for, on a connection that waits, is dropped", async () => {
    wire.reply = {
      pieces: [ok("content-length: 11") + box, `${ok("content-length: 14")}{"_id":"evil"}`],
      after: "keep",
      pause: 20
    }
    expect(await read()).toEqual({ value: { _id: "1" } })
    await new Promise((done) => setTimeout(done, 60))
    wire.reply = json('{"_id":"next"}')
    expect(await read()).toEqual({ value: { _id: "next" } })
  })

  it("a server that never stops sending headers is left at the deadline", async () => {
    wire.reply = {
      pieces: ["HTTP/1.1 200 OK\r\n", ...Array.from({ length: 200 }, (_, at) => `x-${at}: 1\r\n`)],
      after: "keep",
      pause: 10
    }
    const { error } = await wire.call(Boxes.get, { id: "1" }, { policy: { attempts: 1, deadline: 300 } })
    expect(error?._tag).toBe("DeadlineExceeded")
  })

  it("cookies that a server sets are never sent back", async () => {
    wire.reply = json(box, ["set-cookie: sid=evil; Path=/", "set-cookie: b=2"])
    await read()
    wire.reply = json(box)
    await read()
    expect(wire.last()?.headers).not.toHaveProperty("cookie")
  })
})
