/** Gateways for tests: settings made as clients make them, credentials made by hand. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Credentials, CredentialsProvider } from "../../../core/kernel/dispatch/credentials.js"
import * as Dispatcher from "../../../core/kernel/dispatch/dispatcher.js"
import type { Lifetime } from "../../../core/kernel/dispatch/lifetime.js"
import type { Policy } from "../../../core/kernel/dispatch/retry.js"
import * as Settings from "../../../core/kernel/dispatch/settings.js"
import type { Service as Transport } from "../../../core/ports/transport.js"
import * as Fake from "../../support/fake-transport.js"

/** Credentials that are at hand and cannot be renewed, as keys are. */
export const keys = (grants: unknown = { "*": { "*": 9 } }): CredentialsProvider => {
  const credentials: Credentials = { headers: { authorization: "Bearer token-1" }, grants }
  return {
    current: () => credentials,
    getCredentials: () => Effect.succeed(credentials),
    renew: undefined,
    accepted: () => undefined,
    secrets: () => ["token-1"]
  }
}

/** An answer to `things.get`. */
export const thing = Fake.json(200, { _id: "a" })

/** An answer after which a reading call is repeated. */
export const busy = Fake.json(503, { message: "busy" })

export interface Options {
  readonly settings?: Partial<Settings.Settings>
  readonly policy?: Partial<Policy>
  readonly credentialsProvider?: CredentialsProvider
  readonly config?: Partial<Settings.Common>
  readonly lifetime?: Lifetime
}

/** The settings of an admin client without a project, over those of the test. */
const settings = ({
  credentialsProvider,
  config,
  policy,
  settings: own
}: Options = {}): Settings.Settings => ({
  ...Either.getOrThrow(
    Settings.base({ baseUrl: "https://api.example.test/v9", ...config, ...(policy && { policy }) })
  ),
  audience: "admin",
  projectId: undefined,
  permissions: "intended",
  permissionNames: {},
  credentialsProvider: credentialsProvider ?? keys(),
  ...own
})

export interface Made {
  readonly dispatcher: Dispatcher.Dispatcher
  readonly fake: Fake.Fake
}

/** A dispatcher over a transport of the test's own. */
export const over = (transport: Transport, options: Options = {}): Dispatcher.Dispatcher =>
  Dispatcher.make(settings(options), transport, options.lifetime)

/** A dispatcher over a scripted transport. */
export const make = (script: Fake.Script, options: Options = {}): Made => {
  const fake = Fake.make(script)
  return { dispatcher: over(fake.service, options), fake }
}
