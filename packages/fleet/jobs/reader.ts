/** The reader of a run: cuts its source into pages, and ends the run when all of them are done. */
import * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { behind, isTooShort, sourceFailed } from "../store/rows.js"
import { forget, now, numberOf } from "../store/store.js"
import type { Definition } from "./definition.js"
import { insistent, Lost } from "./lease.js"
import { telling } from "./listen.js"
import { type ItemState, openItems } from "./page.js"
import * as Requests from "./requests.js"
import { pauseRun, Retries, type Shift } from "./shift.js"
import type { Row } from "./tables.js"
import { look } from "./times.js"
import { legibly } from "./verdict.js"

/** An item as it is kept, with its number, and whether it may have been done. */
interface Kept {
  readonly number: number
  readonly item: unknown
  readonly state: ItemState
}

/** What of the run's row the reader moves. */
interface Position {
  readonly pages: number
  readonly items: number
  readonly isRead: boolean
  readonly retry: ReadonlyArray<Requests.Request>
}

const position = ({ crew: { sql }, run }: Shift): Effect.Effect<Position, Lost> =>
  Effect.map(
    insistent(sql<Row>`SELECT pages, items, is_read, retry FROM quartet_runs WHERE id = ${run.id}`),
    ([row]) => ({
      pages: numberOf(row?.pages),
      items: numberOf(row?.items),
      isRead: numberOf(row?.is_read) === 1,
      retry: Requests.listOf(row?.retry)
    })
  )

/** A source from its n-th item on. */
const sourceFrom = (job: Definition<never>, input: unknown, skip: number): Stream.Stream<unknown, unknown> =>
  Stream.suspend(() => {
    const source = job.source(input, skip)
    if (!("items" in source && "from" in source)) return behind(source, skip)
    const { from, items } = source
    return Number.isInteger(from) && from >= 0 && from <= skip
      ? behind(items, skip - from)
      : Stream.fail(
          sourceFailed(`the source answered from: ${from} to skip: ${skip}. It must begin there, or before`)
        )
  })

/** Reads and cuts; one for a shift. */
class Cutting {
  constructor(private readonly shift: Shift) {}

  /** What holds while this process is the reader. */
  private get isHeld() {
    const { crew, lease } = this.shift
    return crew.sql`EXISTS (SELECT 1 FROM quartet_pages WHERE ${lease.isHeld})`
  }

  /** Waits for who works on the pages, or gives the reading back. */
  private othersMove(moved: (milliseconds: number) => Effect.Effect<void>): Effect.Effect<void> {
    const { stop, waits } = this.shift
    return waits ? Effect.raceFirst(moved(look), stop.wait) : stop.set
  }

  /** Waits until there is room for a further page. */
  private readonly room: Effect.Effect<void, Lost> = Effect.gen(this, function* () {
    const { crew, run, stop } = this.shift
    while (!stop.isSet) {
      const moved = crew.wakes.next(run.id)
      const [row] = yield* insistent(
        crew.sql<Row>`SELECT COUNT(*) AS open FROM quartet_pages WHERE run = ${run.id} AND page >= 0 AND state <> 'ended'`
      )
      if (numberOf(row?.open) <= 2 * run.lanes) return
      yield* this.othersMove(moved)
    }
  })

