// Files and bytes of another realm, as under jsdom and in a `vm` context, and of environments that lack some classes.
import { runInNewContext } from "node:vm"
import { afterEach, describe, expect, it } from "@effect/vitest"
import { Either } from "effect"
import { vi } from "vitest"
import { form } from "../../../../core/kernel/codec/form.js"
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
