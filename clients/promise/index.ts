/**
 * The four clients for programs that do not use Effect: the same slices with the same names, whose methods return
 * Promises. They reject with the same tagged errors, which are real Errors: `instanceof Errors.NotFound`, `.tag`, `.cause`.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type Drift, type Options as DriftOptions, describe } from "../../core/kernel/codec/drift.js"
import type { Bindable } from "../../core/kernel/dispatch/dispatcher.js"
import { read as readConfig } from "../../core/kernel/dispatch/settings.js"
import type { CallError, InputError } from "../../core/kernel/errors/errors.js"
import * as Options from "../../core/kernel/operation/options.js"
import type { Onboarding } from "../../core/onboarding/model.js"
import type { Service as ChatSocketService } from "../../core/ports/chat-socket.js"
import {
  type Service as SessionStore,
  SessionStore as SessionStoreTag
} from "../../core/ports/session-store.js"
import type { Transport, Service as TransportService } from "../../core/ports/transport.js"
import * as Admin from "../admin/client.js"
import * as EndUser from "../end-user/client.js"
import * as SignIn from "../end-user/sign-in.js"
import * as Private from "../private/client.js"
import * as Public from "../public/client.js"
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
import { type Cancellable, checkRoutes, checkTransport, orThrow } from "./options.js"
import { makeRunner } from "./run.js"
import { namesOf } from "./slices.js"
import { over } from "./transport.js"

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
export type {
  AdminClient,
  AdminExtras,
  Closeable,
  EndUserClient,
  PrivateClient,
  PublicClient
} from "./clients.js"
export type { PromiseCollection } from "./content.js"
export * as Errors from "./errors.js"
export type { Listed, Options, PromiseCall, PromiseDownload } from "./methods.js"
export type { PromiseOnDemand } from "./on-demand.js"
export type { PromiseOnboarding } from "./onboarding.js"
export type { Chats, PromiseChat } from "./open-chat.js"
export type { Cancellable } from "./options.js"

/** The options of every Promise client besides its configuration. @category models */
export interface Shared {
  /**
   * The transport of requests. By default it is undici on Node, where all clients share a pool that closes with the last
   * of them, and the global fetch elsewhere and where a program has replaced it; `FetchTransport.make()` is always fetch.
   */
  readonly transport?: TransportService
  /**
   * Called once for each place where an answer is not what its operation declares; see `answers`. Without it, each is a
   * warning on the console (`console.warn`). Its errors go to `console.error` and do not fail the call.
   */
  readonly onDrift?: (drift: Drift) => void
}

/** The configuration of a client of this module: that of the Effect client, with plain functions. @category models */
export type Config<ClientConfig> = (ClientConfig extends unknown
  ? Omit<ClientConfig, keyof DriftOptions>
  : never) &
  Shared

/** The further options of an admin client. @category models */
export interface SharedByAdmins extends Shared {
  /** Keeps the session between runs of a program; without one it lasts as long as the client. */
  readonly sessionStore?: SessionStore
  /** The initial onboarding; the demo data by default. */
  readonly onboarding?: Onboarding
  /** How the chat connects; socket.io's client by default. */
  readonly chatSocket?: ChatSocketService
}

const shared = { transport: "any", onDrift: "function" } satisfies Options.Known<Shared>

const sharedByAdmins = {
  ...shared,
  sessionStore: "any",
  onboarding: "object",
  chatSocket: "any"
} satisfies Options.Known<SharedByAdmins>

/** Reads the configuration of a Promise client; `calls` are the names of its calls. */
const read = <C extends object>(
  given: C & Shared,
  known: Readonly<Record<keyof (C & Shared), unknown>>,
  calls: ReadonlyArray<string>
): Either.Either<C & Shared, InputError> =>
  Either.flatMap(readConfig<C & Shared>(given, known), (config) => {
    const routes = "routes" in config ? checkRoutes(config.routes, calls) : Either.void
    return Either.map(Either.all([routes, checkTransport(config.transport)]), () => config)
  })

