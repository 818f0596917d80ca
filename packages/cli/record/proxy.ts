/**
 * A server of this machine that passes requests on to the platform, and lets a recorder learn of the answers. It stands for the
 * platform on the machine of whoever records, so the guard keeps the pages of other sites from it.
 */
import {
  createServer,
  type IncomingMessage,
  request as overHttp,
  type RequestOptions,
  type Server,
  type ServerResponse
} from "node:http"
import { request as overHttps } from "node:https"
import type { AddressInfo } from "node:net"
import type { Duplex } from "node:stream"
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, type ZlibOptions } from "node:zlib"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Scope from "effect/Scope"
import { type Address, urlOf } from "@quartet/sdk/extend"
import { Guard, codeOf } from "@quartet/sdk/extend/http"
import { hostOf, type Recorder } from "../recording/index.js"
import { ofBytes as jsonOf } from "../recording/json.js"
import { codes, Problem } from "../exit.js"

export interface Addresses {
  readonly api: Address
  readonly legacy: Address
}

/** Bytes of an answer that are looked at: a larger one is passed on alone. */
const largest = 16 * 1024 * 1024

/** Headers of one connection, which are not passed on. */
const ownHeaders = [
  "host",
  "connection",
  "keep-alive",
  "proxy-connection",
  "accept-encoding",
  "te",
  "trailer"
]

/** The request to the platform that stands for one of the app. Answers are asked for uncompressed, so that they can be read. */
const onwards = ({ headers, method = "GET", url = "/" }: IncomingMessage, { api, legacy }: Addresses) => {
  const { origin, prefix } = hostOf(method, url) === "legacy" ? legacy : api
  const kept = Object.entries(headers).filter(([name]) => !ownHeaders.includes(name))
  const target = new URL(origin)
  const options: RequestOptions = {
    method,
    protocol: target.protocol,
    hostname: target.hostname,
    port: target.port,
    path: `${prefix}${url}`,
    headers: { ...Object.fromEntries(kept), host: target.host, "accept-encoding": "identity" }
  }
  return {
    send: target.protocol === "https:" ? overHttps : overHttp,
    options,
    url: `${origin}${prefix}${url}`
  }
}

/** How bodies are unpacked, by their content encoding. The platform may pack them though it was asked not to. */
const unpack: Readonly<Record<string, (body: Uint8Array, options: ZlibOptions) => Uint8Array>> = {
  gzip: gunzipSync,
  "x-gzip": gunzipSync,
  br: brotliDecompressSync,
  deflate: (body, options) =>
    // Some servers send it without the header that zlib writes.
    ((body[0] ?? 0) & 15) === 8 ? inflateSync(body, options) : inflateRawSync(body, options)
}

const tooLarge = `it is larger than ${largest / 1024 / 1024} MiB`

