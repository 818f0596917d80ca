/**
 * The four clients for programs that do not use Effect: the same slices with the same names, whose methods return
 * Promises. They reject with the same tagged errors, which are real Errors: `instanceof Errors.NotFound`, `.tag`, `.cause`.
 */
import * as Input from "../../core/kernel/operation/raw.js"
import * as Level from "../../core/permissions/level.js"
import type * as EndUser from "../end-user/client.js"
import type * as SignIn from "../end-user/sign-in.js"
import type * as Private from "../private/client.js"
import type * as Public from "../public/client.js"
import { type AdminPasswordConfig, type AdminSessionConfig, createAdmin } from "./admin.js"
import { operations as callsOfAdmins } from "./calls/admin.js"
import { operations as callsOfEndUsers } from "./calls/end-user.js"
import { operations as callsOfServers } from "./calls/private.js"
import { operations as callsOfVisitors } from "./calls/public.js"
import {
  type AdminClient,
  type EndUserClient,
  ofAdmins,
  ofEndUsers,
  ofServers,
  ofVisitors,
  type PrivateClient,
  type PublicClient
} from "./clients.js"
import type { Config } from "./configuration.js"
import { createEndUser, signIn } from "./end-user.js"
import * as Errors from "./errors.js"
import { type Cancellable, checkRoutes, orThrow } from "./options.js"
import { createPrivate } from "./private.js"
import { createPublic } from "./public.js"
import { namesOf } from "./slices.js"

export {
  Condition,
  conditions,
  Direction,
  directions,
  Filter,
  FilterType,
  filterTypes,
  Operator,
  operators,
  Sort
} from "../../core/content/query.js"
export type { Drift } from "../../core/kernel/codec/drift.js"
export type { File } from "../../core/kernel/codec/form.js"
export { readNumber } from "../../core/kernel/codec/number.js"
export type { RequestInput } from "../../core/kernel/dispatch/request.js"
export type { CallResponse } from "../../core/kernel/dispatch/with-response.js"
export type {
  AdminPasswordConfig,
  AdminSessionConfig,
  Check,
  CheckArgs,
  Checkable,
  CheckOptions,
  Decision,
  SharedByAdmins
} from "./admin.js"
export type { Closeable, Options } from "./caller.js"
export type {
  AdminClient,
  AdminExtras,
  EndUserClient,
  PrivateClient,
  PublicClient
} from "./clients.js"
export type { Config, Shared } from "./configuration.js"
export type { PromiseCollection } from "./content.js"
export type { Listed, PromiseCall, PromiseDownload } from "./methods.js"
export type {
  EffectMiddleware,
  PromiseHandler,
  PromiseMiddleware,
  PromiseMiddlewareCall
} from "./middleware.js"
export type { PromiseOnDemand } from "./on-demand.js"
export type { PromiseOnboarding } from "./onboarding.js"
export type { Chats, PromiseChat } from "./open-chat.js"
export type { Cancellable } from "./options.js"
export { request } from "./request.js"
export { type Predicate, untilMethod as until } from "./until.js"
export { type ClientOptions, withOptions } from "./with-options.js"
export { withResponse } from "./with-response.js"
export {
  /** All errors that calls can fail with, by their tags: `Errors.RateLimited` has the time to wait. */
  Errors,
  /** The door past what the types of inputs know: `Input.raw` passes a body or a word of a filter as it is. */
  Input,
  /** Permission levels, from `None` to `Admin`: what a call asks of the admin's token. */
  Level
}

/** Checks that routes name calls of the client, before there is one that would have to be closed. */
const checked = (config: { readonly routes?: unknown }, names: ReadonlyArray<string>): void =>
  orThrow(checkRoutes(Object(config).routes, names))

