/** Bodies of answers: content decoding within a limit, and streams with backpressure. */
import type { Transform } from "node:stream"
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

const decoder = (encoding: string): Transform | undefined => {
  switch (encoding) {
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

/** Where chunks come from. */
interface Source {
  readonly pause: () => void
  readonly resume: () => void
  /** The reader wants no more. */
  readonly cancel: () => void
}

/** A source is paused at this many bytes that wait for the reader. */
const bound = 65_536

/** All bytes since the reader's last request form one chunk, so small ones cost no more. */
const queue = ({ pause, resume, cancel }: Source): Receiver => {
  let waiting: Array<Buffer> = []
  let size = 0
  let isAsked = false
  let isOver = false
  let isPaused = false
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined
  const give = (): void => {
    const [first, second] = waiting
    if (first === undefined) return
    stream?.enqueue(second === undefined ? first : Buffer.concat(waiting, size))
    waiting = []
    size = 0
    isAsked = false
  }
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        stream = controller
      },
      pull() {
        isAsked = true
        give()
        if (!isPaused) return
        isPaused = false
        resume()
      },
      cancel() {
        if (isOver) return
        isOver = true
        cancel()
      }
    },
    { highWaterMark: 0 }
  )
  return {
    body,
    push: (chunk) => {
      if (isOver) return
      waiting.push(chunk)
      size += chunk.byteLength
      if (isAsked) return give()
      if (size < bound) return
      isPaused = true
      pause()
    },
    end: () => {
      if (isOver) return
      isOver = true
      give()
      stream?.close()
    },
    fail: (error) => {
      isOver = true
      stream?.error(error)
    }
  }
}

/**
 * Receives a body; the socket is paused while its reader is behind, and released when the reader cancels. Undefined for
 * an unknown encoding.
 */
export const receive = (
  controller: Dispatcher.DispatchController,
  encoding: string | undefined
): Receiver | undefined => {
  const name = encoding?.trim().toLowerCase() ?? ""
  const abandon = (): void => controller.abort(new Error("abandoned"))
  if (name === "" || name === "identity")
    return queue({ pause: () => controller.pause(), resume: () => controller.resume(), cancel: abandon })
  const through = decoder(name)
  if (through === undefined) return undefined
  const decoded = queue({
    pause: () => through.pause(),
    resume: () => through.resume(),
    cancel: () => through.destroy()
  })
  through.on("drain", () => controller.resume())
  through.on("close", () => {
    if (!through.readableEnded) abandon()
  })
  through.on("data", decoded.push)
  through.on("end", decoded.end)
  through.on("error", decoded.fail)
  return {
    body: decoded.body,
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
