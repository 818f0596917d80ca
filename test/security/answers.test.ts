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
/** A box with a date-time, and the value that it must be read as. */
const dated = (name: string, at: string, value: string | Date = at): readonly [string, Reply, object] => [
  name,
  json(box(`"at":"${at}"`)),
  { at: value }
]
const noContent: Reply = { pieces: ["HTTP/1.1 204 No Content\r\n\r\n"], after: "keep" }
const encoding = { reason: "Encoding" }

/** An answer and the error that it must end in where it is read strictly. */
const wrong: ReadonlyArray<readonly [name: string, reply: Reply, error: object]> = [
  [
    "a web page",
    answer(200, ["content-type: text/html"], "<!doctype html><title>Sign in</title>"),
    { reason: "NotJson", rule: "is a web page, not JSON: is the base URL that of the API?" }
  ],
  ["a web page after a byte order mark", json("\ufeff<html></html>"), { reason: "NotJson" }],
  ["nothing", json(""), { reason: "Empty", rule: "is empty" }],
  ["204", noContent, { reason: "Empty" }],
  ["205", answer(205), { reason: "Empty" }],
  ["only spaces", json("  \r\n "), { reason: "Empty" }],
  ["null", json("null"), { reason: "Shape", rule: /object/ }],
  ["true", json("true"), { reason: "Shape" }],
  ["a number", json("42"), { reason: "Shape" }],
  ["text", json('"ok"'), { reason: "Shape" }],
  ["a list where an object is due", json('[{"_id":"1"}]'), { reason: "Shape" }],
  ["an object without its id", json('{"id":"1"}'), { reason: "Shape", field: "_id", rule: "is required" }],
  ["an id that is null", json('{"_id":null}'), { reason: "Shape", field: "_id" }],
  ["an id that is a number", json('{"_id":1}'), { reason: "Shape", field: "_id" }],
  ["an id that is empty", json('{"_id":""}'), { reason: "Shape", field: "_id" }],
  ["JSON that is cut short", json('{"_id":"1","name":"a'), { reason: "NotJson" }],
  ["two documents", json('{"_id":"1"}{"_id":"2"}'), { reason: "NotJson" }],
  ["JSON and something more", json('{"_id":"1"} // ok'), { reason: "NotJson" }],
  ["NaN", json(box('"n":NaN')), { reason: "NotJson" }],
  ["single quotes", json("{'_id':'1'}"), { reason: "NotJson" }],
  ["a single byte FF", bytes(0xff, 0x22, 0x7d), encoding],
  ["an overlong slash", bytes(0xc0, 0xaf, 0x22, 0x7d), encoding],
  ["half of a surrogate pair in UTF-8", bytes(0xed, 0xa0, 0x80, 0x22, 0x7d), encoding],
  ["UTF-8 that ends within a character", bytes(0xe2, 0x82), encoding],
  ["UTF-16", answer(200, [], Buffer.from(`\ufeff${box('"n":1')}`, "utf16le")), { reason: "Encoding" }],
  [
    "Latin-1",
    answer(200, ["content-type: application/json; charset=latin1"], Buffer.from(box('"n":"é"'), "latin1")),
    { reason: "Encoding" }
  ],
  ["lists 100,000 deep", json(box(`"a":${nested("[", "]", 100_000)}`)), { reason: "TooDeep" }],
  [
    "objects 100,000 deep",
    json(box(`"a":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`)),
    { reason: "TooDeep" }
  ],
  ["nothing but lists 100,000 deep", json(nested("[", "]", 100_000)), { reason: "Shape" }],
  [
    "lists 1,000,000 deep that never end",
    json(`{"_id":"1","a":${"[".repeat(1_000_000)}`),
    { reason: "NotJson" }
  ],
  ["an id of 64 bits as a number", json(box('"n":9007199254740993')), { reason: "Precision" }],
  [
    "such an id, deep in a list",
    json(box('"a":[[{"b":[1,-9223372036854775807]}]]')),
    { reason: "Precision" }
  ],
  ["a number beyond all numbers", json(box('"n":1e400')), { reason: "Precision" }],
  ["a very long number", json(box(`"n":${"9".repeat(100_000)}`)), { reason: "Precision" }]
]

/** Answers that cannot be read at all: no tolerance helps. */
const unreadable = wrong.filter(
  ([, , { reason }]: readonly [string, Reply, { reason?: unknown }]) =>
    reason !== "Shape" && reason !== "Empty" && reason !== "Precision"
)

