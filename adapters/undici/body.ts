/** Bodies of answers: content decoding within a limit, and streams with backpressure. */
import { PassThrough, type Transform } from "node:stream"
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

/** The error of an encoding that was not offered. */
export const unknown = "the answer's content encoding is not known"

/** Decodes a content encoding. Returns `large` if the decoded body would be too large. */
export const decode = (
  bytes: Uint8Array,
  encoding: string,
  maxBytes: number,
  done: (error: Error | "large" | undefined, body: Uint8Array | undefined) => void
): void => {
  const name = encoding.trim().toLowerCase()
  if (name === "identity" || name === "") return done(undefined, bytes)
  const whole = Object.hasOwn(wholes, name) ? wholes[name] : undefined
  if (whole === undefined) return done(new Error(unknown), undefined)
  whole(bytes, { maxOutputLength: maxBytes }, (error, body) => {
    if (error === null) return done(undefined, body)
    done("code" in error && error.code === "ERR_BUFFER_TOO_LARGE" ? "large" : error, undefined)
  })
}

/** A body that is received in chunks. */
export interface Receiver {
  readonly body: ReadableStream<Uint8Array>
  readonly push: (chunk: Buffer) => void
  readonly end: () => void
  readonly fail: (error: Error) => void
}

const decoder = (encoding: string | undefined): Transform | undefined => {
  switch (encoding?.trim().toLowerCase()) {
    case undefined:
    case "":
    case "identity":
      return new PassThrough()
    case "gzip":
    case "x-gzip":
      return Zlib.createGunzip()
    case "deflate":
      return Zlib.createInflate()
    case "br":
      return Zlib.createBrotliDecompress()
    default:
      return undefined
  }
}

/** All bytes since the reader's last request form one chunk, so small ones cost no more. */
const toWeb = (through: Transform): ReadableStream<Uint8Array> => {
  let asked: (() => void) | undefined
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        through.on("readable", () => asked?.())
        through.on("end", () => {
          if (!through.destroyed) controller.close()
        })
        through.on("error", (error) => controller.error(error))
      },
      pull: (controller) =>
        new Promise((done) => {
          asked = () => {
            const piece: Buffer | null = through.read()
            if (piece === null) return
            asked = undefined
            controller.enqueue(piece)
            done()
          }
          asked()
        }),
      cancel() {
        through.destroy()
      }
    },
    { highWaterMark: 0 }
  )
}

/**
 * Receives a body; the socket is paused while its reader is behind, and released when the reader cancels. Undefined for
 * an unknown encoding.
 */
export const receive = (
  controller: Dispatcher.DispatchController,
  encoding: string | undefined
): Receiver | undefined => {
  const through = decoder(encoding)
  if (through === undefined) return undefined
  through.on("drain", () => controller.resume())
  through.on("close", () => {
    if (!through.readableEnded) controller.abort(new Error("abandoned"))
  })
  return {
    body: toWeb(through),
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
