// Middleware of the kernel: what it may change, and what is refused as the caller's own would be. What both faces share
// stands in test/contracts/middleware.test.ts.
import { describe, expect } from "@effect/vitest"
import * as Sample from "@quartet/support/dispatcher.js"
import { busy, thing } from "@quartet/support/dispatcher.js"
import { effect } from "@quartet/support/effect.js"
import * as Fake from "@quartet/support/fake-transport.js"
import * as Things from "@quartet/support/things.js"
import { Effect, Either, Exit, Fiber, TestClock } from "effect"
import { asOneWork } from "../../../../core/kernel/dispatch/dispatcher.js"
import type { Middleware, MiddlewareCall } from "../../../../core/kernel/dispatch/middleware.js"
import { streaming } from "../../../../core/kernel/dispatch/response.js"
import * as Settings from "../../../../core/kernel/dispatch/settings.js"

const sampled = (script: Fake.Script, middleware: ReadonlyArray<Middleware>, options: Sample.Options = {}) =>
  Sample.make(script, { policy: { pause: 0 }, ...options, config: { ...options.config, middleware } })

const passing =
  (change: (call: MiddlewareCall) => Partial<MiddlewareCall>): Middleware =>
  (next) =>
  (call) =>
    next({ ...call, ...change(call) })

describe("what middleware passes on", () => {
  effect("is checked like the caller's own input", function* () {
    const { dispatcher, fake } = sampled([thing], [passing(() => ({ input: { id: "" } }))])
    const error = yield* Effect.flip(dispatcher.call(Things.get, { id: "a" }))
    expect(error).toMatchObject({ _tag: "InputError", field: "id" })
    expect(fake.exchanges).toEqual([])
  })

  effect("may hold other options, such as an idempotency key for each write", function* () {
    const keyed = passing(({ options }) => ({ options: { ...options, idempotencyKey: "key-7" } }))
    const { dispatcher, fake } = sampled([busy, thing], [keyed])
    yield* dispatcher.call(Things.create, { payload: {} })
    expect(fake.requests().map(({ headers }) => headers["idempotency-key"])).toEqual(["key-7", "key-7"])
  })

  effect("may hold further headers", function* () {
    const headers = { "x-tenant": "acme" }
    const { dispatcher, fake } = sampled([thing], [passing(() => ({ headers }))])
    yield* dispatcher.call(Things.get, { id: "a" })
    expect(fake.requests()[0]?.headers).toEqual({
      "x-tenant": "acme",
      authorization: "Bearer token-1",
      accept: "application/json"
    })
  })

  effect.each<readonly [string, string, string]>([
    ["content-length", "1", "must not be the name of another header that is sent"],
    ["authorization", "Bearer other", "must not be the name of another header that is sent"],
    ["Accept", "text/html", "must not be the name of another header that is sent"],
    ["x y", "a", "must be a header name"],
    ["constructor", "a", "must be a header name"],
    ["x-tenant", "a\r\nx-evil: 1", "must be ASCII text"],
    ["x-tenant", 5 as never, "must be ASCII text"],
    ["x-tenant", null as never, "must be ASCII text"]
  ])("is refused with the header %s", function* ([name, value, rule]) {
    const { dispatcher, fake } = sampled([thing], [passing(() => ({ headers: { [name]: value } }))])
    const error = yield* Effect.flip(dispatcher.call(Things.get, { id: "a" }))
    expect(error).toMatchObject({ _tag: "InputError", field: `headers.${name}`, rule })
    expect(fake.exchanges).toEqual([])
  })

  effect.each<readonly [unknown]>([
    ["str"],
    [["a"]],
    [5],
    [null],
    [new Headers({ "x-tenant": "a" })],
    [new Map()]
  ])("is refused where its headers are %j", function* ([headers]) {
    const { dispatcher, fake } = sampled([thing], [passing(() => ({ headers: headers as never }))])
    const error = yield* Effect.flip(dispatcher.call(Things.get, { id: "a" }))
    const rule = "must be a plain object of names and texts"
    expect(error).toMatchObject({ _tag: "InputError", field: "headers", rule })
    expect(fake.exchanges).toEqual([])
  })

  effect("may hold names of headers in any case, and headers that are undefined", function* () {
    const headers = { "X-Tenant": "acme", "User-Agent": "mine", "x-none": undefined }
    const { dispatcher, fake } = sampled([thing], [passing(() => ({ headers: headers as never }))])
    yield* dispatcher.call(Things.get, { id: "a" })
    expect(fake.requests()[0]?.headers).toEqual({
      "x-tenant": "acme",
      "user-agent": "mine",
      authorization: "Bearer token-1",
      accept: "application/json"
    })
  })

  effect("hides the secrets of its headers in errors", function* () {
    const headers = { "x-tenant-token": "canary-7" }
    const script = [Fake.json(400, { message: "bad canary-7" })]
    const { dispatcher } = sampled(script, [passing(() => ({ headers }))])
    const error = yield* Effect.flip(dispatcher.call(Things.get, { id: "a" }))
    expect(error.message).toContain("bad •••")
  })

  effect("is a defect where it is no copy of the call", function* () {
    const { dispatcher } = sampled(
      [thing],
      [
        (next) =>
          ({ input }) =>
            next({ input } as MiddlewareCall)
      ]
    )
    expect(Exit.isFailure(yield* Effect.exit(dispatcher.call(Things.get, { id: "a" })))).toBe(true)
  })
})

