// Compressed answers: undone within the bound on decoded bytes, or refused; never half of one.
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib"
import { expect, it } from "@effect/vitest"
import * as Boxes from "../../core/boxes/operations.js"
import { answer, type Reply } from "../support/raw-server.js"
import { overEachTransport } from "../support/wire.js"

const mebi = 1024 * 1024
const box = Buffer.from(
  '{"_id":"1","text":"some text that is worth compressing, some text that is worth compressing"}'
)
const gzip = gzipSync(box)
const encoded = (encoding: string, body: Buffer, status = 200): Reply =>
  answer(status, ["content-type: application/json", `content-encoding: ${encoding}`], body)

/** A gigabyte of spaces in about a megabyte, and within that a box: valid JSON, if anyone could hold it. */
const bomb = (() => {
  const spaces = gzipSync(Buffer.alloc(16 * mebi, " "), { level: 9 })
  return Buffer.concat(Array.from({ length: 64 }, () => spaces))
})()
const brotliBomb = brotliCompressSync(Buffer.alloc(256 * mebi, " "))

/** Where a transport makes sense of one all the same, it is the sense that was meant. */
const broken: ReadonlyArray<readonly [name: string, reply: Reply]> = [
  ["gzip that is cut short", encoded("gzip", gzip.subarray(0, 40))],
  ["gzip without its checksum", encoded("gzip", gzip.subarray(0, -8))],
  [
    "gzip with a wrong checksum",
    encoded("gzip", Buffer.from(gzip).fill(0, gzip.length - 8, gzip.length - 4))
  ],
  ["gzip whose middle is changed", encoded("gzip", Buffer.from(gzip).fill(0xaa, 12, 24))],
  ["only the head of gzip", encoded("gzip", gzip.subarray(0, 10))],
  ["deflate that is cut short", encoded("deflate", deflateSync(box).subarray(0, 30))],
  ["brotli that is cut short", encoded("br", brotliCompressSync(box).subarray(0, 20))],
  [
    "random bytes as brotli",
    encoded("br", Buffer.from(Array.from({ length: 64 }, (_, at) => (at * 97 + 13) % 256)))
  ],
  ["gzip within gzip where one is said", encoded("gzip", gzipSync(gzip))],
  [
    "an encoding that nobody knows, over bytes that are no JSON",
    encoded("x-secret", Buffer.from([0xff, 0xfe, 1, 2]))
  ],
  ["gzip that nobody said", answer(200, [], gzip)]
]

overEachTransport((wire) => {
  const get = (reply: Reply, maxBytes = 8 * mebi) => {
    wire.reply = reply
    return wire.call(Boxes.get, { id: "1" }, { policy: { attempts: 1, deadline: 15_000, maxBytes } })
  }

  /** The most memory outside and inside the heap that is held while something runs, above what was held before. */
  const peakOf = async <A>(run: () => Promise<A>): Promise<readonly [A, number]> => {
    globalThis.gc?.()
    const before = process.memoryUsage().rss
    let peak = before
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss)
    }, 2)
    const result = await run()
    clearInterval(watch)
    return [result, Math.max(peak, process.memoryUsage().rss) - before]
  }

  it.each(broken)("%s is a typed error, or what was meant", async (_, reply) => {
    const { error, value } = await get(reply)
    if (error === undefined) expect(value).toEqual(JSON.parse(box.toString()))
    else expect(["NetworkError", "AnswerError"]).toContain(error._tag)
  })

  it.each([
    [
      "of a gigabyte in gzip is refused at the bound",
      encoded("gzip", bomb),
      "AnswerError",
      /larger than 8388608 bytes/
    ],
    [
      "in brotli is refused too, by whoever offers brotli",
      encoded("br", brotliBomb),
      /^(Answer|Network)Error$/,
      /./
    ],
    [
      "as an error's body is abandoned, and the error is that of its status",
      encoded("gzip", bomb, 500),
      "ServerFault",
      /^(?!.* {2})/s
    ]
  ])("a bomb %s, and no more than a few bounds are held", async (_, reply, tag, message) => {
    const [{ error }, peak] = await peakOf(() => get(reply))
    expect(error?._tag).toMatch(tag)
    expect(error?.message).toMatch(message)
    expect(peak).toBeLessThan(160 * mebi)
  })

  it("an answer that says it has 8 GB is refused before it comes", async () => {
    const reply: Reply = {
      pieces: [`HTTP/1.1 200 OK\r\ncontent-length: ${8 * 1024 * mebi}\r\n\r\n`, "{"],
      after: "keep"
    }
    const { error } = await get(reply)
    expect(error).toMatchObject({ _tag: "AnswerError", reason: "TooLarge" })
  })
})
