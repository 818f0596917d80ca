/** `quartet record`: learns what a platform answers, and writes the types of it. */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { clientNames, connection } from "../connection.js"
import { access, choice, file, isJson, isPromise, optionalNumber, optionalText } from "../options.js"
import { type Example, lazily, type Main, program } from "../program.js"

export const command = <Name extends string>(name: Name) =>
  Command.make(
    name,
    {
      output: file("output", "Writes the module to this file; quartet-answers.ts by default").pipe(
        Options.withAlias("o"),
        Options.withDefault("quartet-answers.ts")
      ),
      recording: Options.optional(
        file(
          "recording",
          "Keeps shapes and counts in this file, and goes on from it; beside the module, as .json, by default"
        )
      ),
      isFresh: Options.boolean("fresh").pipe(
        Options.withDescription("Forgets what was recorded before instead of going on from it")
      ),
      hars: Options.text("har").pipe(
        Options.withPseudoName("file"),
        Options.withDescription(
          "Learns from this HAR, of a browser's network panel or another tool, instead of the platform; may be repeated"
        ),
        Options.repeated
      ),
      port: optionalNumber(
        "port",
        "Listens on this port of this machine, passes all on to --to, and learns, until Ctrl+C",
        65_535
      ),
      ...access,
      to: optionalText(
        "to",
        "url",
        "The platform that --port passes requests on to, and whose answers --har takes; QUARTET_BASE_URL by default, else what the HAR shows"
      ),
      legacy: optionalText(
        "legacy",
        "url",
        "The same for the calls of the legacy service; QUARTET_LEGACY_URL, else --to, by default"
      ),
      client: Options.optional(
        choice(
          "client",
          clientNames,
          "The client whose calls these are, where a HAR or a request does not show it"
        )
      ),
      enums: Options.text("enums").pipe(
        Options.withPseudoName("fields"),
        Options.withDescription(
          "Keeps the words of these fields, such as status,type, so that their types list them; no other value is kept"
        ),
        Options.withDefault("")
      ),
      maps: Options.text("maps").pipe(
        Options.withPseudoName("fields"),
        Options.withDescription(
          "Takes all names in these fields, such as likes,byUser, for data and keeps none"
        ),
        Options.withDefault("")
      ),
      fields: Options.text("fields").pipe(
        Options.withPseudoName("names"),
        Options.withDescription("Keeps these names as fields, though they look like data or keys"),
        Options.withDefault("")
      ),
      isPromise,
      isCheck: Options.boolean("check").pipe(
        Options.withDescription(
          "Writes nothing: says where the answers or the module are not as they were recorded, and exits with 1 if any is not"
        )
      ),
      isJson,
      ...connection
    },
    (options) =>
      lazily(
        () => import("./run.js"),
        ({ record }) => record(options)
      )
  )

const examples: ReadonlyArray<Example> = [
  [
    "quartet record --sandbox",
    "asks every client of the sandbox what it can read, and writes quartet-answers.ts"
  ],
  ["quartet record --output src/answers.ts", "asks your platform, with the credentials of the environment"],
  ["quartet record --har app.har --enums status,type", "learns from what a browser has recorded"],
  [
    "quartet record --port 4500 --to https://api.example.com",
    "learns from an app whose baseUrl is http://127.0.0.1:4500"
  ],
  ["quartet record --output src/answers.ts --check", "in CI: fails where the platform answers otherwise"]
]

export const main: Main = program("record", command, examples, ["har", "allow-host", "allow-origin"])
