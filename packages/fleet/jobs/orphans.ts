/** Runs that are to go on, on which nobody works, and whose job no runner has had for a while, in their version or a newer one, and takes them. */
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { Fragment } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import { now, numberOf } from "../store/store.js"
import * as Metrics from "./metrics.js"
import type { Row } from "./tables.js"
import { leaseTime, orphanAfter } from "./times.js"

/** Whether the runner of the row `w` is there, or was so not long ago. One that would be for longer is of before the store's clock was set back. */
export const isThere = (sql: SqlClient): Fragment =>
  sql`w.lease_until > ${now(sql)} - ${orphanAfter} AND w.lease_until <= ${now(sql)} + ${leaseTime}`

/** Whether the run of the row `r` is one. What has begun in the future did so before the store's clock was set back. */
export const isOrphan = (sql: SqlClient): Fragment => sql`
  (r.state = 'running' AND (r.started_at < ${now(sql)} - ${orphanAfter} OR r.started_at > ${now(sql)})
    AND NOT EXISTS (SELECT 1 FROM quartet_runners w WHERE w.job = r.job AND w.version >= r.version AND ${isThere(sql)}
      AND NOT EXISTS (SELECT 1 FROM quartet_refusals f WHERE f.run = r.id AND f.runner = w.runner))
    AND NOT EXISTS (SELECT 1 FROM quartet_pages h WHERE h.run = r.id AND h.state <> 'ended' AND h.lease_until > ${now(sql)}
      AND h.lease_until <= ${now(sql)} + ${leaseTime}))`

/** Counts them for the metric, by job, for as long as it runs. Every runner of the store counts all of them. */
export const count = (sql: SqlClient): Effect.Effect<never> => {
  let counted: ReadonlyMap<string, number> = new Map()
  const round: Effect.Effect<void, SqlError> = Effect.gen(function* () {
    const rows = yield* sql<Row>`
      SELECT r.job AS job, COUNT(*) AS count FROM quartet_runs r WHERE ${isOrphan(sql)} GROUP BY r.job`
    const counts = new Map(rows.map((row) => [String(row.job), numberOf(row.count)]))
    for (const job of counted.keys()) if (!counts.has(job)) yield* Metrics.orphans(job, 0)
    for (const [job, count] of counts) yield* Metrics.orphans(job, count)
    counted = counts
  })
  return Effect.forever(
    Effect.zipRight(
      Effect.catchAllCause(round, (cause) => Effect.logDebug("the fleet's store does not answer", cause)),
      Effect.sleep(orphanAfter / 3)
    )
  )
}
