// Fields to the parts of a form: text, and files with names that are safe to send.
import { describe, expect, it } from "@effect/vitest"
import { Either, Schema } from "effect"
import { FileSchema, form } from "../../../../core/kernel/codec/form.js"

const content = new Blob(["bytes"], { type: "text/plain" })
const file = (name: unknown) => ({ file: { content, name } })
const parts = (fields: Record<string, unknown>) => {
  const body = Either.getOrThrow(form.encode(fields))
  return body._tag === "Form" ? body.parts : []
}

describe("a form", () => {
  it("has a part a field, files last", () => {
    expect(parts({ ...file("a.txt"), isPrivate: true, userId: "u1", size: 5, at: new Date(0) })).toEqual([
      { name: "isPrivate", text: "true" },
      { name: "userId", text: "u1" },
      { name: "size", text: "5" },
      { name: "at", text: "1970-01-01T00:00:00.000Z" },
      { name: "file", file: content, fileName: "a.txt" }
    ])
  })

  it("writes objects and lists as JSON, and line breaks as CRLF", () => {
    expect(parts({ meta: { a: [1] }, note: "a\nb\rc\r\nd" })).toEqual([
      { name: "meta", text: '{"a":[1]}' },
      { name: "note", text: "a\r\nb\r\nc\r\nd" }
    ])
  })

  it("refuses what cannot be written, with its field", () => {
    expect(form.encode({ meta: { a: 1n } })).toEqual(
      Either.left({ field: "meta.a", rule: "must not be a BigInt: pass it as text" })
    )
    expect(form.encode({ size: Number.NaN })).toEqual(
      Either.left({ field: "size", rule: "must be a finite number" })
    )
  })
})

it.each<readonly [name: unknown, rule: string]>([
  ["", "must not be empty"],
  ...[
    'canary.png"\r\ncontent-type: text/html',
    "canary\nb",
    "canary\u0000.txt",
    "canary\u007f",
    "canary\ud800"
  ].map((name) => [name, "must not hold line breaks or other control characters"] as const),
  ...["../../canary", "..\\..\\canary.ini", "a/canary.txt", "/etc/canary", "C:\\canary.png", ".", ".."].map(
    (name) => [name, "must be a bare file name, without folders"] as const
  ),
  [7, "must be text"],
  [{ toString: () => "canary.png" }, "must be text"]
])("a file's name may not be %j, and is not shown", (name, rule) => {
  const refused = form.encode(file(name))
  expect(refused).toEqual(Either.left({ field: "file.name", rule }))
  expect(JSON.stringify(refused)).not.toContain("canary")
})

describe("a file", () => {
  const read = async (value: unknown) => {
    const [part] = parts({ file: value })
    if (part === undefined || !("file" in part)) return expect.unreachable()
    return [part.fileName, part.file.type, await part.file.text()]
  }

  it("may be bytes with a name: a Uint8Array, a part of one, a Buffer", async () => {
    const bytes = new TextEncoder().encode("bytes")
    expect(await read({ content: bytes, name: "a" })).toEqual(["a", "", "bytes"])
    expect(await read({ content: bytes.subarray(1, 3), name: "a" })).toEqual(["a", "", "yt"])
    expect(await read({ content: Buffer.from("bytes"), name: "a" })).toEqual(["a", "", "bytes"])
  })

  it("is what its bytes were when the call was made", async () => {
    const content = new TextEncoder().encode("bytes")
    const [part] = parts({ file: { content, name: "a" } })
    content.fill(0)
    expect(part !== undefined && "file" in part ? await part.file.text() : undefined).toBe("bytes")
  })

  it("may say its media type", async () => {
    for (const bytes of [content, Buffer.from("bytes")])
      expect(await read({ content: bytes, name: "a", type: "image/png" })).toEqual([
        "a",
        "image/png",
        "bytes"
      ])
    for (const type of ["", "image", "a/b\r\nx-evil: 1", 7])
      expect(form.encode({ file: { content, name: "a", type } })).toEqual(
        Either.left({ field: "file.type", rule: "must be a media type, such as image/png" })
      )
  })

  it("may be a stream, which one call takes and no other", () => {
    const stream = new Blob(["bytes"]).stream()
    const file = { content: stream, name: "a.txt", type: "text/plain" }
    expect(parts({ file, isPrivate: true })).toEqual([
      { name: "isPrivate", text: "true" },
      { name: "file", stream, type: "text/plain", fileName: "a.txt" }
    ])
    const used = { field: "file.content", rule: "was given to a call before: a stream can be read only once" }
    form.take(Either.getOrThrow(form.encode({ file })))
    expect(form.encode({ file })).toEqual(Either.left(used))
  })

  it("is no stream that somebody else reads, has read from or has cancelled: it would be sent empty or halved", async () => {
    const stream = () => new Blob(["bytes"]).stream()
    const [locked, ended, begun, cancelled] = [stream(), stream(), stream(), stream()]
    const rule = (content: ReadableStream) =>
      Either.flip(form.encode({ file: { content, name: "a" } })).pipe(Either.getOrThrow)
    locked.getReader()
    expect(rule(locked)).toEqual({ field: "file.content", rule: "is locked: somebody else reads it" })
    await new Response(ended).text()
    const reader = begun.getReader()
    await reader.read()
    reader.releaseLock()
    await cancelled.cancel()
    for (const content of [begun, cancelled])
      expect(rule(content)).toEqual({
        field: "file.content",
        rule: "was read or cancelled before: a stream can be read only once"
      })
    expect(rule(ended).field).toBe("file.content")
  })

  it("is no array of bytes that were handed over to somebody else: they would be sent as none", () => {
    const content = new Uint8Array(4)
    structuredClone(content.buffer, { transfer: [content.buffer] })
    expect(form.encode({ file: { content, name: "a" } })).toEqual(
      Either.left({ field: "file.content", rule: "is detached: its bytes were handed over to somebody else" })
    )
  })
})

describe("the schema of a file", () => {
  it("takes content with a name, and nothing else", () => {
    const is = Schema.is(FileSchema)
    const bare = [content, new Uint8Array(1), Buffer.from("a"), content.stream()]
    for (const fine of bare) expect(is({ content: fine, name: "a" })).toBe(true)
    expect(is(new File(["a"], "a"))).toBe(true)
    for (const value of [...bare, { content: "bytes", name: "a" }, { content }, { name: "a" }, null, "a"])
      expect(is(value)).toBe(false)
  })
})
