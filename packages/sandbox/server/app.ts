/** The platform as an HTTP application: bodies in, answers out, and headers that let allowed pages read them. */
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Answer from "../platform/answer.js"
import type { Platform } from "../platform/platform.js"
import * as Body from "./body.js"

/** The options of the application besides the platform. */
export interface Options {
  /** Maximum bytes of a request's body. */
  readonly maxBodyBytes: number
  /** Serves the paths without a call of the platform. */
  readonly fallback: HttpApp.Default<unknown> | undefined
}

const cors = ({ headers: { origin } }: HttpServerRequest.HttpServerRequest): Record<string, string> => ({
  vary: "Origin",
  ...(origin === undefined
    ? {}
    : {
        "access-control-allow-origin": origin,
        "access-control-expose-headers": "x-request-id, retry-after, content-disposition, content-length"
      })
})

const preflight = (request: HttpServerRequest.HttpServerRequest): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({
    status: 204,
    headers: {
      ...cors(request),
      "access-control-allow-methods": "GET, POST, PUT, DELETE",
      "access-control-allow-headers": request.headers["access-control-request-headers"] ?? "*",
      // Chromium's request header for pages of public sites and servers on the visitor's machine.
      "access-control-allow-private-network": "true",
      "access-control-max-age": "600"
    }
  })

const respond = (
  answer: Answer.Answer,
  request: HttpServerRequest.HttpServerRequest
): HttpServerResponse.HttpServerResponse => {
  const { body, status } = answer
  const headers: Record<string, string> = { ...answer.headers, ...cors(request), "cache-control": "no-store" }
  if (status === 204) return HttpServerResponse.empty({ status, headers })
  const contentType = headers["content-type"] ?? "application/octet-stream"
  return body instanceof Uint8Array
    ? HttpServerResponse.uint8Array(body, { status, headers, contentType })
    : HttpServerResponse.stream(body, { status, headers, contentType })
}

/** Makes the application. */
export const make = (platform: Platform, options: Options): HttpApp.Default<unknown> =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    if (request.method === "OPTIONS") return preflight(request)
    const path = request.url.split("?", 1)[0] ?? "/"
    if (options.fallback !== undefined && platform.router.methods(path).length === 0)
      return yield* options.fallback
    const body = yield* Effect.either(Body.read(request, options.maxBodyBytes))
    if (Either.isLeft(body)) return respond(Answer.ofRefusal(body.left), request)
    const answer = yield* platform.handle({
      method: request.method,
      path: request.url,
      headers: request.headers,
      body: body.right
    })
    if (Option.isSome(answer)) return respond(answer.value, request)
    // A planned fault: the work is done, and the connection ends without an answer.
    NodeHttpServerRequest.toIncomingMessage(request).socket.destroy()
    return yield* Effect.never
  })
