/** Everywhere that an error may be written: what each of them would show of it. */
import { inspect } from "node:util"
import * as Cause from "effect/Cause"
import * as Console from "effect/Console"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"

/** What one sink shows. */
export interface Shown {
  readonly sink: string
  readonly text: string
}

const all = { depth: Number.POSITIVE_INFINITY, showHidden: true, maxStringLength: null, maxArrayLength: null }

const chain = (error: unknown): string => {
  const texts: Array<string> = []
  for (let here: unknown = error; here instanceof Error && texts.length < 10; here = here.cause)
    texts.push(`${here.name}: ${here.message}\n${here.stack}`)
  return texts.join("\n")
}

const json = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? ""
  } catch (error) {
    return inspect(error, all)
  }
}

/** A console that keeps what is written to it. */
const keepingConsole = (shown: Array<Shown>): Console.Console => {
  const keep = (...args: ReadonlyArray<unknown>) =>
    Effect.sync(() => {
      shown.push({ sink: "log, pretty", text: args.map((arg) => inspect(arg, all)).join(" ") })
    })
  const now = (...args: ReadonlyArray<unknown>): void => Effect.runSync(keep(...args))
  return Effect.runSync(
    Effect.map(Console.consoleWith(Effect.succeed), (real) => ({
      ...real,
      log: keep,
      error: keep,
      unsafe: { ...real.unsafe, log: now, error: now, group: now, groupCollapsed: now, groupEnd: now }
    }))
  )
}

/** What Effect's loggers write of a failure, all of them at once. */
const logged = (cause: Cause.Cause<unknown>): ReadonlyArray<Shown> => {
  const shown: Array<Shown> = []
  const keeping = (sink: string, logger: Logger.Logger<unknown, unknown>) =>
    Logger.add(
      Logger.map(logger, (output) => {
        shown.push({ sink, text: typeof output === "string" ? output : inspect(output, all) })
      })
    )
  const loggers = Layer.mergeAll(
    Logger.replace(Logger.defaultLogger, Logger.prettyLogger({ colors: false, mode: "tty" })),
    keeping("log, text", Logger.stringLogger),
    keeping("log, logfmt", Logger.logfmtLogger),
    keeping("log, JSON", Logger.jsonLogger),
    keeping("log, structured", Logger.structuredLogger)
  )
  const error = Option.getOrUndefined(Cause.failureOption(cause))
  Effect.logError("the call failed", cause).pipe(
    Effect.zipRight(Effect.logError(error)),
    Effect.annotateLogs("error", String(error)),
    Effect.provide(loggers),
    Effect.withConsole(keepingConsole(shown)),
    Effect.runSync
  )
  return shown
}

const native = Context.get(DefaultServices.liveServices, Tracer.Tracer)

/** What an exporter of spans writes. */
const exported = (span: Tracer.Span): unknown => ({
  name: span.name,
  kind: span.kind,
  attributes: span.attributes,
  status: span.status,
  links: span.links.map(({ attributes }) => attributes)
})

/** A tracer that keeps its spans. */
export const keepingTracer = (spans: Array<Tracer.Span>): Tracer.Tracer =>
  Tracer.make({
    span: (...args) => {
      const span = native.span(...args)
      spans.push(span)
      return span
    },
    context: (run, fiber) => native.context(run, fiber)
  })

/** What all sinks show of how a call ended. */
export const sinksOf = (
  exit: Exit.Failure<unknown, unknown>,
  spans: ReadonlyArray<Tracer.Span>
): ReadonlyArray<Shown> => {
  const { cause } = exit
  const error = Option.getOrUndefined(Cause.failureOption(cause))
  return [
    { sink: "message", text: error instanceof Error ? error.message : "" },
    { sink: "stack", text: error instanceof Error ? (error.stack ?? "") : "" },
    { sink: "String", text: String(error) },
    { sink: "cause chain", text: chain(error) },
    { sink: "JSON.stringify", text: json(error) + json(cause) },
    { sink: "util.inspect", text: inspect(error, all) + inspect(exit, all) },
    { sink: "Cause.pretty", text: Cause.pretty(cause, { renderErrorCause: true }) },
    { sink: "spans", text: inspect(spans.map(exported), all) },
    ...logged(cause)
  ]
}
