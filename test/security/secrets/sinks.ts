/** Everything by which an error can leave a program, as text. */
import { format, inspect } from "node:util"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Inspectable from "effect/Inspectable"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import * as Tracer from "effect/Tracer"

/** A failed call, as it may be looked at. */
export interface Failed {
  readonly error: Error
  readonly exit: Exit.Exit<unknown, unknown>
  readonly cause: Cause.Cause<unknown>
  /** The spans that were recorded while it ran. */
  readonly spans: ReadonlyArray<Tracer.Span>
}

const safely = (write: () => unknown): string => {
  try {
    return String(write())
  } catch (cause) {
    // A cycle, for example: what the failure to write says is looked at as well.
    return inspect(cause, { depth: 10, showHidden: true })
  }
}

/** The error and all that it was caused by. */
const chain = (error: unknown): ReadonlyArray<unknown> => {
  const found: Array<unknown> = []
  for (let here = error; here !== undefined && here !== null && !found.includes(here); ) {
    found.push(here)
    here = typeof here === "object" && "cause" in here ? here.cause : undefined
  }
  return found
}

const ownEverything = (value: unknown): string =>
  typeof value !== "object" || value === null
    ? String(value)
    : Reflect.ownKeys(value)
        .map((key) => `${String(key)}=${safely(() => Reflect.get(value, key))}`)
        .join("\n")

/** What each of Effect's loggers writes of a failure. */
const logged = (logger: Logger.Logger<unknown, unknown>, { cause, error }: Failed): string => {
  const lines: Array<unknown> = []
  const keep = Logger.make<unknown, void>((options) => void lines.push(logger.log(options)))
  Effect.runSync(
    Effect.zipRight(Effect.logError("a call failed", cause), Effect.logError(error)).pipe(
      Effect.annotateLogs("error", error),
      Effect.withLogSpan("call"),
      Effect.provide(Logger.replace(Logger.defaultLogger, keep))
    )
  )
  return lines
    .map((line) => (typeof line === "string" ? line : inspect(line, { depth: 10, showHidden: true })))
    .join("\n")
}

export const sinks: Readonly<Record<string, (failed: Failed) => string>> = {
  message: ({ error }) => error.message,
  stack: ({ error }) => String(error.stack),
  "String()": ({ error }) => `${error}${error.toString()}`,
  "own properties": ({ error }) => chain(error).map(ownEverything).join("\n"),
  "cause chain": ({ error }) =>
    chain(error)
      .map((one) => (one instanceof Error ? `${one.name} ${one.message} ${one.stack}` : String(one)))
      .join("\n"),
  "JSON.stringify": ({ error }) => safely(() => JSON.stringify(error, null, 2)),
  "JSON.stringify of the cause chain": ({ error }) =>
    chain(error)
      .map((one) => safely(() => JSON.stringify(one)))
      .join("\n"),
  "util.inspect, depth 10, showHidden": ({ error }) =>
    inspect(error, { depth: 10, showHidden: true, maxStringLength: null }),
  "util.inspect with getters": ({ error }) => inspect(error, { depth: 4, getters: true }),
  "util.format": ({ error }) => safely(() => format("%s %o %O %j", error, error, error, error)),
  structuredClone: ({ error }) =>
    safely(() => inspect(structuredClone(error), { depth: 10, showHidden: true })),
  "Effect's own format": ({ error }) =>
    safely(() => Inspectable.format(error)) + safely(() => Inspectable.stringifyCircular(error)),
  "Cause.pretty": ({ cause }) => Cause.pretty(cause, { renderErrorCause: true }),
  "a cause, inspected": ({ cause }) => inspect(cause, { depth: 10, showHidden: true }),
  "a cause as JSON": ({ cause }) => safely(() => JSON.stringify(cause)) + String(cause),
  "an exit, inspected": ({ exit }) =>
    inspect(exit, { depth: 10, showHidden: true }) + safely(() => JSON.stringify(exit)),
  "pretty errors": ({ cause }) =>
    Cause.prettyErrors(cause)
      .map((one) => inspect(one, { depth: 10, showHidden: true }) + String(one.stack))
      .join("\n"),
  "a rejection's FiberFailure": ({ cause }) => {
    const failure = Runtime.makeFiberFailure(cause)
    return `${failure} ${failure.stack} ${safely(() => JSON.stringify(failure))} ${inspect(failure, { depth: 10, showHidden: true })}`
  },
  spans: ({ spans }) =>
    spans
      .map((span) => {
        const ended = span.status._tag === "Ended" ? span.status.exit : undefined
        return inspect(
          [span.name, span.attributes, span.status, ended, "events" in span ? span.events : []],
          {
            depth: 10,
            showHidden: true
          }
        )
      })
      .join("\n"),
  "a log as text": (failed) => logged(Logger.stringLogger, failed),
  "a log as logfmt": (failed) => logged(Logger.logfmtLogger, failed),
  "a log as JSON": (failed) => logged(Logger.jsonLogger, failed),
  "a structured log": (failed) => logged(Logger.structuredLogger, failed)
}

/** A tracer that keeps every span, with all that is told of it. */
export const makeTracer = (): { readonly spans: Array<Tracer.Span>; readonly layer: Layer.Layer<never> } => {
  const spans: Array<Tracer.Span> = []
  const tracer = Tracer.make({
    span: (name, parent, context, links, startTime, kind) => {
      const attributes = new Map<string, unknown>()
      const events: Array<unknown> = []
      const span = {
        _tag: "Span",
        spanId: String(spans.length),
        traceId: "trace",
        sampled: true,
        name,
        parent,
        context,
        links,
        kind,
        status: { _tag: "Started", startTime } as Tracer.SpanStatus,
        attributes,
        events,
        attribute: (key: string, value: unknown) => void attributes.set(key, value),
        event: (...told: ReadonlyArray<unknown>) => void events.push(told),
        addLinks: () => undefined,
        end: (endTime: bigint, exit: Exit.Exit<unknown, unknown>) => {
          span.status = { _tag: "Ended", startTime, endTime, exit }
        }
      } satisfies Tracer.Span & { events: ReadonlyArray<unknown> }
      spans.push(span)
      return span
    },
    context: (run) => run()
  })
  return { spans, layer: Layer.setTracer(tracer) }
}

/** What failed in an exit, if it is an error. */
export const failedOf = (
  exit: Exit.Exit<unknown, unknown>,
  spans: ReadonlyArray<Tracer.Span>
): Failed | undefined => {
  if (exit._tag === "Success") return undefined
  const error = Option.getOrElse(Cause.failureOption(exit.cause), () => Cause.squash(exit.cause))
  return error instanceof Error ? { error, exit, cause: exit.cause, spans } : undefined
}
