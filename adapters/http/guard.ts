/**
 * The guard of every server that runs on a person's own machine. The pages of any site can send requests to such a server,
 * also under their own name that resolves to it (DNS rebinding). The host that a request addresses and the page that sent it
 * tell; what is foreign is refused here, before anything is done.
 */
import * as Http from "node:http"
import { Duplex } from "node:stream"
import * as Either from "effect/Either"
import { urlOf } from "../../core/kernel/operation/url.js"

/** Who may use a server besides programs and pages of this machine. */
export interface Options {
  /**
   * Names in the address that clients may use, such as `sandbox.test`, without a port; `*` alone for all. Loopback
   * names and the one that the server listens on need not be given, nor an IP address if it listens on all.
   */
  readonly allowedHosts?: ReadonlyArray<string>
  /**
   * Origins whose pages may call it, such as `https://app.test`, `null` for pages without one, or `*` alone for all.
   * Loopback origins on any port, and the server's own, need not be given.
   */
  readonly allowedOrigins?: ReadonlyArray<string>
}

/** The server that is guarded. */
export interface Guarded extends Options {
  /** What its refusals call it, such as `the sandbox`. */
  readonly name: string
  /** The name or address that it listens on. */
  readonly host: string
  /** Which pages of this machine are answered: those of all its servers, or of this one alone. */
  readonly pages: "loopback" | "own"
  /** Says what would allow a host or an origin, to append to a refusal; nothing by default. */
  readonly advise?: (what: "host" | "origin", value: string) => string
}

/** The head of a request: the target of the request line where there is one, and the headers by their names in lower case. */
export interface RequestHead {
  readonly url?: string | undefined
  readonly headers: Readonly<Partial<Record<string, string | ReadonlyArray<string>>>>
  /** All values of each header, as Node has them: of a repeated `Host` it keeps but one in `headers`. */
  readonly headersDistinct?: Readonly<Partial<Record<string, ReadonlyArray<string>>>>
}

export interface Refused {
  readonly code: "host_not_allowed" | "origin_not_allowed"
  readonly message: string
}

/** Why a request is refused; undefined if it is not. */
export type Check = (request: RequestHead) => Refused | undefined

/** An option that breaks a rule. */
export interface Mistake {
  readonly field: string
  readonly rule: string
}

const hostRule = "must be a host's name or address, without scheme and port, or * alone"
const originRule = "must be an origin such as https://app.test, null or * alone"

