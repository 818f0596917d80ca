/**
 * Uploads with progress, which browsers report only to XMLHttpRequest. Wraps any Transport, which sends all requests
 * without progress. XMLHttpRequest follows redirects, and takes the credentials along: an upload through here fails then, but
 * the browser has sent it on. It carries no `traceparent`.
 */

import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { port } from "../../core/kernel/operation/options.js"
import { isArrayBuffer } from "../../core/ports/bytes.js"
import {
  type Body,
  type HeaderReader,
  type Outcome,
  type Request,
  type Service,
  Transport
} from "../../core/ports/transport.js"
import { reasonHere } from "../fetch/web.js"

const content = (body: Body | undefined): string | FormData | null => {
  if (body === undefined) return null
  if (body._tag === "Json") return body.text
  const form = new FormData()
  for (const part of body.parts) {
    if ("file" in part) form.append(part.name, part.file, part.fileName)
    else form.append(part.name, part.text)
  }
  return form
}

/** A copy of the headers: an aborted exchange loses them. */
const headerOf = (xhr: XMLHttpRequest): HeaderReader => {
  const lines = xhr.getAllResponseHeaders().trim().split("\r\n")
  const headers = new Map(
    lines.map((line) => [
      line.slice(0, line.indexOf(":")).toLowerCase(),
      line.slice(line.indexOf(":") + 1).trim()
    ])
  )
  return Object.assign((name: string) => headers.get(name), { all: () => headers })
}

const answered = (xhr: XMLHttpRequest): Outcome => {
  const { response, status } = xhr
  const body = isArrayBuffer(response) ? new Uint8Array(response) : new Uint8Array()
  return { _tag: "Answered", status, header: headerOf(xhr), body }
}

const send = (request: Request, settle: (outcome: Outcome) => void): (() => void) => {
  const xhr = new XMLHttpRequest()
  const failed = (): void =>
    settle({ _tag: "Failed", reason: reasonHere(), sent: true, cause: new Error("the exchange failed") })
  // XMLHttpRequest follows redirects, which transports must not: the answer then comes from another address.
  const isElsewhere = (): boolean =>
    xhr.responseURL !== "" && xhr.responseURL !== request.origin + request.path
  xhr.open(request.method, request.origin + request.path)
  xhr.responseType = "arraybuffer"
  xhr.withCredentials = request.credentials === "include"
  for (const [name, value] of Object.entries(request.headers)) {
    // It would follow a redirect to another origin.
    if (name !== "traceparent") xhr.setRequestHeader(name, value)
  }
  xhr.upload.onprogress = ({ loaded, total }) => request.onUpload?.(loaded, total)
  xhr.onload = () => (isElsewhere() ? failed() : settle(answered(xhr)))
  // Called with the bytes sent, including the last ones, before the answer.
  xhr.onprogress = ({ loaded }) => {
    if (loaded <= request.maxBytes || isElsewhere()) return
    const { status } = xhr
    const header = headerOf(xhr)
    xhr.onload = null
    xhr.onprogress = null
    xhr.abort()
    settle({ _tag: "TooLarge", status, header })
  }
  xhr.onerror = failed
  xhr.ontimeout = failed
  xhr.send(content(request.body))
  return () => {
    xhr.onload = null
    xhr.onprogress = null
    xhr.onerror = null
    xhr.abort()
  }
}

/**
 * Sends requests with progress itself, and passes the others to `transport`. Throws InputError if that is not a
 * Transport.
 * @category constructors
 */
export const make = (transport: Service): Service => {
  const below = port("XhrTransport.make", "transport", transport, ["start"], "Transport")
  Either.getOrThrowWith(below, (refused) => refused)
  return {
    start: (request, settle) =>
      request.onUpload === undefined || request.answer === "stream"
        ? transport.start(request, settle)
        : send(request, settle)
  }
}

/**
 * The transport over XMLHttpRequest, for pages that show how far an upload is: `onUpload` of a call is told the
 * bytes, which fetch cannot. It exists in browsers alone.
 *
 * @example
 * ```ts
 * import * as XhrTransport from "@quartet/sdk/adapters/xhr"
 * import * as EndUser from "@quartet/sdk/end-user"
 * import * as Layer from "effect/Layer"
 *
 * const live = EndUser.layer({ baseUrl: "https://api.example.com", apiKey: "key", sessionId: "s1" }).pipe(
 *   Layer.provide(XhrTransport.layer)
 * )
 * const upload = EndUser.files.upload(
 *   { file: new File(["Hello"], "hello.txt") },
 *   { onUpload: (sent, total) => console.log(sent, total) }
 * )
 * ```
 * @category layers
 */
export const layer: Layer.Layer<Transport, never, Transport> = /*#__PURE__*/ Layer.effect(
  Transport,
  Effect.map(Transport, make)
)
