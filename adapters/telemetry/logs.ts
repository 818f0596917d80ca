/** One line in Effect's log for each call: what was called and how it ended, never what it held. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as LogLevel from "effect/LogLevel"
import type { Middleware, MiddlewareCall } from "../../core/kernel/dispatch/middleware.js"
import { type CallError, categoryOf, InputError } from "../../core/kernel/errors/errors.js"
import { mask } from "../../core/kernel/redaction/mask.js"
import { textsIn } from "../../core/kernel/redaction/sent-secrets.js"
import { aside, attributesOf, type Ending, endingOf, errorOf } from "./ending.js"

/** The level of each ending; `error` is undefined for `ok`, `cancelled` and `defect`. @category models */
export type Levels = (ending: Ending, error: CallError | undefined) => LogLevel.LogLevel

/** What went well is `Info`; what the caller can mend is a warning; what failed on the way or may have happened, an error. */
const usual: Levels = (ending, error) => {
  if (ending === "ok" || ending === "cancelled") return LogLevel.Info
  if (error === undefined) return LogLevel.Error
  const category = categoryOf(error)
  return category === "transient" || category === "unknown-outcome" ? LogLevel.Error : LogLevel.Warning
}

/** The server's own id of a request, without what the caller passed: some servers make it of an id that they were sent. */
const idOf = (requestId: string, { input, options }: MiddlewareCall): string => {
  const passed: Array<string> = []
  textsIn([input, options?.idempotencyKey], true, passed)
  // The client masked its secrets already; tokens that others put into the text go here.
  return mask(requestId, passed)
}

const refused = (rule: string) => new InputError({ operation: "Telemetry.logs", field: "levels", rule })

const isLevel = (value: unknown): boolean =>
  LogLevel.allLevels.some(({ _tag }) => _tag === Object(value)._tag)

const line = (
  call: MiddlewareCall,
  exit: Exit.Exit<unknown, CallError>,
  milliseconds: number,
  levels: Levels
): Effect.Effect<void> => {
  const ending = endingOf(exit)
  const error = errorOf(exit)
  const annotations = {
    ...attributesOf(call, ending),
    ...(error === undefined || !("reason" in error) ? {} : { "error.reason": error.reason }),
    ...(error?.requestId === undefined ? {} : { "request.id": idOf(error.requestId, call) }),
    "duration.ms": milliseconds
  }
  const level = levels(ending, error)
  if (!isLevel(level)) return Effect.die(refused("must answer a LogLevel of Effect"))
  return level === LogLevel.None
    ? Effect.void
    : Effect.annotateLogs(
        Effect.logWithLevel(level, `${call.method} ${call.template} ${ending}`),
        annotations
      )
}

/**
 * Middleware that logs each call once it has ended, with annotations named as OpenTelemetry names attributes. A line
 * holds neither input, answer, headers nor path, but its template, and of an error its tag, its reason and the
 * server's own id of the request, in which the texts of the input are masked. `levels` chooses the level of an
 * ending; `LogLevel.None` leaves it out. Where it or a logger throws, the call goes on. Throws an InputError where
 * `levels` is no function.
 *
 * @example
 * ```ts
 * import * as Telemetry from "@quartet/sdk/adapters/telemetry"
 * import * as LogLevel from "effect/LogLevel"
 *
 * const logs = Telemetry.logs((ending) => (ending === "ok" ? LogLevel.Debug : LogLevel.Warning))
 * ```
 * @category constructors
 */
export const logs = (levels: Levels = usual): Middleware => {
  if (typeof levels !== "function") throw refused("must be a function that answers a LogLevel of Effect")
  return (next) => (call) =>
    Effect.flatMap(Clock.currentTimeMillis, (began) =>
      Effect.onExit(next(call), (exit) =>
        aside(Effect.flatMap(Clock.currentTimeMillis, (ended) => line(call, exit, ended - began, levels)))
      )
    )
}
