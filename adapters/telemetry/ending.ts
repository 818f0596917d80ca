/** How a call ended, in words of low cardinality, and what all telemetry says of a call. */
import * as Cause from "effect/Cause"
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

/** A call by the names of OpenTelemetry's semantic conventions, of low cardinality. */
export const attributesOf = (
  { audience, method, operation, progress, template }: MiddlewareCall,
  ending: Ending
): Readonly<Record<string, string | number>> => ({
  "quartet.operation": operation,
  "quartet.audience": audience,
  "http.request.method": method,
  "url.template": template,
  ...(progress.status === undefined ? {} : { "http.response.status_code": progress.status }),
  ...(ending === "ok" ? {} : { "error.type": ending })
})
