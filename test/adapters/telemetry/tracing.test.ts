// The span of a call: what it is named, what it tells, and the header that carries it to the platform.
import { inspect } from "node:util"
import { describe, expect } from "@effect/vitest"
import * as Sample from "@quartet/support/dispatcher.js"
import { busy, renewing, thing } from "@quartet/support/dispatcher.js"
import { effect } from "@quartet/support/effect.js"
import { failed, json } from "@quartet/support/fake-transport.js"
import * as Things from "@quartet/support/things.js"
import { Cause, Effect, Exit, Fiber, Logger, Option, TestClock, Tracer } from "effect"
import type { Middleware } from "../../../core/kernel/dispatch/middleware.js"

const traceId = "0af7651916cd43dd8448eb211c80319c"
const spanId = "b7ad6b7169203331"

interface Noted {
  readonly name: string
  readonly kind: string
  readonly attributes: Record<string, unknown>
  readonly events: Array<readonly [name: string, attributes: unknown]>
  readonly exit?: Exit.Exit<unknown, unknown>
}

/** A tracer that notes its spans. `own` are members of theirs. */
const recording = (own: Partial<Tracer.Span> = {}) => {
  const spans: Array<Noted> = []
  const tracer = Tracer.make({
    span: (name, parent, context, links, startTime, kind) => {
      const noted: Noted = { name, kind, attributes: {}, events: [] }
      spans.push(noted)
      return {
        _tag: "Span",
        name,
        spanId,
        traceId,
        parent,
        context,
        status: { _tag: "Started", startTime },
        attributes: new Map(),
        links,
        sampled: true,
        kind,
        end: (_, exit) => Object.assign(noted, { exit }),
        attribute: (key, value) => Object.assign(noted.attributes, { [key]: value }),
        event: (event, _, attributes) => noted.events.push([event, attributes]),
        addLinks: () => undefined,
        ...own
      }
    },
    context: (run) => run()
  })
  return { spans, tracer }
}

/** The spans and the requests of a call of `things.get` where a tracer is installed, and how the call ends. */
const traced = (
  script: Parameters<typeof Sample.make>[0],
  options: Sample.Options = {},
  own: Partial<Tracer.Span> = {}
) =>
  Effect.gen(function* () {
    const { spans, tracer } = recording(own)
    const { dispatcher, fake } = Sample.make(script, { policy: { pause: 0 }, ...options })
    const call = dispatcher.call(Things.get, { id: "canary" })
    const exit = yield* Effect.exit(Effect.withTracer(call, tracer))
    return {
      spans,
      exit,
      requests: fake.requests(),
      sent: fake.requests().map(({ headers }) => headers.traceparent)
    }
  })

const broken = new Error("canary")

/** The error that a span ended with, as exporters read it: its type and its message. */
const shown = ({ exit }: Noted) =>
  exit &&
  Exit.isFailure(exit) &&
  Cause.prettyErrors(exit.cause).map(({ message, name }) => [name, message])[0]

/** A logger that notes the lines, and the layer with it. */
const logged = () => {
  const lines: Array<unknown> = []
  const noting = Logger.make(({ message }) => lines.push([message].flat()[0]))
  return { lines, logger: Logger.replace(Logger.defaultLogger, noting) }
}

const attributes = {
  "quartet.operation": "things.get",
  "quartet.audience": "admin",
  "http.request.method": "GET",
  "url.template": "/v9/things/{id}",
  "server.address": "api.example.test",
  "server.port": 443
}
const again = json(503, {}, { "retry-after": "0" })
const retry = ["retry", { "error.type": "ServerFault" }]

