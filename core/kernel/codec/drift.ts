/**
 * Drift: where the platform's answers are not what the operations declare. The platform publishes no result shapes, so
 * ours are claims; what does not agree with them is answered as it came, and reported once.
 */
import * as Effect from "effect/Effect"
import type { Mismatch } from "./state.js"

/** One place where an answer was not what its operation declares. Never the value that came. */
export interface Drift {
  /** The operation's name, such as `requests.get`. */
  readonly operation: string
  /**
   * Dotted path of the field, with `[]` for the items of a list: `items[].createdAt`. Names that seem to be data are
   * written `*`. Empty for the whole answer.
   */
  readonly path: string
  /** What the operation declares there, in words. */
  readonly expected: string
  /** The kind of what came: `nothing`, `null`, `text`, `empty text`, `number`, `boolean`, `list`, `object`, … */
  readonly came: string
}

/** A drift in one line. */
export const describe = ({ came, expected, operation, path }: Drift): string =>
  `${operation}: expected ${expected} ${path === "" ? "as the answer" : `at ${path}`}, got ${came}; it was kept as it came`

/** What a client may say about the reporting of drift. */
export interface Options {
  /**
   * Told of each place, once for each client, and of at most 100 places of one operation; that there are more is told
   * too. A call waits for it within its deadline; what it fails with is logged and does not fail the call.
   */
  readonly onDrift?: (drift: Drift) => Effect.Effect<void>
  /** Whether each place is also a warning in the log; true. */
  readonly logDrift?: boolean
}

/** Reports the drift of one client. */
export interface Reporter {
  /** Notes a mismatch; answers it as drift where this client has not met it before. */
  readonly note: (operation: string, mismatch: Mismatch) => Drift | undefined
  readonly report: (drifts: ReadonlyArray<Drift>) => Effect.Effect<void>
}

/** Most places of one operation that a client remembers: answers whose keys are data could name ever new ones. */
const mostPlaces = 100

export const make = ({ logDrift = true, onDrift }: Options): Reporter => {
  const known = new Map<string, Set<string>>()
  const one = (drift: Drift): Effect.Effect<void> => {
    const logged = logDrift
      ? Effect.annotateLogs(Effect.logWarning(describe(drift)), { ...drift })
      : Effect.void
    if (onDrift === undefined) return logged
    const told = Effect.catchAllCause(
      Effect.suspend(() => onDrift(drift)),
      (cause) => Effect.logError("onDrift failed", cause)
    )
    return Effect.zipRight(logged, told)
  }
  return {
    note: (operation, { came, expected, path }) => {
      const places = known.get(operation) ?? new Set()
      known.set(operation, places)
      const place = `${path}\n${expected}\n${came}`
      if (places.has(place) || places.size > mostPlaces) return undefined
      places.add(place)
      return places.size > mostPlaces
        ? {
            operation,
            path: "",
            expected: `at most ${mostPlaces} places that drift`,
            came: "more: they are no longer reported"
          }
        : { operation, path, expected, came }
    },
    report: (drifts) => Effect.forEach(drifts, one, { discard: true })
  }
}
