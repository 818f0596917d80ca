/** `quartet generate`: writes the types of a project's content models. */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { connection } from "../connection.js"
import { isJson, isPromise, optionalNumber, output } from "../options.js"
import { type Example, lazily, type Main, program } from "../program.js"

export const command = <Name extends string>(name: Name) =>
  Command.make(
    name,
    {
      output: output("Writes the module to this file instead of stdout"),
      first: optionalNumber(
        "first",
        "Number of the first page of models, where the platform does not count its pages from 1",
        1_000_000
      ),
      isPromise,
      isCheck: Options.boolean("check").pipe(
        Options.withDescription(
          "Writes nothing: says what differs from the file of --output, and exits with 1 if anything does"
        )
      ),
      isJson,
      ...connection
    },
    (options) =>
      lazily(
        () => import("./run.js"),
        ({ generate }) => generate(options)
      )
  )

const examples: ReadonlyArray<Example> = [
  ["quartet generate --sandbox", "shows what it writes, of the sandbox's content models"],
  ["quartet generate --output src/content.ts", "writes schemas of Effect, interfaces and collections"],
  ["quartet generate --output src/content.ts --promise", "the same without an import of Effect"],
  ["quartet generate --output src/content.ts --check", "in CI: fails where the models have changed since"]
]

export const main: Main = program("generate", command, examples)
