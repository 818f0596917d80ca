// From an answer without a value to the typed error that says why: its status, its words, and when to come back.
import { inspect } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import * as FC from "effect/FastCheck"
import * as Failure from "../../../core/kernel/dispatch/response.js"
import { subject } from "./sample-failure.js"

const answered = (
  status: number,
  {
    body = "",
    headers = {},
    of = {}
  }: { body?: string; headers?: Record<string, string>; of?: Partial<Failure.Subject> }
) => Failure.ofStatus(status, (name) => headers[name], new TextEncoder().encode(body), subject(of))

describe("a status", () => {
  // Spec 8.2
  it.each([
    [300, "AnswerError"],
    [301, "AnswerError"],
    [302, "AnswerError"],
    [303, "AnswerError"],
    [304, "AnswerError"],
    [307, "AnswerError"],
    [308, "AnswerError"],
    [0, "AnswerError"],
    [400, "Rejected"],
    [401, "Unauthenticated"],
    [402, "Rejected"],
    [403, "PermissionDenied"],
    [404, "NotFound"],
    [405, "Rejected"],
    [408, "Rejected"],
    [409, "Conflict"],
    [410, "Rejected"],
    [413, "Rejected"],
    [422, "Rejected"],
    [429, "RateLimited"],
    [499, "Rejected"],
    [500, "ServerFault"],
    [501, "ServerFault"],
    [502, "ServerFault"],
    [503, "ServerFault"],
    [504, "ServerFault"],
    [599, "ServerFault"]
  ])("%d is %s", (status, tag) => {
    expect(answered(status, {})).toMatchObject({ _tag: tag, status, operation: "things.create" })
  })

  it.each([
    [500, false, true],
    [503, false, true],
    [501, false, false],
    [500, true, false],
    [501, true, false]
  ])(
    "%d may be repeated only after a read, and where the platform knows the call (write: %s)",
    (status, isWrite, retryable) => {
      expect(answered(status, { of: { isWrite } })).toMatchObject({ _tag: "ServerFault", retryable })
    }
  )

  it("that is a redirect says that none is followed, and not where it led", () => {
    const error = answered(302, { headers: { location: "https://evil.test/canary" }, body: "canary" })
    expect(error).toMatchObject({
      reason: "Redirect",
      rule: "is a redirect, which is never followed: correct the base URL"
    })
    expect(inspect(error) + error.message).not.toContain("canary")
  })

  it("403 names what was asked of whom", () => {
    expect(answered(403, { of: { operation: "orders.refund", required: 9 } })).toMatchObject({
      reason: "Server",
      resource: "orders",
      action: "refund",
      required: 9
    })
  })
})

describe("what the server says", () => {
  it.each([
    ['{"message":"no such thing"}', "no such thing"],
    ['{"error":"no such thing"}', "no such thing"],
    ['{"error":{"message":"no such thing"}}', "no such thing"],
    ['{"errors":[{"message":"no such thing"},{"message":"nor that"}]}', "no such thing"],
    ['{"errors":["no such thing"]}', "no such thing"],
    ['{"message":"no such thing","errors":[{"message":"of a part"}]}', "no such thing"],
    ['{"errors":{"price":["is missing"]}}', undefined],
    ['{"errors":[]}', undefined],
    ['{"error":{"code":7},"message":"outer"}', undefined],
    ['{"message":7}', undefined],
    ['{"message":""}', undefined],
    ['{"__proto__":{"message":"inherited"}}', undefined],
    ['["message"]', undefined],
    ["null", undefined],
    ["", undefined],
    ["<html>500</html>", undefined],
    ["{", undefined]
  ])("is read from %s", (body, message) => {
    expect(answered(500, { body }).serverMessage).toBe(message)
  })

  it("of a field is kept where it rejects", () => {
    expect(answered(422, { body: '{"message":"bad","field":"price"}' })).toMatchObject({ field: "price" })
    expect(answered(400, { body: '{"error":{"message":"bad","field":"price"}}' })).toMatchObject({
      field: "price"
    })
    expect(answered(422, { body: '{"message":"bad","field":7}' })).not.toHaveProperty("field")
  })

  it("that is no UTF-8 is left out", () => {
    const error = Failure.ofStatus(500, () => undefined, Uint8Array.from([0x22, 0xff, 0x22]), subject())
    expect(error).not.toHaveProperty("serverMessage")
  })

  it("is cut to 500 characters", () => {
    const { serverMessage } = answered(500, { body: JSON.stringify({ message: "x".repeat(100_000) }) })
    expect(serverMessage).toBe(`${"x".repeat(499)}…`)
  })

  it("loses its control characters, so that it forges no line of a log", () => {
    const message = "one\r\ntwo\u001b[31mred\u0000\u009b"
    expect(answered(500, { body: JSON.stringify({ message }) }).serverMessage).toBe("one two [31mred ")
  })

  it("as the id of the request is kept", () => {
    expect(answered(500, { headers: { "x-request-id": "req-7" } }).requestId).toBe("req-7")
  })

  it("is masked wherever it repeats a secret", () => {
    const error = answered(422, {
      body: JSON.stringify({ message: "password s3cr/t is weak, s3cr%2Ft too", field: "s3cr/t" }),
      headers: { "x-request-id": "s3cr/t" },
      of: { secrets: () => ["s3cr/t"] }
    })
    expect(error.serverMessage).toBe("password ••• is weak, ••• too")
    expect(inspect(error) + JSON.stringify(error) + error.message).not.toContain("s3cr")
  })
})

describe("Retry-After", () => {
  const asked = (header: string) => answered(503, { headers: { "retry-after": header } }).retryAfter

  it.each([
    ["0", 0],
    ["1", 1_000],
    ["120", 120_000],
    [" 5 ", 5_000],
    ["007", 7_000],
    ["99999999999999999999", Number.MAX_SAFE_INTEGER],
    ["Thu, 29 Feb 2024 10:00:30 GMT", 30_000],
    ["Thu, 29 Feb 2024 10:00:00 GMT", 0],
    ["Thu, 29 Feb 2024 09:00:00 GMT", 0]
  ])("%j asks for %d ms", (header, millis) => {
    expect(asked(header)).toBe(millis)
  })

  it.each([
    "",
    "soon",
    "-1",
    "1.5",
    "1e3",
    "0x10",
    "1 2",
    "1,2",
    "NaN",
    "Infinity",
    "2024-02-29T10:00:30Z",
    "29 Feb 2024 10:00:30 GMT",
    "Thu, 29 Feb 2024 10:00:30",
    "Thu, 29 Feb 2024 25:61:61 GMT",
    "Thu, 29 Foo 2024 10:00:30 GMT",
    "Thu, 29 Feb 2024 10:00:30 GMT; x"
  ])("%j asks for nothing", (header) => {
    expect(asked(header)).toBeUndefined()
  })

  it.each([
    ["Thu, 29 Feb 2024 10:10:00 GMT", 30_000],
    ["Thu, 29 Feb 2024 09:50:00 GMT", 1_230_000],
    ["Thu, 29 Feb 2024 11:00:00 GMT", 0],
    ["10:10, by the church", 630_000]
  ])("as a date is read against the answer's own date, where that is one (%j)", (date, millis) => {
    const headers = { "retry-after": "Thu, 29 Feb 2024 10:10:30 GMT", date }
    expect(answered(503, { headers }).retryAfter).toBe(millis)
  })

  it.prop("of any text is a sound number or nothing", [FC.string()], ([header]) => {
    const millis = asked(header) ?? 0
    expect(Number.isSafeInteger(millis) && millis >= 0).toBe(true)
  })
})
