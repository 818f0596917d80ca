// What an exchange comes to: a value, or the typed error that says why there is none.
import { inspect } from "node:util"
import { describe, expect } from "@effect/vitest"
import * as Sample from "@quartet/support/dispatcher.js"
import { effect } from "@quartet/support/effect.js"
import { bytes, failed, json, streaming, text, tooLarge } from "@quartet/support/fake-transport.js"
import * as Things from "@quartet/support/things.js"
import { Effect, FastCheck as FC, Schema, TestClock } from "effect"
import { withResponse } from "../../../../core/kernel/dispatch/with-response.js"
import type { NetworkReason } from "../../../../core/kernel/errors/errors.js"
import * as Entity from "../../../../core/kernel/operation/entity.js"
import { Operation } from "../../../../core/kernel/operation/operation.js"
import type { Outcome } from "../../../../core/ports/transport.js"

/** A call that is made once, and what it fails with. */
const call = (outcome: Outcome, name: Sample.Named = "get", of: Sample.Options = {}) =>
  Sample.call(Sample.make([outcome], { policy: { attempts: 1 }, ...of }).dispatcher, name)
const failure = (outcome: Outcome, name?: Sample.Named, of?: Sample.Options) =>
  Effect.flip(call(outcome, name, of))
const shown = (error: Error) =>
  inspect(error, { depth: 20 }) + JSON.stringify(error) + error.message + error.stack

describe("withResponse within another one", () => {
  const answered = json(200, { a: 1 }, { "x-request-id": "req-1" })
  const busy = json(503, {})
  effect("gives both the status, the request id and all attempts, as of `until` too", function* () {
    const dispatcher = () => Sample.make([busy, answered], { policy: { pause: 0 } }).dispatcher
    const nested = yield* withResponse(withResponse(Sample.call(dispatcher(), "get")))
    expect([nested.status, nested.requestId, nested.attempts]).toEqual([200, "req-1", 2])
    expect(nested.value).toMatchObject({ status: 200, requestId: "req-1", attempts: 2 })
  })
})

