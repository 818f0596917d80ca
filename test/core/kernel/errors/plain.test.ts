// Errors as they leave a realm: over structuredClone, a worker, a channel, JSON; and back as what they were.
import { once } from "node:events"
import { BroadcastChannel, Worker } from "node:worker_threads"
import { describe, expect, it } from "@effect/vitest"
import { CsvError } from "@quartet/fleet/csv"
import { FleetError } from "@quartet/fleet/extend"
import { OutboxError } from "@quartet/react/outbox"
import { filesIn, read } from "@quartet/support/files.js"
import { ChatError } from "../../../../core/chat/errors.js"
import * as Errors from "../../../../core/errors.js"
import { UnknownId } from "../../../../core/onboarding/actions.js"
import { SessionStoreError } from "../../../../core/ports/session-store.js"

const operation = "requests.update"
const said = { operation, status: 409, requestId: "r-7", serverMessage: "moved on" }
const cause = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" })

const calls: ReadonlyArray<Errors.CallError> = [
  new Errors.InputError({ operation, field: "payload.price", rule: "must be a finite number" }),
  new Errors.InputError({ operation, field: "file", rule: "could not be read", isCutOff: true, cause }),
  new Errors.CredentialsError({
    operation,
    reason: "Missing",
    advice: Errors.missingCredentials,
    missing: ["accessToken"]
  }),
  new Errors.PermissionDenied({
    operation,
    reason: "Grant",
    resource: "requests",
    action: "update",
    required: 3,
    grant: "requests.*",
    word: "owner",
    level: 1
  }),
  new Errors.Unauthenticated({ ...said, status: 401 }),
  new Errors.NotFound(said),
  new Errors.Conflict(said),
  new Errors.Rejected({ ...said, field: "price" }),
  new Errors.Rejected({ ...said, status: 408, retryable: true }),
  new Errors.RateLimited({ ...said, retryAfter: 2_000 }),
  new Errors.ServerFault({ ...said, status: 503, retryable: true }),
  new Errors.ServerFault({ ...said, status: 501, retryable: false }),
  new Errors.NetworkError({ operation, reason: "Refused", cause }),
  new Errors.NetworkError({ operation, reason: "Tls" }),
  new Errors.DeadlineExceeded({ operation, deadline: 500, attempts: 2 }),
  new Errors.AnswerError({ operation, reason: "Shape", field: "a.b", rule: "is required", isDone: true }),
  new Errors.OutcomeUnknown({
    operation,
    reason: "Server",
    attempts: 3,
    cause: new Errors.ServerFault({ ...said, retryable: false })
  })
]
const others = [
  new ChatError({
    operation: "chat.open",
    reason: "Refused",
    detail: "no",
    data: { code: 7, list: [1, null] }
  }),
  new UnknownId({ kind: "task", id: "t1" }),
  new SessionStoreError({ method: "load", cause: new Error("secret words") }),
  new CsvError({ reason: "Row", row: 3, field: "price", rule: "must be a number" }),
  new FleetError({ reason: "Store", advice: "is the database up?", cause: new Error("secret words") }),
  new OutboxError({ reason: "Quota", outbox: "mine" })
]
const classes = [ChatError, UnknownId, SessionStoreError, CsvError, FleetError, OutboxError]
const all = [...calls, ...others]
const named = all.map((error, index) => [`${error._tag} ${index}`, error] as const)

const comesBack = (back: unknown, error: Error) => {
  expect(back).toBeInstanceOf(error.constructor)
  const { cause: _, ...fields } = { ...error } as { cause?: unknown }
  expect(back).toMatchObject({ ...fields, message: error.message, name: error.name })
}

