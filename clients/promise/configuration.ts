/** The configuration of the Promise clients: that of the Effect clients, with plain functions. */
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import { type Drift, type Options as DriftOptions, describe } from "../../core/kernel/codec/drift.js"
import type { Bindable } from "../../core/kernel/dispatch/dispatcher.js"
import { read as readConfig } from "../../core/kernel/dispatch/settings.js"
import type { CallError, InputError } from "../../core/kernel/errors/errors.js"
import type * as Options from "../../core/kernel/operation/options.js"
import type { Transport, Service as TransportService } from "../../core/ports/transport.js"
import type { EffectMiddleware, PromiseMiddleware } from "./middleware.js"
import * as Middleware from "./middleware.js"
import { checkTransport } from "./options.js"
import { over } from "./transport.js"

/** The options of every Promise client besides its configuration. @category models */
export interface Shared {
  /** The transport of requests; by default undici on Node, where all clients share one pool, and the global fetch elsewhere. */
  readonly transport?: TransportService
  /**
   * Called once for each place where an answer is not what its operation declares; see `answers`. Without it, each is a
   * warning on the console (`console.warn`). Its errors go to `console.error` and do not fail the call.
   */
  readonly onDrift?: (drift: Drift) => void
  /** Wraps each call; the first of the list is the outermost. */
  readonly middleware?: ReadonlyArray<PromiseMiddleware | EffectMiddleware>
}

/** The configuration of a client of this module: that of the Effect client, with plain functions. @category models */
export type Config<ClientConfig> = (ClientConfig extends unknown
  ? Omit<ClientConfig, keyof DriftOptions | "middleware">
  : never) &
  Shared

const shared = { transport: "any", onDrift: "function", middleware: "any" } satisfies Options.Known<Shared>

/** Calls a hook, which may throw or reject: neither affects the call. */
const safely = async (tell: (drift: Drift) => unknown, drift: Drift): Promise<void> => {
  try {
    await tell(drift)
  } catch (error) {
    console.error("onDrift failed:", error)
  }
}

/**
 * Reads the configuration of a client, and makes it with the transport of the configuration. `known`
 * are the names of the Effect client's configuration.
 */
export const configured = <C extends object, S extends Bindable>(
  given: Config<C>,
  known: Readonly<Record<Exclude<keyof C, keyof Shared>, unknown>>,
  make: (config: C) => Effect.Effect<S, CallError, Transport>
): Effect.Effect<S, CallError> => {
  // Only the hook's type differs, here and below.
  type All = C & Shared
  // Here the hook, or the console in its place, is all that tells of drift.
  const { logDrift: _, ...names }: Readonly<Record<string, unknown>> = { ...known, ...shared }
  const read: Either.Either<All, InputError> = readConfig<All>(
    given as unknown as All,
    names as Readonly<Record<keyof All, unknown>>
  )
  return Effect.flatMap(read, ({ middleware, onDrift, transport, ...own }) => {
    const tell = onDrift ?? ((drift: Drift): void => console.warn(describe(drift)))
    const hook = { onDrift: (drift: Drift) => Effect.sync(() => safely(tell, drift)), logDrift: false }
    return Effect.zipRight(
      checkTransport(transport),
      over(make({ ...own, ...hook, middleware: Middleware.read(middleware) } as unknown as C), transport)
    )
  })
}
