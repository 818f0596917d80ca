/** `quartet doctor`: checks what a program with the SDK needs. */
import * as Command from "@effect/cli/Command"
import { connection } from "../connection.js"
import { isJson } from "../options.js"
import { type Example, lazily, type Main, program } from "../program.js"

export const command = <Name extends string>(name: Name) =>
  Command.make(name, { isJson, ...connection }, (options) =>
    lazily(
      () => import("./run.js"),
      ({ doctor }) => doctor(options)
    )
  )

const examples: ReadonlyArray<Example> = [
  [
    "quartet doctor",
    "checks Node, the peers of the project in this folder, and what the environment or .env configures"
  ],
  ["quartet doctor --dotenv .env.production --json", "checks another configuration, for a program"],
  ["quartet doctor --sandbox", "shows what a good end looks like"]
]

export const main: Main = program("doctor", command, examples)
