/** The calls of all four clients as they happen, and where their answers drift, newest first, for the wire panel. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as FetchTransport from "../../../adapters/fetch/index.js"
import * as Tap from "../../../adapters/tap/index.js"
import type { Drift } from "../../../core/kernel/codec/drift.js"
import type { Audience } from "../../../core/kernel/operation/operation.js"
import { type Request, Transport } from "../../../core/ports/transport.js"
import { type Cell, cell, change } from "../app/cells.js"
import { note } from "../app/network.js"

/** One exchange and its client. */
export interface Row extends Tap.Exchange {
  readonly audience: Audience
  readonly key: string
  /** Sends the same request again; missing once its client has ended. */
  readonly replay?: () => void
}

/** A place where an answer differs from its operation's declaration, and the client that received it. */
export interface DriftRow extends Drift {
  readonly audience: Audience
  readonly key: string
}

/** Maximum lines that are kept. */
const most = 200

export const rows: Cell<ReadonlyArray<Row | DriftRow>> = cell<ReadonlyArray<Row | DriftRow>>([])

/** Whether the panel is open. */
export const isOpen: Cell<boolean> = cell(false)

export const clear = (): void => change(rows, () => [])

const put = (row: Row | DriftRow): void =>
  change(rows, (all) =>
    "came" in row || row.ending === undefined
      ? [row, ...all].slice(0, most)
      : all.map((other) => (other.key === row.key ? { ...other, ...row } : other))
  )

let taps = 0

/** A request as it was, with the credentials that its client used last. Only these are masked in what is shown. */
const renewed = (request: Request, shown: Tap.Exchange, last: Request): Request => {
  const isSecret = (name: string): boolean => shown.headers[name] !== request.headers[name]
  const headers = Object.entries(request.headers).map(([name, value]) => [
    name,
    (isSecret(name) ? last.headers[name] : undefined) ?? value
  ])
  return { ...request, attempt: 1, headers: Object.fromEntries(headers) }
}

/** The browser's fetch, on which every exchange of one client is logged, and can be sent again until the client ends. */
export const transport = (audience: Audience): Layer.Layer<Transport> =>
  Layer.scoped(
    Transport,
    Effect.gen(function* () {
      taps += 1
      const tap = `${taps}.`
      let last: Request | undefined
      const again = (exchange: Tap.Exchange): Pick<Row, "replay"> => {
        const request = last
        if (request === undefined || exchange.ending !== undefined) return {}
        return { replay: () => void start(renewed(request, exchange, last ?? request), () => undefined) }
      }
      const tapped = Tap.make(yield* Transport, (exchange) => {
        note(exchange.ending)
        put({ ...exchange, ...again(exchange), audience, key: `${tap}${exchange.id}` })
      })
      const start: typeof tapped.start = (request, settle) => {
        last = request
        return tapped.start(request, settle)
      }
      // What is kept to be sent again holds credentials.
      const forget = ({ replay, ...row }: Row): Row => row
      yield* Effect.addFinalizer(() =>
        Effect.sync(() =>
          change(rows, (all) =>
            all.map((row) => ("came" in row || !row.key.startsWith(tap) ? row : forget(row)))
          )
        )
      )
      return { start }
    })
  ).pipe(Layer.provide(FetchTransport.layer))

let drifts = 0

/** The `onDrift` of one client: each place is a line of its own. */
export const onDrift =
  (audience: Audience) =>
  (drift: Drift): Effect.Effect<void> =>
    Effect.sync(() => {
      drifts += 1
      put({ ...drift, audience, key: `drift.${drifts}` })
    })
