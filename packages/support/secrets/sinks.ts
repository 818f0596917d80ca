/** Everything by which an error can leave a program, as text. */
import { format, inspect } from "node:util"
import {
  Cause,
  Console,
  Context,
  DefaultServices,
  Effect,
  type Exit,
  Inspectable,
  Logger,
  Option,
  Runtime,
  Tracer
} from "effect"

/** A failed call, as it may be looked at. */
export interface Failed {
  readonly error: Error
  readonly exit: Exit.Exit<unknown, unknown>
  readonly cause: Cause.Cause<unknown>
  /** The spans that were recorded while it ran. */
  readonly spans: ReadonlyArray<Tracer.Span>
}

const inspected = (value: unknown): string =>
  inspect(value, { depth: 10, showHidden: true, maxStringLength: null, maxArrayLength: null })

const safely = (write: () => unknown): string => {
  try {
    return String(write())
  } catch (cause) {
    // A cycle, for example: what the failure to write says is looked at as well.
    return inspected(cause)
  }
}
const json = (value: unknown): string => safely(() => JSON.stringify(value))

/** What an error and all that it was caused by write, a line each. */
const chain = (error: unknown, write: (error: unknown) => string): string => {
  const errors: Array<unknown> = []
  for (let here = error; here !== undefined && here !== null && !errors.includes(here); ) {
    errors.push(here)
    here = typeof here === "object" && "cause" in here ? here.cause : undefined
  }
  return errors.map(write).join("\n")
}

const ownEverything = (value: unknown): string =>
  typeof value !== "object" || value === null
    ? String(value)
    : Reflect.ownKeys(value)
        .map((key) => `${String(key)}=${safely(() => Reflect.get(value, key))}`)
        .join("\n")

const textOf = (line: unknown): string => (typeof line === "string" ? line : inspected(line))

/** A console that keeps what is written to it. */
const consoleTo = (lines: Array<unknown>): Console.Console => {
  const real = Effect.runSync(Console.consoleWith(Effect.succeed))
  const now = (...args: ReadonlyArray<unknown>): void => void lines.push(...args)
  const keep = (...args: ReadonlyArray<unknown>) => Effect.sync(() => now(...args))
  const unsafe = { ...real.unsafe, log: now, error: now, group: now, groupCollapsed: now, groupEnd: now }
  return { ...real, log: keep, error: keep, unsafe }
}

/** What one of Effect's loggers writes of a failure. */
const logged = (logger: Logger.Logger<unknown, unknown>, { cause, error }: Failed): string => {
  const lines: Array<unknown> = []
  const keep = Logger.make<unknown, void>((options) => void lines.push(logger.log(options)))
  Effect.zipRight(Effect.logError("a call failed", cause), Effect.logError(error)).pipe(
    Effect.annotateLogs("error", error),
    Effect.withLogSpan("call"),
    Effect.provide(Logger.replace(Logger.defaultLogger, keep)),
    Effect.withConsole(consoleTo(lines)),
    Effect.runSync
  )
  return lines.map(textOf).join("\n")
}

export const sinks: Readonly<Record<string, (failed: Failed) => string>> = {
  message: ({ error }) => error.message,
  stack: ({ error }) => String(error.stack),
  "String()": ({ error }) => `${error}${error.toString()}`,
  "own properties": ({ error }) => chain(error, ownEverything),
  "cause chain": ({ error }) =>
    chain(error, (link) =>
      link instanceof Error ? `${link.name} ${link.message} ${link.stack}` : String(link)
    ),
  "JSON.stringify": ({ error }) => json(error),
  "JSON.stringify of the cause chain": ({ error }) => chain(error, json),
  "util.inspect, depth 10, showHidden": ({ error }) => inspected(error),
  "util.inspect with getters": ({ error }) => inspect(error, { depth: 4, getters: true }),
  "util.format": ({ error }) => safely(() => format("%s %o %O %j", error, error, error, error)),
  structuredClone: ({ error }) => safely(() => inspected(structuredClone(error))),
  "Effect's own format": ({ error }) =>
    safely(() => Inspectable.format(error)) + safely(() => Inspectable.stringifyCircular(error)),
  "Cause.pretty": ({ cause }) => Cause.pretty(cause, { renderErrorCause: true }),
  "a cause, inspected": ({ cause }) => inspected(cause),
  "a cause as JSON": ({ cause }) => json(cause) + String(cause),
  "an exit, inspected": ({ exit }) => inspected(exit) + json(exit),
  "pretty errors": ({ cause }) =>
    Cause.prettyErrors(cause)
      .map((pretty) => inspected(pretty) + String(pretty.stack))
      .join("\n"),
  "a rejection's FiberFailure": ({ cause }) => {
    const failure = Runtime.makeFiberFailure(cause)
    return `${failure} ${failure.stack} ${json(failure)} ${inspected(failure)}`
  },
  spans: ({ spans }) =>
    spans
      .map((span) =>
        inspected([span.name, span.attributes, span.status, span.links, Reflect.get(span, "events")])
      )
      .join("\n"),
  "a log as text": (failed) => logged(Logger.stringLogger, failed),
  "a log as logfmt": (failed) => logged(Logger.logfmtLogger, failed),
  "a log as JSON": (failed) => logged(Logger.jsonLogger, failed),
  "a structured log": (failed) => logged(Logger.structuredLogger, failed),
  "a pretty log": (failed) => logged(Logger.prettyLogger({ colors: false, mode: "tty" }), failed)
}

const native = Context.get(DefaultServices.liveServices, Tracer.Tracer)

/** Runs a call with a tracer that keeps all spans; answers undefined where it succeeds. */
export const failure = async (call: Effect.Effect<unknown, unknown>): Promise<Failed | undefined> => {
  const spans: Array<Tracer.Span> = []
  const tracer = Tracer.make({
    span: (...args) => {
      const span = native.span(...args)
      spans.push(span)
      return span
    },
    context: (run, fiber) => native.context(run, fiber)
  })
  const exit = await Effect.runPromiseExit(Effect.withTracer(call, tracer))
  if (exit._tag === "Success") return undefined
  const error = Option.getOrElse(Cause.failureOption(exit.cause), () => Cause.squash(exit.cause))
  if (!(error instanceof Error)) throw new Error("it failed with what is no error")
  return { error, exit, cause: exit.cause, spans }
}
