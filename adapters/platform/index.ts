/**
 * The Transport over any HttpClient of @effect/platform: the program's own, with its proxies, tests and middleware.
 * Two to four times slower than `adapters/undici` and `adapters/fetch`, which speak to the network directly.
 */
import * as Cookies from "@effect/platform/Cookies"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import type { HttpClientError } from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type { HttpClientResponse } from "@effect/platform/HttpClientResponse"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberRef from "effect/FiberRef"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import * as Native from "#runtime/fetch"
import { InputError } from "../../core/kernel/errors/errors.js"
import {
  type HeaderReader,
  type Outcome,
  type Part,
  type Request,
  type Service,
  Transport
} from "../../core/ports/transport.js"
import { hasNoBody, unread, withoutBody } from "../http/no-body.js"
import * as Reading from "./reading.js"

/** A form as bytes in memory: HttpClients differ on FormData, and some do not accept it. */
const formOf = async (parts: ReadonlyArray<Part>): Promise<readonly [bytes: Uint8Array, type: string]> => {
  const form = new FormData()
  for (const part of parts) {
    if ("file" in part) form.append(part.name, part.file, part.fileName)
    else form.append(part.name, part.text)
  }
  const encoded = new Response(form)
  return [new Uint8Array(await encoded.arrayBuffer()), encoded.headers.get("content-type") ?? ""]
}

const requestOf = ({
  body,
  headers,
  method,
  origin,
  path
}: Request): Effect.Effect<HttpClientRequest.HttpClientRequest> => {
  const bare = HttpClientRequest.make(method)(origin + path).pipe(HttpClientRequest.setHeaders(headers))
  if (body === undefined) return Effect.succeed(bare)
  return body._tag === "Json"
    ? Effect.succeed(HttpClientRequest.bodyText(bare, body.text, headers["content-type"]))
    : Effect.map(
        Effect.promise(() => formOf(body.parts)),
        ([bytes, type]) => HttpClientRequest.bodyUint8Array(bare, bytes, type)
      )
}

const headerOf = (response: HttpClientResponse): HeaderReader => {
  const { headers } = response
  const read = (name: string): string | undefined =>
    // Of several the headers of a client hold one, or all on one line.
    name === "set-cookie"
      ? Cookies.toSetCookieHeaders(response.cookies).join("\n") || undefined
      : Object.hasOwn(headers, name)
        ? headers[name]
        : undefined
  return Object.assign(read, { all: () => Object.entries(headers) })
}

const receive = (
  request: Request,
  response: HttpClientResponse
): Effect.Effect<Outcome, Reading.BodyError> => {
  const { status } = response
  const header = headerOf(response)
  if (request.answer === "stream" && status >= 200 && status <= 299) {
    return Effect.succeed({ _tag: "Streaming", status, header, body: Reading.stream(response) })
  }
  if (hasNoBody(status, request.method))
    return Effect.as(Reading.discard(response), withoutBody(status, header))
  return Effect.map(Reading.whole(response, header, request.maxBytes), (body) =>
    body === undefined ? { _tag: "TooLarge", status, header } : { _tag: "Answered", status, header, body }
  )
}

/** The error before an answer. The adapter's errors hold the request, so only parts are passed on. */
const unanswered = (error: HttpClientError): Outcome =>
  error._tag === "RequestError" && error.reason === "Transport"
    ? Native.unanswered(error.cause)
    : { _tag: "Failed", reason: "Protocol", sent: false, cause: new Error(error.reason) }

/** Makes a client of Node's own fetch send the request only once. A custom fetch is not changed. */
const sentOnce = (
  request: HttpClientRequest.HttpClientRequest
): Effect.Effect<HttpClientRequest.HttpClientRequest> =>
  Effect.as(
    FiberRef.update(FiberRef.currentContext, (context) => {
      const fetch = Option.getOrElse(
        Context.getOption(context, FetchHttpClient.Fetch),
        () => globalThis.fetch
      )
      return Context.add(context, FetchHttpClient.Fetch, Native.once(fetch))
    }),
    request
  )

/** Follows no redirect, and sends no cookie unless the request asks for the browser's. */
const fetchInit = ({ credentials }: Request): RequestInit => ({
  redirect: "manual",
  credentials: credentials ?? "omit"
})

const instead = "must be an HttpClient of @effect/platform; for a fetch, use FetchTransport.make({ fetch })"

/**
 * Makes the transport over a client; its exchanges run on the given runtime. Throws InputError if the client is
 * invalid.
 * @category constructors
 */
export const make = (
  client: HttpClient.HttpClient,
  runtime: Runtime.Runtime<never> = Runtime.defaultRuntime
): Service => {
  if (Object(client)[HttpClient.TypeId] === undefined)
    throw new InputError({ operation: "PlatformTransport.make", field: "client", rule: instead })
  Native.watch()
  const run = Runtime.runFork(runtime)
  const { execute } = HttpClient.mapRequestInputEffect(client, sentOnce)
  return {
    start: (request, settle) => {
      const exchange = Effect.flatMap(requestOf(request), execute).pipe(
        Effect.matchEffect({
          onFailure: (error) => Effect.succeed(unanswered(error)),
          onSuccess: (response) =>
            Effect.catchAll(receive(request, response), ({ cause }) =>
              Effect.succeed(unread(response.status, headerOf(response), Native.failed(cause)))
            )
        }),
        Effect.provideService(FetchHttpClient.RequestInit, fetchInit(request)),
        // The client's own spans would show more than ours.
        Effect.locally(HttpClient.currentTracerDisabledWhen, () => true)
      )
      let isAbandoned = false
      const fiber = run(exchange)
      fiber.addObserver((exit) => {
        if (isAbandoned) return
        settle(
          Exit.isSuccess(exit)
            ? exit.value
            : { _tag: "Failed", reason: "Unknown", sent: true, cause: new Error("the HTTP client failed") }
        )
      })
      return () => {
        isAbandoned = true
        fiber.unsafeInterruptAsFork(fiber.id())
      }
    }
  }
}

/**
 * The transport over the HttpClient of the context, such as `FetchHttpClient.layer` or `NodeHttpClient.layerUndici`:
 * for a program that has one already, with its own proxies and certificates.
 *
 * @example
 * ```ts
 * import * as PlatformTransport from "@quartet/sdk/adapters/platform"
 * import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
 * import * as Layer from "effect/Layer"
 *
 * const transport = Layer.provide(PlatformTransport.layer, FetchHttpClient.layer)
 * ```
 * @category layers
 */
export const layer: Layer.Layer<Transport, never, HttpClient.HttpClient> = /*#__PURE__*/ Layer.effect(
  Transport,
  /*#__PURE__*/ Effect.zipWith(HttpClient.HttpClient, /*#__PURE__*/ Effect.runtime<never>(), make)
)
