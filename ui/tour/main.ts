/** The tour: starts the sandbox, uses it with the four clients, prints a report, and keeps serving. */
import type * as HttpApp from "@effect/platform/HttpApp"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { codeOf } from "../../adapters/http/node-errors.js"
import * as Server from "../../adapters/sandbox/server/index.js"
import * as Socket from "../../adapters/socket/index.js"
import * as UndiciTransport from "../../adapters/undici/index.js"
import * as Console from "../console/serve.js"
import * as Arguments from "./arguments.js"
import { clients } from "./clients.js"
import { places } from "./places.js"
import * as Screen from "./screen.js"
import { steps } from "./steps.js"
import { walk } from "./walk.js"

const isTaken = (error: unknown): boolean => codeOf(error) === "EADDRINUSE"

/** Serves the sandbox and the console: on the port that was asked for, else on 4400 or, where that is taken, on a free one. */
const serve = (
  options: Arguments.Arguments,
  pages: HttpApp.Default | undefined
): Effect.Effect<Server.Served, unknown, Scope.Scope> => {
  const { latency, port, seed } = options
  const at = (chosen: number) =>
    Server.serve({ port: chosen, seed, latency, ...(pages === undefined ? {} : { fallback: pages }) })
  if (port !== undefined) return at(port)
  return Effect.catchIf(at(Server.defaultPort), isTaken, () => {
    Screen.print(Screen.dim(`  Port ${Server.defaultPort} is taken: another one is used.`))
    return at(0)
  })
}

const tour = (options: Arguments.Arguments) =>
  Effect.gen(function* () {
    Screen.print()
    const hasConsole = !options.noConsole && options.baseUrl === undefined
    const pages = hasConsole ? yield* Console.load() : undefined
    const url = options.baseUrl ?? (yield* serve(options, pages)).url
    Screen.print(
      `  ${Screen.bold("Quartet")}  ${options.baseUrl === undefined ? "a sandbox" : "the server"} at ${Screen.cyan(url)}`
    )
    Screen.print()
    const started = performance.now()
    const where = places(url, process.env)
    const results = yield* walk(steps(where), (result) => Screen.print(Screen.step(result))).pipe(
      Effect.scoped,
      Effect.provide(Layer.provideMerge(clients(where), Layer.merge(UndiciTransport.layer, Socket.layer)))
    )
    Screen.print()
    Screen.print(Screen.summary(results, performance.now() - started))
    Screen.print()
    const hasFailed = results.some(({ error }) => error !== undefined)
    if (hasFailed) process.exitCode = 1
    if (options.once || options.baseUrl !== undefined) return
    Screen.print(Screen.next(url, hasConsole))
    Screen.print()
    Screen.print(Screen.dim("  The sandbox keeps serving. Everything is in memory. Ctrl+C stops it."))
    yield* Effect.never
  }).pipe(Effect.scoped)

const fail = (message: string, code: number): void => {
  process.stderr.write(`npm start: ${message}\n`)
  process.exitCode = code
}

/** The problem in one line: the cause of the server's error says why it could not start. */
const explain = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  if (isTaken(error)) return "the port is in use: choose another with --port, or --port 0 for any free one"
  return error instanceof Error ? error.message : String(error)
}

const run = (options: Arguments.Arguments): void => {
  const fiber = Effect.runFork(tour(options))
  const stop = (): void => {
    // A second signal does not wait.
    process.once("SIGINT", () => process.exit(130))
    Effect.runFork(Fiber.interrupt(fiber))
  }
  process.once("SIGINT", stop)
  process.once("SIGTERM", stop)
  fiber.addObserver((exit) => {
    process.removeListener("SIGINT", stop)
    process.removeListener("SIGTERM", stop)
    if (Exit.isFailure(exit) && !Cause.isInterruptedOnly(exit.cause)) fail(explain(exit.cause), 1)
  })
}

const options = Arguments.read(process.argv.slice(2))
if (Either.isLeft(options)) fail(`${options.left}. "npm start -- --help" says what there is.`, 2)
else if (options.right.help) Screen.print(Arguments.help)
else run(options.right)
