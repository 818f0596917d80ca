/** Spans for calls, made only if a tracer is installed: a span costs more than the rest of a small call. */
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import type { Middleware } from "../../core/kernel/dispatch/middleware.js"
import type { CallError } from "../../core/kernel/errors/errors.js"
import { aside, attributesOf, endingOf } from "./ending.js"

/**
 * One client span for a call, by the semantic conventions of OpenTelemetry for HTTP clients: named and attributed by
 * method and path template, with an event for each attempt that was repeated. Neither input, answer nor credentials are
 * recorded: of an error the tracer gets what happened in our words. One that throws changes no call.
 */
export const traced: Middleware = (next) => (call) => {
  const { headers, method, operation, origin, progress, template } = call
  const { hostname, port, protocol } = new URL(origin)
  let ended: Exit.Exit<unknown, CallError> | undefined
  const seen = Effect.useSpan(
    `${method} ${template}`,
    {
      kind: "client",
      captureStackTrace: false,
      attributes: {
        ...attributesOf(call),
        "server.address": hostname.replace(/[[\]]/g, ""),
        "server.port": Number(port || (protocol === "http:" ? 80 : 443))
      }
    },
    (span) => {
      const traceparent = `00-${span.traceId}-${span.spanId}-0${Number(span.sampled)}`
      // Ids of zeros belong to no span.
      const isSent = call.traceparent && /^(?!.*-0+-)[\da-f-]{55}$/.test(traceparent)
      const handled = next(isSent ? { ...call, headers: { ...headers, traceparent } } : call)
      return Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(Effect.exit(restore(Effect.withParentSpan(handled, span))), (exit) => {
          ended = exit
          const ending = endingOf(exit)
          const tell = Effect.sync(() => {
            // Events last: of a span that takes none, the attributes stay.
            for (const [name, value] of Object.entries(attributesOf(call, ending)))
              span.attribute(name, value)
            for (const { error, time } of progress.retries) span.event("retry", time, { "error.type": error })
          })
          const answered = progress.status ? ` (HTTP ${progress.status})` : ""
          const error = () => Object.assign(new Error(`${operation}: ${ending}${answered}`), { name: ending })
          const end: Effect.Effect<unknown, unknown> =
            ending === "cancelled" ? exit : ending === "ok" ? Effect.void : Effect.failSync(error)
          return Effect.zipRight(aside(tell), end)
        })
      )
    }
  )
  return Effect.zipRight(
    aside(Effect.ignore(seen)),
    Effect.suspend(() => ended ?? next(call))
  )
}
