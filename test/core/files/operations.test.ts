// What uploads put into their forms, for each client, and which names are refused.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import * as Files from "../../../core/files/operations.js"
import * as Encoder from "../../../core/kernel/codec/encoder.js"
import type { Operation } from "../../../core/kernel/operation/operation.js"
import * as Sample from "../../support/dispatcher.js"
import * as Fake from "../../support/fake-transport.js"

const around: Encoder.Surroundings = { prefix: "", projectId: undefined, projectInQuery: false }

const encode = <I>(operation: Operation<I, unknown, never>, input: unknown) =>
  Encoder.make(operation.declaration(), around)(input)

const content = new Blob(["hello"], { type: "text/plain" })
const file = { content, name: "hello.txt" }
const filePart = { name: "file", file: content, fileName: "hello.txt" }

const form = (path: string, ...parts: ReadonlyArray<object>) =>
  Either.right({ path, body: { _tag: "Form", parts } })

describe("files.upload", () => {
  it("of an end user is the file alone", () => {
    expect(encode(Files.upload, { file })).toEqual(form("/cms/file", filePart))
  })

  // Spec 7.29
  it("of a visitor has the form's data before the file, as JSON", () => {
    expect(encode(Files.uploadWithForm, { file, form: { name: "Nino" } })).toEqual(
      form("/v1/cms/file", { name: "form", text: '{"name":"Nino"}' }, filePart)
    )
  })

  it("of a visitor has a form's id as text", () => {
    expect(encode(Files.uploadWithForm, { file, form: "f1" })).toEqual(
      form("/v1/cms/file", { name: "form", text: "f1" }, filePart)
    )
  })

  it("of a visitor needs the form's data", () => {
    expect(encode(Files.uploadWithForm, { file })).toEqual(
      Either.left({ field: "form", rule: "is required" })
    )
  })

  // Spec 7.38
  it("of a server may say that the file is private, and whose it is", () => {
    expect(encode(Files.uploadPrivate, { file, isPrivate: true, userId: "u1" })).toEqual(
      form("/cms/file", { name: "isPrivate", text: "true" }, { name: "userId", text: "u1" }, filePart)
    )
  })

  it("needs a file", () => {
    expect(encode(Files.upload, {})).toEqual(Either.left({ field: "file", rule: "is required" }))
  })

  it("refuses what is no file", () => {
    expect(encode(Files.upload, { file: "hello" })).toEqual(
      Either.left({
        field: "file",
        rule: "must be a File, or { content: Blob | Uint8Array | ReadableStream, name: string }"
      })
    )
  })

  it("refuses a name with folders", () => {
    expect(encode(Files.upload, { file: { content, name: "../hello.txt" } })).toEqual(
      Either.left({ field: "file.name", rule: "must be a bare file name, without folders" })
    )
  })
})

describe("images.upload", () => {
  it("is the file alone", () => {
    expect(encode(Files.uploadImage, { file })).toEqual(form("/image/upload", filePart))
  })
})

describe("files.download", () => {
  it.effect("is a stream of the file's bytes", () => {
    const { fake, dispatcher } = Sample.make([Fake.streaming(content.stream())], {
      settings: { audience: "endUser" }
    })
    return Effect.gen(function* () {
      const body = yield* dispatcher.open(Files.download, { id: "f1" })
      const read = Stream.fromReadableStream(() => body, String).pipe(Stream.decodeText(), Stream.mkString)
      expect(yield* read).toBe("hello")
      expect(fake.at(0).request).toMatchObject({ path: "/v9/cms/file/f1/download", answer: "stream" })
    })
  })
})
