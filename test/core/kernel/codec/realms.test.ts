// Files, bytes and plain data of another realm, as under jsdom and in a `vm` context, and of environments that lack some classes.
import { runInNewContext } from "node:vm"
import { afterEach, describe, expect, it } from "@effect/vitest"
import { Either, Schema } from "effect"
import { vi } from "vitest"
import * as QueryText from "../../../../core/content/query-text.js"
import { HolidayCheck } from "../../../../core/intranet/model.js"
import { form } from "../../../../core/kernel/codec/form.js"
import * as Json from "../../../../core/kernel/codec/json.js"
import { copied } from "../../../../core/kernel/dispatch/copied.js"
import * as Input from "../../../../core/kernel/operation/input.js"
import { DateFromSelf } from "../../../../core/kernel/operation/schema.js"
import * as Utf8 from "../../../../core/ports/utf8.js"

const encoded = (file: unknown) => form.encode({ file })
const name = "a.txt"

describe("a file to upload", () => {
  it("may hold bytes of another realm", async () => {
    const bytes = runInNewContext("new Uint8Array([104, 105])")
    expect(bytes).not.toBeInstanceOf(Uint8Array)
    const { parts } = Either.getOrThrow(encoded({ content: bytes, name }))
    const [part] = parts
    expect(part !== undefined && "file" in part ? await part.file.text() : undefined).toBe("hi")
  })

  it.each([
    { name, type: "image/jpeg" },
    { fileName: name, type: "image/jpeg" },
    { fileName: null, mimeType: "image/jpeg", width: 3 }
  ])("is refused by name in React Native's form and its pickers', with what to do: %j", (fields) => {
    const picked = { uri: "file:///photo.jpg", ...fields }
    const refusal = {
      field: "file.uri",
      rule: expect.stringContaining("pass its bytes, { content: Uint8Array, name, type }")
    }
    expect(Either.getLeft(encoded(picked))).toMatchObject({ value: refusal })
  })

  it("is refused where its bytes cannot be read, as those of jsdom's File: nothing is sent", () => {
    // What jsdom's File has: no stream, and no arrayBuffer.
    const file = { name, size: 2, type: "", slice: () => undefined, [Symbol.toStringTag]: "File" }
    const rule = expect.stringContaining("whose bytes cannot be read")
    expect(Either.getLeft(encoded(file))).toMatchObject({ value: { field: "file", rule } })
    expect(Either.getLeft(encoded({ content: file, name }))).toMatchObject({
      value: { field: "file.content", rule }
    })
  })

  it("is refused where the Blob of this environment cannot be read, as under jsdom, or made of bytes, as in React Native", () => {
    const refusal = { field: "file.content", rule: expect.stringContaining("cannot be sent from here") }
    for (const blob of [class Blob {}, undefined]) {
      vi.stubGlobal("Blob", blob)
      expect(Either.getLeft(encoded({ content: new Uint8Array(2), name }))).toMatchObject({ value: refusal })
    }
    vi.unstubAllGlobals()
  })

  it("is its content where a uri stands beside it", () => {
    const { parts } = Either.getOrThrow(encoded({ uri: "a", content: new Uint8Array(2), name }))
    expect(parts).toMatchObject([{ name: "file", fileName: name }])
  })

  it("is no file where a field of a form only has a uri", () => {
    const { parts } = Either.getOrThrow(encoded({ uri: "https://a.test" }))
    expect(parts).toEqual([{ name: "file", text: '{"uri":"https://a.test"}' }])
  })
})

describe("plain data of another realm, such as Jest's, a frame's or Electron's", () => {
  const given = runInNewContext("({ amount: 5, at: new Date(0), list: [{ deep: true }, new Date(1)] })")
  const text =
    '{"amount":5,"at":"1970-01-01T00:00:00.000Z","list":[{"deep":true},"1970-01-01T00:00:00.001Z"]}'

  it("is sent as it would be from here, at any depth", () => {
    expect(given).not.toBeInstanceOf(Object)
    expect(Json.encode(given, "payload")).toEqual(Either.right(text))
    expect(Json.encode({ here: given }, "payload")).toEqual(Either.right(`{"here":${text}}`))
  })

  it("is refused where a Date has no time, as here", () => {
    expect(Json.encode(runInNewContext("({ at: new Date(NaN) })"), "payload")).toEqual(
      Either.left({ field: "payload.at", rule: "must be a valid date" })
    )
  })

  it("is no plain data where it is none there", () => {
    const refused = Either.left({ field: "payload.a", rule: expect.stringContaining("must be plain data") })
    const inherited: object = Object.create(Object.assign(Object.create(null), { amount: 5 }))
    expect(Json.encode({ a: inherited }, "payload")).toEqual(refused)
    for (const code of ["({ a: new Map() })", "({ a: new (class Money {})() })", "({ a: /a/ })"])
      expect(Json.encode(runInNewContext(code), "payload")).toEqual(refused)
  })

  it("may be a Date in a query, in a filter and among the fields of a form", () => {
    const date: unknown = runInNewContext("new Date(0)")
    const at = "1970-01-01T00:00:00.000Z"
    expect(Input.anything("at", date)).toEqual(Either.right([["at", at]]))
    expect(QueryText.v3({ k: "at", v: date as Date })).toBe(`=|${at}|TEXT`)
    expect(Either.map(form.encode({ at: date }), ({ parts }) => parts)).toEqual(
      Either.right([{ name: "at", text: at }])
    )
    expect(Schema.is(DateFromSelf)(date)).toBe(true)
    expect(Schema.is(HolidayCheck)({ startDate: date, endDate: date })).toBe(true)
  })

  it("is copied for later calls as data from here is", () => {
    const copy = copied(given)
    given.list.push(1)
    expect(Json.encode(copy, "payload")).toEqual(Either.right(text))
  })
})

describe("where there is no TextEncoder and no TextDecoder", () => {
  afterEach(() => vi.unstubAllGlobals())

  it.each(["", "abc", "é ა 😀", "\u0000\u007f"])("text becomes bytes, and bytes text: %j", (text) => {
    const bytes = new TextEncoder().encode(text)
    vi.stubGlobal("TextEncoder", undefined)
    vi.stubGlobal("TextDecoder", undefined)
    expect(Utf8.encode(text)).toEqual(bytes)
    expect(Utf8.makeDecode()(bytes)).toBe(text)
    expect(Utf8.makeDecode()(Uint8Array.of(0xef, 0xbb, 0xbf, ...bytes))).toBe(text)
  })

  it.each([[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xe2, 0x82]])(
    "bytes that are no UTF-8 are refused, not replaced",
    (...bytes) => {
      vi.stubGlobal("TextDecoder", undefined)
      expect(() => Utf8.makeDecode()(Uint8Array.from(bytes))).toThrow()
    }
  )

  it("half of a surrogate pair becomes what an encoder makes of it", () => {
    const bytes = new TextEncoder().encode("a\ud800b\udc00")
    vi.stubGlobal("TextEncoder", undefined)
    expect(Utf8.encode("a\ud800b\udc00")).toEqual(bytes)
  })
})
