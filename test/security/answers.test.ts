// What a server may answer with status 200 and still be wrong: each ends in a value that is right or a typed error.
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib"
import { expect, it } from "@effect/vitest"
import { answer, json, type Reply } from "@quartet/support/raw-server.js"
import { overEachTransport } from "@quartet/support/wire.js"
import * as Boxes from "../../core/boxes/operations.js"
import * as Content from "../../core/content/operations.js"
import type { Answers } from "../../core/kernel/dispatch/call-options.js"

const nested = (open: string, close: string, depth: number): string =>
  open.repeat(depth) + close.repeat(depth)
const box = (more: string): string => `{"_id":"1",${more}}`
/** An id that begins as text, and goes on with bytes. */
const bytes = (...more: ReadonlyArray<number>): Reply =>
  answer(200, [], Buffer.from([...Buffer.from('{"_id":"'), ...more]))
const noContent: Reply = { pieces: ["HTTP/1.1 204 No Content\r\n\r\n"], after: "keep" }

/** An answer and the error that it must end in where it is read strictly. */
const wrong: ReadonlyArray<readonly [name: string, reply: Reply, reason: string, more?: object]> = [
  [
    "a web page",
    answer(200, ["content-type: text/html"], "<!doctype html><title>Sign in</title>"),
    "NotJson",
    { rule: "is a web page, not JSON: is the base URL that of the API?" }
  ],
  ["a web page after a byte order mark", json("\ufeff<html></html>"), "NotJson"],
  ["nothing", json(""), "Empty", { rule: "is empty" }],
  ["204", noContent, "Empty"],
  ["205", answer(205), "Empty"],
  ["only spaces", json("  \r\n "), "Empty"],
  ["null", json("null"), "Shape", { rule: expect.stringContaining("object") }],
  ["true", json("true"), "Shape"],
  ["a number", json("42"), "Shape"],
  ["text", json('"ok"'), "Shape"],
  ["a list where an object is due", json('[{"_id":"1"}]'), "Shape"],
  ["an object without its id", json('{"id":"1"}'), "Shape", { field: "_id", rule: "is required" }],
  ["an id that is null", json('{"_id":null}'), "Shape", { field: "_id" }],
  ["an id that is a number", json('{"_id":1}'), "Shape", { field: "_id" }],
  ["an id that is empty", json('{"_id":""}'), "Shape", { field: "_id" }],
  ["JSON that is cut short", json('{"_id":"1","name":"a'), "NotJson"],
  ["two documents", json('{"_id":"1"}{"_id":"2"}'), "NotJson"],
  ["JSON and something more", json('{"_id":"1"} // ok'), "NotJson"],
  ["NaN", json(box('"n":NaN')), "NotJson"],
  ["single quotes", json("{'_id':'1'}"), "NotJson"],
  ["a single byte FF", bytes(0xff, 0x22, 0x7d), "Encoding"],
  ["half of a surrogate pair in UTF-8", bytes(0xed, 0xa0, 0x80, 0x22, 0x7d), "Encoding"],
  ["an overlong slash", bytes(0xc0, 0xaf, 0x22, 0x7d), "Encoding"],
  ["UTF-8 that ends within a character", bytes(0xe2, 0x82), "Encoding"],
  ["UTF-16", answer(200, [], Buffer.from(`\ufeff${box('"n":1')}`, "utf16le")), "Encoding"],
  [
    "Latin-1",
    answer(200, ["content-type: application/json; charset=latin1"], Buffer.from(box('"n":"é"'), "latin1")),
    "Encoding"
  ],
  ["lists 100,000 deep", json(box(`"a":${nested("[", "]", 100_000)}`)), "TooDeep"],
  ["objects 100,000 deep", json(box(`"a":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`)), "TooDeep"],
  ["nothing but lists 100,000 deep", json(nested("[", "]", 100_000)), "Shape"],
  ["lists 1,000,000 deep that never end", json(`{"_id":"1","a":${"[".repeat(1_000_000)}`), "NotJson"],
  ["an id of 64 bits as a number", json(box('"n":9007199254740993')), "Precision"],
  ["such an id, deep in a list", json(box('"a":[[{"b":[1,-9223372036854775807]}]]')), "Precision"],
  ["a number beyond all numbers", json(box('"n":1e400')), "Precision"],
  ["a very long number", json(box(`"n":${"9".repeat(100_000)}`)), "Precision"]
]

/** Answers that cannot be read at all: no tolerance helps. */
const unreadable = wrong.filter(([, , reason]) => !["Shape", "Empty", "Precision"].includes(reason))

/** An answer that is not as it was declared, and the value that it is by default. */
const tolerated: ReadonlyArray<readonly [name: string, reply: Reply, value: unknown]> = [
  ["nothing", json(""), undefined],
  ["204", noContent, undefined],
  ["null", json("null"), null],
  ["an object without its id", json('{"id":"1"}'), { id: "1" }],
  ["a number beyond all numbers", json(box('"n":1e400')), { _id: "1", n: "1e400" }],
  ["a very long number", json(box(`"n":${"9".repeat(100_000)}`)), { _id: "1", n: "9".repeat(100_000) }]
]

