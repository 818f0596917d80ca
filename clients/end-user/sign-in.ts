/** An end user's sign-in as one flow: public login, session, end-user client. */
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Auth from "../../core/auth/operations.js"
import { type Bindable, layer } from "../../core/kernel/dispatch/dispatcher.js"
import type { Runtime } from "../../core/kernel/dispatch/lifetime/lifetime.js"
import * as Settings from "../../core/kernel/dispatch/settings.js"
import type { CallError } from "../../core/kernel/errors/errors.js"
import type { Known } from "../../core/kernel/operation/options.js"
import { own } from "../../core/permissions/own.js"
import type { Transport } from "../../core/ports/transport.js"
import * as Public from "../public/client.js"
import { runtime } from "../runtime.js"
import { Client, type ClientConfig, makeIn } from "./client.js"

/** Who signs in, and where. @category models */
export type SignIn = Omit<ClientConfig, "sessionId" | "cookies"> & {
  /** E-mail address of the end user's account. */
  readonly email: string
  /** Its password. It is never printed. */
  readonly password: Settings.Secret
}

/** The names of the configuration. @category constants */
export const known = /*#__PURE__*/ Object.freeze({
  ...Public.known,
  email: "any",
  password: "any"
} satisfies Known<SignIn>)

/** Signs an end user in, and makes their client, in a runtime, such as that of the Promise clients. @category operations */
export const signInIn = (runtime: Runtime, input: SignIn): Effect.Effect<Bindable, CallError, Transport> =>
  Effect.gen(function* () {
    const { email, password, ...config } = yield* Effect.tap(Settings.read(input, known), (all) =>
      Settings.need(all, [
        ["apiKey", "the project's API key"],
        ["email", "the end user's e-mail"],
        ["password", "the end user's password"]
      ])
    )
    const visitor = yield* Public.makeIn(runtime, config)
    const secret = Redacted.isRedacted(password) ? Redacted.value(password) : password
    // Even for a tolerantly read answer: without a session there is no client.
    const answer = yield* visitor.dispatcher.call(Auth.login, { email, password: secret })
    const sessionId = yield* Settings.openedSession(Auth.login.name, own(answer, "sessionId"))
    const session = { sessionId }
    const handed = visitor.dispatcher.settings.dialect?.present(session) ?? session
    return yield* makeIn(runtime, { ...config, ...handed }, [secret])
  })

/**
 * Signs an end user in with the project's API key and makes their client. Fails with Unauthenticated or Rejected where
 * the platform refuses, with CredentialsError where it opens no session, and where one of the three credentials is
 * missing.
 * @category operations
 */
export const signIn = (input: SignIn): Effect.Effect<Bindable, CallError, Transport> =>
  signInIn(runtime(), input)

/**
 * The client of an end user who signs in with e-mail and password, as a layer: the sign-in is sent when the layer is
 * built. Fails with Unauthenticated or Rejected where the platform refuses, and with CredentialsError where it opens
 * no session.
 *
 * @example
 * ```ts
 * import * as EndUser from "@quartet/sdk/end-user"
 * import * as Effect from "effect/Effect"
 *
 * const live = EndUser.layerSignIn({
 *   baseUrl: "https://api.example.com",
 *   apiKey: "key",
 *   email: "ana@example.com",
 *   password: "…"
 * })
 * const program = Effect.provide(EndUser.requests.list(), live)
 * ```
 * @category layers
 */
export const layerSignIn = (config: SignIn): Layer.Layer<Client, CallError, Transport> =>
  layer(Client, signIn(config))
