/** The lease on a lane: who works on it, until when, and that nobody else does. */
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { now, numberOf } from "../store/store.js"
import type { Row } from "./tables.js"
import { caution, leaseTime, nextAttempt, nextTake } from "./times.js"

/** Somebody else has the lane, or may have it. Whoever hears this stops at once. */
export class Lost extends Data.TaggedError("Lost") {}

/** Asks the store again for longer than a lease lasts: a database that restarts is back by then. */
export const insistent = <A, R>(work: Effect.Effect<A, Lost | SqlError, R>): Effect.Effect<A, Lost, R> =>
  work.pipe(
    Effect.tapErrorTag("SqlError", () => Effect.sleep(nextAttempt)),
    Effect.retry({ times: 60, while: ({ _tag }) => _tag === "SqlError" }),
    Effect.tapErrorTag("SqlError", ({ cause }) =>
      Effect.logWarning("the fleet's store does not answer", cause)
    ),
    Effect.mapError(() => new Lost())
  )

/**
 * A lease that this process holds. Its end is counted from before the store was asked, by two clocks: one stands still while a machine
 * sleeps, the other may be set back.
 */
export class Lease {
  private steady = 0
  private wall = 0
  /** What is written with the next renewal. */
  private reported: { readonly state: "waiting" | "working"; readonly error: string | null } = {
    state: "working",
    error: null
  }

  private constructor(
    private readonly sql: SqlClient,
    readonly run: string,
    readonly lane: number,
    readonly epoch: number,
    readonly nextPage: number
  ) {}

  /** Whether the lane is surely this process's: looked at before anything is sent. */
  isValid(): boolean {
    return performance.now() < this.steady && Date.now() < this.wall
  }

  private prolong(start: { readonly steady: number; readonly wall: number }): void {
    this.steady = start.steady + leaseTime - caution
    this.wall = start.wall + leaseTime - caution
  }

  /** Waits until the lane is free, and takes it. None where it has ended, or where a newer generation is to work on it. */
  static take(
    sql: SqlClient,
    run: string,
    lane: number,
    generation: number,
    runner: string
  ): Effect.Effect<Option.Option<Lease>, SqlError> {
    const attempt = Effect.gen(function* () {
      const start = { steady: performance.now(), wall: Date.now() }
      const [leasedRow] = yield* sql<Row>`
        UPDATE quartet_lanes SET epoch = epoch + 1, runner = ${runner}, lease_until = ${now(sql)} + ${leaseTime}, state = 'working',
          error = NULL
        WHERE run = ${run} AND lane = ${lane} AND generation = ${generation} AND state <> 'ended' AND lease_until <= ${now(sql)}
        RETURNING epoch, next_page`
      if (leasedRow !== undefined) {
        const lease = new Lease(sql, run, lane, numberOf(leasedRow.epoch), numberOf(leasedRow.next_page))
        lease.prolong(start)
        return Option.some(Option.some(lease))
      }
      const [row] =
        yield* sql<Row>`SELECT generation, state FROM quartet_lanes WHERE run = ${run} AND lane = ${lane}`
      const isOver = row === undefined || row.state === "ended" || numberOf(row.generation) !== generation
      return isOver ? Option.some(Option.none<Lease>()) : Option.none<Option.Option<Lease>>()
    })
    const waiting: Effect.Effect<Option.Option<Lease>, SqlError> = Effect.flatMap(
      attempt,
      Option.match({
        onNone: () =>
          Effect.delay(
            Effect.suspend(() => waiting),
            nextTake
          ),
        onSome: Effect.succeed
      })
    )
    return waiting
  }

  /** What others see of this lane: that it works, or what it waits for. Written with the next renewal. */
  tell(error: string | undefined): void {
    this.reported = error === undefined ? { state: "working", error: null } : { state: "waiting", error }
  }

  /** Renews the lease. */
  readonly renew: Effect.Effect<void, Lost | SqlError> = Effect.gen(this, function* () {
    const start = { steady: performance.now(), wall: Date.now() }
    const { sql } = this
    const { error, state } = this.reported
    const [row] = yield* sql<Row>`
      UPDATE quartet_lanes SET lease_until = ${now(sql)} + ${leaseTime}, state = ${state}, error = ${error}
      WHERE run = ${this.run} AND lane = ${this.lane} AND epoch = ${this.epoch} RETURNING epoch`
    if (row === undefined) return yield* new Lost()
    this.prolong(start)
  })

  /** Gives the lane back, so that another runner need not wait for the lease's end. `ended` where nothing is left to do. */
  release(state: "ended" | "idle"): Effect.Effect<void> {
    this.steady = 0
    const { sql } = this
    return sql`
      UPDATE quartet_lanes SET lease_until = ${now(sql)}, state = ${state}, error = NULL
      WHERE run = ${this.run} AND lane = ${this.lane} AND epoch = ${this.epoch}`.pipe(
      Effect.retry({ times: 3 }),
      Effect.ignore
    )
  }
}
