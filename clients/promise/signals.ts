/** The signals of callers: what is one, and one listener on each, however many calls it cancels. */

/** Those who are told when a signal is aborted, and how they are taken off it. */
interface Heard {
  readonly ends: Set<(reason: unknown) => unknown>
  readonly forget: () => void
}

const heard = /*#__PURE__*/ new WeakMap<AbortSignal, Heard>()

/** Whether something is an AbortSignal, also one of another realm or of a polyfill. */
const isSignal = (given: unknown): given is AbortSignal => {
  const { aborted, addEventListener, removeEventListener }: Partial<AbortSignal> = Object(given)
  return (
    typeof aborted === "boolean" &&
    typeof addEventListener === "function" &&
    typeof removeEventListener === "function"
  )
}

/** The rule that a signal breaks, or nothing. */
export const ruleOfSignal = (given: unknown): string | undefined => {
  if (given === undefined || isSignal(given)) return undefined
  return `must be an AbortSignal${isSignal(Object(given).signal) ? ": pass controller.signal" : ""}`
}

const hear = (signal: AbortSignal): Heard => {
  const ends: Heard["ends"] = new Set()
  const tell = (): void => {
    heard.delete(signal)
    for (const end of ends) {
      try {
        end(signal.reason)
      } catch (error) {
        // One that throws does not keep the others from being told: it is reported as a listener's error is.
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }
  const forget = (): void => {
    heard.delete(signal)
    signal.removeEventListener("abort", tell)
  }
  signal.addEventListener("abort", tell, { once: true })
  return { ends, forget }
}

/** Calls `end` with the reason once the signal is aborted. The function that it returns takes it off the signal. */
export const listen = (signal: AbortSignal, end: (reason: unknown) => unknown): (() => void) => {
  const found = heard.get(signal) ?? hear(signal)
  heard.set(signal, found)
  found.ends.add(end)
  return () => {
    if (found.ends.delete(end) && found.ends.size === 0) found.forget()
  }
}