/** An answer that is not as it was declared, and the value that it is by default. */
const tolerated: ReadonlyArray<readonly [name: string, reply: Reply, value: unknown]> = [
  ["nothing", json(""), undefined],
  ["204", noContent, undefined],
  ["null", json("null"), null],
  ["text", json('"ok"'), "ok"],
  ["a list where an object is due", json('[{"_id":"1"}]'), [{ _id: "1" }]],
  ["an object without its id", json('{"id":"1"}'), { id: "1" }],
  ["an id that is a number", json('{"_id":1}'), { _id: 1 }],
  ["an id of 64 bits as a number", json('{"_id":9007199254740993}'), { _id: "9007199254740993" }],
  [
    "such an id, deep in a list",
    json(box('"a":[[{"b":[1,-9223372036854775807]}]]')),
    { _id: "1", a: [[{ b: [1, "-9223372036854775807"] }]] }
  ],
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
    "numbers that are held exactly",
    json(box('"a":9007199254740991,"b":9007199254740992,"c":1e21,"d":0.1')),
    { a: 9_007_199_254_740_991, b: 9_007_199_254_740_992, c: 1e21, d: 0.1 }
  ],
  ["a number of 64 bits as text", json(box('"n":"9007199254740993"')), { n: "9007199254740993" }],
  [
    "digits within text beside a large number",
    json(box('"t":"9007199254740993","n":9007199254740992')),
    { n: 9_007_199_254_740_992 }
  ],
  [
    "characters in \\u form, halves of pairs too",
    json(box('"t":"\\ud83d\\ude00 \\ud800"')),
    { t: "😀 \ud800" }
  ],
  ["lists 900 deep", json(box(`"a":${nested("[", "]", 900)}`)), { _id: "1" }],
  dated("a date", "2024-02-29T10:00:00Z", new Date("2024-02-29T10:00:00Z")),
  dated("February 30", "2024-02-30T10:00:00Z"),
  dated("February 29 of a common year", "2023-02-29T10:00:00Z"),
  dated("month 13", "2024-13-01T10:00:00Z"),
  dated("day 0", "2024-01-00T10:00:00Z"),
  dated("hour 24", "2024-01-01T24:00:00Z", new Date("2024-01-02T00:00:00Z")),
  dated("a second after 24:00", "2024-01-01T24:00:01Z"),
  dated("second 60", "2024-01-01T23:59:60Z"),
  dated("a zone of 25 hours", "2024-01-01T10:00:00+25:00"),
  dated("digits of another script", "２０２４-01-01T10:00:00Z")
]

overEachTransport((wire) => {
  const get = (reply: Reply, answers: Answers = "tolerant") => {
    wire.reply = reply
    return wire.call(Boxes.get, { id: "1" }, { logDrift: false }, { answers })
  }

  it.each(tolerated)("%s is answered as it came, by default", async (_, reply, value) => {
    expect(await get(reply)).toEqual({ value })
  })

  it.each(unreadable)(
    "%s is an AnswerError, however tolerant the client is",
    async (_, reply, { reason }: { reason?: unknown }) => {
      expect(await get(reply)).toMatchObject({ error: { _tag: "AnswerError", reason } })
    }
  )

  it.each(wrong)("%s is an AnswerError to a strict client", async (_, reply, error) => {
    const { error: found } = await get(reply, "strict")
    expect(found).toMatchObject({ _tag: "AnswerError", operation: "boxes.get", retryable: false })
    for (const [name, wanted] of Object.entries(error)) {
      const value = (found as unknown as Record<string, unknown>)[name]
      if (wanted instanceof RegExp) expect(value).toMatch(wanted)
      else expect(value).toBe(wanted)
    }
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
    expect(await remove(noContent)).toEqual({
      value: undefined
    })
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

  it("texts of ten million characters that look like dates cost no more than reading them", async () => {
    const texts = [
      `2024-01-01T00:00:00.${"1".repeat(10_000_000)}`,
      `${"2024-01-01T00:00:00Z".repeat(500_000)}`,
      `+${"0".repeat(10_000_000)}`,
      `${"-".repeat(10_000_000)}`
    ]
    for (const text of texts) {
      const began = performance.now()
      expect(await get(json(box(`"at":"${text}"`)))).toMatchObject({ value: { at: text } })
      expect(performance.now() - began).toBeLessThan(2_000)
    }
  })

  it("100,000 short texts that are almost dates cost no more than reading them", async () => {
    const almost = [
      "2024-01-01T00:00:00.000000000000000000Q",
      "2024-01-01T00:00:00+00:00:00:00:00:00:00",
      "+012345-01-01T00:00:00.999999999Q"
    ]
    const text = box(`"a":${JSON.stringify(Array.from({ length: 100_000 }, (_, at) => almost[at % 3]))}`)
    const began = performance.now()
    const { value } = await get(json(text))
    expect(performance.now() - began).toBeLessThan(2_000)
    expect(value?.a).toEqual(expect.arrayContaining(almost))
  })

  it("content by its model's name is as guarded", async () => {
    wire.reply = json(`{"items":${nested("[", "]", 100_000)}}`)
    expect(await wire.call(Content.listV1, { apiId: "news" })).toMatchObject({
      error: { _tag: "AnswerError", reason: "TooDeep" }
    })
  })
})