describe("middleware", () => {
  effect("does not see what obtains credentials, nor can it change that", function* () {
    const seen: Array<unknown> = []
    const spy: Middleware = (next) => (call) => {
      seen.push(call.operation, call.input)
      return next({ ...call, input: { id: "canary" } })
    }
    const { dispatcher, fake } = sampled([thing], [spy])
    yield* dispatcher.call(Things.open, {})
    expect(seen).toEqual(["things.open", undefined])
    expect(fake.requests().map(({ path }) => path)).toEqual(["/v9/things/open"])
  })

  effect("is made once for a client", function* () {
    let times = 0
    const counted: Middleware = (next) => {
      times += 1
      return next
    }
    const { dispatcher } = sampled([thing], [counted])
    yield* dispatcher.call(Things.get, { id: "a" })
    yield* dispatcher.call(Things.get, { id: "b" })
    expect(times).toBe(1)
  })

  effect("sees the budget that retries take", function* () {
    const left: Array<number> = []
    const spy: Middleware = (next) => (call) =>
      Effect.tap(next(call), () => Effect.sync(() => left.push(call.retryBudget.left)))
    const { dispatcher } = sampled([busy, thing], [spy], { config: { retryBudget: 20 } })
    yield* dispatcher.call(Things.get, { id: "a" })
    expect(left).toEqual([15])
  })

  effect("may make a call again, with attempts of its own", function* () {
    const twice: Middleware = (next) => (call) => Effect.orElse(next(call), () => next(call))
    const { dispatcher, fake } = sampled([busy, busy, busy, busy, thing], [twice], { policy: { pause: 0 } })
    expect(yield* dispatcher.call(Things.get, { id: "a" })).toEqual({ _id: "a" })
    expect(fake.requests().map(({ attempt }) => attempt)).toEqual([1, 2, 3, 1, 2])
  })

  effect("takes the time that it takes beside the deadline of the call", function* () {
    const slow: Middleware = (next) => (call) => Effect.delay(next(call), "1 minute")
    const { dispatcher } = sampled([thing], [slow])
    const fiber = yield* Effect.fork(dispatcher.call(Things.get, { id: "a" }))
    yield* TestClock.adjust("1 minute")
    expect(yield* Fiber.join(fiber)).toEqual({ _id: "a" })
  })

  effect("stands before a call of a group, which a sign-out has ended", function* () {
    let signOuts = 0
    const credentialsProvider = { ...Sample.keys(), signOuts: () => signOuts }
    const { dispatcher } = sampled([thing], [passing(() => ({}))], { credentialsProvider })
    const group = asOneWork()
    yield* group(dispatcher.call(Things.get, { id: "a" }))
    signOuts += 1
    const error = yield* Effect.flip(group(dispatcher.call(Things.get, { id: "a" })))
    expect(error).toMatchObject({ _tag: "CredentialsError", reason: "Missing" })
  })

  effect("gets the body of a download", function* () {
    const body = new Blob(["abc"]).stream()
    const spy: Middleware = (next) => (call) =>
      Effect.tap(next(call), (answer) => Effect.sync(() => expect(answer).toBe(body)))
    const { dispatcher } = sampled([Fake.streaming(body)], [spy])
    expect(yield* dispatcher.open(Things.download, { id: "a" }, undefined, streaming)).toBe(body)
  })

  effect("is refused where it is no list of functions", function* () {
    for (const middleware of [
      null,
      {},
      "x",
      [1],
      () => undefined,
      [(_context: object, next: () => unknown) => next()]
    ])
      expect(
        yield* Either.flip(Settings.base({ baseUrl: "https://a.test", middleware: middleware as never }))
      ).toMatchObject({
        _tag: "InputError",
        field: "middleware",
        rule: "must be a list of functions, each (next) => (call) => next(call)"
      })
  })
})
