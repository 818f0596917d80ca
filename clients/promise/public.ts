/**
 * The client of visitors as one function, for apps that are to be small: `const call = createPublic({ … })`, then
 * `call(boxes.list)` with the calls of `@quartet/sdk/public/boxes`.
 */

import { Client, type ClientConfig, known, makeIn } from "../public/client.js"
import { runAtOnce } from "./at-once.js"
import { type Caller, makeCaller } from "./caller.js"
import { type Config, configured } from "./configuration.js"

export * from "./face.js"

/** The client of visitors as one function. @category models */
export type PublicCaller = Caller<Client>

/**
 * The client of visitors as one function, which ships only the calls that the app imports. It sends the project's API
 * key with every call.
 *
 * @example
 * ```ts
 * import { createPublic } from "@quartet/sdk/promise/public"
 * import { list } from "@quartet/sdk/public/content"
 *
 * const call = createPublic({ baseUrl: "https://api.example.com", apiKey: "key" })
 * const { items } = await call(list, { apiId: "news" })
 * ```
 * @throws a CredentialsError: there is no API key.
 * @throws an InputError: an option breaks a rule.
 * @category constructors
 */
export const createPublic = (config: Config<ClientConfig>): PublicCaller =>
  makeCaller(Client, runAtOnce(configured(config, known, makeIn)))
