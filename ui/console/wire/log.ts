/** The calls of all four clients as they happen, and where their answers drift, newest first, for the wire panel. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as FetchTransport from "../../../adapters/fetch/index.js"
import * as Tap from "../../../adapters/tap/index.js"
import * as Upload from "../../../adapters/xhr/index.js"
import type { Drift } from "../../../core/kernel/codec/drift.js"
import type { Audience } from "../../../core/kernel/operation/operation.js"
import { Transport } from "../../../core/ports/transport.js"
import { cell, registry } from "../app/cells.js"
import { note } from "../app/network.js"

/** The client that something happened to. */
interface Happened {
  readonly audience: Audience
  readonly key: string
}

/** One exchange. */
export interface Row extends Tap.Exchange, Happened {}

/** A place where an answer differs from its operation's declaration. */
export interface DriftRow extends Drift, Happened {}

/** Maximum lines that are kept. */
const most = 200

export const rows = cell<ReadonlyArray<Row | DriftRow>>([])

/** Whether the panel is open. */
export const isOpen = cell(false)

export const clear = (): void => registry.set(rows, [])

const put = (row: Row | DriftRow): void =>
  registry.update(rows, (all) =>
    "came" in row || row.ending === undefined
      ? [row, ...all].slice(0, most)
      : all.map((other) => (other.key === row.key ? { ...other, ...row } : other))
  )

/** Counts the taps and the drifts. */
let last = 0

/** The browser's fetch, with uploads that tell their progress, on which every exchange of one client is logged. */
export const transport = (audience: Audience): Layer.Layer<Transport> =>
  Layer.effect(
    Transport,
    Effect.map(Transport, (below) => {
      last += 1
      const tap = last
      return Tap.make(below, (exchange) => {
        note(exchange.ending)
        put({ ...exchange, audience, key: `${tap}.${exchange.id}` })
      })
    })
  ).pipe(Layer.provide(Upload.layer), Layer.provide(FetchTransport.layer))

/** The `onDrift` of one client: each place is a line of its own. */
export const onDrift =
  (audience: Audience) =>
  (drift: Drift): Effect.Effect<void> =>
    Effect.sync(() => {
      last += 1
      put({ ...drift, audience, key: `drift.${last}` })
    })
