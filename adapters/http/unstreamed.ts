/**
 * Answers that have no stream: those of React Native, of polyfills such as whatwg-fetch, and of mocks made by hand. What they
 * have of the readers of a Response is used.
 */
import { own } from "../../core/permissions/own.js"
import { BoundedBytes } from "../../core/ports/bounded-bytes.js"
import type { HeaderReader } from "../../core/ports/transport.js"
import { encode } from "../../core/ports/utf8.js"

const has = (value: unknown, name: string): boolean => typeof Object(value)[name] === "function"

/** The stream of a body, if there is one. node-fetch has another kind of stream there. */
export const streamOf = ({ body }: Response): ReadableStream<Uint8Array> | undefined =>
  typeof Object(body).getReader === "function" ? (body ?? undefined) : undefined

/** A header; a mock may keep them in an object, or have none. */
export const headerOf = ({ headers }: Response): HeaderReader => {
  const read = (name: string): string | undefined => {
    if (name === "set-cookie" && has(headers, "getSetCookie"))
      return headers.getSetCookie().join("\n") || undefined
    const value: unknown = has(headers, "get") ? headers.get(name) : own(headers, name)
    return typeof value === "string" ? value : undefined
  }
  return Object.assign(read, { all: () => headers?.entries?.() ?? Object.entries(Object(headers)) })
}

/** The status; a mock may say `ok` alone. */
export const statusOf = ({ ok, status }: Response): number =>
  typeof status === "number" ? status : ok === true ? 200 : Number.NaN

/** What reads a whole body, the most faithful first. */
const readers: ReadonlyArray<readonly [name: string, read: (response: Response) => Promise<Uint8Array>]> = [
  ["arrayBuffer", async (response) => new Uint8Array(await response.arrayBuffer())],
  ["bytes", (response) => response.bytes()],
  ["blob", async (response) => new Uint8Array(await (await response.blob()).arrayBuffer())],
  ["text", async (response) => encode(await response.text())],
  ["json", async (response) => encode(JSON.stringify(await response.json()) ?? "")]
]

/** The pieces of a body that can only be iterated. */
const iterated = async (body: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
  const received = new BoundedBytes(Number.POSITIVE_INFINITY)
  for await (const piece of body) received.push(piece)
  return received.whole()
}

/** The whole body of an answer without a stream. Rejects where there is a body that nothing reads: it is not empty. */
export const readWhole = async (response: Response): Promise<Uint8Array> => {
  const [first, ...others] = readers.filter(([name]) => has(response, name))
  if (first === undefined) {
    const { body } = response
    if (body === undefined || body === null) return new Uint8Array()
    if (Symbol.asyncIterator in Object(body)) return iterated(body as never)
    throw new Error("the body of the answer has none of the readers of a Response, such as arrayBuffer")
  }
  // Some versions of React Native have a method, and fail in it. A body that was read once is read again from a copy.
  const spare = others.length > 0 && has(response, "clone") ? response.clone() : response
  try {
    return await first[1](response)
  } catch (cause) {
    for (const [name, read] of readers) {
      if (name === first[0] || !has(spare, name)) continue
      try {
        return await read(spare)
      } catch {
        // What the first one said says more.
      }
    }
    throw cause
  }
}

/** The same as a stream of one chunk, which is read when it is asked for. `abandon` ends the exchange. */
const streamOfWhole = (response: Response, abandon: () => void): ReadableStream<Uint8Array> => {
  let isOver = false
  const read = async (): Promise<ReadableStreamReadResult<Uint8Array>> => {
    if (isOver) return { done: true, value: undefined }
    isOver = true
    const value = await readWhole(response)
    return value.byteLength === 0 ? { done: true, value: undefined } : { done: false, value }
  }
  const cancel = async (): Promise<void> => {
    if (!isOver) abandon()
    isOver = true
  }
  if (typeof ReadableStream !== "undefined") {
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      const { done, value } = await read()
      if (done) controller.close()
      else controller.enqueue(value)
    }
    return new ReadableStream({ pull, cancel }, { highWaterMark: 0 })
  }
  // React Native has no streams. What a client does with one is this.
  return { cancel, getReader: () => ({ read, cancel }) } as unknown as ReadableStream<Uint8Array>
}

/** The body of an answer as a stream, whatever it is. `abandon` ends the exchange of one that has none. */
export const bodyOf = (
  response: Response,
  abandon: () => void = () => undefined
): ReadableStream<Uint8Array> => streamOf(response) ?? streamOfWhole(response, abandon)
