/** Spans for calls, made only if a tracer is installed: a span costs more than the rest of a small call. */
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"
import type { Audience } from "../operation/operation.js"

/** The default tracer, which records nothing. */
export const silent = /*#__PURE__*/ Context.get(DefaultServices.liveServices, Tracer.Tracer)

/** Wraps a call in a client span named after its operation. Neither input, answer nor credentials are recorded. */
export const traced = <A, E, R>(
  name: string,
  audience: Audience,
  call: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    // A tracer gets only the success of a span, not the answer.
    const answers: Array<A> = []
    const told = Effect.map(call, (answer) => {
      answers.push(answer)
    })
    const span = Effect.withSpan(told, `quartet.${name}`, {
      kind: "client",
      captureStackTrace: false,
      attributes: { "quartet.operation": name, "quartet.audience": audience }
    })
    // Defined after a success.
    return Effect.map(span, () => answers[0] as A)
  })
