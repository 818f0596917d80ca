/**
 * Drift: differences between the platform's answers and the operations' declarations. The platform publishes no result
 * shapes, so ours are assumptions; a mismatch is returned as received and reported once.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { withoutEnd } from "../operation/url.js"
import type { Mismatch } from "./state.js"

/**
 * One place where an answer was not what its operation declares: which call, which field, what was expected and which
 * kind of value came. It never holds the value. A client reports each such place once; `quartet record` learns what
 * the platform really answers.
 * @category models
 */
export interface Drift {
  /** The operation's name, such as `requests.get`. */
  readonly operation: string
  /**
   * Dotted path of the field, with `[]` for the items of a list: `items[].createdAt`. Names that look like data are
   * written `*`. Empty for the whole answer.
   */
  readonly path: string
  /** What the operation declares there, in words. */
  readonly expected: string
  /** The kind of value received: `nothing`, `null`, `text`, `empty text`, `number`, `boolean`, `list`, `object`, … */
  readonly came: string
}

/** A drift in one line. */
const describe = ({ came, expected, operation, path }: Drift): string =>
  `${operation}: expected ${expected} ${path === "" ? "as the answer" : `at ${path}`}, got ${came}; it was tolerated`

/** What this process has written to the log: a server that makes a client for each request would write each place each time. */
const logged = /*#__PURE__*/ new Set<string>()

/** Maximum places that a process writes to the log, over all addresses. */
const mostLogged = 1_000

/** One spelling of an address: `HTTP://H:80/` is `http://h`. */
const spelled = (address: string): string =>
  withoutEnd(
    Either.getOrElse(
      Either.try(() => new URL(address).href),
      () => address
    ),
    "/"
  )

/** The line for the log about a place; undefined if this process has written it for this address, or enough others. */
export const lineOf = (address: string, drift: Drift): string | undefined => {
  const { came, expected, operation, path } = drift
  const place = [spelled(address), operation, path, expected, came].join("\n")
  if (logged.has(place) || logged.size > mostLogged) return undefined
  logged.add(place)
  return logged.size > mostLogged
    ? `${mostLogged} places drift from what is declared: this process logs no more of them, onDrift still hears of each`
    : describe(drift)
}

/** A client's options for reporting drift. */
export interface Options {
  /**
   * Called once per client for each place, for at most 100 places of one operation, and once more if there are others.
   * A call waits for it within its deadline; its failure is logged and does not fail the call.
   */
  readonly onDrift?: (drift: Drift) => Effect.Effect<void>
  /** Whether each place is also logged as a warning, once per process and address; true by default. */
  readonly logDrift?: boolean
}

/** Reports the drift of one client. */
export interface Reporter {
  /** Records a mismatch; returns it as drift if it is new to this client. */
  readonly note: (operation: string, mismatch: Mismatch) => Drift | undefined
  readonly report: (drifts: ReadonlyArray<Drift>) => Effect.Effect<void>
}

/** Maximum places of one operation that a client remembers: answers whose keys are data could add new ones forever. */
const mostPlaces = 100

export const make = ({ logDrift = true, onDrift }: Options, address = ""): Reporter => {
  const known = new Map<string, Set<string>>()
  const reportOne = (drift: Drift): Effect.Effect<void> => {
    const log = Effect.suspend(() => {
      const line = logDrift ? lineOf(address, drift) : undefined
      return line === undefined ? Effect.void : Effect.annotateLogs(Effect.logWarning(line), { ...drift })
    })
    if (onDrift === undefined) return log
    const callback = Effect.catchAllCause(
      Effect.suspend(() => onDrift(drift)),
      (cause) => Effect.logError("onDrift failed", cause)
    )
    return Effect.zipRight(log, callback)
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
    report: (drifts) => Effect.forEach(drifts, reportOne, { discard: true })
  }
}
