/** Spans for calls, made only if a tracer is installed: a span costs more than the rest of a small call. */
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"
import type { Middleware } from "./middleware.js"

/** The default tracer, which records nothing. */
export const silent = /*#__PURE__*/ Context.get(DefaultServices.liveServices, Tracer.Tracer)

/**
 * One client span for a call, by the semantic conventions of OpenTelemetry for HTTP clients: named and attributed by
 * method and path template. Neither input, answer nor credentials are recorded. `toldTo` is the
 * only origin that `traceparent` is sent to; true means any.
 */
export const traced =
  (toldTo: boolean | string): Middleware =>
  (next) =>
  (call) => {
    const { audience, headers, method, operation, origin, progress, template } = call
    const { hostname, port, protocol } = new URL(origin)
    let answered: unknown
    const span = Effect.useSpan(
      `${method} ${template}`,
      {
        kind: "client",
        captureStackTrace: false,
        attributes: {
          "quartet.operation": operation,
          "quartet.audience": audience,
          "http.request.method": method,
          "url.template": template,
          "server.address": hostname,
          "server.port": Number(port || (protocol === "http:" ? 80 : 443))
        }
      },
      (span) => {
        const traceparent = `00-${span.traceId}-${span.spanId}-0${Number(span.sampled)}`
        const isSent = /^[\da-f-]{55}$/.test(traceparent) && (toldTo === true || toldTo === origin)
        const told = next(isSent ? { ...call, headers: { ...headers, traceparent } } : call).pipe(
          Effect.withParentSpan(span),
          Effect.tapError(({ _tag }) => Effect.sync(() => span.attribute("error.type", _tag))),
          Effect.ensuring(
            Effect.sync(() => {
              const { attempts, status } = progress
              if (status !== undefined) span.attribute("http.response.status_code", status)
              if (attempts > 1) span.attribute("http.request.resend_count", attempts - 1)
            })
          )
        )
        // A tracer gets only the success of a span, not the answer.
        return Effect.map(told, (answer) => {
          answered = answer
        })
      }
    )
    return Effect.map(span, () => answered)
  }
