/** The configuration of the Promise clients: that of the Effect clients, with plain functions. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as DefaultTransport from "../../adapters/transport/index.js"
import { type Drift, type Options as DriftOptions, lineOf } from "../../core/kernel/codec/drift.js"
import type { Bindable } from "../../core/kernel/dispatch/dispatcher.js"
import type { Runtime } from "../../core/kernel/dispatch/lifetime/lifetime.js"
import { read as readConfig } from "../../core/kernel/dispatch/settings.js"
import type { CallError, InputError } from "../../core/kernel/errors/errors.js"
import type * as Options from "../../core/kernel/operation/options.js"
import { Transport, type Service as TransportService } from "../../core/ports/transport.js"
import { untraced } from "../runtime.js"
import type { EffectMiddleware, PromiseMiddleware } from "./middleware.js"
import * as Middleware from "./middleware.js"
import { checkTransport } from "./options.js"

/**
 * The options of every Promise client beside its configuration: what carries requests, what hears of drift, and what
 * wraps calls. All may be left out.
 * @category models
 */
export interface Shared {
  /** The transport of requests; by default undici on Node, where all clients share one pool, and the global fetch elsewhere. */
  readonly transport?: TransportService
  /**
   * Called once for each place where an answer is not what its operation declares; see `answers`. An Effect that it answers,
   * such as that of `Telemetry.drifts`, is run. Its errors go to `console.error` and do not fail the call.
   */
  readonly onDrift?: (drift: Drift) => void
  /** Whether each such place is also a warning on the console (`console.warn`), once per process and address; true by default. */
  readonly logDrift?: boolean
  /** Wraps each call; the first of the list is the outermost. */
  readonly middleware?: ReadonlyArray<PromiseMiddleware | EffectMiddleware>
}

/** The configuration of a client of this module: that of the Effect client, with plain functions. @category models */
export type Config<ClientConfig> = (ClientConfig extends unknown
  ? Omit<ClientConfig, keyof DriftOptions | "middleware">
  : never) &
  Shared

const shared = {
  transport: "any",
  onDrift: "function",
  logDrift: "boolean",
  middleware: "any"
} satisfies Options.Known<Shared>

const failed = (error: unknown): void => console.error("onDrift failed:", error)

/** Calls a hook, and runs an Effect that it answers. It may throw, reject or fail: none of these affects the call. */
const safely = (tell: (drift: Drift) => unknown, drift: Drift): Effect.Effect<unknown> =>
  Effect.suspend(() => {
    const answer = tell(drift)
    // A hook without types may answer any Effect; one that needs a service fails as a defect.
    if (Effect.isEffect(answer)) return answer as Effect.Effect<unknown, unknown>
    Promise.resolve(answer).catch(failed)
    return Effect.void
  }).pipe(Effect.catchAllCause((cause) => Effect.sync(() => failed(Cause.squash(cause)))))

/** What reports the drift of a client at an address, as an Effect client takes it. */
export const hookOf = (address: string, logDrift: boolean, onDrift: Shared["onDrift"]) => {
  const tell = (drift: Drift): unknown => {
    const line = logDrift ? lineOf(address, drift) : undefined
    if (line !== undefined) console.warn(line)
    return onDrift?.(drift)
  }
  return { onDrift: (drift: Drift) => safely(tell, drift), logDrift: false }
}

/** Makes a client over the caller's own transport, or over the default one, which closes with the client. */
const overTransport = <A extends Bindable, E>(
  make: Effect.Effect<A, E, Transport>,
  transport: TransportService | undefined
): Effect.Effect<A, E> => {
  if (transport !== undefined) return Effect.provideService(make, Transport, transport)
  return Effect.flatMap(Scope.make(), (scope) => {
    const close = Scope.close(scope, Exit.void)
    return Effect.flatMap(Scope.extend(DefaultTransport.make, scope), (transport) =>
      Effect.provideService(make, Transport, transport)
    ).pipe(
      Effect.tap(({ dispatcher }) => Effect.sync(() => dispatcher.lifetime.enter(() => close))),
      Effect.onError(() => close)
    )
  })
}

/**
 * Reads the configuration of a client, and makes it with the transport of the configuration. `known`
 * are the names of the Effect client's configuration.
 */
export const configured = <C extends object, S extends Bindable>(
  input: Config<C>,
  known: Readonly<Record<Exclude<keyof C, keyof Shared>, unknown>>,
  make: (runtime: Runtime, config: C) => Effect.Effect<S, CallError, Transport>
): Effect.Effect<S, CallError> => {
  // Only the hook's type differs, here and below.
  type All = C & Shared
  const names = { ...known, ...shared } as Readonly<Record<keyof All, unknown>>
  const read: Either.Either<All, InputError> = readConfig<All>(input as unknown as All, names)
  return Effect.flatMap(read, ({ logDrift = true, middleware, onDrift, transport, ...own }) => {
    const hook = hookOf(String(Reflect.get(own, "baseUrl")), logDrift, onDrift)
    return Effect.zipRight(
      checkTransport(transport),
      overTransport(
        make(untraced(), { ...own, ...hook, middleware: Middleware.read(middleware) } as unknown as C),
        transport
      )
    )
  })
}
