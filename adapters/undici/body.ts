/** Bodies of answers: content encodings undone within a bound, and streams that wait for their reader. */
import { PassThrough, Readable, type Transform } from "node:stream"
import * as Zlib from "node:zlib"
import type { Dispatcher } from "undici"

type Whole = (
  bytes: Uint8Array,
  options: { readonly maxOutputLength: number },
  done: (error: Error | null, body: Buffer) => void
) => void

const wholes: Readonly<Record<string, Whole>> = {
  gzip: Zlib.gunzip,
  "x-gzip": Zlib.gunzip,
  deflate: Zlib.inflate,
  br: Zlib.brotliDecompress
}

/** Undoes a content encoding. Answers `large` where the decoded body would be larger than it may. */
export const decode = (
  bytes: Uint8Array,
  encoding: string,
  maxBytes: number,
  done: (error: Error | "large" | undefined, body: Uint8Array | undefined) => void
): void => {
  const name = encoding.trim().toLowerCase()
  if (name === "identity" || name === "") return done(undefined, bytes)
  const whole = Object.hasOwn(wholes, name) ? wholes[name] : undefined
  if (whole === undefined)
    return done(new Error(`the content encoding ${name.slice(0, 20)} is not known`), undefined)
  whole(bytes, { maxOutputLength: maxBytes }, (error, body) => {
    if (error === null) return done(undefined, body)
    done("code" in error && error.code === "ERR_BUFFER_TOO_LARGE" ? "large" : error, undefined)
  })
}

/** A body that is received piece by piece. */
export interface Receiver {
  readonly body: ReadableStream<Uint8Array>
  readonly push: (chunk: Buffer) => void
  readonly end: () => void
  readonly fail: (error: Error) => void
}

const decoder = (encoding: string | undefined): Transform => {
  switch (encoding?.trim().toLowerCase()) {
    case "gzip":
    case "x-gzip":
      return Zlib.createGunzip()
    case "deflate":
      return Zlib.createInflate()
    case "br":
      return Zlib.createBrotliDecompress()
    default:
      return new PassThrough()
  }
}

/** Receives a body; the socket is paused while its reader is behind, and let go when the reader cancels. */
export const receive = (
  controller: Dispatcher.DispatchController,
  encoding: string | undefined
): Receiver => {
  const through = decoder(encoding)
  through.on("drain", () => controller.resume())
  through.on("close", () => {
    if (!through.readableEnded) controller.abort(new Error("abandoned"))
  })
  // Errors reach the reader through the web stream; without a listener Node would end the process.
  through.on("error", () => undefined)
  return {
    // Node's web stream and the DOM's are one thing under two types.
    body: Readable.toWeb(through) as unknown as ReadableStream<Uint8Array>,
    push: (chunk) => {
      if (!through.write(chunk)) controller.pause()
    },
    end: () => {
      through.end()
    },
    fail: (error) => {
      through.destroy(error)
    }
  }
}
