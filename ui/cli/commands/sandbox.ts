/** `quartet sandbox`: serves the sandbox until it is stopped. */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { readHost, readOrigin } from "../../../adapters/sandbox/server/access.js"
import { invalid, wholeNumber } from "../options.js"
import { type Example, lazily, type Main, program } from "../program.js"
import { mostPort, platform } from "../sandbox/options.js"

/** An option that may be given several times, each checked by `read`. */
const names = (name: string, read: (text: string) => Either.Either<unknown, string>, description: string) =>
  Options.text(name).pipe(
    Options.withDescription(description),
    Options.repeated,
    Options.mapEffect((texts) =>
      Effect.filterOrFail(
        Effect.succeed(texts),
        (all) => all.every((text) => Either.isRight(read(text))),
        ([...all]) => {
          const wrong = all.find((text) => Either.isLeft(read(text))) ?? ""
          return invalid(
            `--${name} ${Either.getOrElse(Either.flip(read(wrong)), () => "")}, not ${JSON.stringify(wrong)}`
          )
        }
      )
    )
  )

export const command = <Name extends string>(name: Name) =>
  Command.make(
    name,
    {
      port: wholeNumber("port", "The port to serve on; 0 takes any free one", 4400, mostPort),
      ...platform,
      quiet: Options.boolean("quiet").pipe(Options.withDescription("Prints no line for each request")),
      allowedHosts: names(
        "allow-host",
        readHost,
        "Answers clients that address it by this name too, besides localhost and 127.0.0.1; * for all"
      ),
      allowedOrigins: names(
        "allow-origin",
        readOrigin,
        "Answers pages of this origin too, besides those of this machine; * for all"
      )
    },
    (options) =>
      lazily(
        () => import("../sandbox/serve.js"),
        ({ serve }) => serve(options)
      )
  )

const examples: ReadonlyArray<Example> = [
  ["quartet sandbox", "serves on port 4400 of this machine until Ctrl+C"],
  ["quartet sandbox --port 5000 --latency 150", "as a slow platform"],
  ["quartet sandbox --allow-origin https://app.test", "for a page that another origin serves"]
]

export const main: Main = program("sandbox", command, examples, ["allow-host", "allow-origin"])
