/** The signals of callers: their validation, and one listener on each for any number of calls. */
import * as Either from "effect/Either"
import { InputError } from "../../core/kernel/errors/errors.js"

/** The callbacks of a signal, and how to remove them. */
interface Heard {
  readonly ends: Set<(reason: unknown) => unknown>
  readonly forget: () => void
}

const heard = /*#__PURE__*/ new WeakMap<AbortSignal, Heard>()

/** Reads a signal, which may throw if it is invalid. */
const attempt = <A, B>(ask: () => A, otherwise: B): A | B =>
  Either.getOrElse(Either.try(ask), () => otherwise)

/** Whether something is an AbortSignal, also one of another realm or of a polyfill. */
export const isSignal = (value: unknown): value is AbortSignal =>
  attempt(() => {
    const { aborted, addEventListener, removeEventListener }: Partial<AbortSignal> = Object(value)
    return (
      typeof aborted === "boolean" &&
      typeof addEventListener === "function" &&
      typeof removeEventListener === "function"
    )
  }, false)

const isController = (value: unknown): boolean => attempt(() => isSignal(Object(value).signal), false)

const reasonOf = (signal: AbortSignal): unknown =>
  attempt(() => signal.reason, new DOMException("the signal was aborted", "AbortError"))

/** The reason of an aborted signal; else undefined. */
export const abortedBy = (signal: AbortSignal): { readonly reason: unknown } | undefined =>
  attempt(() => signal.aborted, true) ? { reason: reasonOf(signal) } : undefined

/** The rule that a signal breaks, or undefined. */
export const ruleOfSignal = (value: unknown): string | undefined => {
  if (value === undefined || isSignal(value)) return undefined
  return `must be an AbortSignal${isController(value) ? ": pass controller.signal" : ""}`
}

const hear = (signal: AbortSignal): Heard => {
  const ends: Heard["ends"] = new Set()
  const tell = (): void => {
    heard.delete(signal)
    const reason = reasonOf(signal)
    for (const end of ends) {
      try {
        end(reason)
      } catch (error) {
        // One that throws does not stop the others: it is reported like a listener's error.
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }
  const forget = (): void => {
    heard.delete(signal)
    // One that throws must not stop the rest.
    attempt(() => signal.removeEventListener("abort", tell), undefined)
  }
  signal.addEventListener("abort", tell, { once: true })
  return { ends, forget }
}

/**
 * Calls `end` with the reason once the signal is aborted. The returned function removes it from the signal. Throws
 * InputError if the signal accepts no listener.
 */
export const listen = (
  operation: string,
  signal: AbortSignal,
  end: (reason: unknown) => unknown
): (() => void) => {
  const listeners = heard.get(signal) ?? attempt(() => hear(signal), undefined)
  if (listeners === undefined)
    throw new InputError({
      operation,
      field: "signal",
      rule: "must be an AbortSignal that can be listened to"
    })
  heard.set(signal, listeners)
  listeners.ends.add(end)
  return () => {
    if (listeners.ends.delete(end) && listeners.ends.size === 0) listeners.forget()
  }
}
