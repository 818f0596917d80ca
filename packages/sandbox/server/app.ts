/** The platform as a listener of Node's HTTP server: bodies in, answers out, and headers that let allowed pages read them. */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createRequestListener } from "@remix-run/node-fetch-server"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type * as Answer from "../platform/answer.js"
import type { Platform } from "../platform/platform.js"
import type { Wire } from "../platform/wire.js"
import * as Body from "./body.js"

/** Answers a request in the terms of `fetch`. @category models */
export type FetchHandler = (request: Request) => Response | Promise<Response>

/** The options of the application besides the platform. */
export interface Options {
  /** Maximum bytes of a request's body. */
  readonly maxBodyBytes: number
  /** Serves the paths without a call of the platform. */
  readonly fallback: FetchHandler | undefined
}

/** Headers of answers that pages of other origins may read. */
const usuallyExposed = "x-request-id, retry-after, content-disposition, content-length"

type Headers = Readonly<Record<string, string>>

/** The headers of a request: what stands several times, which Node lists for cookies alone, as one text. */
const headersOf = ({ headers }: IncomingMessage): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join("; ") : value])
  )

const cors = ({ headers: { origin } }: IncomingMessage, { exposed, hasCookies }: Wire): Headers => ({
  vary: "Origin",
  ...(origin === undefined
    ? {}
    : {
        "access-control-allow-origin": origin,
        "access-control-expose-headers": [usuallyExposed, ...exposed].join(", "),
        ...(hasCookies ? { "access-control-allow-credentials": "true" } : {})
      })
})

const preflight = (request: IncomingMessage, wire: Wire): Headers => ({
  ...cors(request, wire),
  "access-control-allow-methods": ["GET, POST, PUT, DELETE", ...wire.furtherMethods].join(", "),
  "access-control-allow-headers": String(request.headers["access-control-request-headers"] ?? "*"),
  // Chromium's request header for pages of public sites and servers on the visitor's machine.
  "access-control-allow-private-network": "true",
  "access-control-max-age": "600"
})

/** Sends an answer, a streamed one no faster than it is read. */
const send = (
  request: IncomingMessage,
  response: ServerResponse,
  { body, headers, status }: Answer.Answer,
  wire: Wire
): Effect.Effect<void> => {
  const isEmpty = status === 204
  response.writeHead(status, {
    ...(isEmpty ? {} : { "content-type": "application/octet-stream" }),
    ...(!isEmpty && body instanceof Uint8Array ? { "content-length": body.byteLength } : {}),
    ...headers,
    ...cors(request, wire),
    "cache-control": "no-store"
  })
  if (isEmpty || body instanceof Uint8Array)
    return Effect.sync(() => void response.end(isEmpty ? undefined : body))
  // Whoever reads it may be gone by then.
  const piped = Effect.flatMap(Stream.toAsyncIterableEffect(body), (pieces) =>
    Effect.tryPromise((signal) => pipeline(Readable.from(pieces), response, { signal }))
  )
  return Effect.ignore(piped)
}

/** Makes the listener. What it has under way ends with its scope, or with the connection. */
export const make = (
  platform: Platform,
  { fallback, maxBodyBytes }: Options
): Effect.Effect<RequestListener, never, Scope.Scope> =>
  Effect.map(FiberSet.makeRuntime(), (run): RequestListener => {
    const pages = fallback === undefined ? undefined : createRequestListener((request) => fallback(request))
    const { wire } = platform
    const serve = (request: IncomingMessage, response: ServerResponse) =>
      Effect.gen(function* () {
        const { method = "GET", url = "/" } = request
        const headers = headersOf(request)
        const body = yield* Effect.either(Body.read(request, maxBodyBytes))
        if (Either.isLeft(body))
          return yield* send(
            request,
            response,
            wire.refusal(body.left, "", url.split("?", 1)[0] ?? "/"),
            wire
          )
        const answer = yield* platform.handle({ method, path: url, headers, body: body.right })
        // Without one, a fault was planned: the work is done, and the connection ends without an answer.
        if (Option.isSome(answer)) yield* send(request, response, answer.value, wire)
        else request.socket.destroy()
      })
    return (request, response) => {
      const { method, url = "/" } = request
      if (method === "OPTIONS") return void response.writeHead(204, preflight(request, wire)).end()
      if (pages !== undefined && platform.methods(url.split("?", 1)[0] ?? "/").length === 0)
        return pages(request, response)
      const fiber = run(serve(request, response))
      response.once("close", () => Effect.runFork(Fiber.interruptFork(fiber)))
    }
  })
