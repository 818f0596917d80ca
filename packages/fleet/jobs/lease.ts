/** The lease on a page: who works on it, until when, and that nobody else does. The store alone grants it. */
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { StoreClock } from "../store/elapsed.js"
import { isPostgres, now, numberOf } from "../store/store.js"
import { telling } from "./listen.js"
import type { Row } from "./tables.js"
import { caution, leaseTime, look, nextAttempt } from "./times.js"
import { current, storeVersion } from "./version.js"

/** Somebody else has the page, or may have it. Whoever hears this stops at once. */
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

/** A moment by two clocks: one stands still while a machine sleeps, the other may be set back. */
interface Moment {
  readonly steady: number
  readonly wall: number
}

const moment = (): Moment => ({ steady: performance.now(), wall: Date.now() })

/**
 * What became of a claim: the lease, with the rows of its page and its run; or that somebody else holds the page, or enough pages of its
 * run, so that it is worth another claim after so many milliseconds; or that the run is paused; or that there is nothing to do.
 */
export type Claim =
  | { readonly _tag: "Taken"; readonly lease: Lease; readonly page: Row; readonly run: Row }
  | { readonly _tag: "Held"; readonly after: number }
  | { readonly _tag: "Paused" }
  | { readonly _tag: "Over" }

/** Ends leases in time that were given before the store's clock was set back: none lasts longer than one that begins now. */
export const shortenLeases = (sql: SqlClient, run?: string): Effect.Effect<void, SqlError> =>
  Effect.asVoid(sql`
    UPDATE quartet_pages SET lease_until = ${now(sql)} + ${leaseTime}
    WHERE state <> 'ended' AND lease_until > ${now(sql)} + ${leaseTime} ${run === undefined ? sql`` : sql`AND run = ${run}`}`)

/** What a page of a run said last that waits, or was given back while it waited, for a platform that is out of service. */
const outage = (sql: SqlClient, run: string) => sql`
  (SELECT MIN(error) FROM quartet_pages WHERE run = ${run} AND page >= 0 AND state <> 'ended' AND error LIKE '% since __:__ UTC, %')`

/** A lease that this process holds. Its end is counted from before the store was asked. */
export class Lease {
  private steady = 0
  private wall = 0
  /** What is written with the next renewal. */
  private reported: (() => string | undefined) | undefined

  private constructor(
    private readonly sql: SqlClient,
    readonly run: string,
    readonly page: number,
    readonly epoch: number
  ) {}

  /** Whether the page is surely this process's: looked at before anything is sent. */
  isValid(): boolean {
    return performance.now() < this.steady && Date.now() < this.wall
  }

  private prolong({ steady, wall }: Moment): void {
    this.steady = steady + leaseTime - caution
    this.wall = wall + leaseTime - caution
  }

  /**
   * Claims a page. The claims of a run come one after the other, and so do a claim and a pause: no more pages than its lanes are held, and
   * whoever pauses a run sees all that are.
   */
  static readonly claim = (
    sql: SqlClient,
    run: string,
    page: number,
    {
      runner,
      storeClock,
      version
    }: { readonly runner: string; readonly storeClock: StoreClock; readonly version: number }
  ): Effect.Effect<Claim, SqlError> =>
    Effect.gen(function* () {
      const start = moment()
      const asked = storeClock.now
      const [runRow] = yield* sql<Row>`
        SELECT salt, version, input, lanes, pages, state, ${now(sql)} AS time, ${storeVersion(sql)} AS store, ${outage(sql, run)} AS outage
        FROM quartet_runs WHERE id = ${run} ${sql.literal(isPostgres(sql) ? "FOR UPDATE" : "")}`
      if (runRow?.state === "paused") return { _tag: "Paused" } as const
      if (runRow?.state !== "running" || page >= numberOf(runRow.pages)) return { _tag: "Over" } as const
      if (numberOf(runRow.version) > version || numberOf(runRow.store) !== current)
        return { _tag: "Held", after: look } as const
      storeClock.hear(numberOf(runRow.time), asked)
      if (!storeClock.tellsLeases(leaseTime)) return { _tag: "Held", after: look } as const
      const isFree =
        page < 0
          ? sql`1 = 1`
          : sql`(SELECT COUNT(*) FROM quartet_pages WHERE run = ${run} AND page >= 0 AND state <> 'ended' AND lease_until > ${now(sql)})
              < ${numberOf(runRow.lanes)}`
      // One lane is an order: whatever is delivered, the first page that is left comes first.
      const isNext =
        page < 0 || numberOf(runRow.lanes) > 1
          ? sql`1 = 1`
          : sql`NOT EXISTS (SELECT 1 FROM quartet_pages WHERE run = ${run} AND page >= 0 AND page < ${page} AND state <> 'ended')`
      const [pageRow] = yield* sql<Row>`
        UPDATE quartet_pages SET epoch = epoch + 1, runner = ${runner}, lease_until = ${now(sql)} + ${leaseTime}, state = 'working',
          error = NULL
        WHERE run = ${run} AND page = ${page} AND state <> 'ended' AND lease_until <= ${now(sql)} AND ${isFree} AND ${isNext}
        RETURNING epoch, numbers, items, states`
      if (pageRow !== undefined) {
        const lease = new Lease(sql, run, page, numberOf(pageRow.epoch))
        lease.prolong(start)
        return { _tag: "Taken", lease, page: pageRow, run: runRow } as const
      }
      const [held] = yield* sql<Row>`
        SELECT lease_until - ${now(sql)} AS rest FROM quartet_pages WHERE run = ${run} AND page = ${page} AND state <> 'ended'`
      if (held === undefined) return { _tag: "Over" } as const
      const rest = numberOf(held.rest)
      return { _tag: "Held", after: rest > 0 ? Math.min(rest, leaseTime) : look } as const
    }).pipe(sql.withTransaction)

  /** What others see of this page: that it is worked on, or what that waits for. Written with the next renewal. */
  tell(error: (() => string | undefined) | undefined): void {
    this.reported = error
  }

  /** What holds in the store while this lease does. */
  get isHeld() {
    return this.sql`run = ${this.run} AND page = ${this.page} AND epoch = ${this.epoch}`
  }

  /** Renews the lease. */
  readonly renew: Effect.Effect<void, Lost | SqlError> = Effect.gen(this, function* () {
    const start = moment()
    const { sql } = this
    const error = this.reported?.() ?? null
    const state = error === null ? "working" : "waiting"
    const [row] = yield* sql<Row>`
      UPDATE quartet_pages SET lease_until = ${now(sql)} + ${leaseTime}, state = ${state}, error = ${error}
      WHERE ${this.isHeld} AND state <> 'ended' RETURNING epoch`
    if (row === undefined) return yield* new Lost()
    this.prolong(start)
  })

  /**
   * Gives the page back, so that another runner need not wait for the lease's end. `ended` where nothing is left to do. `outage`: what the run
   * waits for, which the next one is to know.
   */
  release(isEnded: boolean, outage: string | undefined): Effect.Effect<void> {
    this.steady = 0
    const { sql } = this
    return sql`
      UPDATE quartet_pages SET lease_until = 0, put_at = 0, state = ${isEnded ? "ended" : "idle"}, error = ${outage ?? null}
      WHERE ${this.isHeld} AND state <> 'ended' RETURNING page${telling(sql, this.run)}`.pipe(
      Effect.retry({ times: 3 }),
      Effect.ignore
    )
  }
}
