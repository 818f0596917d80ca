/** The private client: servers, by the project's private key. It refuses to start in a browser, where the key would be public. */
import type * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Dispatcher from "../../core/kernel/dispatch/dispatcher.js"
import type { Runtime } from "../../core/kernel/dispatch/lifetime/lifetime.js"
import * as Settings from "../../core/kernel/dispatch/settings.js"
import { CredentialsError, type InputError } from "../../core/kernel/errors/errors.js"
import type { Known } from "../../core/kernel/operation/options.js"
import * as Keyed from "../../core/kernel/session/keys.js"
import type { Transport } from "../../core/ports/transport.js"
import * as Configuration from "../configuration.js"
import { runtime } from "../runtime.js"

/**
 * The configuration of a servers' client: where the platform is, and the project's private key, which must not stand
 * in a page. What is not an option is refused by its name.
 * @category models
 */
export type ClientConfig = Settings.Common & {
  /** The private key of the project: on servers alone. It is never printed. */
  readonly privateKey: Settings.Secret
  /** Lets the client start in a browser, where everyone can read the private key. For tools on a trusted machine only. */
  readonly allowBrowser?: boolean
}

/** The names of the configuration. @category constants */
export const known = /*#__PURE__*/ Object.freeze({
  ...Settings.common,
  privateKey: "any",
  allowBrowser: "boolean"
} satisfies Known<ClientConfig>)

/** The client of your own servers, which calls take: `Effect.provide` gives it by `layer`, and `yield* Client` reads it. @category services */
class PrivateClient extends /*#__PURE__*/ Context.Tag("@quartet/sdk/Private")<
  PrivateClient,
  Dispatcher.Bindable
>() {}

/** The client of your own servers, which calls take: `Effect.provide` gives it by `layer`, and `yield* Client` reads it. @category services */
export { PrivateClient as Client }

/** A page or its worker; server runtimes' workers do not identify as Mozilla. */
const isBrowser = (): boolean =>
  ("window" in globalThis && "document" in globalThis) ||
  ("WorkerGlobalScope" in globalThis && String(globalThis.navigator?.userAgent).startsWith("Mozilla/"))

/** Own properties only: a polluted Object.prototype must not allow it. */
const mayStart = (config: ClientConfig): boolean =>
  Object.hasOwn(Object(config), "allowBrowser") && config.allowBrowser === true

/** Makes one in a runtime, such as that of the Promise clients. @category constructors */
export const makeIn = (
  runtime: Runtime,
  config: ClientConfig
): Effect.Effect<Dispatcher.Bindable, CredentialsError | InputError, Transport> =>
  isBrowser() && !mayStart(config)
    ? new CredentialsError({
        operation: "client",
        reason: "Browser",
        advice:
          "the private client does not start in a browser, where everyone can read its key: call it from a server"
      })
    : Keyed.make(runtime, "private", config, known, {
        privateKey: ["privateKey", "the project's private key"]
      })

/**
 * Makes a servers' client in the present context, which has to have a transport. Nothing is sent before the first
 * call. Fails with CredentialsError without a private key, and in a browser, where everyone could read it, unless
 * `allowBrowser` is true.
 * @category constructors
 */
export const make = (
  config: ClientConfig
): Effect.Effect<Dispatcher.Bindable, CredentialsError | InputError, Transport> => makeIn(runtime(), config)

/**
 * The servers' client as a layer: it sends the project's private key with every call. Calls in flight are interrupted
 * when it ends. Fails with CredentialsError without a private key, and in a browser, where everyone could read it.
 *
 * @example
 * ```ts
 * import * as Private from "@quartet/sdk/private"
 * import * as Config from "effect/Config"
 *
 * const live = Private.layerConfig({
 *   baseUrl: Config.string("API_URL"),
 *   privateKey: Config.redacted("PRIVATE_KEY")
 * })
 * ```
 * @category layers
 */
export const layer = (
  config: ClientConfig
): Layer.Layer<PrivateClient, CredentialsError | InputError, Transport> =>
  Dispatcher.layer(PrivateClient, make(config))

/** The private client from configuration: the fields of ClientConfig, each a Config. @category layers */
export const layerConfig = (
  config: Config.Config.Wrap<ClientConfig>
): Layer.Layer<PrivateClient, CredentialsError | InputError | ConfigError, Transport> =>
  Dispatcher.layer(PrivateClient, Configuration.make(config, ["privateKey"], make))

/** Binds an operation to this client. Only operations that serve its audience are accepted. @category constructors */
export const bind = /*#__PURE__*/ Dispatcher.binder<"private">()(PrivateClient)
