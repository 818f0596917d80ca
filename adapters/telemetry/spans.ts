/**
 * Spans by OpenTelemetry's own tracer, for programs without Effect's, such as those with Promises. They are the ones that a
 * client makes by itself where a tracer of Effect is installed.
 */
import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"
import { silent } from "../../core/kernel/dispatch/dispatcher.js"
import type { Middleware } from "../../core/kernel/dispatch/middleware.js"
import { traced } from "./tracing.js"

type Attributes = Record<string, string | number>

/** The part of OpenTelemetry's `Span` that is used. @category models */
export interface OpenTelemetrySpan {
  readonly spanContext: () => {
    readonly traceId: string
    readonly spanId: string
    readonly traceFlags: number
  }
  readonly setAttribute: (name: string, value: string | number) => unknown
  /** `time` in milliseconds since 1970. */
  readonly addEvent: (name: string, attributes: Attributes, time: number) => unknown
  readonly setStatus: (status: { readonly code: number }) => unknown
  readonly end: () => void
}

/** The part of OpenTelemetry's `Tracer` that is used, as `trace.getTracer("…")` answers it. @category models */
export interface OpenTelemetryTracer {
  readonly startSpan: (
    name: string,
    options: { readonly kind: number; readonly attributes: Attributes }
  ) => OpenTelemetrySpan
}

/** OpenTelemetry's `SpanKind.CLIENT` and `SpanStatusCode.ERROR`. */
const client = 2
const failed = 2

/** A tracer of Effect that makes its spans by OpenTelemetry's, under the span that is active there. */
const tracerOf = (tracer: OpenTelemetryTracer): Tracer.Tracer =>
  Tracer.make({
    span: (name, parent, context, links, startTime, kind, options) => {
      const known = options?.attributes ?? {}
      const attributes = new Map(Object.entries(known))
      // What is known at the start is there for samplers.
      const span = tracer.startSpan(name, { kind: client, attributes: known as Attributes })
      const { spanId, traceFlags, traceId } = span.spanContext()
      return {
        _tag: "Span",
        name,
        spanId,
        traceId,
        parent,
        context,
        status: { _tag: "Started", startTime },
        attributes,
        links,
        sampled: (traceFlags & 1) === 1,
        kind,
        attribute: (key, value) => {
          if (attributes.get(key) === value) return
          attributes.set(key, value)
          span.setAttribute(key, typeof value === "number" ? value : String(value))
        },
        event: (event, time, given = {}) => span.addEvent(event, given as Attributes, Number(time) / 1e6),
        addLinks: () => undefined,
        end: (_, exit) => {
          if (exit._tag === "Failure") span.setStatus({ code: failed })
          span.end()
        }
      }
    },
    context: (run) => run()
  })

/**
 * Middleware that makes a client span of each call, under the span that is active where it is called, and sends
 * `traceparent` as the client's configuration has it.
 * @category constructors
 */
export const spans = (tracer: OpenTelemetryTracer): Middleware => {
  const made = tracerOf(tracer)
  return (next) => {
    // What a call brings about, such as a sign-in, passes this middleware itself.
    const handle = traced((call) => Effect.withTracer(next(call), silent))
    return (call) => Effect.withTracer(handle(call), made)
  }
}
