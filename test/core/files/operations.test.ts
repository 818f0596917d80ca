// What uploads put into their forms, for each client, and which names are refused.
import { describe, expect, it } from "@effect/vitest"
import { Either, Stream } from "effect"
import * as Files from "../../../core/files/operations.js"
import * as Sample from "../../support/dispatcher.js"
import { effect } from "../../support/effect.js"
import { encode } from "../../support/encoding.js"
import * as Fake from "../../support/fake-transport.js"

const content = new Blob(["hello"], { type: "text/plain" })
const file = { content, name: "hello.txt" }
const filePart = { name: "file", file: content, fileName: "hello.txt" }

const form = (path: string, ...parts: ReadonlyArray<object>) =>
  Either.right({ path, body: { _tag: "Form", parts } })

describe("files.upload", () => {
  it("of an end user is the file alone, and so is an image", () => {
    expect(encode(Files.upload, { file })).toEqual(form("/cms/file", filePart))
    expect(encode(Files.uploadImage, { file })).toEqual(form("/image/upload", filePart))
  })

  // Spec public.files.upload
  it("of a visitor has the form's data before the file, as JSON", () => {
    const sent = (data: unknown) => encode(Files.uploadWithForm, { file, form: data })
    const json = { name: "form", text: '{"name":"Nino"}' }
    expect(sent({ name: "Nino" })).toEqual(form("/v1/cms/file", json, filePart))
    expect(sent("f1"), "or a form's id").toEqual(form("/v1/cms/file", { name: "form", text: "f1" }, filePart))
  })

  // Spec private.files.upload
  it("of a server may say that the file is private, and whose it is", () => {
    const said = [{ name: "isPrivate", text: "true" }, { name: "userId", text: "u1" }, filePart]
    const sent = encode(Files.uploadPrivate, { file, isPrivate: true, userId: "u1" })
    expect(sent).toEqual(form("/cms/file", ...said))
  })

  const noFile = "must be a File, or { content: Blob | Uint8Array | ReadableStream, name: string }"
  it.each([
    ["without a file", Files.upload, {}, "file", "is required"],
    ["without the form of a visitor", Files.uploadWithForm, { file }, "form", "is required"],
    ["of text", Files.upload, { file: "hello" }, "file", noFile],
    [
      "with folders in its name",
      Files.upload,
      { file: { content, name: "../hello.txt" } },
      "file.name",
      "must be a bare file name, without folders"
    ]
  ] as const)("%s is refused", (_, operation, input, field, rule) => {
    expect(encode<never>(operation, input)).toEqual(Either.left({ field, rule }))
  })
})

describe("files.download", () => {
  effect("is a stream of the file's bytes", function* () {
    const endUser = { settings: { audience: "endUser" } } as const
    const { fake, dispatcher } = Sample.make([Fake.streaming(content.stream())], endUser)
    const body = yield* dispatcher.open(Files.download, { id: "f1" })
    const read = Stream.fromReadableStream(() => body, String).pipe(Stream.decodeText(), Stream.mkString)
    expect(yield* read).toBe("hello")
    expect(fake.at(0).request).toMatchObject({ path: "/v9/cms/file/f1/download", answer: "stream" })
  })
})
