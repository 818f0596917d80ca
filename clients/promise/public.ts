/**
 * The client of visitors as one function, for apps that are to be small: `const call = createPublic({ … })`, then
 * `call(boxes.list)` with the calls of `@quartet/sdk/public/boxes`.
 */

import { Client, type ClientConfig, known, make } from "../public/client.js"
import { type Caller, makeCaller } from "./caller.js"
import { type Config, configured, makeSync } from "./configuration.js"

export * from "./face.js"

/** The client of visitors as one function. @category models */
export type PublicCaller = Caller<Client>

/**
 * The client of visitors. Throws CredentialsError or InputError for a configuration that cannot work.
 * @category constructors
 */
export const createPublic = (config: Config<ClientConfig>): PublicCaller =>
  makeCaller(Client, makeSync(configured(config, known, make)))
