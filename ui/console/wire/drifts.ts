/** Where answers drift from what their operations declare: each place once, for as long as the page is open. */

import type { Audience, Drift } from "@quartet/sdk/extend"
import * as Effect from "effect/Effect"
import { cell, registry } from "../app/cells.js"
import { wire } from "./log.js"

export interface DriftPlace extends Drift {
  readonly audience: Audience
  /** How often it was seen, first and last. */
  readonly count: number
  readonly first: Date
  readonly last: Date
}

/** By what tells them apart. */
export const drifts = cell<ReadonlyMap<string, DriftPlace>>(new Map())

/** At most so many places are kept. */
const most = 500

/** Notes the drifts of a client, for the wire and here. */
export const onDrift = (audience: Audience) => {
  const put = wire.onDrift(audience)
  return (drift: Drift): Effect.Effect<void> =>
    Effect.zipRight(
      put(drift),
      Effect.sync(() => {
        const { came, operation, path } = drift
        const key = [audience, operation, path, came].join(" ")
        registry.update(drifts, (all) => {
          const before = all.get(key)
          if (before === undefined && all.size >= most) return all
          const last = new Date()
          const count = (before?.count ?? 0) + 1
          return new Map(all).set(key, { ...drift, audience, count, first: before?.first ?? last, last })
        })
      })
    )
}
