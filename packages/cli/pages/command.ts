/** `quartet console`: serves the console for a platform. */
import * as Command from "@effect/cli/Command"
import { connection } from "../connection.js"
import { mostPort, optionalText, wholeNumber } from "../options.js"
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
      port: wholeNumber("port", "The port to serve on; 0 takes any free one", 4402, mostPort),
      dotenv: connection.dotenv,
      platform: connection.platform
    },
    (options) =>
      lazily(
        () => import("./run.js"),
        ({ serve }) => serve(options)
      )
  )

const examples: ReadonlyArray<Example> = [
  ["quartet console --base-url https://api.example.com", "for a platform, to this machine alone"],
  [
    "quartet console",
    "for the platform of the environment, with QUARTET_PROJECT_ID and QUARTET_API_KEY filled in"
  ]
]

export const main: Main = program("console", command, examples)