/** An answer and the value that it must end in. */
const right: ReadonlyArray<readonly [name: string, reply: Reply, value: object]> = [
  ["a byte order mark", json(`\ufeff${box('"n":1')}`), { _id: "1", n: 1 }],
  ["no content type", answer(200, [], box('"n":1')), { _id: "1", n: 1 }],
  ["a wrong content type", answer(200, ["content-type: text/html"], box('"n":1')), { _id: "1", n: 1 }],
  ["a key twice: the last one counts", json('{"_id":"1","n":1,"n":2}'), { _id: "1", n: 2 }],
  [
    "characters in \\u form, halves of pairs too",
    json(box('"t":"\\ud83d\\ude00 \\ud800"')),
    { t: "😀 \ud800" }
  ],
  ["lists 900 deep", json(box(`"a":${nested("[", "]", 900)}`)), { _id: "1" }]
]

/** A box that is worth compressing. */
const whole = Buffer.from(box(`"text":"${"some text that is worth compressing, ".repeat(3)}"`))
const gzip = gzipSync(whole)
const encoded = (encoding: string, body: Buffer): Reply =>
  answer(200, ["content-type: application/json", `content-encoding: ${encoding}`], body)

/** Compressed answers that are broken: where a transport makes sense of one all the same, it is what was meant. */
const compressed: ReadonlyArray<readonly [name: string, reply: Reply]> = [
  ["gzip that is cut short", encoded("gzip", gzip.subarray(0, 40))],
  ["gzip without its checksum", encoded("gzip", gzip.subarray(0, -8))],
  [
    "gzip with a wrong checksum",
    encoded("gzip", Buffer.from(gzip).fill(0, gzip.length - 8, gzip.length - 4))
  ],
  ["gzip whose middle is changed", encoded("gzip", Buffer.from(gzip).fill(0xaa, 12, 24))],
  ["only the head of gzip", encoded("gzip", gzip.subarray(0, 10))],
  ["deflate that is cut short", encoded("deflate", deflateSync(whole).subarray(0, 30))],
  ["brotli that is cut short", encoded("br", brotliCompressSync(whole).subarray(0, 20))],
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
  const get = (reply: Reply, answers: Answers = "tolerant") => {
    wire.reply = reply
    return wire.call(Boxes.get, { id: "1" }, { logDrift: false }, { answers })
  }

  it.each(tolerated)("%s is answered as it came, by default", async (_, reply, value) => {
    expect(await get(reply)).toEqual({ value })
  })

  for (const [name, reply, reason] of unreadable)
    it(`${name} is an AnswerError, however tolerant the client is`, async () => {
      expect(await get(reply)).toMatchObject({ error: { _tag: "AnswerError", reason } })
    })

  for (const [name, reply, reason, more = {}] of wrong)
    it(`${name} is an AnswerError to a strict client`, async () => {
      const { error } = await get(reply, "strict")
      const expected = { _tag: "AnswerError", operation: "boxes.get", retryable: false }
      expect(error).toMatchObject({ ...expected, reason, ...more })
    })

  it.each(right)("%s is read", async (_, reply, value) => {
    expect(await get(reply)).toMatchObject({ value })
  })

  it.each(compressed)("%s is a typed error, or what was meant", async (_, reply) => {
    const { error, value } = await get(reply)
    if (error === undefined) expect(value).toEqual(JSON.parse(whole.toString()))
    else expect(["NetworkError", "AnswerError"]).toContain(error._tag)
  })

  it("an answer of a call without a known shape may be null, or nothing at all", async () => {
    const remove = (reply: Reply) => {
      wire.reply = reply
      return wire.call(Boxes.remove, { id: "1" })
    }
    expect(await remove(json("null"))).toEqual({ value: null })
    expect(await remove(json(""))).toEqual({ value: undefined })
    expect(await remove(noContent)).toEqual({ value: undefined })
  })

  /** The time of an answer, which must be right. */
  const timed = async (answer: string, value: object) => {
    const began = performance.now()
    expect(await get(json(answer))).toMatchObject({ value })
    return performance.now() - began
  }
  // The order of magnitude tells a reading that is not linear, on a machine of any speed.
  const most = 30

  const almost = [
    "2024-01-01T00:00:00.000000000000000000Q",
    "2024-01-01T00:00:00+00:00:00:00:00:00:00",
    "+012345-01-01T00:00:00.999999999Q"
  ]
  it.each<[name: string, texts: ReadonlyArray<string>]>([
    ["ten million digits of a second", [`2024-01-01T00:00:00.${"1".repeat(10_000_000)}`]],
    ["500,000 dates in one text", ["2024-01-01T00:00:00Z".repeat(500_000)]],
    ["ten million zeros", [`+${"0".repeat(10_000_000)}`]],
    ["ten million hyphens", ["-".repeat(10_000_000)]],
    [
      "100,000 short texts that are almost dates",
      Array.from({ length: 100_000 }, (_, n) => almost[n % 3] ?? "")
    ]
  ])("%s cost no more than reading them", async (_, a) => {
    const plain = a.map((text) => "x".repeat(text.length))
    const reading = await timed(box(`"a":${JSON.stringify(plain)}`), { a: plain })
    expect(await timed(box(`"a":${JSON.stringify(a)}`), { a })).toBeLessThan(most * reading)
  })

  it("content by its model's name is as guarded", async () => {
    wire.reply = json(`{"items":${nested("[", "]", 100_000)}}`)
    expect(await wire.call(Content.listV1, { apiId: "news" })).toMatchObject({
      error: { _tag: "AnswerError", reason: "TooDeep" }
    })
  })
})
