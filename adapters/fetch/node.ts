/**
 * Specific to Node's own `fetch` (undici): it sends a request again after a 421, and reports which connections were
 * never made, and why. Browsers and workers do neither: `web.ts` stands in for this there.
 */
import type { Outcome } from "../../core/ports/transport.js"
import { failed } from "../http/node-errors.js"

export { failed } from "../http/node-errors.js"

const isNode = (): boolean =>
  // A window of Electron or a simulated one has both, but another fetch.
  globalThis.process?.versions?.undici !== undefined && globalThis.XMLHttpRequest === undefined

/** Node's own fetch; undefined elsewhere. A test's replacement is not Node's. */
const own: typeof fetch | undefined = /*#__PURE__*/ (() => (isNode() ? globalThis.fetch : undefined))()

/** The same, known by its source: a mock may have replaced it before this module was loaded. */
export const native: typeof fetch | undefined = /*#__PURE__*/ (() =>
  String(own).includes("internal/deps/undici") ? own : undefined)()

/**
 * The controller of one request and its signal in one: no more than Node's fetch asks for. To make and to watch the event
 * target that a real signal is takes a tenth of a small call.
 */
class LightController {
  aborted = false
  reason: unknown
  private listener: ((this: LightController) => void) | undefined

  get signal(): AbortSignal {
    // Only Node's fetch gets it, and only after `isFollowed` has seen it follow one.
    return this as unknown as AbortSignal
  }

  abort(): void {
    this.aborted = true
    this.reason = new DOMException("This operation was aborted", "AbortError")
    this.listener?.()
  }

  addEventListener(_: "abort", listener: () => void): void {
    this.listener = listener
  }

  removeEventListener(): void {
    this.listener = undefined
  }

  // Node's fetch raises the listeners that it may add without a warning; for what has neither method it makes an error.
  getMaxListeners(): number {
    return 1
  }

  setMaxListeners(): void {}
}

/** Whether Node's fetch follows a light signal, as all versions so far do. */
const isFollowed = (): boolean => {
  try {
    // Undici 7 accepts nothing else.
    Object.setPrototypeOf(LightController.prototype, AbortSignal.prototype)
    const controller = new LightController()
    const { signal } = new Request("http://localhost", { signal: controller.signal })
    controller.abort()
    return signal.aborted
  } catch {
    return false
  }
}

let isLight: boolean | undefined

/** What ends a request of this fetch. */
export const makeController = (send: typeof fetch): Pick<AbortController, "abort" | "signal"> => {
  if (send !== native) return new AbortController()
  isLight ??= isFollowed()
  return isLight ? new LightController() : new AbortController()
}

/**
 * How many bytes the body of an answer has, if Node's fetch is bound to it: it fails where fewer come, and takes no more.
 * To await the body's end after them is a fifth of a small call.
 */
export const lengthOf = (send: typeof fetch, { headers }: Response): number | undefined => {
  const length = send === native ? headers.get("content-length") : null
  return length === null || headers.has("content-encoding") || headers.has("transfer-encoding")
    ? undefined
    : Number(length)
}

const stream = (bytes: Uint8Array): ReadableStream<Uint8Array> =>
  new ReadableStream(
    {
      pull: (controller) => {
        if (bytes.byteLength > 0) controller.enqueue(bytes)
        controller.close()
      }
    },
    { highWaterMark: 0 }
  )

/** Bytes of the form with empty files: all of Node's boundaries have one length. */
const emptied = (form: FormData): Promise<ArrayBuffer> => {
  const empty = new FormData()
  for (const [name, value] of form)
    empty.append(name, typeof value === "string" ? value : new File([], value.name, { type: value.type }))
  return new Response(empty).arrayBuffer()
}

const sizeOf = (value: FormDataEntryValue): number => (typeof value === "string" ? 0 : value.size)

/**
 * Has Node's own fetch send a request once; any other is returned as it is. By the fetch standard a 421 leads to a silent second attempt on another connection, unless the
 * body is a stream. So the body of a write becomes a stream, still of known length.
 */
export const once = (send: typeof fetch): typeof fetch => (send === own ? sendOnce(send) : send)

const sendOnce =
  (send: typeof fetch): typeof fetch =>
  (input, init = {}) => {
    const { body, method } = init
    const sendStream = (
      streamed: ReadableStream<Uint8Array> | null,
      length: number,
      type?: string | null
    ) => {
      const headers = new Headers(init.headers)
      if (length > 0) headers.set("content-length", String(length))
      if (type) headers.set("content-type", type)
      // `duplex`, which a streamed body requires, is not among the types of the DOM.
      return send(input, { ...init, headers, body: streamed, duplex: "half" } as RequestInit)
    }
    if (method === undefined || method === "GET" || method === "HEAD") return send(input, init)
    if (body === undefined || body === null) return sendStream(stream(new Uint8Array()), 0)
    if (body instanceof FormData) {
      const whole = new Response(body)
      const size = [...body.values()].reduce((sum, value) => sum + sizeOf(value), 0)
      return emptied(body).then(({ byteLength }) =>
        sendStream(whole.body, byteLength + size, whole.headers.get("content-type"))
      )
    }
    if (typeof body === "string" || body instanceof Uint8Array) {
      const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body
      return sendStream(stream(bytes), bytes.byteLength)
    }
    return send(input, init)
  }

/** Errors of connections that were never made. */
const unconnected = new WeakSet<object>()
let isWatching = false

/** Subscribes to undici's reports of failed connections. */
export const watch = (): void => {
  if (isWatching) return
  isWatching = true
  globalThis.process
    ?.getBuiltinModule?.("node:diagnostics_channel")
    .subscribe("undici:client:connectError", (message) => {
      if (isObject(message) && "error" in message && isObject(message.error)) unconnected.add(message.error)
    })
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

/** Whether anything may have been sent before an error: not without a connection. */
const mayBeSent = (cause: unknown): boolean =>
  !(isObject(cause) && (unconnected.has(cause) || ("cause" in cause && !mayBeSent(cause.cause))))

/** An exchange that failed before its answer came. */
export const unanswered = (cause: unknown): Outcome => failed(cause, mayBeSent(cause))
