/**
 * Spans by OpenTelemetry's own tracer, for programs without Effect's, such as those with Promises. They are the ones that a
 * client makes by itself where a tracer of Effect is installed.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import { silent } from "../../core/kernel/dispatch/dispatcher.js"
import type { Middleware } from "../../core/kernel/dispatch/middleware.js"
import { InputError } from "../../core/kernel/errors/errors.js"
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
  readonly setStatus: (status: { readonly code: number; readonly message?: string }) => unknown
  readonly end: () => void
}

/** The part of OpenTelemetry's `Context` that tracers use. @category models */
export interface OpenTelemetryContext {
  readonly getValue: (key: symbol) => unknown
  readonly setValue: (key: symbol, value: unknown) => OpenTelemetryContext
  readonly deleteValue: (key: symbol) => OpenTelemetryContext
}

/** The part of OpenTelemetry's `Tracer` that is used, as `trace.getTracer("…")` answers it. @category models */
export interface OpenTelemetryTracer {
  readonly startSpan: (
    name: string,
    options: { readonly kind: number; readonly attributes: Attributes },
    /** That of the parent; without one, the context that is active. */
    context?: OpenTelemetryContext
  ) => OpenTelemetrySpan
}

/** OpenTelemetry's `SpanKind.CLIENT` and `SpanStatusCode.ERROR`. */
const client = 2
const failed = 2

/** Where contexts hold their span. All versions of OpenTelemetry's API share the key, so that they find each other's. */
const spanKey = Symbol.for("OpenTelemetry Context Key SPAN")

const contextOf = (values: ReadonlyMap<symbol, unknown>): OpenTelemetryContext => ({
  getValue: (key) => values.get(key),
  setValue: (key, value) => contextOf(new Map([...values, [key, value]])),
  deleteValue: (key) => contextOf(new Map([...values].filter(([entryKey]) => entryKey !== key)))
})

/** A tracer of Effect that makes its spans by OpenTelemetry's: under its own spans, else under the one that is active there. */
const tracerOf = (tracer: OpenTelemetryTracer): Tracer.Tracer => {
  const contexts = new WeakMap<Tracer.AnySpan, OpenTelemetryContext>()
  return Tracer.make({
    span: (name, parent, context, links, startTime, kind, options) => {
      const known = options?.attributes ?? {}
      const attributes = new Map(Object.entries(known))
      // What is known at the start is there for samplers.
      const span = tracer.startSpan(
        name,
        { kind: client, attributes: known as Attributes },
        Option.getOrUndefined(Option.map(parent, (above) => contexts.get(above)))
      )
      const { spanId, traceFlags, traceId } = span.spanContext()
      const newSpan: Tracer.Span = {
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
        event: (event, time, details = {}) => span.addEvent(event, details as Attributes, Number(time) / 1e6),
        addLinks: () => undefined,
        end: (_, exit) => {
          if (exit._tag === "Failure") {
            const [error] = Cause.prettyErrors(exit.cause)
            span.setStatus({ code: failed, ...(error && { message: error.message }) })
          }
          span.end()
        }
      }
      // Ids of zeros are those of a span that is not recorded: what is active says why, and for how long.
      if (/[1-9a-f]/.test(traceId)) contexts.set(newSpan, contextOf(new Map([[spanKey, span]])))
      return newSpan
    },
    context: (run) => run()
  })
}

/**
 * Middleware that makes a client span of each call with OpenTelemetry's own tracer, under the span that is active
 * where it is called, or for a sign-in under that of the call that takes it, and sends `traceparent` as the client's
 * configuration has it. Programs with Effect's tracer need none: calls have spans there by themselves. Throws an
 * InputError where `tracer` is none.
 *
 * @example
 * ```ts
 * import { spans, type OpenTelemetryTracer } from "@quartet/sdk/adapters/telemetry"
 * import * as Public from "@quartet/sdk/public"
 *
 * const traced = (tracer: OpenTelemetryTracer) =>
 *   Public.layer({ baseUrl: "https://api.example.com", apiKey: "key", middleware: [spans(tracer)] })
 * ```
 * @category constructors
 */
export const spans = (tracer: OpenTelemetryTracer): Middleware => {
  if (typeof Object(tracer).startSpan !== "function") {
    const rule = "must be a Tracer of OpenTelemetry, as trace.getTracer answers it"
    throw new InputError({ operation: "Telemetry.spans", field: "tracer", rule })
  }
  const bridge = tracerOf(tracer)
  return (next) => {
    // What a call brings about, such as a sign-in, passes this middleware itself.
    const handle = traced((call) => Effect.withTracer(next(call), silent))
    return (call) => Effect.withTracer(handle(call), bridge)
  }
}
