// The span of a call: what it is named, what it tells, and the header that carries it to the platform.
import { describe, expect } from "@effect/vitest"
import { Effect, Exit, Option, Tracer } from "effect"
import * as Sample from "../../../support/dispatcher.js"
import { busy, renewing, thing } from "../../../support/dispatcher.js"
import { effect } from "../../../support/effect.js"
import { json } from "../../../support/fake-transport.js"
import * as Things from "../../../support/things.js"

const traceId = "0af7651916cd43dd8448eb211c80319c"
const spanId = "b7ad6b7169203331"

interface Noted {
  readonly name: string
  readonly kind: string
  readonly attributes: Record<string, unknown>
  readonly events: Array<readonly [name: string, attributes: unknown]>
  readonly exit?: Exit.Exit<unknown, unknown>
}

/** A tracer that notes its spans. */
const recording = (ids: Partial<Tracer.Span> = {}) => {
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
        ...ids
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
  ids: Partial<Tracer.Span> = {}
) =>
  Effect.gen(function* () {
    const { spans, tracer } = recording(ids)
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
    const { exit, spans } = yield* traced(script)
    const noted = {
      name: "GET /v9/things/{id}",
      kind: "client",
      attributes: { ...attributes, ...more },
      events
    }
    expect(spans).toEqual([{ ...noted, exit: Exit.asVoid(exit) }])
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

  effect("holds neither input, answer, query nor credentials", function* () {
    const { spans } = yield* traced([busy, json(403, { message: "canary token-1" })])
    expect(JSON.stringify([spans[0]?.name, spans[0]?.attributes, spans[0]?.events])).not.toMatch(
      /canary|token-1/
    )
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
    ["the tracer's ids are none of W3C's", {}, { traceId: "t\r\nx: y" }]
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
