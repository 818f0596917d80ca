/** `quartet tour`: shows what the four clients do. */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { connection } from "../connection.js"
import { mostPort, optionalNumber } from "../options.js"
import { type Example, lazily, type Main, program } from "../program.js"
import { platform } from "../sandbox/command.js"

export const command = <Name extends string>(name: Name) =>
  Command.make(
    name,
    {
      isOnce: Options.boolean("once").pipe(
        Options.withDescription(
          "Ends after the tour: code 0 if every step held, 1 with the failing step named"
        )
      ),
      baseUrl: Options.text("base-url").pipe(
        Options.withDescription(
          "Tours another server instead of a sandbox; its accounts come from the environment, those that it lacks are the sandbox's"
        ),
        Options.optional
      ),
      port: optionalNumber("port", "Port of the sandbox; 4400, or a free one where that is taken", mostPort),
      ...platform,
      hasNoConsole: Options.boolean("no-console").pipe(Options.withDescription("Does not serve the console")),
      dotenv: connection.dotenv
    },
    (options) =>
      lazily(
        () => import("./run.js"),
        ({ tour }) => tour(options)
      )
  )

const examples: ReadonlyArray<Example> = [
  ["quartet tour", "starts a sandbox, walks through it, and keeps serving it"],
  ["quartet tour --once", "ends afterwards, as a check in CI"],
  ["quartet tour --base-url http://127.0.0.1:4400", "walks through a server that runs already"]
]

export const main: Main = program("tour", command, examples)
