/** Options that several commands have. */
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as Options from "@effect/cli/Options"
import * as ValidationError from "@effect/cli/ValidationError"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"

/** An option that breaks a rule, in words. */
export const invalid = (message: string): ValidationError.ValidationError =>
  ValidationError.invalidValue(HelpDoc.p(message))

const checked = (name: string, most: number, rule: string) => (text: string) =>
  /^\d{1,10}$/.test(text) && Number(text) <= most
    ? Effect.succeed(Number(text))
    : Effect.fail(invalid(`--${name} ${rule}`))

const upTo = (most: number): string => `must be a whole number from 0 to ${most}`

const numeric = (name: string, description: string) =>
  Options.text(name).pipe(Options.withPseudoName("number"), Options.withDescription(description))

/** An option that is a whole number from 0 to `most`; `rule` says so. */
export const wholeNumber = (
  name: string,
  description: string,
  standard: number,
  most: number,
  rule = upTo(most)
): Options.Options<number> =>
  numeric(name, `${description}; ${standard} by default`).pipe(
    Options.withDefault(String(standard)),
    Options.mapEffect(checked(name, most, rule))
  )

/** The same where nothing stands for it. */
export const optionalNumber = (
  name: string,
  description: string,
  most: number
): Options.Options<Option.Option<number>> =>
  numeric(name, description).pipe(Options.mapEffect(checked(name, most, upTo(most))), Options.optional)

/** `--json`. */
export const isJson = Options.boolean("json").pipe(Options.withDescription("Prints JSON, for a program"))

/** `--yes`, for the commands that ask. */
export const yes = Options.boolean("yes").pipe(
  Options.withAlias("y"),
  Options.withDescription("Does it without asking")
)

/** `--promise`, for the commands that write modules. */
export const isPromise = Options.boolean("promise").pipe(
  Options.withDescription("Imports nothing of Effect's: for programs with Promises, and for pages")
)