describe("an answer", () => {
  effect.each<readonly [string, Outcome, unknown]>([
    ...[200, 201, 202, 203, 206, 299].map(
      (status) => [`${status}`, json(status, { a: 1 }), { a: 1 }] as const
    ),
    ["204 without a body", text(204, ""), undefined],
    ["200 without a body", text(200, ""), undefined],
    ["null", text(200, "null"), null],
    ["text behind a byte order mark", bytes(200, [0xef, 0xbb, 0xbf, 0x7b, 0x7d]), {}]
  ])("of %s is a value where anything may come", ([, outcome, value]) =>
    Effect.map(call(outcome, "create"), (result) => expect(result).toEqual(value))
  )

  const alreadyRead = (value: unknown, status = 200): Outcome => ({
    _tag: "Answered",
    status,
    header: () => undefined,
    body: new TextEncoder().encode("not what was read"),
    json: { value }
  })

  effect("that was read already is the JSON that it was read as, with the declared dates", function* () {
    const createdAt = "2024-05-01T10:00:00.000Z"
    expect(yield* call(alreadyRead({ _id: "a", createdAt }))).toEqual({
      _id: "a",
      createdAt: new Date(createdAt)
    })
    expect(yield* call(alreadyRead(undefined), "create")).toBeUndefined()
  })

  effect("outside 2xx is read from its bytes, whatever was read of it already", function* () {
    expect(yield* failure(alreadyRead({ message: "as read" }, 404))).toMatchObject({ _tag: "NotFound" })
  })

  effect(
    "that was read already is refused where it is not as declared, without the source of its numbers",
    function* () {
      for (const value of [7, { _id: "a", total: 2 ** 60 }])
        expect(yield* failure(alreadyRead(value), "get", { config: { answers: "strict" } })).toMatchObject({
          _tag: "AnswerError"
        })
    }
  )

  const strict = { config: { answers: "strict" } } as const
  const drifting = (
    outcome: Outcome,
    name: Sample.Named | "rename",
    answers: "strict" | "tolerant" = "tolerant"
  ) =>
    Effect.gen(function* () {
      const drifts: Array<object> = []
      const config = {
        answers,
        logDrift: false,
        onDrift: (drift: object) => Effect.sync(() => void drifts.push(drift))
      } as const
      const exit = yield* Effect.either(
        name === "rename"
          ? Sample.make([outcome], { config }).dispatcher.call(rename, { id: "a", payload: {} })
          : call(outcome, name, { config })
      )
      return { exit, drifts }
    })
  /** A write whose answer is declared. */
  const rename = Operation.make("things.rename", () => ({
    method: "PUT",
    path: "things/{id}",
    audiences: ["admin"],
    input: Entity.ByIdWithPayload,
    success: Things.Thing
  }))

  effect.each([
    ["OK", { "content-type": "text/plain" }],
    ["OK", {}],
    ["42 rows", { "content-type": "text/plain; charset=utf-8" }],
    ["[done]", { "content-type": "text/plain" }],
    ["<b>fine</b>", { "content-type": "text/plain" }],
    ["<b>fine</b>", {}],
    ["OK", { "content-type": "text/html" }]
  ] as const)(
    "of plain text (%j) to a write is a success with drift, and the text is its value",
    function* ([body, headers]) {
      const { drifts, exit } = yield* drifting(text(200, body, headers), "create")
      expect(exit).toMatchObject({ _tag: "Right", right: body })
      expect(drifts).toMatchObject([
        { operation: "things.create", path: "", expected: "JSON", came: "plain text" }
      ])
    }
  )

  effect.each<readonly [string, Outcome, Sample.Named, ("strict" | "tolerant")?]>([
    ["plain text to a strict client", text(200, "OK"), "create", "strict"],
    ["plain text to a read", text(200, "OK"), "get"],
    ["JSON that was cut short", text(200, '{"_id":'), "create"],
    ["a web page", text(200, "<html>", { "content-type": "text/plain" }), "create"],
    ["a web page without a type", text(200, " <!DOCTYPE html>"), "create"],
    [
      "markup whose type is that of web pages",
      text(200, "<b>fine</b>", { "content-type": "text/html" }),
      "create"
    ]
  ])("of %s is an error", function* ([, outcome, name, answers]) {
    const { exit } = yield* drifting(outcome, name, answers)
    expect(exit).toMatchObject({ _tag: "Left", left: { _tag: "AnswerError" } })
  })

  effect("of plain text to a write whose answer is declared is a success with drift as well", function* () {
    const { drifts, exit } = yield* drifting(text(200, "OK"), "rename")
    expect(exit).toMatchObject({ _tag: "Right", right: "OK" })
    expect(drifts).toMatchObject([{ operation: "things.rename", path: "", came: "plain text" }, {}])
  })

  effect.each([201, 202, 204, 205])("of %d without a body to a write is no drift", function* (status) {
    const { drifts, exit } = yield* drifting(text(status, ""), "rename")
    expect([exit, drifts]).toEqual([expect.objectContaining({ _tag: "Right", right: undefined }), []])
  })

  effect("of 200 without a body to a write whose answer is declared is drift", function* () {
    const { drifts, exit } = yield* drifting(text(200, ""), "rename")
    expect([exit, drifts]).toMatchObject([{ _tag: "Right" }, [{ path: "" }]])
  })
  effect("that is too large says what to raise", () =>
    Effect.map(failure(tooLarge(200)), (error) => {
      expect(error).toMatchObject({ _tag: "AnswerError", reason: "TooLarge" })
      expect(error.message).toContain("than 67108864 bytes (raise maxBytes, or read it as a stream)")
    })
  )

  effect(
    "that is refused says the status, the field and the request's id, and shows nothing of itself",
    function* () {
      const answer = json(200, { _id: "a", name: { canary: "canary" } }, { "x-request-id": "req-1" })
      const error = yield* failure(answer, "get", strict)
      expect(error).toMatchObject({ status: 200, requestId: "req-1", field: "name" })
      expect(shown(error)).not.toContain("canary")
    }
  )

  effect("to a writing call that is refused is no unknown outcome: the platform has answered", () =>
    Effect.map(failure(text(200, "<html>"), "create"), (error) =>
      expect(error).toMatchObject({ _tag: "AnswerError", reason: "NotJson" })
    )
  )
})

