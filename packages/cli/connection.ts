/** Which platform a command talks to, by its options. */
import * as Options from "@effect/cli/Options"
import type * as Option from "effect/Option"
import { file } from "./options.js"

/** The options of every command that talks to a platform. */
export const connection = {
  isSandbox: Options.boolean("sandbox").pipe(
    Options.withDescription(
      "Talks to a sandbox in this process, with its own accounts, and forgets it at the end"
    )
  ),
  dotenv: Options.optional(
    file(
      "dotenv",
      "Reads what the environment does not have from this file; .env by default, if there is one"
    )
  )
}

/** What these options were given. */
export interface Connection {
  readonly isSandbox: boolean
  readonly dotenv: Option.Option<string>
}