/**
 * The client of project administrators, with all calls as methods. Nothing is sent before the first call; that one
 * signs in, if the client has a password, and all calls that wait share one sign-in. Close it when it is no longer
 * needed. For a small bundle, `createAdmin` of `@quartet/sdk/promise/admin` ships only the calls that are imported.
 *
 * @example
 * ```ts
 * import { createAdminClient } from "@quartet/sdk/promise"
 *
 * const client = createAdminClient({
 *   baseUrl: "https://api.example.com",
 *   projectId: "p1",
 *   email: "ada@example.com",
 *   password: "…"
 * })
 * const { items } = await client.requests.list({ statusIn: ["pending"] })
 * await client.close()
 * ```
 * @throws a CredentialsError: neither e-mail and password nor session id and access token are given.
 * @throws an InputError: a URL, a route, a header name or another option breaks a rule.
 * @category constructors
 */
export const createAdminClient = (config: AdminSessionConfig | AdminPasswordConfig): AdminClient => {
  checked(config, namesOf(callsOfAdmins))
  return ofAdmins(createAdmin(config))
}

/**
 * The client of visitors, with all calls as methods. It sends the project's API key with every call; nobody signs in.
 *
 * @example
 * ```ts
 * import { createPublicClient } from "@quartet/sdk/promise"
 *
 * const client = createPublicClient({ baseUrl: "https://api.example.com", apiKey: "key" })
 * const { items } = await client.content.list({ apiId: "news", lang: "en" })
 * ```
 * @throws a CredentialsError: there is no API key.
 * @throws an InputError: an option breaks a rule.
 * @category constructors
 */
export const createPublicClient = (config: Config<Public.ClientConfig>): PublicClient => {
  checked(config, namesOf(callsOfVisitors))
  return ofVisitors(createPublic(config))
}

/**
 * The client of servers, with all calls as methods. It sends the project's private key with every call, and refuses
 * to start in a browser, where everyone could read it, unless `allowBrowser` is true.
 *
 * @example
 * ```ts
 * import { createPrivateClient } from "@quartet/sdk/promise"
 *
 * const client = createPrivateClient({ baseUrl: "https://api.example.com", privateKey: process.env.PRIVATE_KEY ?? "" })
 * const link = await client.payments.payWithLink({ payload: { amount: 120.5, currency: "USD" } })
 * ```
 * @throws a CredentialsError: there is no private key, or this is a browser.
 * @throws an InputError: an option breaks a rule.
 * @category constructors
 */
export const createPrivateClient = (config: Config<Private.ClientConfig>): PrivateClient => {
  checked(config, namesOf(callsOfServers))
  return ofServers(createPrivate(config))
}

/**
 * The client of a signed-in end user, with all calls as methods. It sends the session and the API key with every
 * call. To sign in as well, use {@link signInEndUser}.
 *
 * @example
 * ```ts
 * import { createEndUserClient } from "@quartet/sdk/promise"
 *
 * const client = createEndUserClient({ baseUrl: "https://api.example.com", apiKey: "key", sessionId: "s1" })
 * const { items } = await client.requests.list()
 * ```
 * @throws a CredentialsError: there is no session or no API key.
 * @throws an InputError: an option breaks a rule.
 * @category constructors
 */
export const createEndUserClient = (config: Config<EndUser.ClientConfig>): EndUserClient => {
  checked(config, namesOf(callsOfEndUsers))
  return ofEndUsers(createEndUser(config))
}

/**
 * Signs an end user in with the project's API key, and resolves to their client with all calls as methods. The
 * password is sent once and not kept.
 *
 * @example
 * ```ts
 * import { signInEndUser } from "@quartet/sdk/promise"
 *
 * const client = await signInEndUser({
 *   baseUrl: "https://api.example.com",
 *   apiKey: "key",
 *   email: "ana@example.com",
 *   password: "…"
 * })
 * const me = await client.auth.self()
 * ```
 * @throws an Unauthenticated or a Rejected error: the platform refuses.
 * @throws a CredentialsError: the platform opens no session, or something is missing.
 * @category operations
 */
export const signInEndUser = async (
  config: Config<SignIn.SignIn>,
  options?: Cancellable
): Promise<EndUserClient> => {
  checked(config, ["auth.login", ...namesOf(callsOfEndUsers)])
  return ofEndUsers(await signIn(config, options))
}