describe("a status", () => {
  const answers = [300, 301, 302, 303, 304, 307, 308, 0].map((status) => [status, "AnswerError", 1] as const)
  const rejected = [400, 402, 405, 407, 410, 413, 421, 422, 499].map((at) => [at, "Rejected", 1] as const)
  const faults = [500, 502, 503, 504, 599].map((status) => [status, "ServerFault", 2] as const)
  // Spec 8.2
  effect.each<readonly [status: number, tag: string, sent: number]>([
    ...answers,
    ...rejected,
    [401, "Unauthenticated", 1],
    [403, "PermissionDenied", 1],
    [404, "NotFound", 1],
    [408, "Rejected", 2],
    [409, "Conflict", 1],
    [429, "RateLimited", 2],
    ...faults,
    [501, "ServerFault", 1]
  ])("%d is %s", function* ([status, tag, sent]) {
    const error = yield* failure(text(status, ""), "create")
    expect(error).toMatchObject({ _tag: tag, status, operation: "things.create" })
    const read = yield* Sample.ended([text(status, ""), Sample.thing])
    expect([read.tag, read.sent]).toEqual([sent === 2 ? "success" : tag, sent])
  })

  effect.each([
    [500, "get", true],
    [503, "get", true],
    [501, "get", false],
    [500, "create", false],
    [501, "create", false]
  ] as const)("%d may be repeated only after a read, and where the platform knows the call: %s", (row) =>
    Effect.map(failure(json(row[0], {}), row[1]), (error) =>
      expect(error).toMatchObject({ _tag: "ServerFault", retryable: row[2] })
    )
  )

  effect("that is a redirect says that none is followed, and not where it led", function* () {
    const error = yield* failure(text(302, "canary", { location: "https://evil.test/canary" }))
    const rule =
      "is a redirect, which is not followed: correct the base URL, or name the host of a download (downloads.redirectTo)"
    expect(error).toMatchObject({ reason: "Redirect", rule })
    expect(shown(error)).not.toContain("canary")
  })

  effect("that is a redirect whose address the runtime hides says what the platform has to do", function* () {
    const rule = "is a redirect that browsers hide: the platform has to answer the address as data"
    expect(yield* failure(text(302, "canary"))).toMatchObject({ reason: "Redirect", rule })
  })

  effect("304 after a condition of the caller's says that nothing has changed", function* () {
    const rule = "is 304: nothing has changed since, and the answer is where it was kept"
    expect(yield* failure(text(304, ""))).toMatchObject({ _tag: "AnswerError", status: 304, rule })
  })

  effect("403 names what was asked of whom", () =>
    Effect.map(failure(json(403, {}), "create"), (error) =>
      expect(error).toMatchObject({ reason: "Server", resource: "things", action: "create", required: 3 })
    )
  )
})

describe("what the server says", () => {
  effect.each([
    ['{"message":"no such thing"}', "no such thing"],
    ['{"error":"no such thing"}', "no such thing"],
    ['{"error":{"message":"no such thing"}}', "no such thing"],
    ['{"errors":[{"message":"no such thing"},{"message":"nor that"}]}', "no such thing"],
    ['{"errors":["no such thing"]}', "no such thing"],
    ['{"message":"no such thing","errors":[{"message":"of a part"}]}', "no such thing"],
    [JSON.stringify({ message: "x".repeat(100_000) }), `${"x".repeat(499)}…`],
    // It forges no line of a log.
    [JSON.stringify({ message: "one\r\ntwo\u001b[31mred\u0000\u009b" }), "one two [31mred "],
    ['{"type":"about:blank","title":"Out of credit","detail":"It costs 50"}', "Out of credit: It costs 50"],
    ['{"title":"Out of credit","status":403,"errors":{"price":["is missing"]}}', "Out of credit"],
    ['{"errors":[{"status":"422","title":"Invalid","detail":"is too short"}]}', "Invalid: is too short"],
    ['{"errors":[{"detail":"is too short"}]}', "is too short"],
    ['{"errors":{"price":["is missing"]}}', undefined],
    ['{"errors":[]}', undefined],
    ['{"error":{"code":7},"message":"outer"}', undefined],
    ['{"message":["is too short","","has no name"]}', "is too short; has no name"],
    ['{"message":[{"field":"a"}],"error":"Bad Request"}', "Bad Request"],
    ['{"error":["is too short","has no name"]}', "is too short; has no name"],
    ['"no such thing"', "no such thing"],
    ["no such thing", "no such thing"],
    ["<Error>no such thing</Error>", undefined],
    ['{"message":7}', undefined],
    ['{"message":""}', undefined],
    ['{"__proto__":{"message":"inherited"}}', undefined],
    ['["message"]', undefined],
    ["null", undefined],
    ["", undefined],
    ["<html>500</html>", undefined],
    ["{", undefined]
  ])("is read from %s", ([body = "", serverMessage]) =>
    Effect.map(failure(text(500, body)), (error) => expect(Object(error).serverMessage).toBe(serverMessage))
  )

  effect.each([
    ["no such thing\n", { "content-type": "text/plain; charset=utf-8" }, "no such thing"],
    ["<html>500</html>", { "content-type": "text/html" }, undefined],
    ["no such thing", { "content-type": "application/octet-stream" }, undefined]
  ] as const)("is read from plain text where its type says so: %j", ([body, headers, serverMessage]) =>
    Effect.map(failure(text(500, body, headers)), (error) =>
      expect(Object(error).serverMessage).toBe(serverMessage)
    )
  )

  effect.each([
    ["text/plain;charset=iso-8859-1", "caf\u00e9 closed", "caf\u00e9 closed"],
    ["text/plain", "caf\u00e9 closed", "caf\u00e9 closed"],
    ["application/json; charset=latin1", '{"message":"caf\u00e9"}', "caf\u00e9"],
    ["text/plain; charset=nonsense", "caf\u00e9 closed", undefined]
  ] as const)("is read by the charset of its type: %s", ([type, body, serverMessage]) =>
    Effect.map(
      failure(
        bytes(
          500,
          [...body].map((character) => character.charCodeAt(0)),
          { "content-type": type }
        )
      ),
      (error) => expect(Object(error).serverMessage).toBe(serverMessage)
    )
  )

  effect.each<readonly [string, Outcome, object]>([
    ["the field that it rejects", json(422, { message: "bad", field: "price" }), { field: "price" }],
    ["the field in an error", json(400, { error: { message: "bad", field: "price" } }), { field: "price" }],
    ["no field that is none", json(422, { message: "bad", field: 7 }), { field: undefined }],
    ["nothing that is not UTF-8", bytes(500, [0x22, 0xff, 0x22]), { serverMessage: undefined }],
    ["the request's id", text(500, "", { "x-request-id": "req-7" }), { requestId: "req-7" }],
    [
      "a long id with control characters, clean and cut",
      text(500, "", { "x-request-id": `a\tb\u0085${"x".repeat(10_000)}` }),
      { requestId: expect.stringMatching(/^[ -~…\u00a0-\u00ff]{3,500}$/) }
    ]
  ])("is kept: %s", ([, outcome, kept]) =>
    Effect.map(failure(outcome), (error) => expect({ ...kept, ...error }).toMatchObject(kept))
  )

  effect("is masked wherever it repeats a secret", function* () {
    const said = { message: "password s3cr/t is weak, s3cr%2Ft too", field: "s3cr/t" }
    const credentialsProvider = { ...Sample.keys(), secrets: () => ["s3cr/t"] }
    const answer = json(422, said, { "x-request-id": "s3cr/t" })
    const error = yield* failure(answer, "get", { credentialsProvider })
    expect(error).toMatchObject({ serverMessage: "password ••• is weak, ••• too" })
    expect(shown(error)).not.toContain("s3cr")
  })
})

