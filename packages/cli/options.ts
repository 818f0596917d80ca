/** Options that several commands have. */
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as Options from "@effect/cli/Options"
import * as ValidationError from "@effect/cli/ValidationError"
import { readHost, readOrigin } from "@quartet/sdk/extend/http"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { unknownArgument } from "./exit.js"

/** An option that breaks a rule, in words. */
export const invalid = (message: string): ValidationError.ValidationError =>
  ValidationError.invalidValue(HelpDoc.p(message))

/** An argument or one of several; what looks like an option is one that there is not. */
export const argument = (text: string): Effect.Effect<string, HelpDoc.HelpDoc> =>
  text.startsWith("-") ? Effect.fail(HelpDoc.p(unknownArgument(text))) : Effect.succeed(text)

/** What the library takes with every command, and ours do not. */
export const foreign = "--(?:completions|log-level|wizard)"

const checked = (name: string, least: number, most: number, rule: string) => (text: string) =>
  /^\d{1,10}$/.test(text) && Number(text) >= least && Number(text) <= most
    ? Effect.succeed(Number(text))
    : Effect.fail(invalid(`--${name} ${rule}`))

const between = (least: number, most: number): string => `must be a whole number from ${least} to ${most}`

const numeric = (name: string, description: string) =>
  Options.text(name).pipe(Options.withPseudoName("number"), Options.withDescription(description))

/** An option that is a whole number from 0 to `most`; `rule` says so. */
export const wholeNumber = (
  name: string,
  description: string,
  standard: number,
  most: number,
  rule = between(0, most)
): Options.Options<number> =>
  numeric(name, `${description}; ${standard} by default`).pipe(
    Options.withDefault(String(standard)),
    Options.mapEffect(checked(name, 0, most, rule))
  )

/** The same where nothing stands for it. */
export const optionalNumber = (
  name: string,
  description: string,
  most: number,
  least = 0
): Options.Options<Option.Option<number>> =>
  numeric(name, description).pipe(
    Options.mapEffect(checked(name, least, most, between(least, most))),
    Options.optional
  )

/** The greatest port. */
export const mostPort = 65_535

/** An option that is one of some words. The library's own does not say which option it is about. */
export const choice = <A extends string>(
  name: string,
  words: ReadonlyArray<A>,
  description: string
): Options.Options<A> =>
  Options.text(name).pipe(
    Options.withPseudoName(words.join(" | ")),
    Options.withDescription(description),
    Options.mapEffect((text) => {
      const match = words.find((word) => word === text)
      return match === undefined
        ? Effect.fail(invalid(`--${name} must be one of ${words.join(", ")}`))
        : Effect.succeed(match)
    })
  )

/** An option that names a file. */
export const file = (name: string, description: string): Options.Options<string> =>
  Options.text(name).pipe(
    Options.withPseudoName("file"),
    Options.withDescription(description),
    Options.filterMap(
      (text) => (text === "" ? Option.none() : Option.some(text)),
      `--${name} must be the name of a file`
    )
  )

/** `--output`, where without it, or with `-`, the output goes to stdout. */
export const output = (description: string): Options.Options<Option.Option<string>> =>
  file("output", description).pipe(
    Options.withAlias("o"),
    Options.optional,
    Options.map(Option.filter((name) => name !== "-"))
  )

/** `--json`. */
/** The door past what is known of inputs. */
export const isRaw = Options.boolean("raw").pipe(
  Options.withDescription(
    "Sends the body, and the words of filters, as they are, also with names that the SDK does not know"
  )
)

export const isJson = Options.boolean("json").pipe(Options.withDescription("Prints JSON, for a program"))

/** `--yes`, for the commands that ask. */
export const yes = Options.boolean("yes").pipe(
  Options.withAlias("y"),
  Options.withDescription(
    "Agrees at once to what it would ask: what cannot be undone, and to overwrite the file of --output"
  )
)

/** `--promise`, for the commands that write modules. */
export const isPromise = Options.boolean("promise").pipe(
  Options.withDescription("Imports nothing of Effect's: for programs with Promises, and for pages")
)

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

/** A text; `pseudo` stands for it in the help. */
export const text = (name: string, pseudo: string, description: string) =>
  Options.text(name).pipe(Options.withPseudoName(pseudo), Options.withDescription(description))

export const optionalText = (name: string, pseudo: string, description: string) =>
  Options.optional(text(name, pseudo, description))

/** Who is answered by the server of a command, besides programs and pages of this machine. */
export const access = {
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
}
