// Answers that are not what their operations declare: kept as they came by default, reported once, refused on demand.
import { describe, expect, it } from "@effect/vitest"
import * as Sample from "@quartet/support/dispatcher.js"
import { effect } from "@quartet/support/effect.js"
import { json, text } from "@quartet/support/fake-transport.js"
import { Effect, Fiber, Logger, Schema, TestClock } from "effect"
import * as Auth from "../../../../core/auth/operations.js"
import * as Content from "../../../../core/content/operations.js"
import type * as DriftModule from "../../../../core/kernel/codec/drift.js"
import type { Drift } from "../../../../core/kernel/codec/drift.js"
import * as Entity from "../../../../core/kernel/operation/entity.js"
import type { Operation } from "../../../../core/kernel/operation/operation.js"
import * as Payments from "../../../../core/payments/operations.js"
import type { Outcome } from "../../../../core/ports/transport.js"
import * as Projects from "../../../../core/projects/operations.js"
import * as Requests from "../../../../core/requests/operations.js"

const at = new Date("2024-05-01T10:00:00Z")
const when = "2024-05-01T10:00:00.000+0000"

/** A client that notes what it is told. */
const over = (outcomes: ReadonlyArray<Outcome>, options: Sample.Options = {}) => {
  const drifts: Array<Drift> = []
  const onDrift = (drift: Drift) => Effect.sync(() => drifts.push(drift))
  const config = { logDrift: false, onDrift, ...options.config }
  return { ...Sample.make(outcomes, { ...options, config }), drifts }
}

/** The same over one answer. */
const listening = (answer: unknown, options?: Sample.Options) =>
  over([typeof answer === "string" ? text(200, answer) : json(200, answer)], options)

const answered = <I, A>(operation: Operation<I, A, never>, input: I, answer: unknown) =>
  Effect.gen(function* () {
    const audience = operation.declaration().audiences[0] ?? "admin"
    const { dispatcher, drifts } = listening(answer, { settings: { audience } })
    return { value: yield* dispatcher.call(operation, input), drifts }
  })

const write = { id: "r1", payload: { status: "confirmed" } }

describe("an answer that is not what was declared is answered as it came:", () => {
  const two = [{ createdAt: 1714557600000 }, { createdAt: when }]
  const epoch = { path: "comments[].createdAt", expected: "DateTime | null", came: "number" }
  const comments = { path: "comments", came: "object" }
  effect.each<readonly [name: string, answer: unknown, drift: object, value?: unknown]>([
    ["without the id", { ok: true }, { path: "_id", expected: "a non-empty id", came: "nothing" }],
    ["an empty body", "", { path: "", came: "nothing" }, undefined],
    ["null", "null", { path: "", came: "null" }, null],
    ["text", '"done"', { path: "", came: "text" }, "done"],
    ["a list", [{ at: when }], { path: "", came: "list" }, [{ at }]],
    ["an id that is a number", { _id: 7 }, { path: "_id", came: "number" }],
    ["an id that is empty", { _id: "" }, { path: "_id", came: "empty text" }],
    ["a version that is text", { _id: "r1", version: "4" }, { path: "version", came: "text" }],
    [
      "comments that are no list",
      { _id: "r", comments: { at: when } },
      comments,
      { _id: "r", comments: { at } }
    ],
    [
      "an epoch as a date",
      { _id: "r", comments: two },
      epoch,
      { _id: "r", comments: [two[0], { createdAt: at }] }
    ],
    ["a comment that is text", { _id: "r1", comments: ["hi"] }, { path: "comments[]", came: "text" }]
  ])("%s", function* (row) {
    const [, answer, drift, value] = row
    const result = yield* answered(Requests.update, write, answer)
    expect(result.value).toEqual(row.length === 4 ? value : answer)
    expect(result.drifts).toHaveLength(1)
    expect(result.drifts[0]).toMatchObject({ operation: "requests.update", ...drift })
  })

  effect("and its date-times become Dates, in declared and in undeclared fields", function* () {
    const answer = { _id: "p1", created: when, more: { paid: when } }
    const { drifts, value } = yield* answered(Payments.get, { id: "p1" }, answer)
    expect([value, drifts]).toEqual([{ _id: "p1", created: at, more: { paid: at } }, []])
  })

  effect("every field on its own: the others are checked and reported too", function* () {
    const answer = { name: 5, created: when, api_key: [], metadata: 1 }
    const { drifts, value } = yield* answered(Projects.self, {}, answer)
    expect(value).toEqual({ name: 5, created: at, api_key: [], metadata: 1 })
    expect(drifts.map(({ path }) => path).sort()).toEqual(["_id", "api_key", "metadata", "name"])
  })

  effect.each([
    [{ a: 1 }, "object"],
    ["text", "text"],
    [5, "number"],
    [true, "boolean"]
  ] as const)("providers that are no list: %s", function* ([providers, came]) {
    const { drifts, value } = yield* answered(Projects.self, {}, { _id: "p", providers })
    expect(value).toEqual({ _id: "p", providers })
    expect(drifts).toMatchObject([{ path: "providers", came }])
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
    const { drifts, value } = yield* answered(Requests.update, write, source)
    expect(value).toEqual({
      _id: "90071992547409931",
      version: "9007199254740993",
      deep: [{ n: "-12345678901234567890" }, { n: 1 }],
      t: "9007199254740993"
    })
    const came = "a whole number beyond ±2⁵³"
    expect(drifts.map(({ path }) => path).sort()).toEqual(["_id", "deep[].n", "version"])
    expect(drifts).toEqual(drifts.map((drift) => ({ ...drift, came })))
  })

  effect("stays a number up to 2⁵³, and a number with a fraction or an exponent stays one", function* () {
    const answer = '{"_id":"r","a":9007199254740992,"b":1e300,"c":-9007199254740991}'
    const { drifts, value } = yield* answered(Requests.update, write, answer)
    expect(value).toEqual({ _id: "r", a: 2 ** 53, b: 1e300, c: -(2 ** 53) + 1 })
    expect(drifts).toEqual([])
  })

  effect.each<readonly [string, unknown]>([
    ["12345678901234567.00", "12345678901234567.00"],
    ["9.007199254740993E15", "9.007199254740993E15"],
    ["12345678901234567890e0", "12345678901234567890e0"],
    ["1e300", 1e300],
    ["4503599627370496000e-3", 4503599627370496]
  ])("is one however it is written: %s", function* ([written, value]) {
    const result = yield* answered(Requests.get, { id: "r" }, `{"_id":"r","n":${written}}`)
    expect(result.value).toEqual({ _id: "r", n: value })
    expect(result.drifts).toHaveLength(typeof value === "string" ? 1 : 0)
  })

  effect("fails a strict call", function* () {
    const { dispatcher } = listening('{"_id":"r","n":9007199254740993}', { config: { answers: "strict" } })
    expect(yield* Effect.flip(dispatcher.call(Requests.get, { id: "r" }))).toMatchObject({
      reason: "Precision"
    })
  })
})