describe("Retry-After", () => {
  const pauseAfter = (header: string, headers: Record<string, string> = {}) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2024-02-29T10:00:00Z"))
      return Object(yield* failure(json(503, {}, { "retry-after": header, ...headers })))
        .retryAfter as unknown
    })

  effect.each([
    ["0", 0],
    ["1", 1_000],
    ["120", 120_000],
    [" 5 ", 5_000],
    ["1.5", 1_500],
    ["1.001", 1_001],
    ["0.25", 250],
    ["007", 7_000],
    ["99999999999999999999", Number.MAX_SAFE_INTEGER],
    ["Thu, 29 Feb 2024 10:00:30 GMT", 30_000],
    ["Thu, 29 Feb 2024 10:00:00 GMT", 0],
    ["Thu, 29 Feb 2024 09:00:00 GMT", 0],
    ["Thu, 29 Feb 2024 10:00:60 GMT", 60_000],
    ["Thursday, 29-Feb-24 10:00:30 GMT", 30_000],
    ["Friday, 29-Feb-74 10:00:30 GMT"],
    ["Sunday, 06-Nov-94 08:49:37 GMT", 0],
    ["Thu Feb 29 10:00:30 2024", 30_000],
    ["Fri Mar  1 10:00:00 2024", 86_400_000],
    ["Fri Mar 1 10:00:00 2024"],
    ["Thu Feb 30 10:00:30 2024"],
    ...["", "soon", "-1", ".5", "1.", "1.5.1", "1e3", "0x10", "1 2", "1,2", "NaN", "Infinity"].map(
      (header) => [header] as const
    ),
    ["2024-02-29T10:00:30Z"],
    ["29 Feb 2024 10:00:30 GMT"],
    ["Thu, 29 Feb 2024 10:00:30"],
    ["Thu, 29 Feb 2024 25:61:61 GMT"],
    ["Thu, 29 Foo 2024 10:00:30 GMT"],
    ["Thu, 29 Feb 2024 10:00:30 GMT; x"]
  ] as ReadonlyArray<readonly [string, number?]>)("%j asks for %s ms", ([header, millis]) =>
    Effect.map(pauseAfter(header), (result) => expect(result).toBe(millis))
  )

  effect.each([
    ["Thu, 29 Feb 2024 10:10:00 GMT", 30_000],
    ["Thu, 29 Feb 2024 09:50:00 GMT", 1_230_000],
    ["Thu, 29 Feb 2024 11:00:00 GMT", 0],
    ["10:10, by the church", 630_000]
  ] as const)("as a date is read against the answer's own date, where that is one (%j)", ([date, millis]) =>
    Effect.map(pauseAfter("Thu, 29 Feb 2024 10:10:30 GMT", { date }), (result) => expect(result).toBe(millis))
  )

  effect.prop("of any text is a sound number or nothing", [FC.string()], ([header]) =>
    Effect.map(pauseAfter(header), (millis = 0) => {
      expect(Number.isSafeInteger(millis) && Number(millis) >= 0).toBe(true)
    })
  )
})

