/**
 * The client of a signed-in end user as one function, for apps that are to be small: `const call = createEndUser({ … })`, then
 * `call(requests.list)` with the calls of `@quartet/sdk/end-user/requests`.
 */

import * as Effect from "effect/Effect"
import { Client, type ClientConfig, known, makeIn } from "../end-user/client.js"
import * as SignIn from "../end-user/sign-in.js"
import { runAtOnce } from "./at-once.js"
import { type Caller, makeCaller } from "./caller.js"
import { type Config, configured } from "./configuration.js"
import type { Cancellable } from "./options.js"
import { makeRunner } from "./run.js"

export * from "./face.js"

/** The client of a signed-in end user as one function. @category models */
export type EndUserCaller = Caller<Client>

/**
 * The client of a signed-in end user as one function, which ships only the calls that the app imports. It sends the
 * session and the API key with every call. To sign in as well, use {@link signIn}.
 *
 * @example
 * ```ts
 * import { list } from "@quartet/sdk/end-user/requests"
 * import { createEndUser } from "@quartet/sdk/promise/end-user"
 *
 * const call = createEndUser({ baseUrl: "https://api.example.com", apiKey: "key", sessionId: "s1" })
 * const { items } = await call(list)
 * ```
 * @throws a CredentialsError: there is no session or no API key.
 * @throws an InputError: an option breaks a rule.
 * @category constructors
 */
export const createEndUser = (config: Config<ClientConfig>): EndUserCaller =>
  makeCaller(Client, runAtOnce(configured(config, known, makeIn)))

/**
 * Signs an end user in with the project's API key, and resolves to their client as one function. The password is sent
 * once and not kept.
 *
 * @example
 * ```ts
 * import { list } from "@quartet/sdk/end-user/requests"
 * import { signIn } from "@quartet/sdk/promise/end-user"
 *
 * const call = await signIn({
 *   baseUrl: "https://api.example.com",
 *   apiKey: "key",
 *   email: "ana@example.com",
 *   password: "…"
 * })
 * const { items } = await call(list)
 * ```
 * @throws an Unauthenticated or a Rejected error: the platform refuses.
 * @throws a CredentialsError: the platform opens no session, or something is missing.
 * @category operations
 */
export const signIn = (config: Config<SignIn.SignIn>, options?: Cancellable): Promise<EndUserCaller> => {
  const client = configured(config, SignIn.known, SignIn.signInIn)
  return makeRunner().runCancellable(
    "auth.login",
    Effect.map(client, (signedIn) => makeCaller(Client, signedIn)),
    options
  )
}