/** The name in a `Host` header, without its port; undefined if the header is invalid. */
const nameIn = (host: string): string | undefined =>
  /^(\[[\da-f:.]+\]|[^\s:/?#@[\]]+)(?::\d*)?$/i.exec(host)?.[1]?.toLowerCase().replace(/\.$/, "")

const isLoopback = (name: string): boolean =>
  name === "localhost" || name.endsWith(".localhost") || name === "[::1]" || /^127(\.\d{1,3}){3}$/.test(name)

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

const readAll = (
  field: string,
  texts: ReadonlyArray<string>,
  read: (text: string) => Either.Either<string, string>
): Either.Either<ReadonlySet<string>, Mistake> => {
  if (!Array.isArray(texts)) return Either.left({ field, rule: "must be a list of text" })
  const all = texts.map((text, index) =>
    Either.mapLeft(
      typeof text === "string" ? read(text) : Either.left("must be text"),
      (rule): Mistake => ({ field: `${field}.${index}`, rule })
    )
  )
  return Either.map(Either.all(all), (values) => new Set(values))
}

const textOf = (value: RequestHead["headers"][string]): string | undefined =>
  typeof value === "string" ? value : value?.[0]

/**
 * The origin of the page that sent a request; undefined if no page did, or for a visitor's navigation. Browsers omit
 * `Origin` for requests that need no permission, such as images, but mark them as cross-site.
 */
const senderOf = (headers: RequestHead["headers"]): string | undefined => {
  const origin = textOf(headers.origin)
  if (origin !== undefined) return origin
  const site = textOf(headers["sec-fetch-site"])
  const isOfOther = site === "cross-site" || site === "same-site"
  if (!isOfOther || headers["sec-fetch-dest"] === "document") return undefined
  return urlOf(textOf(headers.referer) ?? "")?.origin ?? "null"
}

/** The host that the target of a request line names (its absolute form); undefined for a path, which names none. */
const hostInTarget = (target: string): string | undefined =>
  target.startsWith("/") || target === "*" ? undefined : (urlOf(target)?.host ?? "")

/** All hosts that a request says it addresses: a server behind the guard may go by any of them. */
const hostsOf = ({ headers, headersDistinct, url = "/" }: RequestHead): ReadonlyArray<string> => {
  const inTarget = hostInTarget(url)
  const inHeaders = headersDistinct?.host ?? [textOf(headers.host) ?? ""]
  return inTarget === undefined ? inHeaders : [...inHeaders, inTarget]
}

/** Makes the check of a server. */
export const make = ({
  advise = () => "",
  allowedHosts = [],
  allowedOrigins = [],
  host,
  name: server,
  pages
}: Guarded): Either.Either<Check, Mistake> =>
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
      return (pages === "loopback" && isLoopback(page.hostname)) || page.host === ownHost.toLowerCase()
    }

    return (request) => {
      const addressed = hostsOf(request)
      const foreign = addressed.find((host) => !isKnown(nameIn(host) ?? " "))
      const [own = ""] = addressed
      if (foreign !== undefined || own === "") {
        const shown = foreign ?? own
        return {
          code: "host_not_allowed",
          message: `${server} does not answer to the host ${JSON.stringify(shown)}${advise("host", nameIn(shown) ?? "NAME")}`
        }
      }
      const sender = senderOf(request.headers)
      if (sender === undefined || isWelcome(sender, own)) return undefined
      return {
        code: "origin_not_allowed",
        message:
          sender === ""
            ? "the request's header origin is empty"
            : `${server} does not answer pages of the origin ${JSON.stringify(sender)}${advise("origin", sender)}`
      }
    }
  })

/** What a server hears of somebody who asks. Node has no other event that hands out a request. */
const entrances: ReadonlySet<string> = new Set([
  "request",
  "checkContinue",
  "checkExpectation",
  "upgrade",
  "connect"
])

/** A refusal as it is sent, without a header that would let a page of another origin read it. */
const refuse = (refused: Refused, answer: unknown): void => {
  const body = JSON.stringify({ error: refused })
  const headers = { "content-type": "application/json; charset=utf-8", connection: "close" }
  if (answer instanceof Http.ServerResponse) answer.writeHead(403, headers).end(body)
  else if (answer instanceof Duplex) {
    // A page that has already left must not stop the server.
    answer.on("error", () => undefined)
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    answer.end(`HTTP/1.1 403 Forbidden\r\n${lines.join("")}\r\n${body}`)
  }
}

/**
 * Has a server hear of no request, upgrade or tunnel that is refused, whoever listens to it, and since when: a listener could not
 * keep the others from hearing, so the guard stands where Node emits.
 */
export const guard = <S extends Http.Server>(
  server: S,
  check: Check,
  onRefused: (message: string) => void = () => undefined
): S => {
  const emit = server.emit.bind(server)
  const guarded = (event: string, ...args: ReadonlyArray<unknown>): boolean => {
    const [request, answer] = args
    if (!entrances.has(event) || !(request instanceof Http.IncomingMessage)) return emit(event, ...args)
    const refused = check(request)
    if (refused !== undefined) {
      onRefused(refused.message)
      refuse(refused, answer)
      return true
    }
    // The absolute form means the same as the path in it, which is all that the servers read.
    const url = hostInTarget(request.url ?? "/") === undefined ? undefined : urlOf(request.url ?? "/")
    if (url !== undefined) request.url = url.pathname + url.search
    return emit(event, ...args)
  }
  return Object.defineProperty(server, "emit", { value: guarded })
}
