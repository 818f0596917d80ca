/**
 * Spans by OpenTelemetry's own tracer, for programs without Effect's, such as those with Promises. They are the ones that a
 * client makes by itself where a tracer of Effect is installed.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"
import type { Middleware } from "../../core/kernel/dispatch/middleware.js"
import { silent, traced } from "../../core/kernel/dispatch/tracing.js"

type Attributes = Record<string, string | number>

/** The part of OpenTelemetry's `Span` that is used. @category models */
export interface OpenTelemetrySpan {
  readonly spanContext: () => {
    readonly traceId: string
    readonly spanId: string
    readonly traceFlags: number
  }
  readonly setAttribute: (name: string, value: string | number) => unknown
  readonly addEvent: (name: string, attributes: Attributes) => unknown
  readonly setStatus: (status: { readonly code: number }) => unknown
  readonly end: () => void
}

/** The part of OpenTelemetry's `Tracer` that is used, as `trace.getTracer("…")` answers it. @category models */
export interface OpenTelemetryTracer {
  readonly startSpan: (name: string, options: { readonly kind: number }) => OpenTelemetrySpan
}

/** OpenTelemetry's `SpanKind.CLIENT` and `SpanStatusCode.ERROR`. */
const client = 2
const failed = 2

/** A tracer of Effect that makes its spans by OpenTelemetry's, under the span that is active there. */
const tracerOf = (tracer: OpenTelemetryTracer): Tracer.Tracer =>
  Tracer.make({
    span: (name, parent, context, links, startTime, kind) => {
      const span = tracer.startSpan(name, { kind: client })
      const { spanId, traceFlags, traceId } = span.spanContext()
      const attributes = new Map<string, unknown>()
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
          attributes.set(key, value)
          span.setAttribute(key, typeof value === "number" ? value : String(value))
        },
        event: (event, _, given = {}) => span.addEvent(event, given as Attributes),
        addLinks: () => undefined,
        end: (_, exit) => {
          if (exit._tag === "Failure" && !Cause.isInterruptedOnly(exit.cause))
            span.setStatus({ code: failed })
          span.end()
        }
      }
    },
    context: (run) => run()
  })

/**
 * Middleware that makes a client span of each call, under the span that is active where it is called, and sends
 * `traceparent`. In a page it is sent to the page's own origin alone, unless `traceparent` says otherwise.
 * @category constructors
 */
export const spans = (
  tracer: OpenTelemetryTracer,
  options: { readonly traceparent?: boolean } = {}
): Middleware => {
  const made = tracerOf(tracer)
  const toldTo = options.traceparent ?? globalThis.location?.origin ?? true
  return (next) => {
    // What a call brings about, such as a sign-in, passes this middleware itself.
    const handle = traced(toldTo)((call) => Effect.withTracer(next(call), silent))
    return (call) => Effect.withTracer(handle(call), made)
  }
}
