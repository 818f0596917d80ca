// Telemetry of calls and of the chat: what is counted, logged and traced, and that none of it shows what a call holds.
import { describe, expect } from "@effect/vitest"
import * as Sample from "@quartet/support/dispatcher.js"
import { thing } from "@quartet/support/dispatcher.js"
import { effect } from "@quartet/support/effect.js"
import * as Fake from "@quartet/support/fake-transport.js"
import { claims, jwt } from "@quartet/support/jwt.js"
import * as Things from "@quartet/support/things.js"
import { Cause, Effect, Fiber, HashMap, Logger, LogLevel, Metric, MetricState, TestClock } from "effect"
import * as Telemetry from "../../../adapters/telemetry/index.js"
import * as Admin from "../../../clients/admin/index.js"
import * as Items from "../../../clients/admin/items.js"
import type { Middleware } from "../../../core/kernel/dispatch/middleware.js"
import type { Address, Listener, Service } from "../../../core/ports/chat-socket.js"

const sample = (script: Fake.Script, middleware: Middleware, options: Sample.Options = {}) =>
  Sample.make(script, {
    policy: { pause: 0 },
    ...options,
    config: { ...options.config, middleware: [middleware] }
  })

const again = Fake.json(503, {}, { "retry-after": "0" })

/** The metrics of ours by name and tags, in numbers: of a histogram, how many values and their sum. */
const readings = (): ReadonlyMap<string, number> =>
  new Map(
    Metric.unsafeSnapshot()
      .filter(({ metricKey }) => metricKey.name.startsWith("quartet."))
      .flatMap(({ metricKey, metricState }) => {
        const tags = [...metricKey.tags].map(({ key, value }) => `${key}=${value}`).sort()
        const key = [metricKey.name, ...tags].join(" ")
        if (MetricState.isHistogramState(metricState))
          return [[key, metricState.count] as const, [`${key} sum`, metricState.sum] as const]
        if (MetricState.isCounterState(metricState)) return [[key, Number(metricState.count)] as const]
        return MetricState.isGaugeState(metricState) ? [[key, Number(metricState.value)] as const] : []
      })
  )

/** What a program adds to the metrics. The registry is the process's own, so other tests may have counted before. */
const counted = <E>(program: Effect.Effect<unknown, E>) =>
  Effect.gen(function* () {
    const before = readings()
    yield* program
    const after = [...readings()].map(([key, value]) => [key, value - (before.get(key) ?? 0)] as const)
    return Object.fromEntries(after.filter(([, more]) => more !== 0))
  })

const of =
  "http.request.method=GET %quartet.audience=admin quartet.operation=things.get url.template=/v9/things/{id}"
const tags = (status: string, error = ""): string =>
  (error + of.replace("%", `http.response.status_code=${status} `)).trim()

const timed = tags("200").replace(" url", " unit=s url")

