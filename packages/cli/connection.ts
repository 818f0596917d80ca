/** Which platform a command talks to, by its options, and the names of its clients. */

import * as Options from "@effect/cli/Options"
import type { Audience } from "@quartet/sdk/extend"
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
  ),
  platform: Options.optional(
    file(
      "platform",
      "Says how the platform differs: a module whose default export is Platform.make({ … }). What quartet.platform names in package.json, " +
        "by default; with --sandbox nothing"
    )
  )
}

/** What these options were given. */
export interface Connection {
  readonly isSandbox: boolean
  readonly dotenv: Option.Option<string>
  /** The module that says how the platform differs. */
  readonly platform: Option.Option<string>
  /** Addresses that go before those of the environment. */
  readonly baseUrl?: Option.Option<string>
  readonly legacyUrl?: Option.Option<string>
}

/** By name, the kind of credentials. */
export const audiences = {
  admin: "admin",
  public: "public",
  private: "private",
  "end-user": "endUser"
} as const satisfies Record<string, Audience>

/** The name of a client on the command line. */
export type ClientName = keyof typeof audiences

export const clientNames = Object.keys(audiences) as ReadonlyArray<ClientName>

/** The name of an audience's client. */
export const clientOf = (audience: Audience): ClientName => (audience === "endUser" ? "end-user" : audience)
