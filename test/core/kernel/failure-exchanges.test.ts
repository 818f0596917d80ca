// From an exchange without an answer to the typed error that says why.
import { inspect } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import * as Failure from "../../../core/kernel/dispatch/response.js"
import type { NetworkReason } from "../../../core/kernel/errors/errors.js"
import { subject } from "./sample-failure.js"

describe("an exchange that failed", () => {
  const failed = (sent: boolean, of: Partial<Failure.Subject>, cause: unknown = new Error("gone")) =>
    Failure.ofFailed({ _tag: "Failed", reason: "Reset", sent, cause }, subject(of))

  it("is an unknown outcome where a write may have been sent", () => {
    expect(failed(true, { isWrite: true })).toMatchObject({
      _tag: "OutcomeUnknown",
      reason: "Network",
      attempts: 2
    })
  })

  it.each<readonly [boolean, boolean]>([
    [true, false],
    [false, false],
    [false, true]
  ])("is a network error where nothing can have changed (sent: %s, write: %s)", (sent, isWrite) => {
    expect(failed(sent, { isWrite })).toMatchObject({ _tag: "NetworkError", reason: "Reset" })
  })

  it.each<NetworkReason>([
    "Refused",
    "Unresolved",
    "ConnectTimeout",
    "Tls",
    "Reset",
    "Timeout",
    "Protocol",
    "Unknown"
  ])("says the reason: %s", (reason) => {
    const outcome = { _tag: "Failed", reason, sent: false, cause: undefined } as const
    expect(Failure.ofFailed(outcome, subject())).toMatchObject({ _tag: "NetworkError", reason })
  })

  it("keeps of its cause the message and the code, masked, and no more", () => {
    const request = { headers: { authorization: "Bearer tok-4711" } }
    const cause = Object.assign(new Error("fetch failed"), {
      cause: Object.assign(new Error("read tok-4711 failed"), { code: "ECONNRESET", request }),
      request
    })
    const error = failed(false, { secrets: () => ["tok-4711"] }, cause)
    expect(error.cause).toMatchObject({ message: "read ••• failed", code: "ECONNRESET" })
    expect(inspect(error, { depth: 20 }) + String(error.stack)).not.toContain("tok-4711")
  })

  it.each([undefined, null, "text", 7, {}, { cause: null }])("may be caused by %j", (cause) => {
    expect(failed(false, {}, cause)).toMatchObject({ _tag: "NetworkError" })
  })
})
