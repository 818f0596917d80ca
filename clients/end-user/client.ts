/** The end-user client: a signed-in end user, by session id and API key. */
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
 * The configuration of an end user's client: where the platform is, the project's API key, and the session that a
 * sign-in has opened. What is not an option is refused by its name.
 * @category models
 */
export type ClientConfig = Settings.Common & {
  /** The API key of the project. It is never printed. */
  readonly apiKey: Settings.Secret
  /** From the public client's `auth.login`; empty text where `platform` says that there is none, or that a page's cookie carries it. */
  readonly sessionId: Settings.SessionId
  /** Cookies beside the session, as a sign-in answers them of a platform whose `credentials.csrf` names one. They are never printed. */
  readonly cookies?: Settings.Cookies
}

/** The names of the configuration. @category constants */
export const known = /*#__PURE__*/ Object.freeze({
  ...Settings.common,
  apiKey: "any",
  sessionId: "any",
  cookies: "object"
} satisfies Known<ClientConfig>)

/** The client of one end user, which calls take: `Effect.provide` gives it by `layer`, and `yield* Client` reads it. @category services */
class EndUserClient extends /*#__PURE__*/ Context.Tag("@quartet/sdk/EndUser")<
  EndUserClient,
  Dispatcher.Bindable
>() {}

/** The client of one end user, which calls take: `Effect.provide` gives it by `layer`, and `yield* Client` reads it. @category services */
export { EndUserClient as Client }

/**
 * Makes one in a runtime, such as that of the Promise clients. It knows other secrets too, and shows none of them.
 * @category constructors
 */
export const makeIn = (
  runtime: Runtime,
  config: ClientConfig,
  others: ReadonlyArray<string> = []
): Effect.Effect<Dispatcher.Bindable, CredentialsError | InputError, Transport> =>
  Keyed.make(
    runtime,
    "endUser",
    config,
    known,
    {
      session: ["sessionId", "the session id that a sign-in answered"],
      apiKey: ["apiKey", "the project's API key"]
    },
    others
  )

/**
 * Makes the client of a signed-in end user in the present context, which has to have a transport. Nothing is sent
 * before the first call. A session that has ended fails the calls with Unauthenticated: the client has no password to
 * sign in anew.
 * @category constructors
 */
export const make = (
  config: ClientConfig
): Effect.Effect<Dispatcher.Bindable, CredentialsError | InputError, Transport> => makeIn(runtime(), config)

/**
 * The client of a signed-in end user as a layer: it sends the session and the API key with every call. Calls in
 * flight are interrupted when it ends. To sign in as well, use `layerSignIn`.
 *
 * @example
 * ```ts
 * import * as EndUser from "@quartet/sdk/end-user"
 * import * as Public from "@quartet/sdk/public"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * const place = { baseUrl: "https://api.example.com", apiKey: "key" }
 * const live = Layer.unwrapEffect(
 *   Effect.map(Public.auth.login({ email: "ana@example.com", password: "…" }), ({ sessionId }) =>
 *     EndUser.layer({ ...place, sessionId: sessionId ?? "" })
 *   )
 * )
 * ```
 * @category layers
 */
export const layer = (
  config: ClientConfig
): Layer.Layer<EndUserClient, CredentialsError | InputError, Transport> =>
  Dispatcher.layer(EndUserClient, make(config))

/** The end-user client from configuration: the fields of ClientConfig, each a Config. @category layers */
export const layerConfig = (
  config: Config.Config.Wrap<ClientConfig>
): Layer.Layer<EndUserClient, CredentialsError | InputError | ConfigError, Transport> =>
  Dispatcher.layer(EndUserClient, Configuration.make(config, ["apiKey", "sessionId"], make))

/** Binds an operation to this client. Only operations that serve its audience are accepted. @category constructors */
export const bind = /*#__PURE__*/ Dispatcher.binder<"endUser">()(EndUserClient)
