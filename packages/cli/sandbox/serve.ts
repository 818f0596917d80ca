/** Serves the sandbox until it is stopped. */

import { accounts, type DialectName } from "@quartet/sandbox"
import * as Server from "@quartet/sandbox/server"
import * as Effect from "effect/Effect"
import { type Problem, refused, untilStopped } from "../exit.js"
import { colours, log, print } from "../output.js"
import * as Screen from "./screen.js"

export const serve = ({
  dialect,
  quiet,
  ...options
}: Omit<Server.ServeOptions, "dialect"> & {
  readonly port: number
  readonly seed: number
  readonly dialect: string
  readonly quiet: boolean
}): Effect.Effect<never, Problem> => {
  const isLogged = !quiet && process.stdout.isTTY === true
  const program = Effect.gen(function* () {
    const { platform, url } = yield* Server.serve({
      ...options,
      // The server says which names there are.
      dialect: dialect as DialectName,
      ...(isLogged
        ? {
            onRequest: (received) => log(Screen.line(received, colours)),
            onRefused: (message) => log(colours.yellow(`Refused: ${message}`))
          }
        : {})
    })
    const chat = `${url}${platform.wire.chat.path}`
    yield* print(Screen.welcome(url, { seed: options.seed, dialect, chat, known: accounts }, colours))
    return yield* Effect.never
  })
  return untilStopped(
    Effect.mapError(Effect.scoped(program), (error) => refused("sandbox", error, options.port)),
    print("The sandbox has stopped.")
  )
}
