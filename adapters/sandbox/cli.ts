#!/usr/bin/env node
/** The command line: `quartet sandbox` serves the sandbox until it is stopped. */
import { createRequire } from "node:module"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { codeOf } from "../http/node-errors.js"
import { accounts } from "./accounts.js"
import * as Arguments from "./cli/arguments.js"
import * as Screen from "./cli/screen.js"
import type * as Server from "./server/index.js"

const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const paint = Screen.paint(process.stdout.isTTY === true && !process.env.NO_COLOR)

const fail = (message: string, code: number): void => {
  process.stderr.write(`quartet: ${message}\n`)
  process.exitCode = code
}

/** The server needs optional packages, which may be missing. */
const load = async (): Promise<typeof Server | undefined> => {
  try {
    return await import("./server/index.js")
  } catch (cause) {
    const named = /'(@effect\/platform(?:-node)?|socket\.io)(?:\/[^']*)?'/.exec(String(cause))
    if (codeOf(cause) !== "ERR_MODULE_NOT_FOUND" || named === null) throw cause
    fail(
      `the sandbox's server needs ${named[1]}. Install what it needs with:\n\n  npm install @effect/platform @effect/platform-node socket.io\n`,
      1
    )
    return undefined
  }
}

const version = (): string => {
  const own: unknown = createRequire(import.meta.url)("@quartet/sdk/package.json")
  return typeof own === "object" && own !== null && "version" in own ? String(own.version) : "unknown"
}

/** Why the server could not start. */
const explain = (error: unknown, port: number): string => {
  const cause = typeof error === "object" && error !== null && "cause" in error ? error.cause : error
  switch (codeOf(cause)) {
    case "EADDRINUSE":
      return `port ${port} is in use. Try another: quartet sandbox --port ${port === 65_535 ? 4400 : port + 1} (or --port 0 for any free one)`
    case "EACCES":
      return `port ${port} may not be used by this user. Try one above 1023: quartet sandbox --port 4400`
    default:
      return cause instanceof Error ? cause.message : String(cause)
  }
}

const serve = async ({ _tag: _, quiet, ...options }: Arguments.Serve): Promise<void> => {
  const server = await load()
  if (server === undefined) return
  const isLogged = !quiet && process.stdout.isTTY === true
  const program = Effect.scoped(
    Effect.gen(function* () {
      const { url } = yield* server.serve({
        ...options,
        ...(isLogged
          ? {
              onRequest: (received) => print(Screen.line(received, paint)),
              onRefused: (message) => print(paint.yellow(`Refused: ${message}`))
            }
          : {})
      })
      print(Screen.welcome(url, { seed: options.seed, known: accounts }, paint))
      return yield* Effect.never
    })
  )
  const fiber = Effect.runFork(program)
  const stop = (): void => {
    // A second signal does not wait.
    process.once("SIGINT", () => process.exit(130))
    Effect.runFork(Fiber.interrupt(fiber))
  }
  process.once("SIGINT", stop)
  process.once("SIGTERM", stop)
  const exit = await Effect.runPromise(Fiber.await(fiber))
  if (Exit.isFailure(exit) && !Cause.isInterruptedOnly(exit.cause)) {
    fail(explain(Cause.squash(exit.cause), options.port), 1)
  } else print("The sandbox has stopped.")
  process.removeListener("SIGINT", stop)
  process.removeListener("SIGTERM", stop)
}

const command = Arguments.read(process.argv.slice(2))
switch (command._tag) {
  case "Help":
    print(Arguments.help)
    break
  case "Version":
    print(version())
    break
  case "Wrong":
    fail(`${command.message}\nSee: quartet --help`, 2)
    break
  case "Serve":
    await serve(command)
}