/** Calls a hook, which may throw or reject: neither affects the call. */
const safely = async (tell: (drift: Drift) => unknown, drift: Drift): Promise<void> => {
  try {
    await tell(drift)
  } catch (error) {
    console.error("onDrift failed:", error)
  }
}

/** The configuration as the Effect client takes it. */
const effectful = <ClientConfig>(config: Config<ClientConfig>): ClientConfig => {
  const { onDrift, transport, ...own } = config
  const tell = onDrift ?? ((drift: Drift): void => console.warn(describe(drift)))
  const hook = { onDrift: (drift: Drift) => Effect.sync(() => safely(tell, drift)), logDrift: false }
  // Only the hook's type differs.
  return { ...own, ...hook } as ClientConfig
}

/** Makes a client, which sends nothing. Throws for an invalid configuration. */
const made = <A extends Bindable>(
  make: Effect.Effect<A, CallError, Transport>,
  transport: TransportService | undefined
): A => orThrow(Effect.runSync(Effect.either(over(make, transport))))

/**
 * The client of project administrators. Throws CredentialsError if neither e-mail and password nor session id and
 * access token are given, InputError if a URL, a route or a header name is invalid.
 * @category constructors
 */
export const createAdminClient = (given: Config<Admin.ClientConfig> & SharedByAdmins): AdminClient => {
  const { chatSocket, onboarding, sessionStore, ...config } = orThrow(
    read(given, { ...Admin.known, ...sharedByAdmins }, namesOf(callsOfAdmins))
  )
  if (chatSocket !== undefined) {
    const name = "ChatSocket, as make() of adapters/socket answers"
    orThrow(Options.port("client", "chatSocket", chatSocket, ["open"], name))
  }
  const make = Admin.make(effectful<Admin.ClientConfig>(config))
  const client = made(
    sessionStore === undefined ? make : Effect.provideService(make, SessionStoreTag, sessionStore),
    config.transport
  )
  return ofAdmins(client, chatSocket, onboarding)
}

/**
 * The client of visitors. Throws CredentialsError or InputError for a configuration that cannot work.
 * @category constructors
 */
export const createPublicClient = (given: Config<Public.ClientConfig>): PublicClient => {
  const config = orThrow(read(given, { ...Public.known, ...shared }, namesOf(callsOfVisitors)))
  const client = made(Public.make(effectful<Public.ClientConfig>(config)), config.transport)
  return ofVisitors(client)
}

/**
 * The client of servers. Throws CredentialsError in a browser, unless the configuration allows it.
 * @category constructors
 */
export const createPrivateClient = (given: Config<Private.ClientConfig>): PrivateClient => {
  const config = orThrow(read(given, { ...Private.known, ...shared }, namesOf(callsOfServers)))
  const client = made(Private.make(effectful<Private.ClientConfig>(config)), config.transport)
  return ofServers(client)
}

/**
 * The client of a signed-in end user. Throws CredentialsError or InputError for a configuration that cannot work.
 * @category constructors
 */
export const createEndUserClient = (given: Config<EndUser.ClientConfig>): EndUserClient => {
  const config = orThrow(read(given, { ...EndUser.known, ...shared }, namesOf(callsOfEndUsers)))
  return ofEndUsers(made(EndUser.make(effectful<EndUser.ClientConfig>(config)), config.transport))
}

/**
 * Signs an end user in with the project's API key and makes their client. Rejects with Unauthenticated or Rejected if
 * the platform refuses, with CredentialsError if it opens no session.
 * @category operations
 */
export const signInEndUser = (
  given: Config<SignIn.SignIn>,
  options?: Cancellable
): Promise<EndUserClient> => {
  const calls = ["auth.login", ...namesOf(callsOfEndUsers)]
  const client = Effect.flatMap(read(given, { ...SignIn.known, ...shared }, calls), (config) =>
    over(SignIn.signIn(effectful<SignIn.SignIn>(config)), config.transport)
  )
  return makeRunner().runCancellable("auth.login", Effect.map(client, ofEndUsers), options)
}
