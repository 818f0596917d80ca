/**
 * Access to a served sandbox. The pages of any site can send requests to a server on their visitor's machine, also
 * under their own name that resolves to it (DNS rebinding). Such requests are refused here, before anything is done.
 */
import * as Http from "node:http"
import * as Either from "effect/Either"
import { InputError } from "../../../core/kernel/errors/errors.js"
import { urlOf } from "../../../core/kernel/operation/url.js"
import { isLoopback, nameIn, senderOf } from "../../http/loopback.js"
import * as Answer from "../platform/answer.js"
import { Refusal } from "../platform/refusal.js"

/** Who may use the sandbox besides programs and pages of this machine. */
export interface Options {
  /**
   * Names in the address that clients may use, such as `sandbox.test`, without a port; `*` alone for all. Loopback
   * names and the one that the sandbox listens on need not be given, nor an IP address if it listens on all.
   */
  readonly allowedHosts?: ReadonlyArray<string>
  /**
   * Origins whose pages may call it, such as `https://app.test`, `null` for pages without one, or `*` alone for all.
   * Loopback origins on any port, and the sandbox's own, need not be given.
   */
  readonly allowedOrigins?: ReadonlyArray<string>
}

/** Why a request is refused; undefined if it is not. */
export type Access = (headers: Http.IncomingHttpHeaders) => Refusal | undefined

const hostRule = "must be a host's name or address, without scheme and port, or * alone"
const originRule = "must be an origin such as https://app.test, null or * alone"

/** A name as clients write it in `Host` and `Origin`, in punycode if it is not ASCII; undefined if it is invalid. */
const written = (host: string): string | undefined => {
  const isAscii = /^[!-~]+$/.test(host)
  const name = isAscii ? host : urlOf(`http://${host}`)?.hostname
  return name !== undefined && /^(\[[\da-f:.]+\]|[\w.-]+)$/.test(name) ? name : undefined
}

/** A host of `allowedHosts`, or the rule that it breaks. */
export const readHost = (text: string): Either.Either<string, string> => {
  const host = (text.includes("::") && !text.startsWith("[") ? `[${text}]` : text).toLowerCase()
  if (host === "*") return Either.right(host)
  const name = nameIn(host) === host ? written(host) : undefined
  return name === undefined ? Either.left(hostRule) : Either.right(name)
}

/** An origin as browsers write it, or the rule that it breaks. */
export const readOrigin = (text: string): Either.Either<string, string> => {
  const origin = text.replace(/\/$/, "")
  if (origin === "*" || origin === "null") return Either.right(origin)
  const url = /^[a-z][a-z\d+.-]*:\/\/[^\s/?#@*]+$/i.test(origin) ? urlOf(origin) : undefined
  if (url === undefined) return Either.left(originRule)
  return Either.right(/^https?:/i.test(origin) ? url.origin : origin.toLowerCase())
}

const isAddress = (name: string): boolean => name.startsWith("[") || /^\d+(\.\d+){3}$/.test(name)

const refuse = (code: string, message: string): Refusal =>
  new Refusal({ status: 403, code, message, headers: { connection: "close" } })

const readAll = (
  field: string,
  texts: ReadonlyArray<string>,
  read: (text: string) => Either.Either<string, string>
): Either.Either<ReadonlySet<string>, InputError> => {
  const refuseAs = (name: string) => (rule: string) =>
    new InputError({ operation: "sandbox.serve", field: name, rule })
  if (!Array.isArray(texts)) return Either.left(refuseAs(field)("must be a list of text"))
  const all = texts.map((text, index) =>
    Either.mapLeft(
      typeof text === "string" ? read(text) : Either.left("must be text"),
      refuseAs(`${field}.${index}`)
    )
  )
  return Either.map(Either.all(all), (values) => new Set(values))
}

/** Makes the rules of a sandbox that listens on the host. */
export const make = (
  { allowedHosts = [], allowedOrigins = [] }: Options,
  host: string
): Either.Either<Access, InputError> =>
  Either.gen(function* () {
    const hosts = yield* readAll("allowedHosts", allowedHosts, readHost)
    const origins = yield* readAll("allowedOrigins", allowedOrigins, readOrigin)
    const listened = Either.getOrElse(readHost(host), () => host)
    const isOnAll = listened === "0.0.0.0" || listened === "[::]"

    const isKnown = (name: string): boolean =>
      isLoopback(name) ||
      name === listened ||
      (isOnAll && isAddress(name)) ||
      hosts.has(name) ||
      hosts.has("*")

    const isWelcome = (origin: string, ownHost: string): boolean => {
      if (origins.has(origin) || origins.has("*")) return true
      const page = /^https?:\/\//.test(origin) ? urlOf(origin) : undefined
      if (page === undefined) return false
      return isLoopback(page.hostname) || page.host === ownHost.toLowerCase()
    }

    return (headers) => {
      const { host: addressed = "" } = headers
      const name = nameIn(addressed)
      if (name === undefined || !isKnown(name)) {
        return refuse(
          "host_not_allowed",
          `the sandbox does not answer to the host ${JSON.stringify(addressed)}. Allow it with --allow-host ${name ?? "NAME"}, in code with allowedHosts`
        )
      }
      const sender = senderOf(headers)
      if (sender === undefined || isWelcome(sender, addressed)) return undefined
      if (sender === "") return refuse("origin_not_allowed", "the request's header origin is empty")
      return refuse(
        "origin_not_allowed",
        `the sandbox does not answer pages of the origin ${JSON.stringify(sender)}. Allow them with --allow-origin ${sender}, in code with allowedOrigins`
      )
    }
  })

/** Passes allowed requests and upgrades to a server, which need not listen itself. */
export const guard = (
  inner: Http.Server,
  access: Access,
  onRefused: (message: string) => void = () => undefined
): Http.Server => {
  const server = Http.createServer((request, response) => {
    const refusal = access(request.headers)
    if (refusal === undefined) {
      inner.emit("request", request, response)
      return
    }
    onRefused(refusal.message)
    const { body, headers, status } = Answer.ofRefusal(refusal)
    response.writeHead(status, headers).end(body)
  })
  return server.on("upgrade", (request, socket, head) => {
    const refusal = access(request.headers)
    if (refusal === undefined) {
      inner.emit("upgrade", request, socket, head)
      return
    }
    onRefused(refusal.message)
    // A page that has already left must not stop the server.
    socket.on("error", () => undefined)
    socket.end(
      `HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-type: text/plain; charset=utf-8\r\n\r\n${refusal.message}`
    )
  })
}