/** Lets the recorder learn of an answer; says why it could not, if that is so. */
const learn = (recorder: Recorder, asked: IncomingMessage, answer: IncomingMessage, packed: Uint8Array) => {
  const encodings = (answer.headers["content-encoding"] ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity")
  let body = packed
  for (const name of encodings.reverse()) {
    const step = Object.hasOwn(unpack, name) ? unpack[name] : undefined
    if (step === undefined) return `it is packed as ${name}`
    try {
      if (body.byteLength > 0) body = step(body, { maxOutputLength: largest })
    } catch (cause) {
      return codeOf(cause) === "ERR_BUFFER_TOO_LARGE" ? tooLarge : `it is not ${name}, as it says`
    }
  }
  const json = jsonOf(body)
  if (json === undefined) return "it is no JSON"
  const { headers, method = "GET", url = "/" } = asked
  const calls = recorder.learn({ method, path: url, headers: Object.keys(headers) }, json.value)
  return calls.length === 0
    ? "it is of no call whose answers are recorded, or --client has to say of which"
    : undefined
}

/** Reads an answer as it passes; says at its end why it taught nothing, if that is so. */
const listen = (
  recorder: Recorder,
  asked: IncomingMessage,
  answer: IncomingMessage,
  ended: (reason: string | undefined) => void
): void => {
  const status = answer.statusCode ?? 0
  if (status < 200 || status > 299) {
    ended(undefined)
    return
  }
  const pieces: Array<Buffer> = []
  let size = 0
  answer.on("data", (piece: Buffer) => {
    size += piece.length
    if (size <= largest) pieces.push(piece)
    else pieces.length = 0
  })
  answer.on("close", () => {
    if (!answer.complete) ended("it broke off")
    else ended(size > largest ? tooLarge : learn(recorder, asked, answer, Buffer.concat(pieces)))
  })
}

/** The headers of an answer. A redirect to the platform leads to this server instead. */
const headersOf = ({ headers }: IncomingMessage, sent: string, { api, legacy }: Addresses) => {
  const { location } = headers
  const url = location === undefined ? undefined : urlOf(location, sent)
  const own = [api, legacy].find(
    ({ origin, prefix }) => url?.origin === origin && url.pathname.startsWith(`${prefix}/`)
  )
  return url === undefined || own === undefined
    ? headers
    : { ...headers, location: `${url.pathname.slice(own.prefix.length)}${url.search}${url.hash}` }
}

const failed = (response: ServerResponse, cause: unknown): void => {
  if (response.headersSent) response.destroy()
  else {
    response.writeHead(502, { "content-type": "application/json" })
    response.end(
      JSON.stringify({
        message: `quartet record cannot reach the platform: ${codeOf(cause) || "it broke off"}`
      })
    )
  }
}

const passOn =
  (addresses: Addresses, recorder: Recorder, told: (line: string) => void) =>
  (asked: IncomingMessage, response: ServerResponse): void => {
    const { options, send, url } = onwards(asked, addresses)
    const request = send(options, (answer) => {
      const line = `${answer.statusCode} ${options.method} ${(asked.url ?? "").split("?")[0]}`
      listen(recorder, asked, answer, (reason) =>
        told(reason === undefined ? line : `${line} (not learnt: ${reason})`)
      )
      response.writeHead(answer.statusCode ?? 502, headersOf(answer, url, addresses))
      answer.on("error", (cause) => failed(response, cause))
      answer.pipe(response)
    })
    request.on("error", (cause) => failed(response, cause))
    response.on("close", () => request.destroy())
    asked.pipe(request)
  }

/** Passes the chat's connection on as it is. */
const tunnel =
  (addresses: Addresses) =>
  (asked: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const { options, send } = onwards(asked, addresses)
    const headers = { ...options.headers, connection: "Upgrade" }
    const request = send({ ...options, headers })
    const end = (): void => {
      socket.destroy()
      request.destroy()
    }
    request.on("error", end)
    request.on("response", end)
    request.on("upgrade", (answer, upstream, rest) => {
      const lines = Object.entries(answer.headers).map(
        ([name, value]) => `${name}: ${[value].flat().join(", ")}`
      )
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join("\r\n")}\r\n\r\n`)
      socket.write(rest)
      upstream.write(head)
      upstream.on("error", end)
      upstream.pipe(socket)
      socket.pipe(upstream)
    })
    socket.on("error", end)
    request.end()
  }

/** Who may use it besides programs and pages of this machine. */
export type Access = Required<Guard.Options>

interface Listening extends Access {
  readonly port: number
}

const host = "127.0.0.1"

const refuse = (message: string, next: string): Problem => new Problem({ message, next, code: codes.usage })

const checkOf = (access: Access): Either.Either<Guard.Check, Problem> =>
  Either.mapLeft(
    Guard.make({
      ...access,
      name: "quartet record",
      host,
      pages: "loopback",
      advise: (what, value) => `. Allow it with --allow-${what} ${value}`
    }),
    ({ field, rule }) => refuse(`${field} ${rule}`, "See: quartet record --help")
  )

/** Listens until the scope closes; answers the address. */
export const serve = (
  { port, ...access }: Listening,
  addresses: Addresses,
  recorder: Recorder,
  told: (line: string) => void
): Effect.Effect<string, Problem, Scope.Scope> =>
  Effect.gen(function* () {
    const check = yield* checkOf(access)
    const server = yield* Effect.acquireRelease(
      Effect.async<Server, Problem>((resume) => {
        const opened = Guard.guard(createServer(passOn(addresses, recorder, told)), check, (message) =>
          told(`refused: ${message}`)
        )
        opened.on("upgrade", tunnel(addresses))
        opened.once("error", (cause) =>
          resume(
            refuse(
              `cannot listen on port ${port}: ${codeOf(cause)}`,
              "Pass another one with --port; 0 takes any free one."
            )
          )
        )
        // Others of the network have no business with what an app sends.
        opened.listen(port, host, () => resume(Effect.succeed(opened)))
      }),
      (opened) =>
        Effect.async<void>((resume) => {
          opened.close(() => resume(Effect.void))
          opened.closeAllConnections()
        })
    )
    return `http://${host}:${(server.address() as AddressInfo).port}`
  })