  /**
   * Cuts a page. It is seen once the run's row counts it: what a crash left before that is written over, and nobody has begun it.
   */
  private cut(
    at: number,
    kept: ReadonlyArray<Kept>,
    numbers: string,
    moved: { readonly items: number } | { readonly retry: ReadonlyArray<Requests.Request> }
  ): Effect.Effect<void, Lost> {
    const { crew, run } = this.shift
    const { sql } = crew
    const items = JSON.stringify(kept.map(({ item }) => item ?? null))
    const states = kept.map(({ state }) => state).join("")
    return Effect.gen(this, function* () {
      if (kept.length > 0)
        yield* insistent(sql`
          INSERT INTO quartet_pages (run, page, state, epoch, lease_until, put_at, numbers, items, states, done)
          SELECT id, CAST(${at} AS BIGINT), 'idle', 0, 0, 0, ${numbers}, ${items}, ${states}, 0
          FROM quartet_runs WHERE id = ${run.id} AND pages = ${at} AND ${this.isHeld}
          ON CONFLICT (run, page) DO UPDATE SET numbers = excluded.numbers, items = excluded.items, states = excluded.states
            WHERE quartet_pages.epoch = 0`)
      const set =
        "items" in moved ? sql`items = ${moved.items}` : sql`retry = ${Requests.textOf(moved.retry)}`
      yield* insistent(sql`
        UPDATE quartet_runs SET pages = ${kept.length > 0 ? at + 1 : at}, ${set}
        WHERE id = ${run.id} AND pages = ${at} AND ${this.isHeld} RETURNING id${telling(sql, run.id)}`)
      crew.wakes.wake("")
    })
  }

  private encode(items: Iterable<readonly [item: unknown, number: number]>) {
    const encode = Schema.encode(this.shift.job.item)
    return Effect.forEach(items, ([item, number]) =>
      Effect.mapBoth(encode(item), {
        onFailure: ({ message }) =>
          sourceFailed(`item ${number} breaks the job's schema of items: ${message}`),
        onSuccess: (encoded): Kept => ({ number, item: encoded, state: "." })
      })
    )
  }

  /** Counts the items of the source ahead, where the job can: that is shown until it is known. */
  private readonly count: Effect.Effect<void, unknown> = Effect.gen(this, function* () {
    const { crew, job, run } = this.shift
    const { sql } = crew
    if (job.count === undefined) return
    const [row] = yield* sql<Row>`SELECT counted FROM quartet_runs WHERE id = ${run.id}`
    if (row?.counted !== null) return
    const counted = yield* job.count(run.input)
    if (!Number.isSafeInteger(counted) || counted < 0) return
    yield* sql`UPDATE quartet_runs SET counted = ${counted} WHERE id = ${run.id} AND ${this.isHeld}`
  })

  /** The rest of the source, page by page. */
  private readonly source: Effect.Effect<void, unknown> = Effect.gen(this, function* () {
    const { job, run, stop } = this.shift
    const from = yield* position(this.shift)
    let { items, pages } = from
    yield* sourceFrom(job, run.input, items).pipe(
      Stream.grouped(job.page),
      Stream.mapEffect((chunk) =>
        Effect.gen(this, function* () {
          const first = items
          const kept = yield* this.encode(Chunk.map(chunk, (item, index) => [item, first + index] as const))
          yield* this.room
          if (stop.isSet) return
          items += kept.length
          yield* this.cut(pages, kept, String(first), { items })
          pages += 1
        })
      ),
      Stream.interruptWhen(stop.wait),
      Stream.runDrain
    )
  })

  /** The items of a request as a corrected source has them now; those that it no longer has stay as they are. */
  private readonly again = (wanted: ReadonlyArray<Kept>): Effect.Effect<ReadonlyArray<Kept>, unknown> =>
    Effect.gen(this, function* () {
      const { job, run } = this.shift
      const states = new Map(wanted.map(({ number, state }) => [number, state]))
      const last = wanted.at(-1)?.number ?? -1
      const first = wanted[0]?.number ?? 0
      const wantedItems = yield* sourceFrom(job, run.input, first).pipe(
        Stream.zipWithIndex,
        Stream.map(([item, index]) => [item, first + index] as const),
        Stream.takeWhile(([, number]) => number <= last),
        Stream.filter(([, number]) => states.has(number)),
        Stream.catchSome((error) => (isTooShort(error) ? Option.some(Stream.empty) : Option.none())),
        Stream.runCollect
      )
      const kept = yield* this.encode(wantedItems)
      return kept.map((item) => ({ ...item, state: states.get(item.number) ?? "." }))
    })

