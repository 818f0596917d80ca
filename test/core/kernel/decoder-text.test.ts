// From bytes to text to JSON: what is read, and what is refused.
import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as FC from "effect/FastCheck"
import * as Schema from "effect/Schema"
import * as Decoder from "../../../core/kernel/codec/decoder.js"
import { decode } from "./sample-decoder.js"

describe("bytes", () => {
  const utf8 = (...bytes: ReadonlyArray<number>) => Decoder.text(Uint8Array.from(bytes))

  it.prop("of any text are read back", [FC.string({ unit: "binary" })], ([text]) => {
    const whole = text.replaceAll(/\p{Surrogate}/gu, "")
    const bytes = new TextEncoder().encode(whole)
    expect(Decoder.text(bytes)).toEqual(Either.right(whole.replace(/^\ufeff/, "")))
  })

  it("lose a byte order mark at their start, and no other one", () => {
    expect(utf8(0xef, 0xbb, 0xbf, 0x7b, 0x7d)).toEqual(Either.right("{}"))
    expect(utf8(0x22, 0xef, 0xbb, 0xbf, 0x22)).toEqual(Either.right('"\ufeff"'))
  })

  it.each([
    ["a continuation alone", [0x80]],
    ["a character cut short", [0x22, 0xe2, 0x82]],
    ["an overlong slash", [0xc0, 0xaf]],
    ["half of a surrogate pair", [0xed, 0xa0, 0x80]],
    ["beyond the last character", [0xf4, 0x90, 0x80, 0x80]],
    ["Latin-1", [0x22, 0xe9, 0x22]],
    ["UTF-16", [0xff, 0xfe, 0x7b, 0x00]]
  ])("that are not UTF-8 are refused, never replaced: %s", (_, bytes) => {
    expect(utf8(...bytes)).toEqual(Either.left({ reason: "Encoding", field: "", rule: "is not valid UTF-8" }))
    expect(utf8(0x7b, 0x7d), "the next answer is read afresh").toEqual(Either.right("{}"))
  })
})

describe("text", () => {
  it("that is empty is no value, as a 204 answers it", () => {
    expect(Decoder.json("")).toEqual(Either.right(undefined))
  })

  it.each(["null", "true", "0", '""', "[]", "{}", ' {"a": [1, null]}\n'])("%s is JSON", (text) => {
    expect(Decoder.json(text)).toEqual(Either.right(JSON.parse(text)))
  })

  it.each([
    '{"a":1',
    '{"a":"b',
    "[1,2",
    "{'a':1}",
    "[1,]",
    "NaN",
    "undefined",
    "01",
    "callback({})",
    "{} {}",
    "\u0000"
  ])("%j is refused: it is not JSON", (text) => {
    expect(Decoder.json(text)).toEqual(
      Either.left({ reason: "NotJson", field: "", rule: "is not valid JSON (cut short, or not JSON at all)" })
    )
  })

  it.each(["<!doctype html><title>Sign in</title>", "\n  <html></html>", "<?xml version='1.0'?>"])(
    "%j is refused: it is a web page, so the base URL may be wrong",
    (text) => {
      expect(Decoder.json(text)).toEqual(
        Either.left({
          reason: "NotJson",
          field: "",
          rule: "is a web page, not JSON: is the base URL that of the API?",
          isWebPage: true
        })
      )
    }
  )

  it.prop(
    "cut short anywhere is refused",
    [FC.dictionary(FC.string(), FC.jsonValue()), FC.nat()],
    ([json, at]) => {
      const whole = JSON.stringify(json)
      const cut = whole.slice(0, 1 + (at % (whole.length - 1)))
      expect(Either.isLeft(Decoder.json(cut))).toBe(true)
    }
  )

  it.prop("of any kind never throws", [FC.string({ unit: "binary" })], ([text]) => {
    expect(() => decode(Schema.Unknown, text)).not.toThrow()
  })
})
