/**
 * The client of servers as one function, for apps that are to be small: `const call = createPrivate({ … })`, then
 * `call(items.list)` with the calls of `@quartet/sdk/private/items`.
 */

import { Client, type ClientConfig, known, make } from "../private/client.js"
import { type Caller, makeCaller } from "./caller.js"
import { type Config, configured, makeSync } from "./configuration.js"

export * from "./face.js"

/** The client of servers as one function. @category models */
export type PrivateCaller = Caller<Client>

/**
 * The client of servers. Throws CredentialsError in a browser, unless the configuration allows it.
 * @category constructors
 */
export const createPrivate = (config: Config<ClientConfig>): PrivateCaller =>
  makeCaller(Client, makeSync(configured(config, known, make)))
