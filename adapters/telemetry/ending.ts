/**
 * How a call ended, and all that telemetry tells of a call: names of low cardinality, and nothing of its input or answer. A
 * server's text repeats both, so no message of an error is told, but its tag.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type { MiddlewareCall } from "../../core/kernel/dispatch/middleware.js"
import type { CallError } from "../../core/kernel/errors/errors.js"

/** How a call ended: `cancelled` if nobody waited for its end, `defect` if middleware or an adapter threw. @category models */
export type Ending = "ok" | "cancelled" | "defect" | CallError["_tag"]

export const errorOf = (exit: Exit.Exit<unknown, CallError>): CallError | undefined =>
  exit._tag === "Success" ? undefined : Option.getOrUndefined(Cause.failureOption(exit.cause))

export const endingOf = (exit: Exit.Exit<unknown, CallError>): Ending => {
  if (exit._tag === "Success") return "ok"
  return errorOf(exit)?._tag ?? (Cause.isInterruptedOnly(exit.cause) ? "cancelled" : "defect")
}

/** A call by the names of OpenTelemetry's semantic conventions. */
export const attributesOf = (
  { audience, method, operation, progress: { attempts, status }, template }: MiddlewareCall,
  ending?: Ending
): Readonly<Record<string, string | number>> => ({
  "quartet.operation": operation,
  "quartet.audience": audience,
  "http.request.method": method,
  "url.template": template,
  ...(status && { "http.response.status_code": status }),
  ...(attempts > 1 && { "http.request.resend_count": attempts - 1 }),
  ...(ending !== "ok" && ending && { "error.type": ending })
})

const failed = (cause: Cause.Cause<unknown>): Effect.Effect<void> =>
  Cause.isInterruptedOnly(cause)
    ? Effect.void
    : Effect.catchAllCause(Effect.logError("telemetry failed", cause), () => Effect.void)

/** Tells of a call without changing it: what fails is logged, if the logger can. */
export const aside = (telling: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.catchAllCause(telling, failed)
