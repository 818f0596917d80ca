/**
 * Runners over PostgreSQL tell each other by NOTIFY what there is to do, so that nobody waits for the next look at the store. Where that is
 * lost, with its connection or in a pooler, the look remains: nothing depends on it.
 */
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { Fragment } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import { hasProperty, isFunction } from "effect/Predicate"
import * as Stream from "effect/Stream"
import { isPostgres } from "../store/store.js"
import { betweenTold } from "./times.js"

const channel = "quartet_runs"

/** A further column of what a statement returns, which tells all runners that there is something to do for a run, or no longer. */
export const telling = (sql: SqlClient, run: string): Fragment =>
  isPostgres(sql) ? sql`, pg_notify(${channel}, ${run})` : sql.literal("")

/** What a client of PostgreSQL has besides. */
interface Listener {
  readonly listen: (channel: string) => Stream.Stream<string, SqlError>
}

const isListener = (sql: unknown): sql is Listener => hasProperty(sql, "listen") && isFunction(sql.listen)

/** What one who listens does. */
interface Hearing {
  /** Hears of each run that was told of. */
  readonly run: (run: string) => void
  /** Hears that some were, once for all that are told of at about the same time. */
  readonly some: () => void
  /** Ends when the connection may be lost: the store has failed, or it was long ago that it was opened. */
  readonly lost: Effect.Effect<void>
}

/** Hears what other processes tell. A connection that is lost does not say so. */
export const listen = (sql: SqlClient, { lost, run, some }: Hearing): Effect.Effect<never> => {
  if (!isListener(sql)) return Effect.never
  const heard = sql.listen(channel).pipe(
    Stream.tap((id) => Effect.sync(() => run(id))),
    Stream.buffer({ capacity: 1, strategy: "sliding" }),
    Stream.runForEach(() => Effect.zipRight(Effect.sync(some), Effect.sleep(betweenTold)))
  )
  // One that is lost may take long to close.
  return Effect.disconnect(heard).pipe(
    Effect.raceFirst(lost),
    Effect.catchAllCause((cause) => Effect.logDebug("nobody tells of the fleet's runs", cause)),
    Effect.zipRight(Effect.sleep(betweenTold)),
    Effect.forever
  )
}
