/** A sandbox in this process: the platform, its transport and chat socket, and its control. */

import {
  ChatSocket,
  InputError,
  type Known,
  read,
  type ChatSocketService as SocketService,
  Transport,
  type TransportService
} from "@quartet/sdk/extend"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { accounts } from "./accounts.js"
import * as Hub from "./chat/hub.js"
import { type DialectInput, readDialect } from "./dialects/dialect.js"
import { wireOf } from "./dialects/wire.js"
import * as Socket from "./in-process/socket.js"
import * as InProcess from "./in-process/transport.js"
import { type Control, type Received, readLatency } from "./platform/control.js"
import * as Platform from "./platform/platform.js"
import * as State from "./state/state.js"

/**
 * The options of a sandbox, all of which may be left out: what decides its data, how slow it is, and who hears of its
 * requests.
 * @category models
 */
export interface Options {
  /** Decides all seeded data and all later ids; 1 by default. */
  readonly seed?: number
  /** The latency of every request; 0 by default. A number is milliseconds. */
  readonly latency?: Duration.DurationInput
  /** Called with every request after its answer. */
  readonly onRequest?: (received: Received) => void
  /**
   * The form in which it takes requests and gives answers, as another platform would that was written from the same specification: a name of
   * `Sandbox.dialectNames`, or an object of `Sandbox.dialectAxes`. What the calls do stays the same. `standard` by default.
   */
  readonly dialect?: DialectInput
}

/**
 * What the clients with Promises are made with to reach a sandbox, one value to spread for each: the address, the keys of
 * `Sandbox.accounts`, and what carries requests and the chat. Who signs in is the program's to say.
 * @category models
 */
export interface ClientOptions {
  /** For `createAdminClient`, besides an account: `createAdminClient({ ...options.admin, ...Sandbox.accounts.admin })`. The chat is the sandbox's too. */
  readonly admin: {
    readonly baseUrl: string
    readonly projectId: string
    readonly apiKey: string
    readonly transport: TransportService
    readonly chatSocket: SocketService
  }
  /** For `createPublicClient`, which needs nothing else. */
  readonly public: { readonly baseUrl: string; readonly apiKey: string; readonly transport: TransportService }
  /** For `signInEndUser`, besides an account, and `createEndUserClient`, besides a session id. */
  readonly endUser: {
    readonly baseUrl: string
    readonly apiKey: string
    readonly transport: TransportService
  }
  /** For `createPrivateClient`, which needs nothing else. */
  readonly private: {
    readonly baseUrl: string
    readonly privateKey: string
    readonly transport: TransportService
  }
}

/** A sandbox with what reaches it, and its control. @category models */
export interface Sandbox {
  /** What clients with Promises are made with, by their audience; clients with Effects take `Sandbox.layerOf`. */
  readonly options: ClientOptions
  /** What carries requests to the sandbox: that of `options`, to be wrapped. */
  readonly transport: TransportService
  /** What carries the chat to the sandbox: that of `options.admin`, to be wrapped. */
  readonly chatSocket: SocketService
  /** Fails, delays and lists requests. */
  readonly control: Control
  /** What answers the requests, with its data. */
  readonly platform: Platform.Platform
  /** The other side of the chat: writes as an end user, and ends connections. */
  readonly hub: Hub.Hub
}

/** The names of a sandbox's options. */
export const known = {
  seed: "any",
  latency: "any",
  onRequest: "function",
  dialect: "any"
} satisfies Known<Options>

/** The platform and its chat, without adapters. */
export const core = (
  { dialect = "standard", latency = 0, onRequest, seed = 1 }: Options,
  now: Date
): Either.Either<Pick<Sandbox, "platform" | "hub" | "control">, InputError> => {
  if (!Number.isSafeInteger(seed)) {
    const rule = "must be a whole number"
    return Either.left(new InputError({ operation: "sandbox.make", field: "seed", rule }))
  }
  return Either.gen(function* () {
    const milliseconds = yield* readLatency("sandbox.make", latency)
    const spoken = yield* readDialect("sandbox.make", dialect)
    const state = State.make(seed, now)
    const platform = Platform.make(state, onRequest, wireOf(spoken, state))
    platform.control.setLatency(milliseconds)
    return { platform, hub: Hub.make(state, platform.wire.chat), control: platform.control }
  })
}

/**
 * Makes a sandbox in this process: the whole platform in memory, its transport, its chat socket, and the control by
 * which a test fails, delays and counts requests. Its time is the Clock of the program that makes it, and one seed
 * makes the same data and the same ids. Fails with InputError if an option breaks a rule. Programs with Promises take `start`.
 *
 * @example
 * ```ts
 * import * as Sandbox from "@quartet/sandbox"
 * import * as Admin from "@quartet/sdk/admin"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * const program = Effect.gen(function* () {
 *   const sandbox = yield* Sandbox.make({ seed: 7 })
 *   const { projectId, admin } = Sandbox.accounts
 *   const client = Admin.layer({ baseUrl: "http://sandbox.test", projectId, ...admin })
 *   sandbox.control.failNext(1, 503)
 *   return yield* Effect.provide(Admin.requests.list(), Layer.provide(client, Sandbox.layerOf(sandbox)))
 * })
 * ```
 * @category constructors
 */
export const make = (options: Options = {}): Effect.Effect<Sandbox, InputError> =>
  Effect.gen(function* () {
    const runtime = yield* Effect.runtime<never>()
    const now = new Date(yield* Clock.currentTimeMillis)
    const parts = yield* core(yield* read("sandbox.make", "options", options, known), now)
    return over(
      parts,
      InProcess.make(parts.platform, runtime),
      Socket.make(parts.hub, runtime, parts.platform.wire.chat)
    )
  })

/** Any address will do: nothing leaves the process. */
export const baseUrl = "http://sandbox.test"

/** A sandbox that is reached by a transport and a chat socket. */
export const over = (
  parts: Pick<Sandbox, "platform" | "hub" | "control">,
  transport: TransportService,
  chatSocket: SocketService
): Sandbox => {
  const { apiKey, privateKey, projectId } = accounts
  const keyed = { baseUrl, apiKey, transport }
  return {
    ...parts,
    transport,
    chatSocket,
    options: {
      admin: { ...keyed, projectId, chatSocket },
      public: keyed,
      endUser: keyed,
      private: { baseUrl, privateKey, transport }
    }
  }
}

/** A sandbox's transport and chat socket as a layer. @category layers */
export const layerOf = ({ chatSocket, transport }: Sandbox): Layer.Layer<Transport | ChatSocket> =>
  Layer.succeedContext(Context.make(Transport, transport).pipe(Context.add(ChatSocket, chatSocket)))

/**
 * The transport and the chat socket of a fresh sandbox, for programs with Effect: nothing leaves the process. Fails
 * with InputError if an option breaks a rule.
 *
 * @example
 * ```ts
 * import * as Sandbox from "@quartet/sandbox"
 * import * as Admin from "@quartet/sdk/admin"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * const { projectId, admin: account } = Sandbox.accounts
 * const live = Admin.layer({ baseUrl: "http://sandbox.test", projectId, ...account }).pipe(Layer.provide(Sandbox.layer()))
 * const program = Effect.provide(Admin.requests.list(), live)
 * ```
 * @category layers
 */
export const layer = (options: Options = {}): Layer.Layer<Transport | ChatSocket, InputError> =>
  Layer.unwrapEffect(Effect.map(make(options), layerOf))
