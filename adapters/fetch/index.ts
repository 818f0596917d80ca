/** The Transport over the global `fetch`: browsers, workers, Deno, Bun, Node. Redirects are never followed. */
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Native from "#runtime/fetch"
import { InputError } from "../../core/kernel/errors/errors.js"
import { type Known, read } from "../../core/kernel/operation/options.js"
import { BoundedBytes } from "../../core/ports/bounded-bytes.js"
import { type Body, type Outcome, type Request, type Service, Transport } from "../../core/ports/transport.js"
import { unread, withoutBody } from "../http/no-body.js"
import { bodyOf, headerOf, readWhole, statusOf, streamOf } from "../http/unstreamed.js"

/**
 * The caller's own fetch, for example through a proxy. Its own retries are not prevented: after a 421, undici's fetch
 * sends a write again. So does Node's if the global fetch was patched after this module was loaded: pass a patched
 * fetch here, or patch first.
 * @category models
 */
export interface Options {
  /** What sends requests; the global `fetch` by default. */
  readonly fetch?: typeof globalThis.fetch
}

/**
 * Whether `fetch` sends a form as a form. Under jsdom the global FormData is jsdom's and `fetch` is Node's, which would send
 * the text "[object FormData]".
 */
const isSent = (form: FormData): boolean =>
  typeof Response === "undefined" || !new Response(form).headers.get("content-type")?.startsWith("text/plain")

const foreignForm =
  "cannot be sent here: the global FormData is not that of fetch, as under jsdom. Run this in the environment node"

const content = (body: Body, operation: string): string | FormData => {
  if (body._tag === "Json") return body.text
  const form = new FormData()
  const field = body.parts.find((part) => "file" in part)?.name ?? "input"
  if (!isSent(form)) throw new InputError({ operation, field, rule: foreignForm })
  for (const part of body.parts) {
    if ("file" in part) form.append(part.name, part.file, part.fileName)
    else form.append(part.name, part.text)
  }
  return form
}

/** Reads a body in chunks within the limit, to its end or its known length; undefined if there is more. */
const readBounded = async (
  response: Response,
  maxBytes: number,
  length: number | undefined
): Promise<Uint8Array | undefined> => {
  const reader = streamOf(response)?.getReader()
  if (reader === undefined) {
    const body = await readWhole(response)
    return body.byteLength > maxBytes ? undefined : body
  }
  const received = new BoundedBytes(maxBytes)
  while (received.size !== length) {
    const { done, value } = await reader.read()
    if (done) break
    if (!received.push(value)) {
      await reader.cancel()
      return undefined
    }
  }
  return received.whole()
}

/** Whether the server states a length beyond the bound. It is not the decoded length of an encoded body. */
const isTooLong = (response: Response, maxBytes: number): boolean => {
  const header = headerOf(response)
  return Number(header("content-length") ?? 0) > maxBytes && header("content-encoding") === undefined
}

const ofBody = (response: Response, body: Uint8Array | undefined): Outcome => {
  const head = { status: statusOf(response), header: headerOf(response) }
  return body === undefined ? { _tag: "TooLarge", ...head } : { _tag: "Answered", ...head, body }
}

/** Reads an answer. Callbacks except for the body, because each promise slows down small calls. */
const receive = (
  request: Request,
  response: Response,
  length: number | undefined,
  abandon: () => void,
  end: (outcome: Outcome) => void
): void => {
  const status = statusOf(response)
  const header = headerOf(response)
  if (request.answer === "stream" && status >= 200 && status <= 299) {
    return end({ _tag: "Streaming", status, header, body: bodyOf(response, abandon) })
  }
  // It may state the length of a body that it has not.
  if (request.method === "HEAD") return end(withoutBody(status, header))
  if (isTooLong(response, request.maxBytes)) {
    const body = streamOf(response)
    if (body === undefined) abandon()
    else body.cancel().catch(() => undefined)
    return end({ _tag: "TooLarge", status, header })
  }
  readBounded(response, request.maxBytes, length).then(
    (body) => end(ofBody(response, body)),
    (cause: unknown) => end(unread(status, header, Native.failed(cause)))
  )
}

const missing = "is not there, neither globally nor as an option: pass one by FetchTransport.make({ fetch })"

const start =
  (options: Options): Service["start"] =>
  (request, settle) => {
    const chosen: typeof fetch | undefined = options.fetch ?? globalThis.fetch
    if (chosen === undefined)
      throw new InputError({ operation: request.operation, field: "fetch", rule: missing })
    const controller = Native.makeController(chosen)
    let isOver = false
    const end = (outcome: Outcome): void => {
      if (isOver) return
      isOver = true
      settle(outcome)
    }
    Native.once(chosen)(request.origin + request.path, {
      method: request.method,
      headers: request.headers,
      redirect: "manual",
      credentials: request.credentials ?? "omit",
      signal: controller.signal,
      ...(request.body === undefined ? {} : { body: content(request.body, request.operation) })
    }).then(
      (response) => {
        try {
          receive(request, response, Native.lengthOf(chosen, response), () => controller.abort(), end)
        } catch (cause) {
          // The caller's own fetch may return anything.
          end(Native.failed(cause))
        }
      },
      (cause: unknown) => end(Native.unanswered(cause))
    )
    return () => {
      if (isOver) return
      isOver = true
      controller.abort()
    }
  }

const known = { fetch: "function" } satisfies Known<Options>

/**
 * Makes the transport over a fetch: the global one, unless the options have another. Throws InputError for invalid
 * options, such as a bare fetch in place of the options.
 *
 * @example
 * ```ts
 * import * as FetchTransport from "@quartet/sdk/adapters/fetch"
 * import { createPublicClient } from "@quartet/sdk/promise"
 *
 * const client = createPublicClient({
 *   baseUrl: "https://api.example.com",
 *   apiKey: "key",
 *   transport: FetchTransport.make({ fetch: (input, init) => globalThis.fetch(input, init) })
 * })
 * ```
 * @category constructors
 */
export const make = (options: Options = {}): Service => {
  const checked = read("FetchTransport.make", "options", options, known)
  Native.watch()
  return { start: start(Either.getOrThrowWith(checked, (refused) => refused)) }
}

/**
 * The transport over the global fetch, as browsers, workers, Bun, Deno and Node have it. It follows no redirect and,
 * unless a request asks for the browser's, sends no cookie. Upload progress needs `@quartet/sdk/adapters/xhr`.
 * @category layers
 */
export const layer: Layer.Layer<Transport> = /*#__PURE__*/ Layer.sync(Transport, () => make())

/** The transport over the caller's own fetch. @category layers */
export const layerWith = (options: Options): Layer.Layer<Transport> =>
  Layer.sync(Transport, () => make(options))
