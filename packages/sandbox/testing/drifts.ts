/** Collects the drift that the clients of a test report: `expect(drifts.all).toEqual([])`. */

import type { Drift } from "@quartet/sdk/extend"
import * as Effect from "effect/Effect"

/** The drift that the clients of a test report. @category testing */
export interface Drifts {
  /** The reports so far, oldest first: each place once per client. */
  readonly all: ReadonlyArray<Drift>
  /** The `onDrift` of a client's configuration, with Effects and with Promises alike. */
  readonly onDrift: (drift: Drift) => Effect.Effect<void>
}

/** Makes an empty list. @category testing */
export const make = (): Drifts => {
  const all: Array<Drift> = []
  return {
    all,
    onDrift: (drift) => {
      all.push(drift)
      return Effect.void
    }
  }
}
