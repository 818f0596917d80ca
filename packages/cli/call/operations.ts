/** `quartet operations`: searches all calls. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Option from "effect/Option"
import { clientNames } from "../connection.js"
import { argument, choice, isJson } from "../options.js"
import { type Example, lazily, type Main, program } from "../program.js"

export const command = <Name extends string>(name: Name) =>
  Command.make(
    name,
    {
      words: Args.text({ name: "word" }).pipe(
        Args.withDescription("Part of a name, a summary or a path; all words have to match"),
        Args.mapEffect(argument),
        Args.repeated
      ),
      client: Options.optional(choice("client", clientNames, "The calls of this client alone")),
      isJson
    },
    ({ client, isJson, words }) =>
      lazily(
        () => import("./list.js"),
        ({ list }) => list(words, Option.getOrUndefined(client), isJson)
      )
  )

const examples: ReadonlyArray<Example> = [
  ["quartet operations", "lists all calls"],
  ["quartet operations order csv", "the calls with both words"],
  ["quartet operations requests.list", "what one call takes, needs and answers"],
  ["quartet operations --client end-user --json", "the calls of end users, for a program"]
]

export const main: Main = program("operations", command, examples)
