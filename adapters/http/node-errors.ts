/** Node's and undici's error codes, and their meaning for every transport on Node. */
import type { NetworkReason, Outcome } from "../../core/ports/transport.js"

const reasons: Readonly<Record<string, NetworkReason>> = {
  ECONNREFUSED: "Refused",
  EHOSTUNREACH: "Refused",
  ENETUNREACH: "Refused",
  ENOTFOUND: "Unresolved",
  EAI_AGAIN: "Unresolved",
  UND_ERR_CONNECT_TIMEOUT: "ConnectTimeout",
  ETIMEDOUT: "Timeout",
  UND_ERR_HEADERS_TIMEOUT: "Timeout",
  UND_ERR_BODY_TIMEOUT: "Timeout",
  ECONNRESET: "Reset",
  EPIPE: "Reset",
  UND_ERR_SOCKET: "Reset",
  // Node's codes for a handshake that failed while the request waited for it.
  EPROTO: "Tls"
}

/** A certificate that is not accepted, the platform's or ours. */
const certificate =
  /^ERR_TLS|CERT|CRL|^UNABLE_TO_|UNKNOWN_CA|^(INVALID_(CA|PURPOSE)|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH)$/

/** What is no HTTP, or cannot be decoded: codes of the parser, of zlib, Brotli and Zstandard. */
const malformed = /^(HPE_|Z_|ERR__ERROR|ERR_BROTLI|ZSTD_)/

const get = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null && key in value
    ? (value as Record<string, unknown>)[key]
    : undefined

const isParserError = (cause: unknown): boolean => get(cause, "name") === "HTTPParserError"

/** The code of an error's cause, or its own; empty if there is none. A parser's error may have none. */
export const codeOf = (cause: unknown): string =>
  String(get(get(cause, "cause"), "code") ?? get(cause, "code") ?? "") ||
  (isParserError(cause) || isParserError(get(cause, "cause")) ? "HPE_" : "")

const reasonOf = (code: string, mayBeSent: boolean): NetworkReason => {
  const known = Object.hasOwn(reasons, code) ? reasons[code] : undefined
  if (known !== undefined) return known
  if (certificate.test(code)) return "Tls"
  // On an open connection, invalid TLS bytes come from a network fault: another connection may work.
  if (code.startsWith("ERR_SSL")) return mayBeSent ? "Reset" : "Tls"
  return malformed.test(code) ? "Protocol" : "Unknown"
}

/** Whether an error proves that there was no connection yet: by its origin or its message. */
const isBeforeConnection = (cause: unknown, code: string, reason: NetworkReason): boolean => {
  const inner = get(cause, "cause") ?? cause
  const call = get(inner, "syscall")
  if (call === "connect") return true
  switch (reason) {
    case "Refused":
    case "Unresolved":
    case "ConnectTimeout":
      return call !== "read" && call !== "write"
    case "Tls":
      // Otherwise the other side refused our certificate, possibly late.
      return !code.startsWith("ERR_SSL")
    default:
      return String(get(inner, "message")).includes("before secure TLS connection was established")
  }
}

/** The status of a proxy that refused a tunnel, as undici reports it. */
const tunnel = /^Proxy response \((\d{3})\)/

/**
 * The status of a proxy's answer that undici and its fetch turn into an error. Only a 407 is an error without details
 * in Node's fetch.
 */
const proxyStatus = (cause: unknown): number | undefined => {
  const inner = get(cause, "cause") ?? cause
  if (!(inner instanceof Error)) return undefined
  if (inner.message === "" && get(cause, "message") === "fetch failed" && codeOf(cause) === "") return 407
  const statuses = causes(cause).map((error) => tunnel.exec(String(get(error, "message")))?.[1])
  const status = statuses.find((text) => text !== undefined)
  return status === undefined ? undefined : Number(status)
}

/** An error and its causes: a fetch may wrap its connection's error more than once. */
const causes = (cause: unknown): ReadonlyArray<unknown> => {
  const errors: Array<unknown> = []
  for (let here = cause; here !== undefined && errors.length < 5; here = get(here, "cause")) errors.push(here)
  return errors
}

/**
 * An exchange that failed with an error of the platform's. `mayBeSent` is false if the adapter knows that nothing was
 * sent.
 */
export const failed = (cause: unknown, mayBeSent = true): Outcome => {
  const proxy = proxyStatus(cause)
  if (proxy === 407) {
    return { _tag: "Answered", status: proxy, header: () => undefined, body: new Uint8Array() }
  }
  if (proxy !== undefined) return { _tag: "Failed", reason: "Refused", sent: false, cause }
  // A port that fetch always refuses, by the code that browsers have for it.
  if (get(get(cause, "cause"), "message") === "bad port")
    return {
      _tag: "Failed",
      reason: "Refused",
      sent: false,
      cause: Object.assign(new Error("bad port"), { code: "ERR_UNSAFE_PORT" })
    }
  const code = codeOf(cause)
  const reason = reasonOf(code, mayBeSent)
  return { _tag: "Failed", reason, sent: mayBeSent && !isBeforeConnection(cause, code, reason), cause }
}
