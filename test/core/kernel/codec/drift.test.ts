// Answers that are not what their operations declare: kept as they came by default, reported once, refused on demand.
import { describe, expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/TestClock"
import * as Auth from "../../../../core/auth/operations.js"
import type { Drift } from "../../../../core/kernel/codec/drift.js"
import * as Entity from "../../../../core/kernel/operation/entity.js"
import type { Operation } from "../../../../core/kernel/operation/operation.js"
import * as Payments from "../../../../core/payments/operations.js"
import * as Projects from "../../../../core/projects/operations.js"
import * as Requests from "../../../../core/requests/operations.js"
import * as Sample from "../../../support/dispatcher.js"
import { effect } from "../../../support/effect.js"
import { json, text } from "../../../support/fake-transport.js"

const at = new Date("2024-05-01T10:00:00Z")
const when = "2024-05-01T10:00:00.000+0000"

/** A client that notes what it is told, over one answer. */
const listening = (answer: unknown, config: Partial<Parameters<typeof Sample.make>[1]> = {}) => {
  const told: Array<Drift> = []
  const outcome = typeof answer === "string" ? text(200, answer) : json(200, answer)
  const onDrift = (drift: Drift) => Effect.sync(() => told.push(drift))
  const made = Sample.make([outcome], { ...config, config: { logDrift: false, onDrift, ...config?.config } })
  return { ...made, told }
}

const answered = <I, A>(operation: Operation<I, A, never>, input: I, answer: unknown) =>
  Effect.gen(function* () {
    const audience = operation.declaration().audiences[0] ?? "admin"
    const { dispatcher, told } = listening(answer, { settings: { audience } })
    return { value: yield* dispatcher.call(operation, input), told }
  })

const write = { id: "r1", payload: { status: "confirmed" } }

describe("an answer that is not what was declared is answered as it came:", () => {
  effect.each<readonly [name: string, answer: unknown, value: unknown, drift: object]>([
    [
      "without the id",
      { ok: true },
      { ok: true },
      { path: "_id", expected: "a non-empty id", came: "nothing" }
    ],
    ["an empty body", "", undefined, { path: "", came: "nothing" }],
    ["null", "null", null, { path: "", came: "null" }],
    ["text", '"done"', "done", { path: "", came: "text" }],
    ["a list", [{ at: when }], [{ at }], { path: "", came: "list" }],
    ["an id that is a number", { _id: 7 }, { _id: 7 }, { path: "_id", came: "number" }],
    ["an id that is empty", { _id: "" }, { _id: "" }, { path: "_id", came: "empty text" }],
    [
      "a version that is text",
      { _id: "r1", version: "4" },
      { _id: "r1", version: "4" },
      { path: "version", came: "text" }
    ],
    [
      "comments that are no list",
      { _id: "r1", comments: { at: when } },
      { _id: "r1", comments: { at } },
      { path: "comments", came: "object" }
    ],
    [
      "an epoch as a date, in one comment of two",
      { _id: "r1", comments: [{ createdAt: 1714557600000 }, { createdAt: when }] },
      { _id: "r1", comments: [{ createdAt: 1714557600000 }, { createdAt: at }] },
      { path: "comments[].createdAt", expected: "DateTime | null", came: "number" }
    ],
    [
      "a comment that is text",
      { _id: "r1", comments: ["hi"] },
      { _id: "r1", comments: ["hi"] },
      { path: "comments[]", came: "text" }
    ]
  ])("%s", function* ([, answer, value, drift]) {
    const found = yield* answered(Requests.update, write, answer)
    expect(found.value).toEqual(value)
    expect(found.told).toHaveLength(1)
    expect(found.told[0]).toMatchObject({ operation: "requests.update", ...drift })
  })

  effect("and its date-times become Dates, in declared and in undeclared fields", function* () {
    const { told, value } = yield* answered(
      Payments.get,
      { id: "p1" },
      { created: when, more: { paid: when } }
    )
    expect(value).toEqual({ created: at, more: { paid: at } })
    expect(told).toEqual([
      { operation: "payments.get", path: "_id", expected: "a non-empty id", came: "nothing" }
    ])
  })

  effect("every field on its own: the others are checked and reported too", function* () {
    const { told, value } = yield* answered(
      Projects.self,
      {},
      { name: 5, created: when, api_key: [], metadata: 1 }
    )
    expect(value).toEqual({ name: 5, created: at, api_key: [], metadata: 1 })
    expect(told.map(({ path }) => path).sort()).toEqual(["_id", "api_key", "name"])
  })

  effect("providers of another type than v2 are dropped though one of them is odd", function* () {
    const providers = [{ type: "v1" }, { type: "v2", name: 5 }, { type: "v2", at: when }, null]
    const { value } = yield* answered(Projects.self, {}, { _id: "p", providers })
    expect(value.providers).toEqual([
      { type: "v2", name: 5 },
      { type: "v2", at }
    ])
  })
})

describe("a whole number beyond 2⁵³", () => {
  effect("becomes its decimal text, wherever it stands, and is reported", function* () {
    const source =
      '{"_id":90071992547409931,"version":9007199254740993,"deep":[{"n":-12345678901234567890},{"n":1}],"t":"9007199254740993"}'
    const { told, value } = yield* answered(Requests.update, write, source)
    expect(value).toEqual({
      _id: "90071992547409931",
      version: "9007199254740993",
      deep: [{ n: "-12345678901234567890" }, { n: 1 }],
      t: "9007199254740993"
    })
    const came = "a whole number beyond ±2⁵³"
    expect(told.map(({ path }) => path).sort()).toEqual(["_id", "deep[].n", "version"])
    expect(told).toEqual(told.map((drift) => ({ ...drift, came })))
  })

  effect("stays a number up to 2⁵³, and a number with a fraction or an exponent stays one", function* () {
    const { told, value } = yield* answered(
      Requests.update,
      write,
      '{"_id":"r","a":9007199254740992,"b":1e300,"c":-9007199254740991}'
    )
    expect(value).toEqual({ _id: "r", a: 2 ** 53, b: 1e300, c: -(2 ** 53) + 1 })
    expect(told).toEqual([])
  })

  effect.each<readonly [string, unknown]>([
    ["12345678901234567.00", "12345678901234567.00"],
    ["9.007199254740993E15", "9.007199254740993E15"],
    ["12345678901234567890e0", "12345678901234567890e0"],
    ["1e300", 1e300],
    ["4503599627370496000e-3", 4503599627370496]
  ])("is one however it is written: %s", function* ([written, value]) {
    const found = yield* answered(Requests.get, { id: "r" }, `{"_id":"r","n":${written}}`)
    expect(found.value).toEqual({ _id: "r", n: value })
    expect(found.told).toHaveLength(typeof value === "string" ? 1 : 0)
  })

  effect("fails a strict call", function* () {
    const { dispatcher } = listening('{"_id":"r","n":9007199254740993}', { config: { answers: "strict" } })
    expect(yield* Effect.flip(dispatcher.call(Requests.get, { id: "r" }))).toMatchObject({
      reason: "Precision"
    })
  })
})

describe("what cannot be read at all stays an error:", () => {
  effect.each<readonly [name: string, operation: "list" | "login" | "get", answer: string, reason: string]>([
    ["no JSON", "get", "<html>", "NotJson"],
    ["too deep", "get", `{"a":${"[".repeat(2_000)}${"]".repeat(2_000)}}`, "TooDeep"],
    ["a list with no list in it", "list", '{"ok":true}', "Shape"],
    ["a list that is empty text", "list", "", "Empty"],
    ["a sign-in without token", "login", '{"user":{}}', "Shape"],
    ["a sign-in whose token is a number", "login", '{"accessToken":5,"user":{}}', "Shape"],
    ["a sign-in that answers nothing", "login", "", "Empty"]
  ])("%s", function* ([, name, answer, reason]) {
    const { dispatcher, told } = listening(answer)
    const call = {
      list: Effect.asVoid(dispatcher.call(Requests.list, {})),
      get: Effect.asVoid(dispatcher.call(Requests.get, { id: "r" })),
      login: Effect.asVoid(dispatcher.call(Auth.adminLogin, { email: "a@b.c", password: "secret" }))
    }[name]
    expect(yield* Effect.flip(call)).toMatchObject({ _tag: "AnswerError", reason })
    expect(told).toEqual([])
  })

  effect("a sign-in whose user has no id is a sign-in", function* () {
    const { value } = yield* answered(
      Auth.login,
      { email: "a@b.c", password: "p" },
      { sessionId: "s", user: { email: 5 } }
    )
    expect(value).toEqual({ sessionId: "s", user: { email: 5 } })
  })
})

describe("a strict answer", () => {
  const strict = { config: { answers: "strict" as const } }

  effect("is refused with the field at fault, and says that a write is done", function* () {
    const { dispatcher } = listening({ ok: true }, strict)
    const error = yield* Effect.flip(dispatcher.call(Requests.update, write))
    expect(error).toMatchObject({
      _tag: "AnswerError",
      field: "_id",
      status: 200,
      isDone: true,
      retryable: false
    })
    expect(error.message).toContain("The platform has done what was asked: do not repeat it.")
  })

  effect("of a read says no such thing", function* () {
    const { dispatcher } = listening({ ok: true }, strict)
    const error = yield* Effect.flip(dispatcher.call(Requests.get, { id: "r1" }))
    expect(error).not.toHaveProperty("isDone")
    expect(error.message).not.toContain("do not repeat")
  })

  effect("may be asked for by one call, and tolerance by one call of a strict client", function* () {
    const tolerant = listening({ ok: true })
    expect(
      yield* Effect.flip(tolerant.dispatcher.call(Requests.get, { id: "r" }, { answers: "strict" }))
    ).toMatchObject({ _tag: "AnswerError" })
    const client = listening({ ok: true }, strict)
    expect(yield* client.dispatcher.call(Requests.get, { id: "r" }, { answers: "tolerant" })).toEqual({
      ok: true
    })
  })

  effect("is what a caller's own schema always gets", function* () {
    const Mine = Schema.Struct({ _id: Entity.Id, price: Schema.Number })
    const { dispatcher } = listening({ _id: "r", price: "5" })
    const call = dispatcher.call(Requests.get.as(Mine), { id: "r" }, { answers: "tolerant" })
    expect(yield* Effect.flip(call)).toMatchObject({ _tag: "AnswerError", field: "price" })
  })

  effect.each(["lenient", "", null, 5])(
    "is not asked for by answers: %j, which is refused",
    function* (answers) {
      const { dispatcher } = listening({})
      const call = dispatcher.call(Requests.get, { id: "r" }, { answers: answers as never })
      expect(yield* Effect.flip(call)).toMatchObject({ _tag: "InputError", field: "answers" })
    }
  )
})

describe("drift", () => {
  effect("is reported once for each place and kind of a client", function* () {
    const told: Array<Drift> = []
    const answers = [{ _id: 5 }, { _id: 6 }, { _id: null }, {}, { _id: 5 }].map((answer) => json(200, answer))
    const { dispatcher } = Sample.make(answers, {
      config: { logDrift: false, onDrift: (drift) => Effect.sync(() => told.push(drift)) }
    })
    for (const _ of answers) yield* dispatcher.call(Requests.get, { id: "r" })
    expect(told.map(({ came, path }) => [path, came])).toEqual([
      ["_id", "number"],
      ["_id", "null"],
      ["_id", "nothing"]
    ])
  })

  effect("of a thousand items is one report", function* () {
    const { told, value } = yield* answered(
      Requests.list,
      {},
      { items: Array.from({ length: 1_000 }, (_, _id) => ({ _id })) }
    )
    expect(value.items).toHaveLength(1_000)
    expect(told).toEqual([
      { operation: "requests.list", path: "items[]._id", expected: "a string", came: "number" }
    ])
  })

  effect("is a warning in the log, with its parts as annotations, and never shows a value", function* () {
    const lines: Array<string> = []
    const logger = Logger.map(Logger.stringLogger, (line) => lines.push(line))
    const { dispatcher } = Sample.make([json(200, { _id: { canary: "canary" } })])
    yield* Effect.provide(
      dispatcher.call(Requests.get, { id: "r" }),
      Logger.replace(Logger.defaultLogger, logger)
    )
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain("level=WARN")
    expect(lines[0]).toContain("requests.get: expected a string at _id, got object")
    expect(lines[0]).toContain("operation=requests.get")
    expect(lines[0]).not.toContain("canary")
  })

  effect("does not fail the call when its hook fails", function* () {
    const { dispatcher } = Sample.make([json(200, { ok: true })], {
      config: { logDrift: false, onDrift: () => Effect.die("broken hook") }
    })
    const quiet = Logger.remove(Logger.defaultLogger)
    expect(yield* Effect.provide(dispatcher.call(Requests.get, { id: "r" }), quiet)).toEqual({ ok: true })
  })

  effect("remembers a bounded number of places, however many a hostile server names", function* () {
    const big = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`k${at}`, 1]))
    const source = JSON.stringify({ _id: "r", ...big }).replaceAll(":1", ":9007199254740993")
    const { told, value } = yield* answered(Requests.get, { id: "r" }, source)
    expect(value).toMatchObject({ k0: "9007199254740993", k4999: "9007199254740993" })
    expect(told).toHaveLength(101)
    expect(told.at(-1)).toMatchObject({ expected: "at most 100 places that drift" })
  })

  effect("of one operation leaves room for that of the others", function* () {
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`k${at}`, 1]))
    const source = JSON.stringify({ _id: "r", ...many }).replaceAll(":1", ":9007199254740993")
    const told: Array<Drift> = []
    const onDrift = (drift: Drift) => Effect.sync(() => told.push(drift))
    const { dispatcher } = Sample.make([text(200, source), json(200, {})], {
      config: { logDrift: false, onDrift }
    })
    yield* dispatcher.call(Requests.get, { id: "r" })
    yield* dispatcher.call(Payments.get, { id: "p" })
    expect(told.at(-1)).toMatchObject({ operation: "payments.get", path: "_id" })
  })

  effect("names no data: a key that does not look like a name is a star", function* () {
    const { told } = yield* answered(
      Requests.get,
      { id: "r" },
      '{"_id":"r","by":{"a@x.com":9007199254740993}}'
    )
    expect(told).toMatchObject([{ path: "by.*" }])
  })

  effect("is told to its end though the caller leaves", function* () {
    const told: Array<string> = []
    const onDrift = ({ path }: Drift) =>
      Effect.delay(
        Effect.sync(() => told.push(path)),
        "1 second"
      )
    const { dispatcher } = Sample.make([json(200, { version: "1" })], {
      config: { logDrift: false, onDrift }
    })
    const fiber = yield* Effect.fork(dispatcher.call(Requests.get, { id: "r" }))
    yield* TestClock.adjust("100 millis")
    yield* Fiber.interrupt(fiber)
    yield* TestClock.adjust("10 seconds")
    expect(told.sort()).toEqual(["_id", "version"])
  })

  effect("whose hook never ends holds a call no longer than its deadline", function* () {
    const { dispatcher } = Sample.make([json(200, { ok: true })], {
      config: { logDrift: false, onDrift: () => Effect.never },
      policy: { deadline: 500 }
    })
    const fiber = yield* Effect.fork(dispatcher.call(Requests.get, { id: "r" }))
    yield* TestClock.adjust("1 second")
    expect(yield* Fiber.join(fiber)).toEqual({ ok: true })
  })
})
