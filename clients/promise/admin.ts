/**
 * The client of project administrators as one function, for apps that are to be small: `const call = createAdmin({ … })`,
 * then `call(requests.list, { statusIn: ["pending"] })` with the calls of `@quartet/sdk/admin/requests`.
 */

import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Decision } from "../../core/kernel/dispatch/credentials.js"
import * as Options from "../../core/kernel/operation/options.js"
import { make as hold } from "../../core/onboarding/actions.js"
import type { Onboarding } from "../../core/onboarding/model.js"
import * as Level from "../../core/permissions/level.js"
import type { Service as ChatSocket } from "../../core/ports/chat-socket.js"
import { SessionStore, type Service as Store } from "../../core/ports/session-store.js"
import {
  Client,
  type ClientConfig,
  known,
  makeIn,
  type PasswordConfig,
  type Service,
  type SessionConfig
} from "../admin/client.js"
import { type CheckArgs, decisionOf } from "../admin/permission.js"
import { runAtOnce } from "./at-once.js"
import { type Caller, makeCaller, partsOf } from "./caller.js"
import { type Config, configured, type Shared } from "./configuration.js"
import { makeOnboarding, type PromiseOnboarding } from "./onboarding.js"
import type { Cancellable } from "./options.js"

export type { Decision } from "../../core/kernel/dispatch/credentials.js"
export type { Check, CheckArgs, Checkable, CheckOptions } from "../admin/permission.js"
export * from "./face.js"
export type { PromiseOnboarding } from "./onboarding.js"
export {
  /** Permission levels, from `None` to `Admin`: what a call asks of the admin's token. */
  Level
}

/**
 * The further options of an admin client: where its session is kept, how its chat connects, and with which onboarding
 * it begins. All may be left out.
 * @category models
 */
export interface SharedByAdmins extends Shared {
  /** Keeps the session between runs of a program; without one it lasts as long as the client. */
  readonly sessionStore?: Store
  /** The initial onboarding; the demo data by default. */
  readonly onboarding?: Onboarding
  /** How the chat connects; socket.io's client by default. */
  readonly chatSocket?: ChatSocket
}

type Own = Omit<SharedByAdmins, keyof Shared>

/** The configuration of an admin client with the session of an earlier sign-in. @category models */
export interface AdminSessionConfig extends Config<SessionConfig>, SharedByAdmins {}

/** The configuration of an admin client that signs in with e-mail and password. @category models */
export interface AdminPasswordConfig extends Config<PasswordConfig>, SharedByAdmins {}

/** The Effect client, and what its chat and its onboarding are made with. @category models */
export interface PromiseService extends Service {
  /** How the chat connects; socket.io's client if undefined. */
  readonly chatSocket: ChatSocket | undefined
  /** Where the onboarding begins; the demonstration's state if undefined. */
  readonly onboarding: Onboarding | undefined
}

/** The client of project administrators as one function. @category models */
export type AdminCaller = Caller<Client, PromiseService>

const ofAdmins = { sessionStore: "any", onboarding: "object", chatSocket: "any" } satisfies Options.Known<Own>

const checkSocket = (socket: ChatSocket | undefined) =>
  socket === undefined
    ? Either.void
    : Options.port(
        "client",
        "chatSocket",
        socket,
        ["open"],
        "ChatSocket, as make() of adapters/socket answers"
      )

/**
 * The client of project administrators as one function, which ships only the calls that the app imports. Nothing is
 * sent before the first call; that one signs in, if the client has a password. Close it when it is no longer needed.
 *
 * @example
 * ```ts
 * import { list } from "@quartet/sdk/admin/requests"
 * import { createAdmin } from "@quartet/sdk/promise/admin"
 *
 * const call = createAdmin({
 *   baseUrl: "https://api.example.com",
 *   projectId: "p1",
 *   email: "ada@example.com",
 *   password: "…"
 * })
 * const { items } = await call(list, { statusIn: ["pending"] })
 * ```
 * @throws a CredentialsError: neither e-mail and password nor session id and access token are given.
 * @throws an InputError: a URL, a route, a header name or another option breaks a rule.
 * @category constructors
 */
export const createAdmin = (config: AdminSessionConfig | AdminPasswordConfig): AdminCaller => {
  const client = configured(
    config,
    { ...known, ...ofAdmins },
    (runtime, { chatSocket, onboarding, sessionStore, ...config }: ClientConfig & Own) => {
      const client = makeIn(runtime, config)
      const stored =
        sessionStore === undefined ? client : Effect.provideService(client, SessionStore, sessionStore)
      return Effect.zipRight(
        checkSocket(chatSocket),
        Effect.map(stored, (client) => ({ ...client, chatSocket, onboarding }))
      )
    }
  )
  return makeCaller(Client, runAtOnce(client))
}

/**
 * Forgets the session, here and in the store, and closes its chats. Work that is under way with it ends. The next
 * call signs in again. Nothing is sent: the platform has no call for it.
 *
 * @example
 * ```ts
 * import { createAdmin, signOut } from "@quartet/sdk/promise/admin"
 *
 * const call = createAdmin({ baseUrl: "https://api.example.com", projectId: "p1", email: "ada@example.com", password: "…" })
 * await signOut(call)
 * ```
 * @throws the reason of the signal, if it is cancelled.
 * @category operations
 */
export const signOut = async (caller: AdminCaller, options?: Cancellable): Promise<void> => {
  const { client, runner } = partsOf("session.signOut", caller, Client)
  return runner.runCancellable("session.signOut", client.session.signOut, options)
}

/**
 * What the admin's access token grants for a call, or for an action on a resource at a level (`Write` by default).
 * Signs in if necessary, and sends nothing else. The options' `reading` compares grants otherwise than the client
 * does. It is early feedback for a page: the platform decides in the end.
 *
 * @example
 * ```ts
 * import { markSeen } from "@quartet/sdk/admin/requests"
 * import { check, createAdmin, Level } from "@quartet/sdk/promise/admin"
 *
 * const call = createAdmin({ baseUrl: "https://api.example.com", projectId: "p1", email: "ada@example.com", password: "…" })
 * const { allowed, grant } = await check(call, markSeen)
 * const mayDelete = await check(call, "roles", "delete", Level.Admin)
 * ```
 * @throws an InputError: it is asked for what is no call of an admin.
 * @throws as a sign-in does.
 * @category operations
 */
export const check = async (caller: AdminCaller, ...args: CheckArgs): Promise<Decision> => {
  const { provide, runner } = partsOf("permission.check", caller, Client)
  return runner.runCancellable("permission.check", provide(decisionOf(args)), undefined)
}

/**
 * Whether the admin's access token permits a call, or an action on a resource at a level: `allowed` of {@link check}.
 *
 * @example
 * ```ts
 * import { markSeen } from "@quartet/sdk/admin/requests"
 * import { can, createAdmin } from "@quartet/sdk/promise/admin"
 *
 * const call = createAdmin({ baseUrl: "https://api.example.com", projectId: "p1", email: "ada@example.com", password: "…" })
 * if (await can(call, markSeen)) console.log("Show the button")
 * ```
 * @throws as {@link check} does.
 * @category operations
 */
export const can = async (caller: AdminCaller, ...args: CheckArgs): Promise<boolean> =>
  (await check(caller, ...args)).allowed

/** Makes the onboarding of the configuration, which is held locally: nothing is sent. @category constructors */
export const createOnboarding = (caller: AdminCaller): PromiseOnboarding => {
  const { client, runner } = partsOf("onboarding", caller, Client)
  return makeOnboarding(hold(client.onboarding), runner)
}
