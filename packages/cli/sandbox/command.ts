/** `quartet sandbox`: serves the sandbox until it is stopped. */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import type { DialectName } from "@quartet/sandbox"
import { access, mostPort, wholeNumber } from "../options.js"
import { type Example, lazily, type Main, program } from "../program.js"

/** What decides a sandbox. */
export const platform = {
  seed: wholeNumber("seed", "Decides the seeded data: the same number makes the same data", 1, 4_294_967_295),
  latency: wholeNumber(
    "latency",
    "Milliseconds that every request waits",
    0,
    60_000,
    "must be a whole number of milliseconds, at most 60000"
  )
}

/** The names of the sandbox's dialects, which the help lists without loading the sandbox. */
export const dialects = [
  "standard",
  "bare",
  "data",
  "rows",
  "hal",
  "json-api",
  "edges",
  "links",
  "snake",
  "opaque",
  "cookie",
  "sessions",
  "kitchen-sink"
] as const satisfies ReadonlyArray<DialectName>

export const command = <Name extends string>(name: Name) =>
  Command.make(
    name,
    {
      port: wholeNumber("port", "The port to serve on; 0 takes any free one", 4400, mostPort),
      ...platform,
      dialect: Options.text("dialect").pipe(
        Options.withPseudoName("name"),
        Options.withDescription(`Answers in the form of another platform: one of ${dialects.join(", ")}`),
        Options.withDefault("standard")
      ),
      quiet: Options.boolean("quiet").pipe(Options.withDescription("Prints no line for each request")),
      ...access
    },
    (options) =>
      lazily(
        () => import("./serve.js"),
        ({ serve }) => serve(options)
      )
  )

const examples: ReadonlyArray<Example> = [
  ["quartet sandbox", "serves on port 4400 of this machine until Ctrl+C"],
  ["quartet sandbox --port 5000 --latency 150", "as a slow platform"],
  ["quartet sandbox --dialect json-api", "as another platform that was written from the same specification"],
  ["quartet sandbox --allow-origin https://app.test", "for a page that another origin serves"]
]

export const main: Main = program("sandbox", command, examples, ["allow-host", "allow-origin"])