describe("the span of a call", () => {
  effect.each<readonly [string, ReadonlyArray<ReturnType<typeof json>>, object, ReadonlyArray<unknown>]>([
    ["that succeeds", [thing], { "http.response.status_code": 200 }, []],
    [
      "that is repeated",
      [again, again, thing],
      { "http.response.status_code": 200, "http.request.resend_count": 2 },
      [retry, retry]
    ],
    ["that fails", [json(404, {})], { "http.response.status_code": 404, "error.type": "NotFound" }, []],
    [
      "that fails after all attempts",
      [again],
      { "http.response.status_code": 503, "http.request.resend_count": 2, "error.type": "ServerFault" },
      [retry, retry]
    ]
  ])("is one, named by method and template, %s", function* ([, script, more, events]) {
    const { spans } = yield* traced(script)
    const { exit, ...noted } = spans[0] ?? {}
    expect(spans).toHaveLength(1)
    expect(noted).toEqual({
      name: "GET /v9/things/{id}",
      kind: "client",
      attributes: { ...attributes, ...more },
      events
    })
    expect(exit && Exit.isFailure(exit)).toBe("error.type" in more)
  })

  effect("tells of an error its tag, operation and status; the caller gets the error itself", function* () {
    const { exit, spans } = yield* traced([json(404, { message: "Cannot GET /v9/things/canary" })])
    expect(spans.map(shown)).toEqual([["NotFound", "things.get: NotFound (HTTP 404)"]])
    expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toMatchObject({
      _tag: "NotFound",
      serverMessage: "Cannot GET /v9/things/canary"
    })
  })

  effect("tells of no answer that none came", function* () {
    const { spans } = yield* traced([failed("Reset")], { policy: { attempts: 1 } })
    expect(spans.map(shown)).toEqual([["NetworkError", "things.get: NetworkError"]])
  })

  effect("tells of a defect that there was one, not what it says", function* () {
    const { exit, spans } = yield* traced([thing], {
      config: { middleware: [() => () => Effect.die(broken)] }
    })
    expect(spans.map(shown)).toEqual([["defect", "things.get: defect"]])
    expect(spans).toMatchObject([{ attributes: { "error.type": "defect" } }])
    expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toMatchObject({ message: "canary" })
  })

  effect("tells of a call that its caller cancels, and of one that the client's end cancels", function* () {
    const { spans, tracer } = recording()
    const { dispatcher } = Sample.make(["waits"])
    const call = Effect.withTracer(dispatcher.call(Things.get, { id: "a" }), tracer)
    const cancelled = yield* Effect.fork(call)
    const ended = yield* Effect.fork(call)
    yield* Effect.yieldNow()
    yield* Fiber.interrupt(cancelled)
    yield* dispatcher.lifetime.close
    expect(Exit.isInterrupted(yield* Fiber.await(ended))).toBe(true)
    const noted = { attributes: { "error.type": "cancelled" } }
    expect(spans).toMatchObject([noted, noted])
    expect(spans.map(({ exit }) => exit && Exit.isInterrupted(exit))).toEqual([true, true])
  })

  effect("counts the attempt after a renewal of credentials", function* () {
    const { credentialsProvider } = renewing()
    const { spans } = yield* traced([json(401, {}), thing], {
      credentialsProvider: { ...credentialsProvider, renew: (old) => Effect.succeed(old) }
    })
    expect(spans).toMatchObject([
      {
        attributes: { "http.request.resend_count": 1 },
        events: [["retry", { "error.type": "Unauthenticated" }]]
      }
    ])
  })

  effect("tells the port of an address that names one", function* () {
    const { spans } = yield* traced([thing], { config: { baseUrl: "http://127.0.0.1:4400" } })
    const server = { "server.address": "127.0.0.1", "server.port": 4400, "url.template": "/things/{id}" }
    expect(spans).toMatchObject([{ attributes: server }])
  })

  effect("tells an address of IPv6 without its brackets", function* () {
    const { spans } = yield* traced([thing], { config: { baseUrl: "http://[::1]:4400" } })
    expect(spans).toMatchObject([{ attributes: { "server.address": "::1", "server.port": 4400 } }])
  })

  effect("holds neither input, answer, query nor credentials", function* () {
    const { spans } = yield* traced([busy, json(403, { message: "canary token-1" })])
    expect(inspect(spans, { depth: null, showHidden: true })).not.toMatch(/canary|token-1/)
  })

  effect("has the events of its attempts, also where middleware makes spans of its own", function* () {
    const inner: Middleware = (next) => (call) => Effect.withSpan(next(call), "inner")
    const { spans } = yield* traced([again, thing], { config: { middleware: [inner] } })
    expect(spans).toMatchObject([{ events: [retry] }, { name: "inner", events: [] }])
  })

  effect("tells when an attempt was repeated", function* () {
    const times: Array<bigint> = []
    const { tracer } = recording({ event: (_, time) => times.push(time) })
    const { dispatcher } = Sample.make([json(503, {}, { "retry-after": "2" }), thing])
    const call = Effect.withTracer(dispatcher.call(Things.get, { id: "a" }), tracer)
    const fiber = yield* Effect.fork(Effect.delay(call, "1 second"))
    yield* TestClock.adjust("1 second")
    yield* TestClock.adjust("2 seconds")
    yield* Fiber.join(fiber)
    expect(times).toEqual([3_000_000_000n])
  })

  effect("is the parent of what middleware traces, which can add attributes to it", function* () {
    const { spans, exit } = yield* traced([thing], {
      config: {
        middleware: [
          (next) => (call) =>
            Effect.zipRight(Effect.annotateCurrentSpan("tenant", "a"), Effect.withSpan(next(call), "inner"))
        ]
      }
    })
    expect(Exit.isSuccess(exit)).toBe(true)
    expect(spans).toMatchObject([{ attributes: { ...attributes, tenant: "a" } }, { name: "inner" }])
  })

  effect("is not there where no tracer is installed", function* () {
    const { dispatcher, fake } = Sample.make(() => thing)
    const inner = Effect.zipRight(dispatcher.call(Things.get, { id: "a" }), Effect.option(Effect.currentSpan))
    const span = yield* Effect.withSpan(inner, "the caller's")
    expect(Option.map(span, ({ name }) => name)).toEqual(Option.some("the caller's"))
    expect(fake.requests()[0]?.headers).not.toHaveProperty("traceparent")
  })
})

