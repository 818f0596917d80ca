/** `quartet mcp`: serves the Model Context Protocol on stdin and stdout. */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { connection } from "../connection.js"
import { choice } from "../options.js"
import { type Example, lazily, type Main, program } from "../program.js"

export const command = <Name extends string>(name: Name, version = "") =>
  Command.make(
    name,
    {
      ...connection,
      allowsWrites: Options.boolean("allow-writes").pipe(
        Options.withDescription("Has the tool that changes things too; without it the server only reads")
      ),
      confirmation: choice(
        "confirm",
        ["auto", "person"],
        "Who agrees to money, deletions, messages and access rights: a person alone, or where the client cannot ask one the " +
          "model in two steps (auto, the default)"
      ).pipe(Options.withDefault("auto"))
    },
    (options) =>
      lazily(
        () => import("./serve.js"),
        ({ serve }) => serve({ ...options, version })
      )
  )

const examples: ReadonlyArray<Example> = [
  [
    "quartet mcp",
    "for a client of the protocol that starts it: it reads, with the credentials of the environment"
  ],
  ["quartet mcp --sandbox --allow-writes", "over a sandbox in this process, to try it out"],
  ["quartet mcp --allow-writes --confirm person", "where a person has to agree to what cannot be undone"]
]

export const main: Main = (words, version) =>
  program("mcp", (name) => command(name, version), examples)(words, version)
