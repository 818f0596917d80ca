/** A page of items that a runner works on, and what is known of each item of it. */
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { now } from "../store/store.js"
import { type Lease, Lost } from "./lease.js"
import { telling } from "./listen.js"
import type { Failure } from "./run.js"
import type { StateWriter } from "./state-writer.js"
import type { Row } from "./tables.js"

/**
 * What is known of an item: `.` it was not sent; `s` it may have been sent, which is written before it is; `d` done; `f` failed; `u` nobody
 * knows. The last two stand among the failures besides.
 */
export type ItemState = "." | "d" | "f" | "s" | "u"

/** An item that was not done, before it is written down. */
export type Failed = Pick<Failure, "attempts" | "error" | "item" | "state" | "tag"> & {
  readonly input: string
}

const listOf = (text: unknown): ReadonlyArray<unknown> => {
  const list: unknown = JSON.parse(String(text))
  return Array.isArray(list) ? list : []
}

/** The numbers of a page's items: the first one is kept, or, of those that are tried again, all. */
const numbersOf = (text: unknown, count: number): ReadonlyArray<number> => {
  const numbers: unknown = JSON.parse(String(text))
  return Array.isArray(numbers)
    ? numbers.map(Number)
    : Array.from({ length: count }, (_, index) => Number(numbers) + index)
}

/** Whether nothing more is to be done for an item in this state. */
export const isEnded = (state: string | undefined): boolean => state === "d" || state === "f" || state === "u"

/** The items of a run that stand in its pages and have not come to an end. */
export const openItems = (sql: SqlClient, run: string): Effect.Effect<ReadonlySet<number>, SqlError> =>
  Effect.map(
    sql<Row>`
      SELECT p.numbers AS numbers, p.states AS states FROM quartet_pages p JOIN quartet_runs r ON r.id = p.run
      WHERE p.run = ${run} AND p.page >= 0 AND p.page < r.pages AND p.state <> 'ended'`,
    (rows) =>
      new Set(
        rows.flatMap((row) => {
          const states = String(row.states)
          return numbersOf(row.numbers, states.length).filter((_, index) => !isEnded(states[index]))
        })
      )
  )

export class Page {
  readonly states: Array<ItemState>
  /** The numbers of the items in the source. */
  readonly numbers: ReadonlyArray<number>
  /** The items, encoded. */
  readonly items: ReadonlyArray<unknown>
  /** Whether items of it were worked on before: then some of them may stand among the failures. */
  readonly isOld: boolean
  private hasBaselines = false

  constructor(
    private readonly sql: SqlClient,
    private readonly writer: StateWriter,
    private readonly lease: Lease,
    row: Row
  ) {
    this.states = [...String(row.states)] as Array<ItemState>
    this.items = listOf(row.items)
    this.numbers = numbersOf(row.numbers, this.items.length)
    this.isOld = String(row.numbers).startsWith("[") || this.states.some((state) => state !== ".")
  }

  /** Its number. */
  get page(): number {
    return this.lease.page
  }

  /**
   * Writes what is known of the items, after what failed: a crash between the two has the item asked about again. So `states` may not yet tell
   * that others failed. Both are written under the lease, so an owner that has lost it writes neither; and what is begun is ended, or it could
   * come after what is written next.
   */
  save(
    failed: ReadonlyArray<Failed>,
    states: () => ReadonlyArray<ItemState> = () => this.states
  ): Effect.Effect<void, Lost | SqlError> {
    const { lease, sql, writer } = this
    return Effect.gen(function* () {
      for (const { attempts, error, input, item, state, tag } of failed)
        yield* sql`
          INSERT INTO quartet_failures (run, item, state, tag, error, input, attempts, failed_at)
          SELECT ${lease.run}, CAST(${item} AS BIGINT), ${state}, ${tag}, ${error}, ${input}, CAST(${attempts} AS BIGINT), ${now(sql)}
          FROM quartet_pages WHERE ${lease.isHeld}
          ON CONFLICT (run, item) DO UPDATE SET state = excluded.state, tag = excluded.tag, error = excluded.error,
            input = excluded.input, attempts = excluded.attempts, failed_at = excluded.failed_at`
      yield* writer.write(lease, () => states().join(""))
    }).pipe(Effect.uninterruptible)
  }

  /** Keeps what there was before items are sent: it stands in the store before their marks do. */
  keepBaselines(
    baselines: ReadonlyArray<{ readonly item: number; readonly baseline: string }>
  ): Effect.Effect<void, SqlError> {
    const { lease, sql } = this
    this.hasBaselines = true
    return Effect.forEach(
      baselines,
      ({ baseline, item }) => sql`
        INSERT INTO quartet_baselines (run, item, baseline)
        SELECT ${lease.run}, CAST(${item} AS BIGINT), ${baseline}
        FROM quartet_pages WHERE ${lease.isHeld}
        ON CONFLICT (run, item) DO UPDATE SET baseline = excluded.baseline`,
      { discard: true }
    ).pipe(Effect.uninterruptible)
  }

  /** What there was before an item was first sent. None where nothing was kept. */
  baselineOf(item: number): Effect.Effect<Option.Option<unknown>, SqlError> {
    return Effect.map(
      this.sql<Row>`SELECT baseline FROM quartet_baselines WHERE run = ${this.lease.run} AND item = ${item}`,
      ([row]) => (row === undefined ? Option.none() : Option.some(JSON.parse(String(row.baseline))))
    )
  }

  /** Ends the page: its items are counted, and no longer kept. */
  readonly close: Effect.Effect<void, Lost | SqlError> = Effect.suspend(() => {
    const { hasBaselines, isOld, lease, sql } = this
    const { run } = lease
    const done = this.numbers.filter((_, index) => this.states[index] === "d")
    // Of an item that nobody knows of it is compared with once more; one that failed is sent anew.
    const known = isOld || hasBaselines ? this.numbers.filter((_, index) => this.states[index] !== "u") : []
    return Effect.gen(function* () {
      for (let start = 0; isOld && start < done.length; start += 500)
        yield* sql`
          DELETE FROM quartet_failures WHERE run = ${run} AND ${sql.in("item", done.slice(start, start + 500))}`
      for (let start = 0; start < known.length; start += 500)
        yield* sql`
          DELETE FROM quartet_baselines WHERE run = ${run} AND ${sql.in("item", known.slice(start, start + 500))}`
      const [ended] = yield* sql<Row>`
        UPDATE quartet_pages SET state = 'ended', lease_until = ${now(sql)}, done = ${done.length}, numbers = '[]', items = '[]', states = ''
        WHERE ${lease.isHeld} RETURNING page${telling(sql, run)}`
      if (ended === undefined) return yield* new Lost()
    })
  })
}
