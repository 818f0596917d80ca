/** A client with other options than the one that it comes from. */
import type { Dispatcher } from "../../core/kernel/dispatch/dispatcher.js"
import type { ClientOptions as EffectOptions } from "../../core/kernel/dispatch/with-options.js"
import { derive, known } from "../../core/kernel/dispatch/with-options.js"
import { hiddenField, ruleOfHidden } from "../../core/kernel/operation/input.js"
import { isRecord, refuser } from "../../core/kernel/operation/options.js"
import { type HasParts, partsOf } from "./caller.js"
import { hookOf, type Shared } from "./configuration.js"
import * as Middleware from "./middleware.js"
import { orThrow } from "./options.js"
import { makeRunner } from "./run.js"

/**
 * The options of a client that is derived from another one. What says who calls, or where, is not among them: that takes a client
 * of its own.
 * @category models
 */
export type ClientOptions = Omit<EffectOptions, "middleware" | "onDrift" | "logDrift"> &
  Pick<Shared, "middleware" | "onDrift" | "logDrift">

/** The same options for a client with Effects; what is none of them stays as it is, and is refused with the rest. */
const effectOptions = ({ settings: { api } }: Dispatcher, options: ClientOptions): EffectOptions => {
  if (!isRecord(options)) return options
  const { logDrift, middleware, onDrift } = options
  const isReporting =
    (logDrift !== undefined || onDrift !== undefined) &&
    ["undefined", "boolean"].includes(typeof logDrift) &&
    ["undefined", "function"].includes(typeof onDrift)
  return {
    ...options,
    ...(isReporting ? hookOf(api.origin + api.prefix, logDrift !== false, onDrift) : {}),
    middleware: Middleware.read(middleware)
    // Only the types of hooks and middleware differed.
  } as EffectOptions
}

/**
 * Derives a client with other options, which shares the session, the connections, the retry budget and the limits of
 * the first one. It is of the same form as the first one: one function, or a client with all calls.
 *
 * With `onDrift` or `logDrift` the derived client reports drift for itself. Closing it cancels its own calls alone,
 * and the end of the first client ends both; one that is not closed holds nothing. It compiles each operation anew,
 * so make it once and keep it.
 *
 * @example
 * ```ts
 * import { withOptions } from "@quartet/sdk/promise"
 *
 * const patient = withOptions(admin, { policy: { deadline: "2 minutes" } })
 * const { items } = await patient.orders.search()
 * ```
 * @throws an InputError: an option is not valid, or says who calls, or where (`baseUrl`, credentials): that takes a
 * client of its own.
 * @category combinators
 */
export const withOptions = <C extends HasParts<never>>(client: C, options: ClientOptions): C => {
  const own = partsOf("withOptions", client)
  // What is hidden would be left out of a copy.
  const hidden = isRecord(options) ? hiddenField(options, Object.keys(known)) : undefined
  if (hidden !== undefined) orThrow(refuser("withOptions")(hidden, ruleOfHidden))
  const dispatcher = orThrow(derive(own.client.dispatcher, effectOptions(own.client.dispatcher, options)))
  // The form of the client that it comes from.
  return (own.remake ?? own.derive)(dispatcher, makeRunner(dispatcher.lifetime, own.runner)) as C
}
