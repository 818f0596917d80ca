/** Clients whose credentials are keys, known from the start: public, private and end-user clients. */
import * as Effect from "effect/Effect"
import { Transport } from "../../ports/transport.js"
import type { Bindable } from "../dispatch/dispatcher.js"
import * as Dispatcher from "../dispatch/dispatcher.js"
import { Lifetime, type Runtime } from "../dispatch/lifetime/lifetime.js"
import * as Settings from "../dispatch/settings.js"
import type { CredentialsError, InputError } from "../errors/errors.js"
import type { Audience } from "../operation/operation.js"

/** Whose keys they are. Who an end user is, only the platform knows. */
const whose: Readonly<Partial<Record<Audience, string>>> = {
  public: "the public client of the API key",
  private: "the private client of its key",
  endUser: "the end user of the session"
}

/**
 * Makes a dispatcher that sends the secrets of a configuration, each in its header. `secrets` gives their fields, and a
 * hint for each; `others` are what it knows besides, and never shows either.
 */
export const make = <Field extends string, C extends Settings.Common & Record<Field, Settings.SessionId>>(
  runtime: Runtime,
  audience: Audience,
  options: C,
  known: Readonly<Record<keyof C, unknown>>,
  secrets: Partial<Record<keyof Settings.HeaderNames, readonly [field: Field, what: string]>>,
  others: ReadonlyArray<string> = []
): Effect.Effect<Bindable, CredentialsError | InputError, Transport> =>
  Effect.gen(function* () {
    const read = yield* Settings.read(options, known)
    // What a platform needs is known once its value is read.
    if (read.platform === undefined) yield* Settings.need(read, Object.values(secrets))
    const transport = yield* Settings.transport(yield* Transport)
    const base = yield* Settings.base(read, runtime)
    const config = base.dialect?.completed(audience, read) ?? read
    yield* Settings.need(config, Object.values(secrets))
    const headers: Record<string, string> = {}
    for (const [kind, [field]] of Object.entries(secrets)) {
      const value = yield* Settings.secret(field, config[field])
      headers[base.headerNames[kind as keyof Settings.HeaderNames]] = value
    }
    const credentials = { headers, grants: undefined, who: whose[audience] ?? audience }
    const hidden = [...Object.values(headers), ...others]
    return {
      dispatcher: Dispatcher.make(
        {
          ...base,
          audience,
          credentialsProvider: {
            current: () => credentials,
            getCredentials: () => Effect.succeed(credentials),
            renew: undefined,
            accepted: () => undefined,
            secrets: () => hidden
          }
        },
        transport,
        new Lifetime(runtime.start)
      )
    }
  })