describe("an error of ours", () => {
  it.each(named)(
    "has its message in itself, in its stack, in a clone and in JSON, each once: %s",
    (_, error) => {
      expect(error.message).not.toBe("")
      expect(Object.keys(error)).not.toContain("message")
      expect(error.stack?.startsWith(`${error.name}: ${error.message}`)).toBe(true)
      const clone: unknown = structuredClone(error)
      expect(clone).toMatchObject({ message: error.message })
      if (error.cause instanceof Error)
        expect(clone).toMatchObject({ cause: { message: error.cause.message } })
      expect(JSON.parse(JSON.stringify(error))).toEqual(Errors.toPlain(error))
      expect(JSON.parse(JSON.stringify(error))).toMatchObject({ _tag: error._tag, message: error.message })
    }
  )

  it.each(named)("comes back from plain data as what it was: %s", (_, error) => {
    comesBack(Errors.fromPlain(Errors.toPlain(error), classes), error)
    comesBack(Errors.fromPlain(JSON.parse(JSON.stringify(error)), classes), error)
    comesBack(Errors.fromPlain(structuredClone(Errors.toPlain(error)), classes), error)
    expect(Errors.toPlain(Errors.fromPlain(Errors.toPlain(error), classes))).toEqual(Errors.toPlain(error))
  })

  it("is known as an error of a call again, with its category and its cause", () => {
    for (const error of calls) {
      const back = Errors.fromPlain(Errors.toPlain(error))
      expect(Errors.isCallError(back)).toBe(true)
      expect(Errors.isCallError(back) && Errors.categoryOf(back)).toBe(Errors.categoryOf(error))
    }
    const unknown = Errors.fromPlain(Errors.toPlain(calls.at(-1)))
    expect(unknown?.cause).toBeInstanceOf(Errors.ServerFault)
    const network = Errors.fromPlain(
      Errors.toPlain(new Errors.NetworkError({ operation, reason: "Refused", cause }))
    )
    expect(network?.cause).toMatchObject({ message: "connect ECONNREFUSED", code: "ECONNREFUSED" })
  })

  it("does not tell in plain data what somebody else's cause says, which may repeat what was stored", () => {
    for (const error of others) expect(JSON.stringify(error)).not.toContain("secret words")
  })

  it("travels to a worker and back", async () => {
    const worker = new Worker(
      "require('node:worker_threads').parentPort.on('message', (m) => require('node:worker_threads').parentPort.postMessage(m))",
      { eval: true }
    )
    for (const error of all) {
      worker.postMessage([Errors.toPlain(error), error.cause === undefined ? error : error.message])
      const [[plain, clone]] = await once(worker, "message")
      comesBack(Errors.fromPlain(plain, classes), error)
      expect(typeof clone === "string" ? clone : clone.message).toBe(error.message)
    }
    await worker.terminate()
  })

  it("travels over a BroadcastChannel", async () => {
    const [here, there] = [new BroadcastChannel("errors"), new BroadcastChannel("errors")]
    for (const error of all) {
      const came = new Promise<unknown>((resolve) => {
        there.onmessage = (event) => resolve(Object(event).data)
      })
      here.postMessage(Errors.toPlain(error))
      comesBack(Errors.fromPlain(await came, classes), error)
    }
    here.close()
    there.close()
  })
})

describe("what says that something was given up", () => {
  it.each([
    [
      "an abort without a reason",
      new DOMException("", "AbortError"),
      "AbortError",
      "the operation was aborted"
    ],
    [
      "an abort with words",
      new DOMException("the client was closed", "AbortError"),
      "AbortError",
      "the client was closed"
    ],
    ["a signal's own", AbortSignal.abort().reason, "AbortError", "This operation was aborted"],
    [
      "a signal's time",
      new DOMException("", "TimeoutError"),
      "TimeoutError",
      "the operation was aborted: its time is over"
    ],
    ["an error of that name", Object.assign(new Error("stop"), { name: "AbortError" }), "AbortError", "stop"]
  ])("comes back as an error that says so: %s", (_, reason, name, message) => {
    for (const plain of [Errors.toPlain(reason), JSON.parse(JSON.stringify(Errors.toPlain(reason)))]) {
      const back = Errors.fromPlain(plain)
      expect(back).toBeInstanceOf(Errors.ForeignError)
      expect(back).toMatchObject({ name, _tag: name, message })
      expect(Errors.isCallError(back)).toBe(false)
      comesBack(Errors.fromPlain(Errors.toPlain(back)), back ?? expect.unreachable())
    }
  })
})

