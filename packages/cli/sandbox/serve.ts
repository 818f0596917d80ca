/** Serves the sandbox until it is stopped. */

import { accounts } from "@quartet/sandbox"
import * as Server from "@quartet/sandbox/server"
import * as Effect from "effect/Effect"
import { type Problem, refused, untilStopped } from "../exit.js"
import { colours, log, print } from "../output.js"
import * as Screen from "./screen.js"

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
