/** Options from untyped programs: invalid ones are refused before anything is done. */
import * as Either from "effect/Either"
import { hasProperty } from "effect/Predicate"
import * as Retry from "../../core/kernel/dispatch/retry.js"
import type { InputError } from "../../core/kernel/errors/errors.js"
import * as Options from "../../core/kernel/operation/options.js"
import { meant } from "../../core/kernel/operation/spelling.js"
import { isSignal, ruleOfSignal } from "./signals.js"

/** The options of every method besides those of the call. @category models */
export interface Cancellable {
  /** Cancels the call: its request is abandoned, and the Promise rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** The signal, and the call's own options. */
export interface Split<O extends Cancellable> {
  readonly signal: AbortSignal | undefined
  readonly own: Omit<O, "signal"> | undefined
}

export const cancellable = { signal: "any" } satisfies Options.Known<Cancellable>

const none = /*#__PURE__*/ Either.right({ signal: undefined, own: undefined })

/** Reads the options of a method. */
export const split = <O extends Cancellable>(
  operation: string,
  options: O | undefined,
  known: Readonly<Record<keyof O, unknown>>
): Either.Either<Split<O>, InputError> => {
  if (options === undefined) return none
  const refused = Options.refuser(operation)
  if (isSignal(options)) return refused("options", "must be an object: pass { signal }")
  return Either.flatMap(
    Options.read(operation, "options", options, known, Retry.defaults),
    ({ signal, ...own }) => {
      const rule = ruleOfSignal(signal)
      return rule === undefined ? Either.right({ signal, own }) : refused("signal", rule)
    }
  )
}

/** Reads the options of a method that takes only a signal. */
export const signalOf = (
  operation: string,
  options: Cancellable | undefined
): Either.Either<AbortSignal | undefined, InputError> =>
  Either.map(split(operation, options, cancellable), ({ signal }) => signal)

/** Returns a value, or throws the typed error: for making a client, or a part of one. */
export const orThrow = <A>(result: Either.Either<A, unknown>): A => {
  if (Either.isLeft(result)) throw result.left
  return result.right
}

const refuse = /*#__PURE__*/ Options.refuser("client")

/** Like `Layer.isLayer`, whose module brings esbuild 1.6 kB with it. */
const isLayer = (value: unknown): boolean => hasProperty(value, Symbol.for("effect/Layer"))

/** What to pass instead of an invalid transport. */
export const checkTransport = (transport: unknown): Either.Either<void, InputError> => {
  if (transport === undefined || typeof Object(transport).start === "function") return Either.void
  const instead = isLayer(transport)
    ? "not a Layer: pass what `make` answers, as in UndiciTransport.make()"
    : typeof transport === "function"
      ? "not a function: for a fetch of your own, pass FetchTransport.make({ fetch })"
      : "as in FetchTransport.make() of adapters/fetch, or UndiciTransport.make() of adapters/undici"
  return refuse("transport", `must be a Transport, ${instead}`)
}

/** Checks that routes name calls of the client. */
export const checkRoutes = (
  routes: unknown,
  names: ReadonlyArray<string>
): Either.Either<void, InputError> => {
  const wrong = Object.keys(Object(routes)).find((name) => !names.includes(name))
  if (wrong === undefined) return Either.void
  return refuse(`routes.${wrong}`, `is not a call of this client${meant(wrong, names)}`)
}