  /** Pages of the items that are to be tried again. */
  private readonly retries: Effect.Effect<void, unknown> = Effect.gen(this, function* () {
    const { crew, job, run, stop } = this.shift
    while (!stop.isSet) {
      const { pages, retry } = yield* position(this.shift)
      const [request, ...others] = retry
      if (request === undefined) return
      // Asked for first: an item of a page is worked on there, and is not among the failures before it has ended.
      const open = yield* insistent(openItems(crew.sql, run.id))
      const { left, rows } = yield* insistent(
        Requests.next(crew.sql, run.id, request, Math.min(job.page, 500))
      )
      const wanted = rows.map(
        (row): Kept => ({
          number: numberOf(row.item),
          item: JSON.parse(String(row.input)),
          state: row.state === "unknown" && request.send !== true ? "s" : "."
        })
      )
      const free = wanted.filter(({ number }) => !open.has(number))
      const kept = request.readAgain && free.length > 0 ? yield* this.again(free) : free
      yield* this.room
      if (stop.isSet) return
      yield* this.cut(pages, kept, JSON.stringify(kept.map(({ number }) => number)), {
        retry: [...left, ...others]
      })
    }
  })

  /** Waits until all pages are done, and ends the run. */
  private readonly end: Effect.Effect<void, unknown> = Effect.gen(this, function* () {
    const { crew, job, run, stop } = this.shift
    const { sql } = crew
    while (!stop.isSet) {
      const moved = crew.wakes.next(run.id)
      // What a crash left of a page that is not counted is nobody's: the source may no longer have those items.
      const [open] = yield* insistent(sql<Row>`
        SELECT page FROM quartet_pages
        WHERE run = ${run.id} AND page >= 0 AND page < (SELECT pages FROM quartet_runs WHERE id = ${run.id}) AND state <> 'ended' LIMIT 1`)
      if (open === undefined) break
      yield* this.othersMove(moved)
    }
    if (stop.isSet) return
    if (job.finish !== undefined) yield* job.finish(run.input, run.id)
    yield* insistent(sql`
      UPDATE quartet_runs SET state = 'done', error = NULL, ended_at = ${now(sql)}
      WHERE id = ${run.id} AND state = 'running' AND retry IS NULL AND ${this.isHeld}`)
    yield* insistent(sql`
      DELETE FROM quartet_pages WHERE run = ${run.id} AND page >= (SELECT pages FROM quartet_runs WHERE id = ${run.id})
        AND ${this.isHeld}`)
    yield* forget(sql)
  })

  /** Everything from where the run stands. */
  readonly all: Effect.Effect<void, unknown> = Effect.gen(this, function* () {
    const { crew, run, stop } = this.shift
    yield* this.retries
    const { isRead } = yield* position(this.shift)
    if (!isRead && !stop.isSet) {
      const counting = Effect.catchAllCause(this.count, (cause) =>
        Effect.logDebug("the items of a source cannot be counted ahead", cause)
      )
      yield* Effect.scoped(Effect.zipRight(Effect.forkScoped(counting), this.source))
      if (stop.isSet) return
      yield* insistent(crew.sql`UPDATE quartet_runs SET is_read = 1 WHERE id = ${run.id} AND ${this.isHeld}`)
      crew.wakes.wake(run.id)
    }
    yield* this.end
  })
}

/** Reads the run's source to its end, and ends the run. Answers whether nothing is left to do. */
export const read = (shift: Shift): Effect.Effect<boolean, Lost> =>
  Effect.gen(function* () {
    const { stop } = shift
    const retries = new Retries(shift)
    let reached = -1
    while (!stop.isSet) {
      const exit = yield* Effect.exit(legibly(new Cutting(shift).all))
      if (Exit.isSuccess(exit)) return !stop.isSet
      const failure = Cause.failureOption(exit.cause)
      if (Option.isSome(failure) && failure.value instanceof Lost) return yield* failure.value
      const { items } = yield* position(shift)
      // What moves on is out of reach now and then, not for good.
      if (items !== reached) retries.forget()
      reached = items
      if (!(yield* retries.again(exit.cause))) yield* pauseRun(shift, exit.cause)
    }
    return false
  })
