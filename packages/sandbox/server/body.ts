/** Reads the body of an HTTP request, within a limit, into the platform's form. */
import type { IncomingMessage } from "node:http"
import type { Body, Part } from "@quartet/sdk/extend"
import * as Effect from "effect/Effect"
import { invalid, Refusal, tooLarge } from "../platform/refusal.js"

const broken = (): Refusal => invalid("body", "could not be read to its end")

/** Bytes beyond the limit that are still read and discarded, so that the client can receive the refusal. */
const courtesy = 16 * 1024 * 1024

/** The whole body, or a refusal if it is too large. */
const bytesOf = (
  request: IncomingMessage,
  maxBytes: number
): Effect.Effect<Uint8Array<ArrayBuffer>, Refusal> =>
  Effect.gen(function* () {
    if (Number(request.headers["content-length"] ?? 0) > maxBytes + courtesy) return yield* tooLarge(maxBytes)
    const pieces: Array<Uint8Array> = []
    let size = 0
    const read = async (): Promise<void> => {
      // Whoever sends too much still gets the refusal.
      for await (const piece of request.iterator({ destroyOnReturn: false })) {
        size += piece.byteLength
        if (size <= maxBytes) pieces.push(piece)
        else pieces.length = 0
        if (size > maxBytes + courtesy) return
      }
    }
    yield* Effect.tryPromise({ try: read, catch: broken })
    if (size > maxBytes) return yield* tooLarge(maxBytes)
    return new Uint8Array(Buffer.concat(pieces, size))
  })

const form = (bytes: Uint8Array<ArrayBuffer>, type: string): Effect.Effect<Body, Refusal> =>
  Effect.map(
    Effect.tryPromise({
      try: () => new Response(bytes, { headers: { "content-type": type } }).formData(),
      catch: () => invalid("body", "is not valid multipart form data")
    }),
    (data) => {
      const parts: Array<Part> = []
      for (const [name, value] of data.entries()) {
        parts.push(
          typeof value === "string" ? { name, text: value } : { name, file: value, fileName: value.name }
        )
      }
      return { _tag: "Form", parts }
    }
  )

const unsupported = (type: string): Refusal =>
  new Refusal({
    status: 415,
    code: "unsupported_media_type",
    message: `a body must be application/json or multipart/form-data, not ${type === "" ? "of no type" : type}`
  })

/** The body of a request; undefined if there is none. */
export const read = (request: IncomingMessage, maxBytes: number): Effect.Effect<Body | undefined, Refusal> =>
  Effect.gen(function* () {
    if (request.method === "GET" || request.method === "HEAD") return undefined
    const bytes = yield* bytesOf(request, maxBytes)
    if (bytes.byteLength === 0) return undefined
    const type = request.headers["content-type"] ?? ""
    if (/^multipart\/form-data\b/i.test(type)) return yield* form(bytes, type)
    if (!/^application\/(\S+\+)?json\b/i.test(type)) return yield* unsupported(type.slice(0, 100))
    const text = yield* Effect.try({
      try: () => new TextDecoder("utf-8", { fatal: true }).decode(bytes),
      catch: () => invalid("body", "is not valid UTF-8")
    })
    return { _tag: "Json", text }
  })