describe("metrics", () => {
  effect("count calls by operation, status and error, with their duration and retries", function* () {
    const { dispatcher } = sample([again, thing, Fake.json(404, { message: "canary" })], Telemetry.metrics, {
      config: { retryBudget: 30 }
    })
    const call = Effect.delay(Effect.either(dispatcher.call(Things.get, { id: "canary" })), "0 millis")
    const readingsBy = yield* counted(Effect.zipRight(call, call))
    const missing = tags("404", "error.type=NotFound ")
    expect(readingsBy).toMatchObject({
      [`quartet.client.calls ${tags("200")}`]: 1,
      [`quartet.client.calls ${missing}`]: 1,
      [`quartet.client.call.duration ${timed}`]: 1,
      [`quartet.client.retries ${tags("200")}`]: 1
    })
    expect(JSON.stringify(readingsBy)).not.toContain("canary")
  })

  effect(
    "tell a call's duration in seconds, by the clock of Effect, and what is left of the budget",
    function* () {
      const slow: Middleware = (next) => Telemetry.metrics((call) => Effect.delay(next(call), "250 millis"))
      const { dispatcher } = sample([again, thing], slow, { config: { retryBudget: 12.5 } })
      const program = Effect.gen(function* () {
        const fiber = yield* Effect.fork(dispatcher.call(Things.get, { id: "a" }))
        yield* TestClock.adjust("1 second")
        yield* Fiber.join(fiber)
      })
      const readingsBy = yield* counted(program)
      expect(readingsBy[`quartet.client.call.duration ${timed} sum`]).toBeCloseTo(0.25)
      expect(readings().get("quartet.client.retry_budget quartet.audience=admin")).toBe(7.5)
    }
  )

  effect("count what was cancelled, and what threw", function* () {
    const { dispatcher } = sample(["waits"], Telemetry.metrics)
    const cancelled = Effect.flatMap(Effect.fork(dispatcher.call(Things.get, { id: "a" })), (fiber) =>
      Effect.zipRight(Effect.yieldNow(), Fiber.interrupt(fiber))
    )
    const broken: Middleware = () => Telemetry.metrics(() => Effect.die("canary"))
    const threw = Effect.exit(sample([thing], broken).dispatcher.call(Things.get, { id: "a" }))
    const readingsBy = yield* counted(Effect.zipRight(cancelled, threw))
    const plain = of.replace("%", "")
    expect(readingsBy).toMatchObject({
      [`quartet.client.calls error.type=cancelled ${plain}`]: 1,
      [`quartet.client.calls error.type=defect ${plain}`]: 1
    })
  })

  effect("count what middleware inside of them throws before it makes an Effect", function* () {
    const throwing: Middleware = () => () => {
      throw new Error("canary")
    }
    const config = { middleware: [Telemetry.metrics, throwing] }
    const { dispatcher } = Sample.make([thing], { config })
    const readingsBy = yield* counted(Effect.exit(dispatcher.call(Things.get, { id: "a" })))
    expect(readingsBy).toMatchObject({ [`quartet.client.calls error.type=defect ${of.replace("%", "")}`]: 1 })
  })

  effect("count drift by operation", function* () {
    const config = { onDrift: Telemetry.drifts, logDrift: false }
    const { dispatcher } = Sample.make([Fake.json(200, { name: 5 })], { config })
    const readingsBy = yield* counted(dispatcher.call(Things.get, { id: "a" }))
    expect(readingsBy).toEqual({ "quartet.client.drift quartet.operation=things.get": 2 })
  })

  effect("count a chat's connections, reconnections, troubles and messages", function* () {
    const listeners: Array<Listener> = []
    const below: Service = {
      open: (_, __, listener) => {
        listeners.push(listener)
        return {
          connected: () => true,
          emit: (_, __, acknowledged) => acknowledged({}),
          close: () => undefined
        }
      }
    }
    const address: Address = { origin: "https://a.test", path: "/chat", namespace: "/" }
    const heard: Array<unknown> = []
    const listener: Listener = {
      onEvent: (...event) => heard.push(event),
      onTrouble: (trouble) => heard.push(trouble)
    }
    const lost = { reason: "Lost", message: "gone" } as const
    const readingsBy = yield* counted(
      Effect.sync(() => {
        const socket = Telemetry.makeChatSocket(below)
        socket.open(address, { query: {}, headers: {} }, listener)
        listeners[0]?.onEvent("chat", 1)
        listeners[0]?.onTrouble(lost)
        socket
          .open(address, { query: {}, headers: {} }, listener)
          .emit("chat", 2, () => heard.push("acknowledged"))
        socket.open({ ...address }, { query: {}, headers: {} }, listener)
      })
    )
    expect(readingsBy).toEqual({
      "quartet.chat.connections": 3,
      "quartet.chat.reconnections": 1,
      "quartet.chat.troubles reason=Lost": 1,
      "quartet.chat.messages direction=received": 1,
      "quartet.chat.messages direction=sent": 1
    })
    expect(heard).toEqual([["chat", 1], lost, "acknowledged"])
  })
})

/** The lines that a program logs: level, message and annotations. */
const logged = <E>(program: Effect.Effect<unknown, E>) =>
  Effect.gen(function* () {
    const lines: Array<{
      readonly level: string
      readonly cause?: string
      readonly message: unknown
      readonly annotations: object
    }> = []
    const logger = Logger.make(({ annotations, cause, logLevel, message }) => {
      lines.push({
        level: logLevel.label,
        ...(Cause.isEmpty(cause) ? {} : { cause: Cause.pretty(cause) }),
        message: [message].flat()[0],
        annotations: Object.fromEntries(HashMap.toEntries(annotations))
      })
    })
    yield* Effect.exit(program).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
    return lines
  })

