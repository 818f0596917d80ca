/**
 * Writes what is known of the items of pages. A commit costs as much for all pages of a process as for one, so those that come while one is
 * written are written together in the next statement: each page may then mark few items at a time.
 */
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { numberOf } from "../store/store.js"
import { type Lease, Lost } from "./lease.js"
import type { Row } from "./tables.js"

/** The states of a page that are to be written, and what became of that. */
interface Write {
  readonly lease: Lease
  /** Asked for when the statement is made: it may say more by then than when it was asked for. */
  readonly states: () => string
  written: Exit.Exit<boolean, SqlError> | undefined
}

export class StateWriter {
  private waiting: Array<Write> = []
  private readonly mutex = Effect.unsafeMakeSemaphore(1)

  constructor(private readonly sql: SqlClient) {}

  /** Writes all that wait. */
  private readonly writeAll: Effect.Effect<void> = Effect.suspend(() => {
    const { sql } = this
    const writes = this.waiting
    this.waiting = []
    const [first, ...others] = writes.map(
      ({ lease: { epoch, page, run }, states }) =>
        sql`SELECT CAST(${run} AS TEXT) AS of_run, CAST(${page} AS BIGINT) AS of_page, CAST(${epoch} AS BIGINT) AS of_epoch,
          CAST(${states()} AS TEXT) AS new_states`
    )
    if (first === undefined) return Effect.void
    const news = others.reduce((all, one) => sql`${all} UNION ALL ${one}`, first)
    return sql<Row>`
      UPDATE quartet_pages SET states = news.new_states FROM (${news}) AS news
      WHERE run = news.of_run AND page = news.of_page AND epoch = news.of_epoch AND state <> 'ended' RETURNING run, page`.pipe(
      Effect.exit,
      Effect.flatMap((exit) =>
        Effect.sync(() => {
          for (const write of writes) {
            const { page, run } = write.lease
            write.written = Exit.map(exit, (rows) =>
              rows.some((row) => row.run === run && numberOf(row.page) === page)
            )
          }
        })
      )
    )
  })

  /** Writes the states of a page's items under its lease, as they are when their turn comes. */
  write(lease: Lease, states: () => string): Effect.Effect<void, Lost | SqlError> {
    return Effect.suspend(() => {
      const write: Write = { lease, states, written: undefined }
      this.waiting.push(write)
      return this.mutex
        .withPermits(1)(Effect.suspend(() => (write.written === undefined ? this.writeAll : Effect.void)))
        .pipe(
          Effect.zipRight(Effect.suspend(() => write.written ?? Effect.succeed(false))),
          Effect.flatMap((isHeld) => (isHeld ? Effect.void : new Lost()))
        )
    }).pipe(Effect.uninterruptible)
  }
}
