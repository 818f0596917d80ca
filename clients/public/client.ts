/** The public client: visitors, by the project's API key. */
import type * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Dispatcher from "../../core/kernel/dispatch/dispatcher.js"
import type { Runtime } from "../../core/kernel/dispatch/lifetime/lifetime.js"
import * as Settings from "../../core/kernel/dispatch/settings.js"
import type { CredentialsError, InputError } from "../../core/kernel/errors/errors.js"
import type { Known } from "../../core/kernel/operation/options.js"
import * as Keyed from "../../core/kernel/session/keys.js"
import type { Transport } from "../../core/ports/transport.js"
import * as Configuration from "../configuration.js"
import { runtime } from "../runtime.js"

/**
 * The configuration of a visitors' client: where the platform is, and the project's API key, which may stand in a
 * page. What is not an option is refused by its name.
 * @category models
 */
export type ClientConfig = Settings.Common & {
  /** The API key of the project, which a browser may show. */
  readonly apiKey: Settings.Secret
}

/** The names of the configuration. @category constants */
export const known = /*#__PURE__*/ Object.freeze({
  ...Settings.common,
  apiKey: "any"
} satisfies Known<ClientConfig>)

/** The client of visitors, which calls take: `Effect.provide` gives it by `layer`, and `yield* Client` reads it. @category services */
class PublicClient extends /*#__PURE__*/ Context.Tag("@quartet/sdk/Public")<
  PublicClient,
  Dispatcher.Bindable
>() {}

/** The client of visitors, which calls take: `Effect.provide` gives it by `layer`, and `yield* Client` reads it. @category services */
export { PublicClient as Client }

/** Makes one in a runtime, such as that of the Promise clients. @category constructors */
export const makeIn = (
  runtime: Runtime,
  config: ClientConfig
): Effect.Effect<Dispatcher.Bindable, CredentialsError | InputError, Transport> =>
  Keyed.make(runtime, "public", config, known, { apiKey: ["apiKey", "the project's API key"] })

/**
 * Makes a visitors' client in the present context, which has to have a transport. Nothing is sent before the first
 * call. Fails with CredentialsError without an API key, and with InputError if an option breaks a rule.
 * @category constructors
 */
export const make = (
  config: ClientConfig
): Effect.Effect<Dispatcher.Bindable, CredentialsError | InputError, Transport> => makeIn(runtime(), config)

/**
 * The visitors' client as a layer: it sends the project's API key with every call, and nobody signs in. Calls in
 * flight are interrupted when it ends. Fails with CredentialsError without an API key, and with InputError if an
 * option breaks a rule.
 *
 * @example
 * ```ts
 * import * as FetchTransport from "@quartet/sdk/adapters/fetch"
 * import * as Public from "@quartet/sdk/public"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * const live = Public.layer({ baseUrl: "https://api.example.com", apiKey: "key" }).pipe(Layer.provide(FetchTransport.layer))
 * const program = Effect.provide(Public.content.list({ apiId: "news", lang: "en" }), live)
 * ```
 * @category layers
 */
export const layer = (
  config: ClientConfig
): Layer.Layer<PublicClient, CredentialsError | InputError, Transport> =>
  Dispatcher.layer(PublicClient, make(config))

/** The public client from configuration: the fields of ClientConfig, each a Config. @category layers */
export const layerConfig = (
  config: Config.Config.Wrap<ClientConfig>
): Layer.Layer<PublicClient, CredentialsError | InputError | ConfigError, Transport> =>
  Dispatcher.layer(PublicClient, Configuration.make(config, ["apiKey"], make))

/** Binds an operation to this client. Only operations that serve its audience are accepted. @category constructors */
export const bind = /*#__PURE__*/ Dispatcher.binder<"public">()(PublicClient)
