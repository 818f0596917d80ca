/** The calls of an app's clients as they happen, and where their answers drift: what the wire section of devtools shows. */

import { type Exchange, make } from "@quartet/sdk/adapters/tap"
import { type Drift, InputError, Options, Transport } from "@quartet/sdk/extend"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

interface Line {
  /** Distinguishes it from all others of the wire. */
  readonly key: string
  /** The client that it is of, as the app names it; empty where it names none. */
  readonly source: string
}

/** An exchange of one client, secrets masked. @category models */
export interface WireCall extends Exchange, Line {}

/** A place where an answer is not what its operation declares. @category models */
export interface WireDrift extends Drift, Line {
  /** Milliseconds since 1970. */
  readonly at: number
}

/** The options of a wire. @category models */
export interface WireOptions {
  /** Most lines that are kept; the oldest go first. 200 where it is left out. */
  readonly capacity?: number
  /** Called with each exchange when it begins and when it is over. Must not throw. */
  readonly onExchange?: (exchange: WireCall) => void
}

/** What has happened on the wire. @category models */
export interface Wire {
  /** The transport below, whose exchanges are noted under the name of their client. */
  readonly tap: (source?: string) => Layer.Layer<Transport, never, Transport>
  /** A client's `onDrift`, noted under its name. */
  readonly onDrift: (source?: string) => (drift: Drift) => Effect.Effect<void>
  /** The newest first. */
  readonly lines: () => ReadonlyArray<WireCall | WireDrift>
  readonly clear: () => void
}

/**
 * Notes the calls of clients for the devtools. Make it once, outside of components, and put its taps between the clients and
 * their transports. Throws InputError for invalid options.
 *
 * ```ts
 * const wire = makeWire()
 * const layer = Layer.provide(Admin.layer({ ...config, onDrift: wire.onDrift() }), Layer.provide(wire.tap(), FetchTransport.layer))
 * ```
 * @category constructors
 */
export const makeWire = (options: WireOptions = {}): Wire => {
  Options.check<WireOptions>("makeWire", options, { capacity: "any", onExchange: "function" })
  const { capacity = 200, onExchange } = options
  if (!(Number.isInteger(capacity) && capacity > 0))
    throw new InputError({
      operation: "makeWire",
      field: "capacity",
      rule: "must be a whole number, at least 1"
    })
  let lines: ReadonlyArray<WireCall | WireDrift> = []
  /** Counts the taps and the drifts. */
  let last = 0
  const put = (line: WireCall | WireDrift): void => {
    lines =
      "came" in line || line.ending === undefined
        ? [line, ...lines].slice(0, capacity)
        : lines.map((existing) => (existing.key === line.key ? line : existing))
  }
  return {
    tap: (source = "") =>
      Layer.effect(
        Transport,
        Effect.map(Transport, (below) => {
          last += 1
          const tap = last
          return make(below, (exchange) => {
            const call = { ...exchange, source, key: `${tap}.${exchange.id}` }
            put(call)
            onExchange?.(call)
          })
        })
      ),
    onDrift:
      (source = "") =>
      (drift) =>
        Effect.sync(() => {
          last += 1
          put({ ...drift, source, at: Date.now(), key: `drift.${last}` })
        }),
    lines: () => lines,
    clear: () => {
      lines = []
    }
  }
}