describe("plain data of a thing that is no error", () => {
  it.each<readonly [string, unknown, object]>([
    ["with a message", { message: "no room" }, { name: "Error", message: "no room" }],
    [
      "with a name and a code",
      { name: "Oops", message: "m", code: "E1", secret: "s" },
      { name: "Oops", message: "m", code: "E1" }
    ],
    ["text", "no room", { name: "Error", message: "no room" }],
    ["a number", 404, { name: "Error", message: "404" }],
    ["nothing", undefined, { name: "Error", message: "" }],
    ["a message that is no text", { message: 7 }, { name: "Error", message: "" }]
  ])("has what the thing says: %s", (_, thing, plain) => expect(Errors.toPlain(thing)).toEqual(plain))

  it.each(named)("is the same where it is plain data already: %s", (_, error) => {
    const plain = Errors.toPlain(error)
    expect(Errors.toPlain(plain)).toEqual(plain)
    expect(Errors.toPlain(JSON.parse(JSON.stringify(error)))).toEqual(plain)
  })
})

describe("plain data that is no error of ours", () => {
  const plain = Errors.toPlain(calls[0])
  it.each<readonly [string, unknown]>([
    ["nothing", undefined],
    ["null", null],
    ["text", "NotFound"],
    ["a list", [plain]],
    ["no tag", { message: "no" }],
    ["an empty tag", { ...plain, _tag: "" }],
    ["no message", { ...plain, message: undefined }],
    ["a message that is an object", { ...plain, message: { toString: () => "x" } }],
    ["no operation", { ...plain, operation: undefined }],
    ["a field of another kind", { ...plain, field: 7 }],
    ["a status that is text", { ...plain, status: "409" }],
    ["without a field that its tag has", { _tag: "OutcomeUnknown", operation, message: "m", attempts: 1 }]
  ])("is undefined: %s", (_, value) => expect(Errors.fromPlain(value)).toBeUndefined())

  it("runs nothing, and changes no prototype", () => {
    const bad = JSON.parse(
      '{"_tag":"NotFound","operation":"a.b","message":"m","__proto__":{"isAdmin":true},"constructor":{"name":"x"},"toJSON":1,"cause":{"_tag":"__proto__","message":"m"}}'
    )
    const error = Errors.fromPlain(bad)
    expect(error).toBeInstanceOf(Errors.NotFound)
    expect(Object(error).isAdmin).toBeUndefined()
    expect(typeof Object(error).toJSON).toBe("function")
    expect(Object({}).isAdmin).toBeUndefined()
    const getter = {
      get _tag() {
        return expect.unreachable()
      }
    }
    expect(() => Errors.toPlain(Object.assign(new Error("x"), { cause: getter }))).not.toThrow()
  })

  it("claims nothing about a repetition that its tag denies", () => {
    expect(Errors.fromPlain({ ...plain, retryable: true })).toMatchObject({ retryable: false })
    const tls = Errors.toPlain(new Errors.NetworkError({ operation, reason: "Tls" }))
    expect(Errors.fromPlain({ ...tls, retryable: true })).toMatchObject({ retryable: false })
  })

  it("is a ForeignError with its tag and fields, where the tag is a newer version's", () => {
    const newer = {
      _tag: "QuotaExceeded",
      name: "QuotaExceeded",
      operation,
      message: "no more",
      limit: 7,
      retryable: false
    }
    const error = Errors.fromPlain(newer)
    expect(error).toBeInstanceOf(Errors.ForeignError)
    expect(error).toMatchObject(newer)
    expect(Errors.isCallError(error)).toBe(false)
    expect(Errors.toPlain(error)).toEqual(newer)
  })

  it("is followed to a bounded depth", () => {
    let deep: Record<string, unknown> = { _tag: "NotFound", operation, message: "m" }
    for (let level = 0; level < 10_000; level++) deep = { ...deep, cause: deep }
    expect(Errors.fromPlain(deep)).toBeInstanceOf(Errors.NotFound)
    const ring: Record<string, unknown> = {}
    ring.ring = ring
    const circular = new ChatError({ operation: "chat.open", reason: "Refused", detail: "no", data: ring })
    expect(JSON.stringify(circular).length).toBeLessThan(10_000)
  })
})

it("every error of the package that makes its own words is made by the one base", () => {
  const files = ["core", "adapters", "clients", "ui"].flatMap((folder) => filesIn(folder))
  const bare = files.filter(
    (file) => /\.tsx?$/.test(file) && /Data\.TaggedError\([^;]*?get message\(/s.test(read(file))
  )
  expect(bare).toEqual([])
})
