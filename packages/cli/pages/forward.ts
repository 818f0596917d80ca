/** Passes requests of this machine on to a platform: to its service of the new calls or the legacy one, and its chat. */
import {
  type IncomingMessage,
  request as overHttp,
  type RequestListener,
  type RequestOptions,
  type ServerResponse
} from "node:http"
import { request as overHttps } from "node:https"
import type { Duplex } from "node:stream"
import { type Address, urlOf } from "@quartet/sdk/extend"
import { codeOf } from "@quartet/sdk/extend/http"
import { hostOf } from "../recording/index.js"

export interface Addresses {
  readonly api: Address
  readonly legacy: Address
}

export interface Forwarding {
  /** What passes them on, as a request that fails is told: `quartet record`. */
  readonly name: string
  readonly addresses: Addresses
  /** Where the platform's paths begin here: empty, or such as `/platform`. */
  readonly prefix?: string
  /** Headers that are not passed on, besides those of one connection. */
  readonly dropped?: ReadonlyArray<string>
  /** Learns of each answer, before it is passed on. */
  readonly onAnswer?: (incoming: IncomingMessage, answer: IncomingMessage) => void
}

/** Headers of one connection. */
const ofConnection = [
  "host",
  "connection",
  "keep-alive",
  "proxy-connection",
  "accept-encoding",
  "te",
  "trailer"
]

/** The request to the platform that stands for one of this machine. Answers are asked for uncompressed, so that they can be read. */
const onwards = (incoming: IncomingMessage, { addresses, dropped = [], prefix: here = "" }: Forwarding) => {
  const { headers, method = "GET" } = incoming
  const path = (incoming.url ?? "/").slice(here.length) || "/"
  const { origin, prefix } = hostOf(method, path) === "legacy" ? addresses.legacy : addresses.api
  const left = [...ofConnection, ...dropped]
  const kept = Object.entries(headers).filter(([name]) => !left.includes(name))
  const target = new URL(origin)
  const options: RequestOptions = {
    method,
    protocol: target.protocol,
    hostname: target.hostname,
    port: target.port,
    path: `${prefix}${path}`,
    headers: { ...Object.fromEntries(kept), host: target.host, "accept-encoding": "identity" }
  }
  return {
    send: target.protocol === "https:" ? overHttps : overHttp,
    options,
    url: `${origin}${prefix}${path}`
  }
}

/** The headers of an answer. A redirect to the platform leads here instead. */
const headersOf = (
  { headers }: IncomingMessage,
  sent: string,
  { addresses: { api, legacy }, prefix = "" }: Forwarding
) => {
  const { location } = headers
  const url = location === undefined ? undefined : urlOf(location, sent)
  const own = [api, legacy].find(
    (address) => url?.origin === address.origin && url.pathname.startsWith(`${address.prefix}/`)
  )
  return url === undefined || own === undefined
    ? headers
    : { ...headers, location: `${prefix}${url.pathname.slice(own.prefix.length)}${url.search}${url.hash}` }
}

const failed = (name: string, response: ServerResponse, cause: unknown): void => {
  if (response.headersSent) response.destroy()
  else {
    response.writeHead(502, { "content-type": "application/json" })
    response.end(
      JSON.stringify({ message: `${name} cannot reach the platform: ${codeOf(cause) || "it broke off"}` })
    )
  }
}

/** A listener of requests. */
export const forward =
  (forwarding: Forwarding): RequestListener =>
  (incoming, response) => {
    const { options, send, url } = onwards(incoming, forwarding)
    const fail = (cause: unknown): void => failed(forwarding.name, response, cause)
    const request = send(options, (answer) => {
      forwarding.onAnswer?.(incoming, answer)
      response.writeHead(answer.statusCode ?? 502, headersOf(answer, url, forwarding))
      answer.on("error", fail)
      answer.pipe(response)
    })
    request.on("error", fail)
    response.on("close", () => request.destroy())
    incoming.pipe(request)
  }

/** A listener of upgrades, which passes the chat's connection on as it is. */
export const tunnel =
  (forwarding: Forwarding) =>
  (incoming: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const { options, send } = onwards(incoming, forwarding)
    const request = send({ ...options, headers: { ...options.headers, connection: "Upgrade" } })
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
