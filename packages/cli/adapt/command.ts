/** `quartet adapt`: recognises how a platform differs, and writes what to tell the clients. */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { connection } from "../connection.js"
import { file, isJson, optionalText, yes } from "../options.js"
import { type Example, lazily, type Main, program } from "../program.js"

export const command = <Name extends string>(name: Name) =>
  Command.make(
    name,
    {
      baseUrl: optionalText("base-url", "url", "The platform; QUARTET_BASE_URL by default"),
      legacyUrl: optionalText(
        "legacy-url",
        "url",
        "Its legacy service; QUARTET_LEGACY_URL, else the same address, by default"
      ),
      hars: Options.text("har").pipe(
        Options.withPseudoName("file"),
        Options.withDescription(
          "Looks at this HAR, of a browser's network panel or another tool, and asks nothing; may be repeated"
        ),
        Options.repeated
      ),
      output: file(
        "output",
        "Writes the module to this file; the one that package.json names, else quartet.platform.mjs, by default"
      ).pipe(Options.withAlias("o"), Options.optional),
      isCheck: Options.boolean("check").pipe(
        Options.withDescription(
          "Writes nothing: says what the module of --output says otherwise than the platform, and exits with 1 if it does"
        )
      ),
      yes,
      isJson,
      dotenv: connection.dotenv
    },
    (options) =>
      lazily(
        () => import("./run.js"),
        ({ adapt }) => adapt(options)
      )
  )

const examples: ReadonlyArray<Example> = [
  [
    "quartet adapt --base-url https://api.example.com",
    "signs in with the credentials of the environment, reads a little, and writes quartet.platform.mjs"
  ],
  ["quartet adapt --har app.har", "looks at what a browser has recorded, and asks nothing"],
  ["quartet adapt --check", "in CI: fails where the platform no longer is as the module says"]
]

export const main: Main = program("adapt", command, examples, ["har"])
