/** Starts what is to be started, stops what is to be stopped, and starts anew what no longer moves. Each runner has one. */
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import { now, numberOf } from "../store/store.js"
import type { Crew } from "./crew.js"
import * as Metrics from "./metrics.js"
import type { Row } from "./tables.js"
import { look, stuckAfter } from "./times.js"

/** A lane to be worked on. */
export interface Duty {
  readonly run: string
  readonly job: string
  readonly lane: number
  readonly generation: number
}

const dutyOf = (row: Row): Duty => ({
  run: String(row.run),
  job: String(row.job),
  lane: numberOf(row.lane),
  generation: numberOf(row.generation)
})

/** Tells the lanes that this process works on that their run is no longer running. */
export const watch = ({ sql, stops }: Crew): Effect.Effect<void, SqlError> =>
  Effect.gen(function* () {
    const ids = [...new Set(stops.values())]
    if (ids.length === 0) return
    const rows = yield* sql<Row>`SELECT id FROM quartet_runs WHERE state = 'running' AND ${sql.in("id", ids)}`
    const running = new Set(rows.map(({ id }) => id))
    for (const [stop, run] of stops) if (ids.includes(run) && !running.has(run)) yield* stop.set
  })

/** Looks again and again, for the jobs of these names. `begin` hands a lane to whoever is to work on it; twice is as good as once. */
export const supervise = (
  crew: Crew,
  jobs: ReadonlyArray<string>,
  begin: (duty: Duty) => Effect.Effect<void>
): Effect.Effect<never> => {
  const { runner, sql, wakes } = crew
  /** Since when this process has seen a lane that nobody holds. */
  const unheld = new Map<string, number>()
  const mine = sql.in("job", jobs)

  const started: Effect.Effect<void, SqlError> = Effect.gen(function* () {
    const lanes = yield* sql<Row>`
      SELECT l.run AS run, l.lane AS lane, l.generation AS generation, r.job AS job
      FROM quartet_lanes l JOIN quartet_runs r ON r.id = l.run
      WHERE r.state = 'running' AND ${mine} AND l.begun < l.generation ORDER BY l.run, l.lane`
    for (const row of lanes) {
      const duty = dutyOf(row)
      yield* begin(duty)
      // After it: a process that dies between the two has another one begin it.
      yield* sql`
        UPDATE quartet_lanes SET begun = ${duty.generation}
        WHERE run = ${duty.run} AND lane = ${duty.lane} AND begun < ${duty.generation}`
    }
  })

  const revived: Effect.Effect<void, SqlError> = Effect.gen(function* () {
    const lanes = yield* sql<Row>`
      SELECT l.run AS run, l.lane AS lane, l.generation AS generation, r.job AS job
      FROM quartet_lanes l JOIN quartet_runs r ON r.id = l.run
      WHERE r.state = 'running' AND ${mine} AND l.begun = l.generation AND l.state <> 'ended' AND l.lease_until <= ${now(sql)}`
    const at = performance.now()
    const names = new Set(lanes.map((row) => JSON.stringify(dutyOf(row))))
    for (const name of unheld.keys()) if (!names.has(name)) unheld.delete(name)
    for (const row of lanes) {
      const duty = dutyOf(row)
      const name = JSON.stringify(duty)
      const since = unheld.get(name)
      if (since === undefined) unheld.set(name, at)
      else if (at - since > stuckAfter) {
        unheld.delete(name)
        const anew = yield* sql<Row>`
          UPDATE quartet_lanes SET generation = generation + 1
          WHERE run = ${duty.run} AND lane = ${duty.lane} AND generation = ${duty.generation} AND lease_until <= ${now(sql)}
          RETURNING run`
        if (anew.length === 0) continue
        yield* sql`UPDATE quartet_runs SET stalls = stalls + 1 WHERE id = ${duty.run}`
        yield* Metrics.laneStalled(duty.job)
        yield* Effect.logWarning(
          `lane ${duty.lane} of the run ${duty.run} did not move for ${stuckAfter / 1000} s: ${runner} starts it anew`
        )
      }
    }
  })

  return Effect.forever(
    Effect.gen(function* () {
      // Whoever starts a run here wakes this.
      const woken = wakes.next("")
      yield* started
      yield* watch(crew)
      yield* revived
      yield* woken(look)
    }).pipe(
      // Whatever fails, and however, is tried again: nobody else looks after the lanes that this process has.
      Effect.catchAllCause((cause) =>
        Effect.zipRight(Effect.logDebug("the fleet's store does not answer", cause), Effect.sleep(look))
      )
    )
  )
}
