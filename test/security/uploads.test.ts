// What a form may hold: file names and fields that could end a header of a part are refused or stay data.
import { expect, it } from "@effect/vitest"
import * as Private from "../../clients/private/index.js"
import * as Files from "../../core/files/operations.js"
import { ended, visitor } from "../support/transports.js"
import { overEachTransport } from "../support/wire.js"

const refused: ReadonlyArray<readonly [name: string, fileName: unknown]> = [
  ["nothing", ""],
  ["CRLF and a header", 'a.png"\r\ncontent-type: text/html'],
  ["a line feed", "a\nb"],
  ["NUL", "a.png\u0000.exe"],
  ["DEL", "a\u007f"],
  ["a climb", "../../etc/passwd"],
  ["a climb with backslashes", "..\\..\\boot.ini"],
  ["a folder", "folder/a.png"],
  ["an absolute path", "/etc/passwd"],
  ["a drive", "C:\\a.png"],
  ["a dot", "."],
  ["two dots", ".."],
  ["half of a surrogate pair", "a\ud800.png"],
  ["a number", 7],
  ["an object", { toString: () => "a.png" }]
]

const sent: ReadonlyArray<readonly [name: string, fileName: string]> = [
  ["quotes", 'a"b".png'],
  ["a quote and a parameter", 'a"; filename="evil.png'],
  ["a semicolon", "a;b.png"],
  ["an encoded climb", "%2e%2e%2fpasswd"],
  ["an encoded quote", "a%22b.png"],
  ["letters of other scripts", "ანა 😀.png"],
  ["dots", "a...b"],
  ["a thousand letters", `${"x".repeat(1_000)}.png`],
  ["the name of a parameter", "name*=UTF-8''evil"]
]

overEachTransport((wire) => {
  const upload = (fileName: unknown, content: Blob = new Blob(["bytes"], { type: "image/png" })) => {
    const client = wire.over(Private.make({ baseUrl: wire.server.url, privateKey: "p-1" }))
    const input = { file: { content, name: fileName as string }, isPrivate: true, userId: "u-1" }
    return ended(client.dispatcher.call(Files.uploadPrivate, input))
  }

  /** The form as another reader of multipart understands it. */
  const received = async () => {
    const request = wire.last()
    const type = request?.headers["content-type"] ?? ""
    return new Response(new Uint8Array(request?.body ?? []), { headers: { "content-type": type } }).formData()
  }

  it.each(refused)("%s for a file's name is refused, and nothing is sent", async (_, fileName) => {
    const { error } = await upload(fileName)
    expect(error).toMatchObject({ _tag: "InputError", field: "file.name" })
    expect(wire.sent()).toHaveLength(0)
  })

  it.each(sent)(
    "%s in a file's name arrives as it is, and adds no header and no part",
    async (_, fileName) => {
      expect(await upload(fileName)).toMatchObject({ value: { _id: "1" } })
      const form = await received()
      expect([...form.keys()].sort()).toEqual(["file", "isPrivate", "userId"])
      const file = form.get("file")
      if (!(file instanceof File)) throw new Error("the file is missing")
      // Browsers write a quote as %22, and so it is read where nobody reads it back.
      expect(file.name.replaceAll("%22", '"')).toBe(fileName.replaceAll("%22", '"'))
      expect(file.type).toBe("image/png")
      expect(await file.text()).toBe("bytes")
      const head = wire.last()?.body.toString("latin1").split("\r\n\r\n") ?? []
      expect(head.some((part) => /^x-|\r\nx-/i.test(part))).toBe(false)
    }
  )

  it("a blob that lies about its type adds no header to its part", async () => {
    class Liar extends Blob {
      override get type(): string {
        return "text/plain\r\nx-evil: 1"
      }
    }
    const { error } = await upload("a.txt", new Liar(["bytes"]))
    const body = wire.last()?.body.toString("latin1") ?? ""
    expect(body).not.toMatch(/\r\nx-evil/)
    if (error !== undefined) expect(error._tag).toBe("InputError")
  })

  it("fields of the form stay data whatever their text is", async () => {
    const nasty = '"\r\n--x\r\ncontent-disposition: form-data; name="evil"\r\n\r\n1'
    const client = visitor(wire.transport, wire.server.url)
    const file = { content: new Blob(["b"]), name: "a" }
    await ended(client.dispatcher.call(Files.uploadWithForm, { form: nasty, file }))
    const form = await received()
    expect([...form.keys()].sort()).toEqual(["file", "form"])
    expect(form.get("form")).toBe(nasty)
  })

  it("a file that holds a boundary's look-alike arrives whole", async () => {
    const bytes = `------WebKitFormBoundary\r\n--quartet-${"0".repeat(32)}--\r\n\r\n`
    await upload("a.bin", new Blob([bytes]))
    const file = (await received()).get("file")
    expect(file instanceof File ? await file.text() : undefined).toBe(bytes)
  })
})