describe("a list call that is answered with no list has a page all the same, and reports it as drift:", () => {
  const declared = "a list, or an object that holds one"
  effect.each<readonly [name: string, answer: unknown, came: string, page: object]>([
    ["null", "null", "null", { items: [], paging: {} }],
    ["an empty body, as of a 204", "", "nothing", { items: [], paging: {} }],
    ["an empty object", {}, "object", { items: [], paging: {} }],
    ["fields without a list", { ok: true, at: when }, "object", { items: [], paging: { ok: true, at } }],
    ["a count without a list", { total: "0" }, "object", { items: [], paging: { total: 0 } }],
    [
      "one object, which is its one item",
      { _id: "r1", at: when },
      "object",
      { items: [{ _id: "r1", at }], paging: {} }
    ],
    [
      "one object that has a list of its own",
      { _id: "r1", comments: [{ text: "Hi" }] },
      "object",
      { items: [{ _id: "r1", comments: [{ text: "Hi" }] }], paging: {} }
    ],
    [
      "a list one level down",
      { ok: true, data: { items: [{ _id: "r1", at: when }], total: "1" } },
      "object",
      { items: [{ _id: "r1", at }], paging: { ok: true, total: 1 } }
    ],
    [
      "a list two levels down",
      { result: { data: { requests: [{ _id: "r1" }] }, page: 1 } },
      "object",
      { items: [{ _id: "r1" }], paging: { page: 1 } }
    ],
    [
      "two lists, of which neither is named like one",
      { a: [1], b: [2] },
      "object",
      { items: [], paging: { a: [1], b: [2] } }
    ],
    ["text", '"done"', "text", { items: ["done"], paging: {} }]
  ])("%s", function* ([, answer, came, page]) {
    const { drifts, value } = yield* answered(Requests.list, {}, answer)
    expect(value).toEqual(page)
    expect(drifts[0]).toEqual({ operation: "requests.list", path: "", expected: declared, came })
  })

  effect("a list in a nested object names the drift of its items in full", function* () {
    const { drifts } = yield* answered(Requests.list, {}, { data: { items: [{ _id: 5 }] } })
    expect(drifts.map(({ path }) => path)).toEqual(["", "data.items[]._id"])
  })

  effect.each([
    ["no list", '{"ok":true}', "Shape"],
    ["a nested list", '{"data":{"items":[]}}', "Shape"],
    ["one object", '{"_id":"r1","comments":[]}', "Shape"],
    ["null", "null", "Empty"],
    ["nothing", "", "Empty"]
  ] as const)("a strict client refuses %s", function* ([, answer, reason]) {
    const { dispatcher, drifts } = listening(answer, { config: { answers: "strict" } })
    const error = yield* Effect.flip(dispatcher.call(Requests.list, {}))
    expect([error, drifts]).toMatchObject([{ _tag: "AnswerError", reason }, []])
  })

  effect(
    "content.paginated answers `content` and `paging`, as the specification says, beside `items`",
    function* () {
      const answer = { content: [{ _id: "c1", at: when }], paging: { page: 1, total: 1 } }
      const { drifts, value } = yield* answered(Content.paginated, {}, answer)
      const content = [{ _id: "c1", at }]
      expect([value, drifts]).toEqual([{ content, items: content, paging: answer.paging }, []])
      expect((yield* answered(Content.paginated, {}, "null")).value).toEqual({
        content: [],
        items: [],
        paging: {}
      })
    }
  )
})

