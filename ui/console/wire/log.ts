/** The calls of all four clients as they happen, and where their answers drift, for the devtools beside the page. */

import { makeWire, type WireCall } from "@quartet/react/devtools"
import * as FetchTransport from "@quartet/sdk/adapters/fetch"
import * as Upload from "@quartet/sdk/adapters/xhr"
import type { Audience, Transport } from "@quartet/sdk/extend"
import * as Layer from "effect/Layer"
import { cell } from "../app/cells.js"
import { note } from "../app/network.js"
import { throughOwnServer } from "../app/platform.js"

export const wire = makeWire({ onExchange: ({ ending }) => note(ending) })

/** The latest exchange of an operation that has ended. */
export const latestExchange = (audience: Audience, operation: string): WireCall | undefined =>
  wire
    .lines()
    .find(
      (line): line is WireCall =>
        "ending" in line &&
        line.ending !== undefined &&
        line.source === audience &&
        line.operation === operation
    )

/** Whether the panel is open. */
export const isOpen = cell(false)

/** The browser's fetch, with uploads that tell their progress, on which every exchange of one client is logged. */
export const transport = (audience: Audience): Layer.Layer<Transport> =>
  throughOwnServer.pipe(
    Layer.provide(wire.tap(audience)),
    Layer.provide(Upload.layer),
    Layer.provide(FetchTransport.layer)
  )
