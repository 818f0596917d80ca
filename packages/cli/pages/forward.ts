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
import { type Address, percentDecoded, urlOf } from "@quartet/sdk/extend"
import { codeOf } from "@quartet/sdk/extend/http"
import { hostOf } from "../recording/index.js"
import { type Cookies, cookieIn } from "./cookies.js"

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
  /** Passes on the cookies that the platform sets, where they are its credentials. */
  readonly cookies?: Cookies | undefined
  /** The header of writes that repeats a cookie, where the page cannot read that. */
  readonly csrf?: { readonly header: string; readonly cookie: string } | undefined
  /** The header in which the page names the host of a project, and the hosts that it may name. */
  readonly projects?: { readonly header: string; readonly isHost: (name: string) => boolean } | undefined
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

const isRead = (method: string): boolean => method === "GET" || method === "HEAD" || method === "OPTIONS"

/** The service that a request is for, on the host of the project that the page names; undefined where it may not name that one. */
const serviceOf = (
  { headers, method = "GET" }: IncomingMessage,
  path: string,
  { addresses, projects }: Forwarding
): Address | undefined => {
  if (hostOf(method, path) === "legacy") return addresses.legacy
  const named = projects === undefined ? undefined : headers[projects.header]
  if (projects === undefined || named === undefined) return addresses.api
  if (typeof named !== "string" || !projects.isHost(named)) return undefined
  const { port, protocol } = new URL(addresses.api.origin)
  return { ...addresses.api, origin: `${protocol}//${named}${port === "" ? "" : `:${port}`}` }
}

/** A cookie as a header repeats it: without its percent-encoding, where a header can hold that. */
const repeated = (value: string): string => {
  const decoded = percentDecoded(value)
  return /^[ -~]*$/.test(decoded) ? decoded : value
}

/** The cookies of a request, and the header that proves that the page sends it. */
const cookiesOf = (
  { headers, method = "GET" }: IncomingMessage,
  host: string,
  { cookies, csrf }: Forwarding
): Readonly<Record<string, string>> => {
  const pairs = cookies?.sent(headers.cookie, host) ?? []
  const value = csrf === undefined || isRead(method) ? undefined : cookieIn(pairs, csrf.cookie)
  return {
    ...(pairs.length === 0 ? {} : { cookie: pairs.join("; ") }),
    ...(csrf === undefined || value === undefined ? {} : { [csrf.header.toLowerCase()]: repeated(value) })
  }
}

/**
 * The request to the platform that stands for one of this machine; undefined where it names a host that is none of the platform's. Answers are asked
 * for uncompressed, so that they can be read.
 */
const onwards = (incoming: IncomingMessage, forwarding: Forwarding) => {
  const { dropped = [], prefix: here = "", projects } = forwarding
  const { headers, method = "GET" } = incoming
  const path = (incoming.url ?? "/").slice(here.length) || "/"
  const service = serviceOf(incoming, path, forwarding)
  if (service === undefined) return undefined
  const { origin, prefix } = service
  const left = [...ofConnection, ...dropped, ...(projects === undefined ? [] : [projects.header])]
  const kept = Object.entries(headers).filter(([name]) => !left.includes(name))
  const target = new URL(origin)
  const options: RequestOptions = {
    method,
    protocol: target.protocol,
    hostname: target.hostname,
    port: target.port,
    path: `${prefix}${path}`,
    headers: {
      ...Object.fromEntries(kept),
      ...cookiesOf(incoming, target.hostname, forwarding),
      host: target.host,
      "accept-encoding": "identity"
    }
  }
  return {
    send: target.protocol === "https:" ? overHttps : overHttp,
    options,
    service,
    path: `${prefix}${path}`
  }
}

type Onwards = NonNullable<ReturnType<typeof onwards>>

/** The headers of an answer. A redirect to the platform leads here instead, and its cookies are the page's browser's. */
const headersOf = (
  { headers }: IncomingMessage,
  { path, service }: Onwards,
  { addresses: { api, legacy }, cookies, prefix = "" }: Forwarding
) => {
  const { location, "set-cookie": set } = headers
  const url = location === undefined ? undefined : urlOf(location, service.origin + path)
  const own = [service, api, legacy].find(
    (address) => url?.origin === address.origin && url.pathname.startsWith(`${address.prefix}/`)
  )
  return {
    ...headers,
    ...(cookies === undefined || set === undefined
      ? {}
      : { "set-cookie": [...cookies.kept(set, new URL(service.origin).hostname)] }),
    ...(url === undefined || own === undefined
      ? {}
      : { location: `${prefix}${url.pathname.slice(own.prefix.length)}${url.search}${url.hash}` })
  }
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
    const to = onwards(incoming, forwarding)
    if (to === undefined) {
      response.writeHead(400, { "content-type": "application/json" })
      response.end(
        JSON.stringify({ message: `${forwarding.name}: the host is none of the platform's projects` })
      )
      return
    }
    const fail = (cause: unknown): void => failed(forwarding.name, response, cause)
    const request = to.send(to.options, (answer) => {
      forwarding.onAnswer?.(incoming, answer)
      response.writeHead(answer.statusCode ?? 502, headersOf(answer, to, forwarding))
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
    const to = onwards(incoming, forwarding)
    if (to === undefined) return void socket.destroy()
    const { options, send } = to
    const request = send({ ...options, headers: { ...options.headers, connection: "Upgrade" } })
    const end = (): void => {
      socket.destroy()
      request.destroy()
    }
    request.on("error", end)
    request.on("response", end)
    request.on("upgrade", (answer, upstream, rest) => {
      const lines = Object.entries(headersOf(answer, to, forwarding)).flatMap(([name, value]) =>
        [value].flat().map((text) => `${name}: ${text}`)
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
