/** The end-user client: a signed-in end user, by session id and API key. */
import type * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Dispatcher from "../../core/kernel/dispatch/dispatcher.js"
import * as Settings from "../../core/kernel/dispatch/settings.js"
import type { CredentialsError, InputError } from "../../core/kernel/errors/errors.js"
import type { Known } from "../../core/kernel/operation/options.js"
import * as Keyed from "../../core/kernel/session/keys.js"
import type { Transport } from "../../core/ports/transport.js"
import * as Configuration from "../configuration.js"
import { runtime } from "../runtime.js"

/** The configuration of an end-user client. @category models */
export type ClientConfig = Settings.Common & {
  readonly apiKey: Settings.Secret
  /** From the public client's `auth.login`. */
  readonly sessionId: Settings.SessionId
}

/** The names of the configuration. @category constants */
export const known = /*#__PURE__*/ Object.freeze({
  ...Settings.common,
  apiKey: "any",
  sessionId: "any"
} satisfies Known<ClientConfig>)

/** The end-user client's tag. @category services */
export class Client extends /*#__PURE__*/ Context.Tag("@quartet/sdk/EndUser")<
  Client,
  Dispatcher.Bindable
>() {}

/** Makes an end-user client that knows other secrets too, and shows none of them. @category constructors */
export const makeKnowing = (
  config: ClientConfig,
  others: ReadonlyArray<string>
): Effect.Effect<Dispatcher.Bindable, CredentialsError | InputError, Transport> =>
  Keyed.make(
    runtime(),
    "endUser",
    config,
    known,
    {
      session: ["sessionId", "the session id that a sign-in answered"],
      apiKey: ["apiKey", "the project's API key"]
    },
    others
  )

/** Makes an end-user client. Nothing is sent before the first call. @category constructors */
export const make = (
  config: ClientConfig
): Effect.Effect<Dispatcher.Bindable, CredentialsError | InputError, Transport> => makeKnowing(config, [])

/** The end-user client as a layer. Calls in flight are interrupted when it ends. @category layers */
export const layer = (config: ClientConfig): Layer.Layer<Client, CredentialsError | InputError, Transport> =>
  Dispatcher.layer(Client, make(config))

/** The end-user client from configuration: the fields of ClientConfig, each a Config. @category layers */
export const layerConfig = (
  config: Config.Config.Wrap<ClientConfig>
): Layer.Layer<Client, CredentialsError | InputError | ConfigError, Transport> =>
  Dispatcher.layer(Client, Configuration.make(config, ["apiKey", "sessionId"], make))

/** Binds an operation to this client. Only operations that serve its audience are accepted. @category constructors */
export const bind = /*#__PURE__*/ Dispatcher.binder<"endUser">()(Client)
