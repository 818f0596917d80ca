/**
 * The client of servers as one function, for apps that are to be small: `const call = createPrivate({ … })`, then
 * `call(items.list)` with the calls of `@quartet/sdk/private/items`.
 */

import { Client, type ClientConfig, known, makeIn } from "../private/client.js"
import { runAtOnce } from "./at-once.js"
import { type Caller, makeCaller } from "./caller.js"
import { type Config, configured } from "./configuration.js"

export * from "./face.js"

/** The client of servers as one function. @category models */
export type PrivateCaller = Caller<Client>

/**
 * The client of servers as one function, which ships only the calls that the program imports. It sends the project's
 * private key with every call, and refuses to start in a browser, where everyone could read it.
 *
 * @example
 * ```ts
 * import { payWithLink } from "@quartet/sdk/private/payments"
 * import { createPrivate } from "@quartet/sdk/promise/private"
 *
 * const call = createPrivate({ baseUrl: "https://api.example.com", privateKey: process.env.PRIVATE_KEY ?? "" })
 * const link = await call(payWithLink, { payload: { amount: 120.5, currency: "USD" } })
 * ```
 * @throws a CredentialsError: there is no private key, or this is a browser.
 * @throws an InputError: an option breaks a rule.
 * @category constructors
 */
export const createPrivate = (config: Config<ClientConfig>): PrivateCaller =>
  makeCaller(Client, runAtOnce(configured(config, known, makeIn)))
