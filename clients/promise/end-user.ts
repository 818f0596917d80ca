/**
 * The client of a signed-in end user as one function, for apps that are to be small: `const call = createEndUser({ … })`, then
 * `call(requests.list)` with the calls of `@quartet/sdk/end-user/requests`.
 */

import * as Effect from "effect/Effect"
import { Client, type ClientConfig, known, make } from "../end-user/client.js"
import * as SignIn from "../end-user/sign-in.js"
import { type Caller, makeCaller } from "./caller.js"
import { type Config, configured, makeSync } from "./configuration.js"
import type { Cancellable } from "./options.js"
import { makeRunner } from "./run.js"

export * from "./face.js"

/** The client of a signed-in end user as one function. @category models */
export type EndUserCaller = Caller<Client>

/**
 * The client of a signed-in end user. Throws CredentialsError or InputError for a configuration that cannot work.
 * @category constructors
 */
export const createEndUser = (config: Config<ClientConfig>): EndUserCaller =>
  makeCaller(Client, makeSync(configured(config, known, make)))

/**
 * Signs an end user in with the project's API key and makes their client. Rejects with Unauthenticated or Rejected if
 * the platform refuses, with CredentialsError if it opens no session.
 * @category operations
 */
export const signIn = (config: Config<SignIn.SignIn>, options?: Cancellable): Promise<EndUserCaller> => {
  const client = configured(config, SignIn.known, SignIn.signIn)
  return makeRunner().runCancellable(
    "auth.login",
    Effect.map(client, (signedIn) => makeCaller(Client, signedIn)),
    options
  )
}
