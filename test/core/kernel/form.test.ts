// Fields to the parts of a form: text, and files with names that are safe to send.
import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Form from "../../../core/kernel/form.js"

const content = new Blob(["bytes"], { type: "text/plain" })
const file = (name: unknown) => ({ file: { content, name } })
const parts = (fields: Record<string, unknown>) => {
  const body = Either.getOrThrow(Form.encode(fields))
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

  it("writes objects and lists as JSON", () => {
    expect(parts({ meta: { a: [1] } })).toEqual([{ name: "meta", text: '{"a":[1]}' }])
  })

  it("refuses what cannot be written, with its field", () => {
    expect(Form.encode({ meta: { a: 1n } })).toEqual(
      Either.left({ field: "meta.a", rule: "must not be a BigInt: pass it as text" })
    )
    expect(Form.encode({ size: Number.NaN })).toEqual(
      Either.left({ field: "size", rule: "must be a finite number" })
    )
  })
})

describe("a file's name", () => {
  it.each(["a.txt", "ქართული.pdf", 'quote".txt', "a b;c.txt", "...", ".htaccess", "😀.png"])(
    "may be %j",
    (name) => {
      expect(parts(file(name))).toEqual([{ name: "file", file: content, fileName: name }])
    }
  )

  it.each([
    ["", "must not be empty"],
    ["a\r\nx-evil: 1.txt", "must not hold line breaks or other control characters"],
    ["a\u0000.txt", "must not hold line breaks or other control characters"],
    ["a\ud800.txt", "must not hold line breaks or other control characters"],
    ["../../etc/passwd", "must be a bare file name, without folders"],
    ["a/b.txt", "must be a bare file name, without folders"],
    ["a\\b.txt", "must be a bare file name, without folders"],
    ["..", "must be a bare file name, without folders"],
    [".", "must be a bare file name, without folders"],
    [7, "must not be empty"]
  ])("may not be %j", (name, rule) => {
    expect(Form.encode(file(name))).toEqual(Either.left({ field: "file.name", rule }))
  })

  it("that is refused is not shown", () => {
    const refused = Form.encode(file("canary-4711\r\n"))
    expect(JSON.stringify(refused)).not.toContain("canary")
  })
})

describe("the schema of a file", () => {
  it("takes a Blob with a name, and nothing else", () => {
    const is = Schema.is(Form.FileSchema)
    expect(is({ content, name: "a" })).toBe(true)
    for (const value of [content, { content: "bytes", name: "a" }, { content }, null, "a"])
      expect(is(value)).toBe(false)
  })
})