describe("logs", () => {
  const facts = {
    "quartet.operation": "things.get",
    "quartet.audience": "admin",
    "http.request.method": "GET",
    "url.template": "/v9/things/{id}",
    "duration.ms": 0
  }

  effect("hold a line for each call, with its facts", function* () {
    const { dispatcher } = sample([again, thing], Telemetry.logs())
    expect(yield* logged(dispatcher.call(Things.get, { id: "a" }))).toEqual([
      {
        level: "INFO",
        message: "GET /v9/things/{id} ok",
        annotations: { ...facts, "http.response.status_code": 200, "http.request.resend_count": 1 }
      }
    ])
  })

  effect.each<readonly [string, Fake.Reply | "dies", string, string]>([
    ["an input or a state that the caller can mend", Fake.json(404, {}), "WARN", "NotFound"],
    ["refused credentials", Fake.json(401, {}), "WARN", "Unauthenticated"],
    ["a limit", Fake.json(429, {}), "WARN", "RateLimited"],
    ["a fault", Fake.json(500, {}), "ERROR", "ServerFault"],
    ["a lost connection", Fake.failed("Reset"), "ERROR", "NetworkError"],
    ["a defect", "dies", "ERROR", "defect"]
  ])("have a level by the ending: %s", function* ([, reply, level, ending]) {
    const script: Fake.Script = () => {
      if (reply === "dies") throw new Error("broken")
      return reply
    }
    const { dispatcher } = sample(script, Telemetry.logs(), { policy: { attempts: 1 } })
    const lines = yield* logged(dispatcher.call(Things.get, { id: "a" }))
    expect(lines).toMatchObject([
      { level, message: `GET /v9/things/{id} ${ending}`, annotations: { ...facts, "error.type": ending } }
    ])
  })

  effect("take other levels", function* () {
    const levels = (ending: string) => (ending === "ok" ? LogLevel.None : LogLevel.Fatal)
    const { dispatcher } = sample([thing, Fake.json(404, {})], Telemetry.logs(levels))
    const call = Effect.either(dispatcher.call(Things.get, { id: "a" }))
    expect((yield* logged(Effect.zipRight(call, call))).map(({ level }) => level)).toEqual(["FATAL"])
  })

  effect("tell the reason of an error that has one", function* () {
    const { dispatcher } = sample([Fake.failed("Reset")], Telemetry.logs(), { policy: { attempts: 1 } })
    const lines = yield* logged(dispatcher.call(Things.get, { id: "a" }))
    expect(lines).toMatchObject([{ annotations: { "error.type": "NetworkError", "error.reason": "Reset" } }])
  })

  effect("hear of middleware inside of them that throws before it makes an Effect", function* () {
    const throwing: Middleware = () => () => {
      throw new Error("canary")
    }
    const { dispatcher } = Sample.make([thing], { config: { middleware: [Telemetry.logs(), throwing] } })
    const lines = yield* logged(dispatcher.call(Things.get, { id: "a" }))
    expect(lines.map(({ message }) => message)).toEqual(["GET /v9/things/{id} defect"])
  })

  effect("change no call where the function of levels throws, which is logged", function* () {
    const levels = () => {
      throw new Error("broken")
    }
    const { dispatcher } = sample([thing], Telemetry.logs(levels))
    const answers: Array<unknown> = []
    const call = Effect.tap(dispatcher.call(Things.get, { id: "a" }), (answer) => answers.push(answer))
    expect(yield* logged(call)).toMatchObject([{ level: "ERROR", message: "telemetry failed" }])
    expect(answers).toEqual([{ _id: "a" }])
  })

  effect.each([
    ["a name", () => "Info"],
    ["a promise", async () => LogLevel.Info],
    ["nothing", () => undefined]
  ])("tell of a function of levels that answers %s", function* ([, levels]) {
    const { dispatcher } = sample([thing], Telemetry.logs(levels as never))
    const answers: Array<unknown> = []
    const call = Effect.tap(dispatcher.call(Things.get, { id: "a" }), (answer) => answers.push(answer))
    const lines = yield* logged(call)
    expect(lines).toMatchObject([{ level: "ERROR", message: "telemetry failed" }])
    expect(lines[0]?.cause).toContain('the field "levels" must answer a LogLevel of Effect')
    expect(answers).toEqual([{ _id: "a" }])
  })

  effect.each([null, 42, "Info", {}])("are not made with %j as the function of levels", function* (levels) {
    expect(() => Telemetry.logs(levels as never)).toThrow(
      expect.objectContaining({ _tag: "InputError", operation: "Telemetry.logs", field: "levels" })
    )
  })

  effect.each<readonly [string, string, string]>([
    ["is its own", "r-7f3a", "r-7f3a"],
    ["is an id of the input", "canary-id", "•••"],
    ["holds a text of the input", "r-7f3a jane@canary.test", "r-7f3a •••"],
    ["is the idempotency key", "canary-key", "•••"]
  ])(
    "tell the server's id of a request without what the call held, where it %s",
    function* ([, id, shownId]) {
      const { dispatcher } = sample([Fake.json(404, {}, { "x-request-id": id })], Telemetry.logs())
      const input = { payload: { name: "canary-id", people: [{ email: "jane@canary.test" }] } }
      const lines = yield* logged(dispatcher.call(Things.create, input, { idempotencyKey: "canary-key" }))
      expect(lines).toMatchObject([{ annotations: { "error.type": "NotFound", "request.id": shownId } }])
    }
  )

  effect("change no call where the logger throws", function* () {
    const throwing = Logger.make(() => {
      throw new Error("broken")
    })
    const { dispatcher } = sample([thing], Telemetry.logs())
    const call = dispatcher.call(Things.get, { id: "a" })
    const layer = Logger.replace(Logger.defaultLogger, throwing)
    expect(yield* Effect.provide(call, layer)).toEqual({ _id: "a" })
  })

  effect("hold no secret, no input and no answer, whatever a server repeats", function* () {
    const token = jwt(claims)
    const message = `POST /v9/things canary-name token-1 canary-password ${token}`
    const script = [
      Fake.json(400, { message }, { "x-request-id": token }),
      Fake.json(200, { name: "canary-answer" })
    ]
    const { dispatcher } = sample(script, Telemetry.logs())
    const call = Effect.either(
      dispatcher.call(Things.create, { payload: { password: "canary-password", name: "canary-name" } })
    )
    const lines = yield* logged(Effect.zipRight(call, call))
    expect(lines).toHaveLength(2)
    expect(lines[0]).toMatchObject({ annotations: { "error.type": "Rejected", "request.id": "•••" } })
    expect(JSON.stringify(lines)).not.toMatch(/canary|token-1|eyJ/)
  })
})

