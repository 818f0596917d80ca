/** The calls of all four clients as they happen, newest first, for the wire panel. */
import * as Layer from "effect/Layer"
import * as FetchTransport from "../../../adapters/fetch/index.js"
import * as Tap from "../../../adapters/tap/index.js"
import type { Audience } from "../../../core/kernel/operation.js"
import type { Transport } from "../../../core/ports/transport.js"
import { type Cell, cell, change } from "../app/cells.js"

/** One exchange and whose it was. */
export interface Row extends Tap.Exchange {
  readonly audience: Audience
  readonly key: string
}

/** The most exchanges that are kept. */
const most = 200

export const rows: Cell<ReadonlyArray<Row>> = cell<ReadonlyArray<Row>>([])

/** Whether the panel is open. */
export const isOpen: Cell<boolean> = cell(false)

export const clear = (): void => change(rows, () => [])

const put = (row: Row): void =>
  change(rows, (all) =>
    row.ending === undefined
      ? [row, ...all].slice(0, most)
      : all.map((other) => (other.key === row.key ? row : other))
  )

let taps = 0

/** The browser's fetch, on which every exchange of one client is logged. */
export const transport = (audience: Audience): Layer.Layer<Transport> => {
  taps += 1
  const tap = taps
  return Layer.provide(
    Tap.layer((exchange) => put({ ...exchange, audience, key: `${tap}.${exchange.id}` })),
    FetchTransport.layer
  )
}