effect("a sign-in whose user has no id is a sign-in", function* () {
  const answer = { sessionId: "s", user: { email: 5 } }
  const { value } = yield* answered(Auth.login, { email: "a@b.c", password: "p" }, answer)
  expect(value).toEqual(answer)
})

describe("a strict answer", () => {
  const strict = { config: { answers: "strict" as const } }

  effect("is refused with the field at fault, and says that a write is done", function* () {
    const { dispatcher } = listening({ ok: true }, strict)
    const error = yield* Effect.flip(dispatcher.call(Requests.update, write))
    const done = { _tag: "AnswerError", field: "_id", status: 200, isDone: true, retryable: false }
    expect(error).toMatchObject(done)
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
    const refused = tolerant.dispatcher.call(Requests.get, { id: "r" }, { answers: "strict" })
    expect(yield* Effect.flip(refused)).toMatchObject({ _tag: "AnswerError" })
    const { dispatcher } = listening({ ok: true }, strict)
    const strictly = dispatcher.call(Requests.get, { id: "r" }, { answers: "tolerant" })
    expect(yield* strictly).toEqual({ ok: true })
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
    const answers = [{ _id: 5 }, { _id: 6 }, { _id: null }, {}, { _id: 5 }]
    const { dispatcher, drifts } = over(answers.map((answer) => json(200, answer)))
    for (const _ of answers) yield* dispatcher.call(Requests.get, { id: "r" })
    expect(drifts.map(({ came, path }) => [path, came])).toEqual([
      ["_id", "number"],
      ["_id", "null"],
      ["_id", "nothing"]
    ])
  })

  effect("of a thousand items is one report", function* () {
    const items = Array.from({ length: 1_000 }, (_, _id) => ({ _id }))
    const { drifts, value } = yield* answered(Requests.list, {}, { items })
    expect(value.items).toHaveLength(1_000)
    const drift = { operation: "requests.list", path: "items[]._id", expected: "a string", came: "number" }
    expect(drifts).toEqual([drift])
  })

  effect("is a warning in the log, with its parts as annotations, and never shows a value", function* () {
    const lines: Array<string> = []
    const logger = Logger.map(Logger.stringLogger, (line) => lines.push(line))
    // Each place of an address is written once by a process, which other tests share.
    const config = { baseUrl: "http://drift.test" }
    const { dispatcher } = Sample.make([json(200, { _id: { canary: "canary" } })], { config })
    const call = dispatcher.call(Requests.get, { id: "r" })
    yield* Effect.provide(call, Logger.replace(Logger.defaultLogger, logger))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain("level=WARN")
    expect(lines[0]).toContain("requests.get: expected a string at _id, got object")
    expect(lines[0]).toContain("operation=requests.get")
    expect(lines[0]).not.toContain("canary")
  })

  effect("is written to the log once by a process for each address, whichever client finds it", function* () {
    const lines: Array<string> = []
    const logger = Logger.map(Logger.stringLogger, (line) => lines.push(line))
    const ask = (baseUrl: string) => {
      const { dispatcher } = Sample.make([json(200, { _id: 7 })], { config: { baseUrl } })
      const call = dispatcher.call(Requests.get, { id: "r" })
      return Effect.provide(call, Logger.replace(Logger.defaultLogger, logger))
    }
    for (const address of ["http://one.test", "http://one.test", "http://two.test", "http://one.test"])
      yield* ask(address)
    expect(lines).toHaveLength(2)
  })

  effect("is written to the log once for an address, however it is spelled", function* () {
    const lines: Array<string> = []
    const logger = Logger.map(Logger.stringLogger, (line) => lines.push(line))
    for (const baseUrl of [
      "http://spelled.test",
      "http://spelled.test/",
      "http://spelled.test:80",
      "HTTP://Spelled.Test:80//",
      "http://spelled.test/api/",
      "http://spelled.test/api"
    ]) {
      const { dispatcher } = Sample.make([json(200, { _id: 7 })], { config: { baseUrl } })
      const call = dispatcher.call(Requests.get, { id: "r" })
      yield* Effect.provide(call, Logger.replace(Logger.defaultLogger, logger))
    }
    // Another path is another platform.
    expect(lines).toHaveLength(2)
  })

  it("is written to the log at a bounded number of places", async () => {
    // A module of its own: what a process has logged stays.
    const fresh = "../../../../core/kernel/codec/drift.js?fresh"
    const { lineOf }: typeof DriftModule = await import(/* @vite-ignore */ fresh)
    const drift = { operation: "a.b", expected: "text", came: "number" }
    const lines = Array.from({ length: 3_000 }, (_, at) =>
      lineOf("http://many.test", { ...drift, path: `p${at}` })
    )
    const written = lines.filter((line) => line !== undefined)
    expect(written.length).toBeLessThanOrEqual(1_001)
    expect(written.at(-1)).toContain("this process logs no more of them")
  })

  effect("does not fail the call when its hook fails", function* () {
    const { dispatcher } = listening({ ok: true }, { config: { onDrift: () => Effect.die("broken hook") } })
    const quiet = Logger.remove(Logger.defaultLogger)
    expect(yield* Effect.provide(dispatcher.call(Requests.get, { id: "r" }), quiet)).toEqual({ ok: true })
  })

  effect("remembers a bounded number of places, however many a hostile server names", function* () {
    const big = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`k${at}`, 1]))
    const source = JSON.stringify({ _id: "r", ...big }).replaceAll(":1", ":9007199254740993")
    const { drifts, value } = yield* answered(Requests.get, { id: "r" }, source)
    expect(value).toMatchObject({ k0: "9007199254740993", k4999: "9007199254740993" })
    expect(drifts).toHaveLength(101)
    expect(drifts.at(-1)).toMatchObject({ expected: "at most 100 places that drift" })
  })

  effect("of one operation leaves room for that of the others", function* () {
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`k${at}`, 1]))
    const source = JSON.stringify({ _id: "r", ...many }).replaceAll(":1", ":9007199254740993")
    const { dispatcher, drifts } = over([text(200, source), json(200, {})])
    yield* dispatcher.call(Requests.get, { id: "r" })
    yield* dispatcher.call(Payments.get, { id: "p" })
    expect(drifts.at(-1)).toMatchObject({ operation: "payments.get", path: "_id" })
  })

  effect("names no data: a key that does not look like a name is a star", function* () {
    const answer = '{"_id":"r","by":{"a@x.com":9007199254740993}}'
    expect((yield* answered(Requests.get, { id: "r" }, answer)).drifts).toMatchObject([{ path: "by.*" }])
  })

  effect("is told no more after the client closed, and its call ends with what was answered", function* () {
    let ended = 0
    const onDrift = () => Effect.onInterrupt(Effect.never, () => Effect.sync(() => (ended += 1)))
    const { dispatcher } = Sample.make([json(200, { ok: true })], { config: { logDrift: false, onDrift } })
    const fiber = yield* Effect.fork(dispatcher.call(Requests.get, { id: "r" }))
    yield* TestClock.adjust("100 millis")
    yield* dispatcher.lifetime.close
    expect(ended).toBe(1)
    expect(yield* Fiber.join(fiber)).toEqual({ ok: true })
  })

  effect("is told to its end though the caller leaves", function* () {
    const drifts: Array<string> = []
    const onDrift = ({ path }: Drift) => Effect.map(Effect.sleep("1 second"), () => drifts.push(path))
    const { dispatcher } = listening({ version: "1" }, { config: { onDrift } })
    const fiber = yield* Effect.fork(dispatcher.call(Requests.get, { id: "r" }))
    yield* TestClock.adjust("100 millis")
    yield* Fiber.interrupt(fiber)
    yield* TestClock.adjust("10 seconds")
    expect(drifts.sort()).toEqual(["_id", "version"])
  })

  effect("whose hook never ends holds a call no longer than its deadline", function* () {
    const hanging = { config: { onDrift: () => Effect.never }, policy: { deadline: 500 } }
    const { dispatcher } = listening({ ok: true }, hanging)
    const fiber = yield* Effect.fork(dispatcher.call(Requests.get, { id: "r" }))
    yield* TestClock.adjust("1 second")
    expect(yield* Fiber.join(fiber)).toEqual({ ok: true })
  })
})