const throwing = () => {
  throw broken
}

describe("a tracer that throws", () => {
  const broke = ["telemetry failed"]

  effect.each<readonly [string, Partial<Tracer.Span>]>([
    ["where a span gets an attribute", { attribute: throwing }],
    ["where a span gets an event", { event: throwing }],
    ["where a span ends", { end: throwing }]
  ])("%s changes no call, and is logged", function* ([, own]) {
    const ends = [
      [thing, Exit.succeed({ _id: "a" })],
      [json(404, {}), Exit.fail(expect.objectContaining({ _tag: "NotFound" }))]
    ] as const
    for (const [reply, expected] of ends) {
      const { lines, logger } = logged()
      const { exit, requests } = yield* Effect.provide(traced([again, reply], {}, own), logger)
      expect(exit).toEqual(expected)
      expect(requests).toHaveLength(2)
      expect(lines).toEqual(broke)
    }
  })

  effect("where a span gets an event leaves the span its attributes", function* () {
    const { spans } = yield* traced([again, json(404, {})], {}, { event: throwing })
    const more = {
      "http.response.status_code": 404,
      "http.request.resend_count": 1,
      "error.type": "NotFound"
    }
    expect(spans).toMatchObject([{ attributes: { ...attributes, ...more } }])
  })

  effect("where a span starts changes no call, and is logged", function* () {
    const { lines, logger } = logged()
    const { dispatcher, fake } = Sample.make([thing])
    const tracer = Tracer.make({ span: throwing, context: (run) => run() })
    const call = Effect.withTracer(dispatcher.call(Things.get, { id: "a" }), tracer)
    expect(yield* Effect.provide(call, logger)).toEqual({ _id: "a" })
    expect(fake.requests()).toHaveLength(1)
    expect(lines).toEqual(broke)
  })
})

describe("the header traceparent", () => {
  const header = `00-${traceId}-${spanId}-01`

  effect("carries the span, the same with every attempt", function* () {
    expect((yield* traced([again, thing])).sent).toEqual([header, header])
  })

  effect("says where the span is not sampled", function* () {
    expect((yield* traced([thing], {}, { sampled: false })).sent).toEqual([header.replace(/1$/, "0")])
  })

  effect.each([
    ["is turned off", { config: { traceparent: false } }, {}],
    ["the page has another origin", { settings: { traceparent: "https://app.example.test" } }, {}],
    ["the tracer's ids are none of W3C's", {}, { traceId: "t\r\nx: y" }],
    ["the trace's id is all zeros", {}, { traceId: "0".repeat(32) }],
    ["the span's id is all zeros", {}, { spanId: "0".repeat(16) }]
  ] as const)("is not sent where %s", function* ([, options, ids]) {
    expect((yield* traced([thing], options, ids)).sent).toEqual([undefined])
  })

  effect.each([
    ["the page has the same origin", { settings: { traceparent: "https://api.example.test" } }],
    ["another origin is allowed", { config: { traceparent: true } }]
  ] as const)("is sent where %s", function* ([, options]) {
    expect((yield* traced([thing], options)).sent).toEqual([header])
  })
})
