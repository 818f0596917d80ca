/** Forgets runs that ended long ago. */
import type { SqlClient } from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { now } from "../store/store.js"
import * as Runs from "./runs.js"
import type { Row } from "./tables.js"
import { sweep } from "./times.js"

/** Removes runs of these jobs that ended before so many milliseconds, for as long as it runs. */
export const removeOld = (
  sql: SqlClient,
  jobs: ReadonlyArray<string>,
  keep: number
): Effect.Effect<never> => {
  const fleet = Runs.make(sql)
  const round = Effect.gen(function* () {
    const rows = yield* sql<Row>`
      SELECT id FROM quartet_runs
      WHERE state IN ('done', 'cancelled') AND ended_at < ${now(sql)} - ${keep} AND ${sql.in("job", jobs)}`
    for (const { id } of rows) {
      const run = yield* fleet.run(String(id))
      // Another runner may have removed it, or somebody may try items of it again.
      yield* Effect.catchTag(run.remove, "FleetError", ({ advice }) => Effect.logDebug(advice))
    }
  })
  return Effect.forever(
    Effect.zipRight(
      Effect.catchAllCause(round, (cause) => Effect.logDebug("old runs were not removed", cause)),
      Effect.sleep(sweep)
    )
  )
}
