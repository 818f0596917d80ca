/** Forgets runs that ended long ago. */
import type { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import { type InputError, Options } from "@quartet/sdk/extend"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { now } from "../store/store.js"
import type { Service } from "./run.js"
import { sweep } from "./times.js"

/** The longest that a time of the store can be ago, in milliseconds: 100,000,000 days, as those of JavaScript. */
const longest = 8.64e15

/** How long ago something was, in whole milliseconds. */
export const ageOf = (
  operation: string,
  field: string,
  age: Duration.DurationInput
): Either.Either<number, InputError> => {
  const milliseconds = Math.ceil(Options.millisOf(age))
  const refuse = Options.refuser(operation)
  if (!(Number.isFinite(milliseconds) && milliseconds >= 0))
    return refuse(field, 'must be a time such as "30 days"')
  return milliseconds <= longest
    ? Either.right(milliseconds)
    : refuse(field, 'must be at most "100000000 days", which is as far as the times of a store reach')
}

/** Runs that ended longer ago than so many milliseconds, by the store's time. */
export const isOld = (sql: SqlClient, age: number): Fragment =>
  sql`state IN ('done', 'cancelled') AND ended_at < ${now(sql)} - ${age}`

/** Removes runs of these jobs that ended before so many milliseconds, for as long as it runs. */
export const removeOld = (
  fleet: Service,
  jobs: ReadonlyArray<string>,
  keep: number
): Effect.Effect<never> => {
  const round = Effect.gen(function* () {
    // Another runner may have removed it, or somebody may try items of it again.
    for (const run of yield* fleet.ended(keep, jobs))
      yield* Effect.catchTag(run.remove, "FleetError", ({ advice }) => Effect.logDebug(advice))
  })
  return Effect.forever(
    Effect.zipRight(
      Effect.catchAllCause(round, (cause) => Effect.logDebug("old runs were not removed", cause)),
      Effect.sleep(sweep)
    )
  )
}
