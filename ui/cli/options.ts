/** Options that several commands have. */
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as Options from "@effect/cli/Options"
import * as ValidationError from "@effect/cli/ValidationError"
import * as Effect from "effect/Effect"

/** An option that breaks a rule, in words. */
export const invalid = (message: string): ValidationError.ValidationError =>
  ValidationError.invalidValue(HelpDoc.p(message))

/** An option that is a whole number from 0 to `most`; `rule` says so. */
export const wholeNumber = (
  name: string,
  description: string,
  standard: number,
  most: number,
  rule = `must be a whole number from 0 to ${most}`
): Options.Options<number> =>
  Options.text(name).pipe(
    Options.withPseudoName("number"),
    Options.withDescription(`${description}; ${standard} by default`),
    Options.withDefault(String(standard)),
    Options.mapEffect((text) =>
      /^\d{1,10}$/.test(text) && Number(text) <= most
        ? Effect.succeed(Number(text))
        : Effect.fail(invalid(`--${name} ${rule}`))
    )
  )

/** `--json`. */
export const isJson = Options.boolean("json").pipe(Options.withDescription("Prints JSON, for a program"))
