/**
 * The four clients for programs that do not use Effect: the same slices with the same names, whose methods return
 * Promises. They reject with the same tagged errors, which are real Errors: `instanceof Errors.NotFound`, `.tag`, `.cause`.
 */
import * as Effect from "effect/Effect"
import * as FetchTransport from "../../adapters/fetch/index.js"
import type { Bindable } from "../../core/kernel/binding.js"
import type { CredentialsError, InputError } from "../../core/kernel/errors.js"
import { type Service, Transport } from "../../core/ports/transport.js"
import * as Admin from "../admin/index.js"
import * as EndUser from "../end-user/index.js"
import * as Private from "../private/index.js"
import * as Public from "../public/index.js"
import { makeRunner } from "./run.js"
import { makeSlices, type Slices } from "./slices.js"

export * as Errors from "../../core/kernel/errors.js"
export type { Cancellable } from "./run.js"
export type { Listed, Options, PromiseCall, PromiseDownload } from "./slices.js"

/** What every client of this module may be given besides its configuration. */
export interface Shared {
  /** How requests travel; the global fetch by default. `UndiciTransport.make(new Agent())` is faster on Node. */
  readonly transport?: Service
}

/** What every client of this module offers besides its slices. */
export interface Closeable extends AsyncDisposable {
  /** Cancels the calls under way and refuses later ones. */
  readonly close: () => Promise<void>
}

export type AdminClient = Slices<typeof Admin> & Closeable
export type PublicClient = Slices<typeof Public> & Closeable
export type PrivateClient = Slices<typeof Private> & Closeable
export type EndUserClient = Slices<typeof EndUser> & Closeable

const create = <Module extends object>(
  module: Module,
  make: Effect.Effect<Bindable, CredentialsError | InputError, Transport>,
  { transport = FetchTransport.make() }: Shared
): Slices<Module> & Closeable => {
  // Making a client sends nothing; what is wrong with its configuration is thrown here.
  const made = Effect.runSync(Effect.either(Effect.provideService(make, Transport, transport)))
  if (made._tag === "Left") throw made.left
  const runner = makeRunner()
  return Object.assign(makeSlices(module, made.right, runner), {
    close: runner.close,
    [Symbol.asyncDispose]: runner.close
  })
}

/**
 * The client of project administrators. Throws CredentialsError where neither an e-mail and password nor a session id
 * and access token are given, InputError where a URL, a route or a header name cannot be one.
 */
export const createAdminClient = (config: Admin.ClientConfig & Shared): AdminClient =>
  create(Admin, Admin.make(config), config)

/** The client of visitors. Throws CredentialsError or InputError for a configuration that cannot work. */
export const createPublicClient = (config: Public.ClientConfig & Shared): PublicClient =>
  create(Public, Public.make(config), config)

/** The client of servers. Throws CredentialsError in a browser, unless it is told otherwise. */
export const createPrivateClient = (config: Private.ClientConfig & Shared): PrivateClient =>
  create(Private, Private.make(config), config)

/** The client of a signed-in end user. Throws CredentialsError or InputError for a configuration that cannot work. */
export const createEndUserClient = (config: EndUser.ClientConfig & Shared): EndUserClient =>
  create(EndUser, EndUser.make(config), config)
