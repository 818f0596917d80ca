/** A server of this machine that passes every request on to the platform, and lets a recorder learn of the answers. */
import {
  createServer,
  type IncomingMessage,
  request as overHttp,
  type RequestOptions,
  type ServerResponse
} from "node:http"
import { request as overHttps } from "node:https"
import type { AddressInfo } from "node:net"
import type { Duplex } from "node:stream"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { codeOf } from "../../../adapters/http/node-errors.js"
import { hostOf, type Recorder } from "../../../adapters/recording/index.js"
import type { Address } from "../../../core/kernel/dispatch/settings.js"
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
  return { send: target.protocol === "https:" ? overHttps : overHttp, options }
}

const isJson = ({ headers }: IncomingMessage): boolean => /\bjson\b/i.test(headers["content-type"] ?? "")

/** Lets the recorder learn of an answer, once all of it is there. */
const listen = (recorder: Recorder, asked: IncomingMessage, answer: IncomingMessage): void => {
  const status = answer.statusCode ?? 0
  if (status < 200 || status > 299) return
  const pieces: Array<Buffer> = []
  let size = 0
  answer.on("data", (piece: Buffer) => {
    size += piece.length
    if (size <= largest) pieces.push(piece)
  })
  answer.on("end", () => {
    if (size > largest || (size > 0 && !isJson(answer))) return
    const { headers, method = "GET", url = "/" } = asked
    try {
      const json: unknown = size === 0 ? undefined : JSON.parse(Buffer.concat(pieces).toString("utf8"))
      recorder.learn({ method, path: url, headers: Object.keys(headers) }, json)
    } catch {
      // An answer that says that it is JSON and is none has been passed on, and teaches nothing.
    }
  })
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
    const { options, send } = onwards(asked, addresses)
    const request = send(options, (answer) => {
      listen(recorder, asked, answer)
      told(`${answer.statusCode} ${options.method} ${(asked.url ?? "").split("?")[0]}`)
      response.writeHead(answer.statusCode ?? 502, answer.headers)
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

/** Listens until the scope closes; answers the address. */
export const serve = (
  port: number,
  addresses: Addresses,
  recorder: Recorder,
  told: (line: string) => void
): Effect.Effect<string, Problem, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.async<ReturnType<typeof createServer>, Problem>((resume) => {
      const server = createServer(passOn(addresses, recorder, told))
      server.on("upgrade", tunnel(addresses))
      server.once("error", (cause) =>
        resume(
          new Problem({
            message: `cannot listen on port ${port}: ${codeOf(cause)}`,
            next: "Pass another one with --port; 0 takes any free one.",
            code: codes.usage
          })
        )
      )
      // Others of the network have no business with what an app sends.
      server.listen(port, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.async<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  ).pipe(Effect.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`))
