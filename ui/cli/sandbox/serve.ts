/** Serves the sandbox until it is stopped. */
import * as Effect from "effect/Effect"
import { codeOf } from "../../../adapters/http/node-errors.js"
import { accounts } from "../../../adapters/sandbox/accounts.js"
import * as Server from "../../../adapters/sandbox/server/index.js"
import { Problem, untilStopped } from "../exit.js"
import { colours, log, print } from "../output.js"
import * as Screen from "./screen.js"

/** Why the server of a command could not start. */
export const refused = (
  command: string,
  error: { readonly message: string; readonly cause?: unknown },
  port: number
): Problem => {
  const other = port === 65_535 ? 4400 : port + 1
  switch (codeOf(error.cause)) {
    case "EADDRINUSE":
      return new Problem({
        message: `port ${port} is in use. Try another: quartet ${command} --port ${other} (or --port 0 for any free one)`
      })
    case "EACCES":
      return new Problem({
        message: `port ${port} may not be used by this user. Try one above 1023: quartet ${command} --port 4400`
      })
    default:
      return new Problem({ message: error.cause instanceof Error ? error.cause.message : error.message })
  }
}

export const serve = ({
  quiet,
  ...options
}: Server.ServeOptions & {
  readonly port: number
  readonly seed: number
  readonly quiet: boolean
}): Effect.Effect<never, Problem> => {
  const isLogged = !quiet && process.stdout.isTTY === true
  const program = Effect.gen(function* () {
    const { url } = yield* Server.serve({
      ...options,
      ...(isLogged
        ? {
            onRequest: (received) => log(Screen.line(received, colours)),
            onRefused: (message) => log(colours.yellow(`Refused: ${message}`))
          }
        : {})
    })
    yield* print(Screen.welcome(url, { seed: options.seed, known: accounts }, colours))
    return yield* Effect.never
  })
  return untilStopped(
    Effect.mapError(Effect.scoped(program), (error) => refused("sandbox", error, options.port)),
    print("The sandbox has stopped.")
  )
}
