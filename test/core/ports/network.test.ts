// What the errors of Node and undici say: why no answer came, and whether anything was sent.
import { describe, expect, it } from "@effect/vitest"
import { failed } from "../../../adapters/http/node-errors.js"

const error = (code: string, more: object = {}): Error =>
  Object.assign(new Error("it failed"), { code }, more)
/** As fetch tells of it. */
const fetched = (cause: Error): Error => new TypeError("fetch failed", { cause })

describe("an error", () => {
  it.each([
    ["ECONNREFUSED", "Refused", false],
    ["ENOTFOUND", "Unresolved", false],
    ["UND_ERR_CONNECT_TIMEOUT", "ConnectTimeout", false],
    ["ECONNRESET", "Reset", true],
    ["UND_ERR_SOCKET", "Reset", true],
    ["ETIMEDOUT", "Timeout", true],
    ["HPE_INVALID_CONSTANT", "Protocol", true],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "Tls", false],
    ["SELF_SIGNED_CERT_IN_CHAIN", "Tls", false],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "Tls", false],
    ["CERT_HAS_EXPIRED", "Tls", false],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "Tls", false],
    ["INVALID_PURPOSE", "Tls", false],
    ["EPROTO", "Tls", false],
    // The other side refused our certificate, perhaps after the request came in.
    ["ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", "Tls", true],
    ["ERR_SSL_TLSV1_ALERT_UNKNOWN_CA", "Tls", true],
    ["ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC", "Reset", true],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "Reset", true],
    ["SOMETHING_ELSE", "Unknown", true]
  ])("with the code %s is %s, sent: %s", (code, reason, sent) => {
    for (const cause of [error(code), fetched(error(code))])
      expect(failed(cause)).toEqual({ _tag: "Failed", reason, sent, cause })
  })

  it("of a host with several addresses that all refuse is that of one", () => {
    const cause = Object.assign(new AggregateError([error("ECONNREFUSED"), error("ECONNREFUSED")]), {
      code: "ECONNREFUSED"
    })
    for (const each of [cause, fetched(cause)])
      expect(failed(each)).toEqual({ _tag: "Failed", reason: "Refused", sent: false, cause: each })
  })

  it.each([
    ["ERR_SSL_WRONG_VERSION_NUMBER", "Tls"],
    ["ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION", "Tls"],
    ["ECONNRESET", "Reset"]
  ])("with the code %s, before there was a connection, is %s, and nothing was sent", (code, reason) => {
    expect(failed(error(code), false)).toMatchObject({ reason, sent: false })
  })

  it("of connecting says that nothing was sent, one of reading or writing that it may have been", () => {
    expect(failed(error("ETIMEDOUT", { syscall: "connect" }))).toMatchObject({ sent: false })
    expect(failed(error("ECONNRESET", { syscall: "connect" }))).toMatchObject({ sent: false })
    expect(failed(error("EHOSTUNREACH", { syscall: "connect" }))).toMatchObject({ sent: false })
    expect(failed(fetched(error("EHOSTUNREACH", { syscall: "read" })))).toMatchObject({ sent: true })
  })

  it("of a handshake that broke off says that nothing was sent", () => {
    const message = "Client network socket disconnected before secure TLS connection was established"
    const cause = Object.assign(new Error(message), { code: "ECONNRESET" })
    expect(failed(fetched(cause))).toMatchObject({ reason: "Reset", sent: false })
  })

  it("that Node's fetch makes of a 407 is that answer, and no other error without a word is", () => {
    expect(failed(fetched(new Error("")))).toMatchObject({ _tag: "Answered", status: 407 })
    expect(failed(new Error(""))).toMatchObject({ _tag: "Failed", reason: "Unknown" })
    expect(failed(fetched(Object.assign(new Error(""), { code: "ECONNRESET" })))).toMatchObject({
      _tag: "Failed",
      reason: "Reset"
    })
  })

  it.each([undefined, null, "text", 7, {}, { cause: null }])("may be %j", (cause) => {
    expect(failed(cause)).toMatchObject({ _tag: "Failed", reason: "Unknown", sent: true })
  })
})
