// What a server may answer with status 200 and still be wrong: each ends in a value that is right or a typed error.
import { expect, it } from "@effect/vitest"
import * as Boxes from "../../core/boxes/operations.js"
import * as Content from "../../core/content/operations.js"
import type { Answers } from "../../core/kernel/dispatch/settings.js"
import { answer, json, type Reply } from "../support/raw-server.js"
import { overEachTransport } from "../support/wire.js"

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
      const told = { _tag: "AnswerError", operation: "boxes.get", retryable: false }
      expect(error).toMatchObject({ ...told, reason, ...more })
    })

  it.each(right)("%s is read", async (_, reply, value) => {
    expect(await get(reply)).toMatchObject({ value })
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

  it("a list may stand in the usual fields, and two lists without a name are refused", async () => {
    const list = (text: string, answers: Answers = "tolerant") => {
      wire.reply = json(text)
      return wire.call(Boxes.list, {}, { logDrift: false }, { answers })
    }
    expect(await list('[{"_id":"1"}]')).toMatchObject({ value: { items: [{ _id: "1" }] } })
    expect(await list('{"rows":[{"_id":"1"}],"total":"1"}')).toMatchObject({
      value: { paging: { total: 1 } }
    })
    expect(await list('{"a":[],"b":[]}')).toMatchObject({ error: { _tag: "AnswerError", reason: "Shape" } })
    expect(await list('{"__proto__":[{"_id":"1"}]}')).toMatchObject({ value: { items: [{ _id: "1" }] } })
    expect(await list('[{"_id":"1"},{"_id":2}]')).toMatchObject({
      value: { items: [{ _id: "1" }, { _id: 2 }] }
    })
    expect(await list('[{"_id":"1"},{"_id":2}]', "strict")).toMatchObject({
      error: { reason: "Shape", field: "1._id" }
    })
  })

  it("errors may be web pages, broken JSON, or JSON 100,000 deep", async () => {
    for (const body of [
      "<html>Bad gateway</html>",
      '{"message":"x',
      nested("[", "]", 100_000),
      "null",
      '{"message":{"a":1}}'
    ]) {
      const { error } = await get(answer(502, [], body))
      expect(error).toMatchObject({ _tag: "ServerFault", status: 502 })
      expect(error).not.toHaveProperty("serverMessage")
    }
  })

  /** The time of an answer, which must be right. */
  const timed = async (answer: string, value: object) => {
    const began = performance.now()
    expect(await get(json(answer))).toMatchObject({ value })
    return performance.now() - began
  }
  // The order of magnitude tells a reading that is not linear, on a machine of any speed.
  const most = 30

  it("texts of ten million characters that look like dates cost no more than reading them", async () => {
    const plain = "x".repeat(10_000_000)
    const reading = await timed(box(`"at":"${plain}"`), { at: plain })
    const texts = [
      `2024-01-01T00:00:00.${"1".repeat(10_000_000)}`,
      `${"2024-01-01T00:00:00Z".repeat(500_000)}`,
      `+${"0".repeat(10_000_000)}`,
      `${"-".repeat(10_000_000)}`
    ]
    for (const text of texts)
      expect(await timed(box(`"at":"${text}"`), { at: text })).toBeLessThan(most * reading)
  })

  it("100,000 short texts that are almost dates cost no more than reading them", async () => {
    const almost = [
      "2024-01-01T00:00:00.000000000000000000Q",
      "2024-01-01T00:00:00+00:00:00:00:00:00:00",
      "+012345-01-01T00:00:00.999999999Q"
    ]
    const a = Array.from({ length: 100_000 }, (_, at) => almost[at % 3])
    const plain = a.map((text = "") => "x".repeat(text.length))
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
