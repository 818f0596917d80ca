/**
 * Answers that have no stream: those of React Native, of polyfills such as whatwg-fetch, and of mocks made by hand. What they
 * have of the readers of a Response is used.
 */
import { own } from "../../core/permissions/own.js"
import { encode } from "../../core/ports/utf8.js"

/** The stream of a body, if there is one. node-fetch has another kind of stream there. */
export const streamOf = ({ body }: Response): ReadableStream<Uint8Array> | undefined =>
  typeof Object(body).getReader === "function" ? (body ?? undefined) : undefined

/** A header; a mock may keep them in an object, or have none. */
export const headerOf =
  ({ headers }: Response) =>
  (name: string): string | undefined => {
    const value: unknown = typeof Object(headers).get === "function" ? headers.get(name) : own(headers, name)
    return typeof value === "string" ? value : undefined
  }

/** The status; a mock may say `ok` alone. */
export const statusOf = ({ ok, status }: Response): number =>
  typeof status === "number" ? status : ok === true ? 200 : Number.NaN

const has = (response: Response, name: "arrayBuffer" | "clone" | "json" | "text"): boolean =>
  typeof Object(response)[name] === "function"

/** The whole body of an answer without a stream. */
export const readWhole = async (response: Response): Promise<Uint8Array> => {
  if (!has(response, "arrayBuffer")) {
    if (has(response, "text")) return encode(await response.text())
    return has(response, "json") ? encode(JSON.stringify(await response.json()) ?? "") : new Uint8Array()
  }
  // Some versions of React Native have the method, and fail in it.
  const spare = has(response, "clone") && has(response, "text") ? response.clone() : undefined
  try {
    return new Uint8Array(await response.arrayBuffer())
  } catch (cause) {
    if (spare === undefined) throw cause
    return encode(await spare.text())
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
