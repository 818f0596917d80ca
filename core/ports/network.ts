/** What the error codes of Node and undici mean; every transport that runs on Node meets them. */
import type { NetworkReason } from "../kernel/errors.js"
import type { Outcome } from "./transport.js"

const reasons: Readonly<Record<string, NetworkReason>> = {
  ECONNREFUSED: "Refused",
  EHOSTUNREACH: "Refused",
  ENETUNREACH: "Refused",
  ENOTFOUND: "Unresolved",
  EAI_AGAIN: "Unresolved",
  UND_ERR_CONNECT_TIMEOUT: "ConnectTimeout",
  UND_ERR_HEADERS_TIMEOUT: "Timeout",
  UND_ERR_BODY_TIMEOUT: "Timeout",
  ECONNRESET: "Reset",
  EPIPE: "Reset",
  UND_ERR_SOCKET: "Reset"
}

const own = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null && key in value
    ? (value as Record<string, unknown>)[key]
    : undefined

const isParserError = (cause: unknown): boolean => own(cause, "name") === "HTTPParserError"

/** The error's code, or that of its cause. A parser's error may have none. */
const codeOf = (cause: unknown): string =>
  String(own(own(cause, "cause"), "code") ?? own(cause, "code") ?? "") ||
  (isParserError(cause) || isParserError(own(cause, "cause")) ? "HPE_" : "")

const reasonOf = (code: string): NetworkReason => {
  const known = Object.hasOwn(reasons, code) ? reasons[code] : undefined
  if (known !== undefined) return known
  if (code.startsWith("ERR_TLS") || code.includes("CERT")) return "Tls"
  return code.startsWith("HPE_") ? "Protocol" : "Unknown"
}

/** An exchange that failed with an error of the platform's. `mayBeSent` is false where the adapter knows better. */
export const failed = (cause: unknown, mayBeSent = true): Outcome => {
  const reason = reasonOf(codeOf(cause))
  const neverSent = reason === "Refused" || reason === "Unresolved" || reason === "ConnectTimeout"
  return { _tag: "Failed", reason, sent: mayBeSent && !neverSent, cause }
}
