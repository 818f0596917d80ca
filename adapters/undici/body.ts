/** Bodies of answers: content codings undone as fetch does, and streams with backpressure. */
import type { Transform } from "node:stream"
import * as Zlib from "node:zlib"
import type { Dispatcher } from "undici"

/** What undoes a coding of a body that begins with these bytes. */
type Coding = (first: Uint8Array) => Transform

const codings: Readonly<Record<string, Coding>> = {
  gzip: () => Zlib.createGunzip(),
  "x-gzip": () => Zlib.createGunzip(),
  // Some servers leave zlib's header out.
  deflate: ([first = 8]) => ((first & 15) === 8 ? Zlib.createInflate() : Zlib.createInflateRaw()),
  br: () => Zlib.createBrotliDecompress()
}

// Not every Node that this package supports has it, and so the types have not.
const { createZstdDecompress: zstd } = Zlib as { readonly createZstdDecompress?: () => Transform }

/** A server could have a body pass through any number of them. */
const maxCodings = 5

/** The codings to undo, the outermost first. As with fetch, none where one of them is not known. */
export const codingsOf = (encoding: string): ReadonlyArray<Coding> => {
  const names = encoding.toLowerCase().split(",", maxCodings + 1)
  const known = names.flatMap((text) => {
    const name = text.trim()
    if (name === "zstd" && zstd !== undefined) return zstd
    return (Object.hasOwn(codings, name) ? codings[name] : undefined) ?? []
  })
  return known.length === names.length && known.length <= maxCodings ? known.reverse() : []
}

/** Where the chunks of a body go. */
export interface Sink {
  readonly push: (chunk: Buffer) => void
  readonly end: () => void
  readonly fail: (error: Error) => void
}

/** A body that is received in chunks. */
export interface Receiver extends Sink {
  readonly body: ReadableStream<Uint8Array>
}

/** Where chunks come from. */
export interface Source {
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
 * Undoes codings: `into` gives where the received bytes go, and `output` is the source of the decoded ones. A body without
 * any bytes is empty in every coding.
 */
export const decoder = (
  input: Source,
  outermost: ReadonlyArray<Coding>
): { readonly output: Source; readonly into: (sink: Sink) => Sink } => {
  let chain: ReadonlyArray<Transform> = []
  // What comes while the outermost coding is at work: it takes all of that at once, because each write costs the same.
  let waiting: Array<Buffer> = []
  let size = 0
  let isBusy = false
  let isEnded = false
  let isOver = false
  const stop = (): void => {
    isOver = true
    waiting = []
    for (const through of chain) through.destroy()
  }
  const write = (chunk: Buffer): void => {
    isBusy = true
    chain[0]?.write(chunk, (error) => {
      isBusy = false
      if (isOver || error) return
      if (waiting.length > 0) {
        const whole = Buffer.concat(waiting, size)
        waiting = []
        size = 0
        write(whole)
      } else if (isEnded) chain[0]?.end()
      input.resume()
    })
  }
  const begin = (first: Buffer, sink: Sink): void => {
    chain = outermost.map((make, at) => make(at === 0 ? first : new Uint8Array()))
    for (const through of chain) {
      through.on("error", (error) => {
        stop()
        error.name = "EncodingError"
        sink.fail(error)
        input.cancel()
      })
    }
    chain
      .reduce((from, to) => from.pipe(to))
      .on("data", sink.push)
      .on("end", () => {
        // Bytes after the end of the coding are passed over.
        isOver = true
        input.resume()
        sink.end()
      })
  }
  return {
    output: {
      pause: () => chain.at(-1)?.pause(),
      resume: () => chain.at(-1)?.resume(),
      cancel: () => {
        stop()
        input.cancel()
      }
    },
    into: (sink) => ({
      push: (chunk) => {
        if (isOver) return
        if (chain.length === 0) begin(chunk, sink)
        if (!isBusy) return write(chunk)
        waiting.push(chunk)
        size += chunk.byteLength
        if (size >= bound) input.pause()
      },
      end: () => {
        isEnded = true
        if (chain.length === 0) sink.end()
        else if (!isBusy) chain[0]?.end()
      },
      fail: (error) => {
        stop()
        sink.fail(error)
      }
    })
  }
}

/** The connection of an answer. */
export const sourceOf = (controller: Dispatcher.DispatchController): Source => ({
  pause: () => controller.pause(),
  resume: () => controller.resume(),
  cancel: () => controller.abort(new Error("abandoned"))
})

/** Receives a body; the socket is paused while its reader is behind, and released when the reader cancels. */
export const receive = (controller: Dispatcher.DispatchController, encoding = ""): Receiver => {
  const source = sourceOf(controller)
  const codings = codingsOf(encoding)
  if (codings.length === 0) return queue(source)
  const { into, output } = decoder(source, codings)
  const receiver = queue(output)
  return { ...into(receiver), body: receiver.body }
}