describe("an exchange that failed", () => {
  effect.each<readonly [boolean, Sample.Named, string]>([
    [true, "create", "OutcomeUnknown"],
    [true, "get", "NetworkError"],
    [false, "get", "NetworkError"],
    [false, "create", "NetworkError"]
  ])("is unknown only where a write may have been sent (sent: %s, %s: %s)", ([sent, name, _tag]) =>
    Effect.map(failure(failed("Reset", sent), name), (error) => expect(error).toMatchObject({ _tag }))
  )

  const reasons = [
    "Refused",
    "Unresolved",
    "ConnectTimeout",
    "Tls",
    "Reset",
    "Timeout",
    "Protocol",
    "Unknown"
  ] as const
  effect.each<NetworkReason>(reasons)("says the reason: %s", (reason) =>
    Effect.map(failure(failed(reason, false)), (error) =>
      expect(error).toMatchObject({ _tag: "NetworkError", reason })
    )
  )

  effect("keeps of its cause the message and the code, masked, and no more", function* () {
    const request = { headers: { authorization: "Bearer token-1" } }
    const read = Object.assign(new Error("read token-1 failed"), { code: "ECONNRESET", request })
    const error = yield* failure(
      failed("Reset", false, Object.assign(new Error("fetch failed"), { cause: read, request }))
    )
    expect(error.cause).toMatchObject({ message: "read ••• failed", code: "ECONNRESET" })
    expect(shown(error)).not.toContain("token-1")
  })

  const causes: ReadonlyArray<unknown> = [
    undefined,
    null,
    "text",
    7,
    Symbol("s"),
    {},
    { cause: null },
    { toString: null }
  ]
  effect.each(causes.map((cause) => [cause as unknown]))("may be caused by anything, case %#", ([cause]) =>
    Effect.map(failure(failed("Unknown", false, cause)), (error) => expect(error._tag).toBe("NetworkError"))
  )
})

describe("an answer to a download", () => {
  effect.each<readonly [string, Sample.Named, Outcome, object]>([
    [
      "an error is that error",
      "download",
      json(404, { message: "no" }),
      { _tag: "NotFound", serverMessage: "no" }
    ],
    ["JSON is refused", "download", json(200, {}), { _tag: "AnswerError", rule: "is not a stream of bytes" }],
    ["a stream is refused elsewhere", "get", streaming(new ReadableStream()), { _tag: "AnswerError" }]
  ])("that is %s", ([, name, outcome, expected]) =>
    Effect.map(failure(outcome, name), (error) => expect(error).toMatchObject(expected))
  )
})

describe("an operation narrowed by `as`", () => {
  const Named = Schema.Struct({ _id: Entity.Id, name: Schema.String, size: Schema.NumberFromString })
  const item = { _id: "a", name: "n", size: "5" }
  const over = (answer: unknown) => Sample.make([json(200, answer)]).dispatcher

  // Spec 3.22
  effect("reads its answer by the caller's own schema", function* () {
    const result = yield* over({ ...item, more: 1 }).call(Things.get.as(Named), { id: "a" })
    expect(result).toEqual({ _id: "a", name: "n", size: 5, more: 1 })
  })

  // Spec 7.51
  effect("reads each item of a list by it", function* () {
    const result = yield* over({ items: [item], total: 1 }).call(Things.list.as(Named), {})
    expect(result).toEqual({ items: [{ _id: "a", name: "n", size: 5 }], paging: { total: 1 } })
  })

  effect(
    "refuses an answer that the schema does not allow, and leaves its operation as it was",
    function* () {
      const { call } = over({ _id: "a" })
      const error = yield* Effect.flip(call(Things.get.as(Named), { id: "a" }))
      expect(error).toMatchObject({ _tag: "AnswerError", field: "name", rule: "is required" })
      expect(yield* call(Things.get, { id: "a" })).toEqual({ _id: "a" })
    }
  )
})
