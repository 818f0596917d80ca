// One client span for each call where a tracer is installed, with neither input nor credentials in it.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import type { CallError } from "../../../core/kernel/errors/errors.js"
import { json } from "../../support/fake-transport.js"
import * as Sample from "./sample-dispatcher.js"
import { thing } from "./sample-dispatcher.js"
import * as Things from "./sample-operations.js"

describe("tracing", () => {
  interface Noted {
    readonly name: string
    readonly kind: string
    readonly attributes: Map<string, unknown>
    exit: Exit.Exit<unknown, unknown> | undefined
  }

  /** The spans that a call makes where a tracer is installed, and how it ends. */
  const spansOf = (call: Effect.Effect<unknown, CallError>) =>
    Effect.gen(function* () {
      const spans: Array<Noted> = []
      const tracer = Tracer.make({
        span: (name, parent, context, links, startTime, kind) => {
          const noted: Noted = { name, kind, attributes: new Map(), exit: undefined }
          spans.push(noted)
          return {
            _tag: "Span",
            name,
            spanId: String(spans.length),
            traceId: "t",
            parent,
            context,
            status: { _tag: "Started", startTime },
            attributes: noted.attributes,
            links,
            sampled: true,
            kind,
            end: (_, exit) => {
              noted.exit = exit
            },
            attribute: (key, value) => noted.attributes.set(key, value),
            event: () => undefined,
            addLinks: () => undefined
          }
        },
        context: (run) => run()
      })
      const exit = yield* Effect.exit(Effect.withTracer(call, tracer))
      return { spans, exit }
    })

  it.effect(
    "makes a client span a call where a tracer is installed, with neither input nor credentials",
    () =>
      Effect.gen(function* () {
        const { dispatcher } = Sample.make([thing])
        const { spans } = yield* spansOf(dispatcher.call(Things.get, { id: "canary" }))
        expect(spans).toHaveLength(1)
        const [span] = spans
        expect(span).toMatchObject({ name: "quartet.things.get", kind: "client" })
        expect(Object.fromEntries(span?.attributes ?? [])).toEqual({
          "quartet.operation": "things.get",
          "quartet.audience": "admin"
        })
        expect(span?.exit !== undefined && Exit.isSuccess(span.exit)).toBe(true)
      })
  )

  it.effect("ends the span of a call that fails with its error", () =>
    Effect.gen(function* () {
      const { dispatcher } = Sample.make([json(404, {})])
      const { exit, spans } = yield* spansOf(dispatcher.call(Things.get, { id: "a" }))
      expect(exit).toMatchObject(Exit.fail({ _tag: "NotFound" }))
      expect(spans.map((span) => span.exit)).toEqual([exit])
    })
  )

  it.effect("makes one span a call, however many attempts it takes", () =>
    Effect.gen(function* () {
      const { fake, dispatcher } = Sample.make([json(503, {}, { "retry-after": "0" })], {
        policy: { pause: 0 }
      })
      const { spans } = yield* spansOf(dispatcher.call(Things.get, { id: "a" }))
      expect(fake.exchanges).toHaveLength(3)
      expect(spans).toHaveLength(1)
    })
  )

  it.effect("makes no span where none is installed", () =>
    Effect.gen(function* () {
      const { dispatcher } = Sample.make(() => thing)
      const inner = yield* Effect.withSpan(
        Effect.zipRight(dispatcher.call(Things.get, { id: "a" }), Effect.option(Effect.currentSpan)),
        "the caller's"
      )
      expect(Option.map(inner, ({ name }) => name)).toEqual(Option.some("the caller's"))
    })
  )
})