describe("spans of OpenTelemetry's tracer", () => {
  const recording = (traceId = "0af7651916cd43dd8448eb211c80319c") => {
    const spans: Array<unknown> = []
    const names = new Map<unknown, string>()
    const parents: Array<readonly [name: string, parent: unknown]> = []
    const tracer: Telemetry.OpenTelemetryTracer = {
      startSpan: (name, { attributes, kind }, context) => {
        spans.push([name, kind, attributes])
        const span: Telemetry.OpenTelemetrySpan = {
          spanContext: () => ({
            traceId,
            spanId: "b7ad6b7169203331",
            traceFlags: 1
          }),
          setAttribute: (key, value) => spans.push({ [key]: value }),
          addEvent: (event, attributes, time) => spans.push([event, attributes, time]),
          setStatus: (status) => spans.push(status),
          end: () => spans.push("end")
        }
        names.set(span, name)
        // As `trace.getSpan` finds it.
        const above = context?.getValue(Symbol.for("OpenTelemetry Context Key SPAN"))
        parents.push([name, above && names.get(above)])
        return span
      }
    }
    return { parents, spans, tracer }
  }

  effect("are client spans with the facts of the call, which traceparent carries", function* () {
    const { spans, tracer } = recording()
    const { dispatcher, fake } = sample([again, thing], Telemetry.spans(tracer))
    expect(yield* dispatcher.call(Things.get, { id: "canary" })).toEqual({ _id: "a" })
    const known = {
      "quartet.operation": "things.get",
      "quartet.audience": "admin",
      "http.request.method": "GET",
      "url.template": "/v9/things/{id}",
      "server.address": "api.example.test",
      "server.port": 443
    }
    // Samplers see what a span starts with.
    expect(spans).toEqual([
      ["GET /v9/things/{id}", 2, known],
      { "http.response.status_code": 200 },
      { "http.request.resend_count": 1 },
      ["retry", { "error.type": "ServerFault" }, 0],
      "end"
    ])
    const header = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    expect(fake.requests().map(({ headers }) => headers.traceparent)).toEqual([header, header])
  })

  const signedIn = ["GET /item/{id}", "POST /auth/admin/login", "POST /auth/login"]
  effect.each<readonly [string, string | undefined, ReadonlyArray<unknown>]>([
    ["are its children", undefined, [undefined, signedIn[0], signedIn[0]]],
    ["take what is active where spans have no ids", "0".repeat(32), [undefined, undefined, undefined]]
  ])(
    "are one for each call, also for the sign-ins that a call takes, which %s",
    function* ([, traceId, above]) {
      const { parents, tracer } = recording(traceId)
      const config = { baseUrl: "https://a.test", projectId: "p1", email: "a@a.test", password: "secret" }
      const fake = Fake.make(({ path }) => {
        if (path === "/auth/admin/login")
          return Fake.json(200, { accessToken: jwt(claims), user: { _id: "a" } })
        return path === "/auth/login" ? Fake.json(200, { sessionId: "s" }) : Fake.json(200, { _id: "i1" })
      })
      const client = yield* Effect.provide(
        Admin.make({ ...config, middleware: [Telemetry.spans(tracer)] }),
        fake.layer
      )
      yield* Effect.provideService(Items.get({ id: "i1" }), Admin.Client, client)
      expect(parents).toEqual(signedIn.map((name, at) => [name, above[at]]))
    }
  )

  effect("fail with the call", function* () {
    const { spans, tracer } = recording()
    const { dispatcher } = sample([Fake.json(404, {})], Telemetry.spans(tracer))
    yield* Effect.flip(dispatcher.call(Things.get, { id: "a" }))
    expect(spans.slice(-4)).toEqual([
      { "http.response.status_code": 404 },
      { "error.type": "NotFound" },
      { code: 2, message: "things.get: NotFound (HTTP 404)" },
      "end"
    ])
  })

  effect("fail with a call that is cancelled", function* () {
    const { spans, tracer } = recording()
    const { dispatcher } = sample(["waits"], Telemetry.spans(tracer))
    const fiber = yield* Effect.fork(dispatcher.call(Things.get, { id: "a" }))
    yield* Effect.yieldNow()
    yield* Fiber.interrupt(fiber)
    expect(spans.slice(-3)).toEqual([{ "error.type": "cancelled" }, { code: 2 }, "end"])
  })

  effect.each<readonly [string, string | undefined, Sample.Options]>([
    ["the client's configuration turns it off", undefined, { config: { traceparent: false } }],
    ["the page has another origin", undefined, { settings: { traceparent: "https://app.example.test" } }],
    ["no provider is registered, whose ids are zeros", "0".repeat(32), {}]
  ])("send no traceparent where %s", function* ([, traceId, options]) {
    const { spans, tracer } = recording(traceId)
    const { dispatcher, fake } = sample([thing], Telemetry.spans(tracer), options)
    yield* dispatcher.call(Things.get, { id: "a" })
    expect(spans.at(-1)).toBe("end")
    expect(fake.requests()[0]?.headers).not.toHaveProperty("traceparent")
  })

  effect.each([undefined, null, 5, {}])("are not made with %j for a tracer", function* (tracer) {
    expect(() => Telemetry.spans(tracer as never)).toThrow(
      expect.objectContaining({ _tag: "InputError", operation: "Telemetry.spans", field: "tracer" })
    )
  })

  effect("change no call where the tracer throws", function* () {
    const throwing = {
      startSpan: () => {
        throw new Error("broken")
      }
    }
    const { dispatcher } = sample([thing], Telemetry.spans(throwing))
    expect(yield* dispatcher.call(Things.get, { id: "a" })).toEqual({ _id: "a" })
  })
})
