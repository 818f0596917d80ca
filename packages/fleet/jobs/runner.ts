/**
 * A runner: it says that it is there, tells its pages when their run is stopped, and works on those that are delivered. Without an engine it
 * takes its share of the pages that nobody holds; with one it has them put there, again where they are lost. So pages of a runner that died
 * are found once their lease has ended, whatever an engine remembers.
 */
import type { SqlError } from "@effect/sql/SqlError"
import { partition } from "effect/Array"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import { now, numberOf } from "../store/store.js"
import type { Crew } from "./crew.js"
import type { Definition } from "./definition.js"
import type { Delivered, Delivery, PageRef } from "./delivery.js"
import { gracefully, handle } from "./handle.js"
import { shortenLeases } from "./lease.js"
import { listen } from "./listen.js"
import { type Row, readerPage } from "./tables.js"
import { leaseTime, listening, look } from "./times.js"

/** Tells the pages that this process works on that their run is no longer running. */
const watch = ({ sql, stops }: Crew): Effect.Effect<void, SqlError> =>
  Effect.gen(function* () {
    const ids = [...new Set(stops.values())]
    if (ids.length === 0) return
    const rows = yield* sql<Row>`SELECT id FROM quartet_runs WHERE state = 'running' AND ${sql.in("id", ids)}`
    const running = new Set(rows.map(({ id }) => id))
    for (const [stop, run] of stops) if (ids.includes(run) && !running.has(run)) yield* stop.set
  })

/** A page that may be worked on, of a run of so many lanes. */
interface Open extends PageRef {
  readonly lanes: number
}

/** Pages of one look. */
const atOnce = 1_000

const openOf = (row: Row): Open => ({
  job: String(row.job),
  run: String(row.run),
  page: numberOf(row.page),
  lanes: numberOf(row.lanes)
})

/** What wakes the one who listens: the store has failed. */
const failing = "the store has failed"

/** Wakes who waits in this process once another one has moved a run. `before` is called first. */
const hear = ({ sql, wakes }: Crew, before: () => void): Effect.Effect<never> =>
  listen(sql, {
    run: (run) => wakes.wake(run),
    some: () => {
      before()
      wakes.wake("")
    },
    lost: Effect.suspend(() => wakes.next(failing)(listening))
  })

/** Says that this runner is there, for these jobs, until it leaves. */
const presenceOf = ({ runner, sql, storeClock }: Crew, jobs: ReadonlyArray<Definition<never>>) => {
  /** Whether leases may stand in the store that were given before its clock was set back. */
  let isSetBack = true

  /** Says that this runner is there. */
  const beat: Effect.Effect<void, SqlError> = Effect.gen(function* () {
    for (const { name, version } of jobs) {
      const asked = storeClock.now
      const [row] = yield* sql<Row>`
        INSERT INTO quartet_runners (runner, job, version, lease_until) VALUES (${runner}, ${name}, ${version}, ${now(sql)} + ${leaseTime})
        ON CONFLICT (runner, job) DO UPDATE SET lease_until = excluded.lease_until RETURNING ${now(sql)} AS time`
      if (storeClock.hear(numberOf(row?.time), asked) < 0) isSetBack = true
    }
    if (!isSetBack) return
    yield* shortenLeases(sql)
    isSetBack = false
  })

  // It was there until now.
  const leave = Effect.ignore(
    sql`UPDATE quartet_runners SET lease_until = ${now(sql)} WHERE runner = ${runner}`
  )
  return { beat, leave }
}

/** Says that this runner is there, and tells the pages that it works on when their run is stopped, for as long as it runs. */
export const steer = (crew: Crew, jobs: ReadonlyArray<Definition<never>>): Effect.Effect<never> => {
  const { beat, leave } = presenceOf(crew, jobs)
  const rounds = Effect.suspend(() => {
    const woken = crew.wakes.next("")
    return Effect.zipRight(beat, watch(crew)).pipe(
      Effect.catchAllCause((cause) => Effect.logDebug("the fleet's store does not answer", cause)),
      Effect.zipRight(woken(look))
    )
  })
  return Effect.raceFirst(
    Effect.forever(rounds),
    hear(crew, () => undefined)
  ).pipe(Effect.ensuring(leave))
}

/** Works on the runs of these jobs, with all other runners of the store. */
export const run = (
  crew: Crew,
  jobs: ReadonlyArray<Definition<never>>,
  engine?: Delivery
): Effect.Effect<never> => {
  const { refusals, runner, sql, wakes } = crew
  const { beat, leave } = presenceOf(crew, jobs)
  const definitions = new Map(jobs.map((job) => [job.name, job]))
  const names = [...definitions.keys()]
  const working = new Map<string, { readonly ref: PageRef; readonly fiber: Fiber.RuntimeFiber<void> }>()

  /** How many runners there are for each job. One whose lease would last longer than any is of before the store's clock was set back. */
  const runners: Effect.Effect<ReadonlyMap<string, number>, SqlError> = Effect.map(
    sql<Row>`
      SELECT job, COUNT(*) AS count FROM quartet_runners WHERE ${sql.in("job", names)} AND lease_until > ${now(sql)} AND lease_until <= ${now(sql)} + ${leaseTime} GROUP BY job`,
    (rows) => new Map(rows.map(({ count, job }) => [String(job), numberOf(count)]))
  )

  /** How many runners refuse a run. */
  const refusing: Effect.Effect<ReadonlyMap<string, number>, SqlError> = Effect.map(
    sql<Row>`
      SELECT f.run AS run, COUNT(*) AS count FROM quartet_refusals f JOIN quartet_runners w ON w.runner = f.runner AND w.job = f.job
      WHERE w.lease_until > ${now(sql)} AND w.lease_until <= ${now(sql)} + ${leaseTime} GROUP BY f.run`,
    (rows) => new Map(rows.map(({ count, run }) => [String(run), numberOf(count)]))
  )

  /** The runs of its jobs, but of those that were started by a newer version, or that it leaves to others: of these there may be many. */
  const known = sql.or(jobs.map(({ name, version }) => sql`(r.job = ${name} AND r.version <= ${version})`))

  /** The pages that nobody holds, of all that are cut: the first ones first, whose source is read before. */
  const open: Effect.Effect<ReadonlyArray<Open>, SqlError> = Effect.map(
    sql<Row>`
      SELECT r.job AS job, p.run AS run, p.page AS page, r.lanes AS lanes FROM quartet_pages p JOIN quartet_runs r ON r.id = p.run
      WHERE r.state = 'running' AND ${known} AND p.state <> 'ended' AND p.page < r.pages AND p.lease_until <= ${now(sql)}
        AND NOT EXISTS (SELECT 1 FROM quartet_refusals f WHERE f.run = r.id AND f.runner = ${runner})
      ORDER BY p.page, p.run LIMIT ${atOnce}`,
    (rows) => rows.map(openOf)
  )

  const handler = (ref: PageRef, waits = false): Effect.Effect<Delivered> => {
    const job = definitions.get(ref.job)
    return job === undefined
      ? Effect.succeed({ _tag: "Again", after: look })
      : gracefully((stop) => handle(crew, job, ref, stop, { waits }))
  }

  const held = (run: string): number =>
    [...working.values()].filter(({ ref }) => ref.run === run && ref.page !== readerPage).length

  const begin = (ref: PageRef): Effect.Effect<void> =>
    Effect.gen(function* () {
      const key = `${ref.run}/${ref.page}`
      const fiber = yield* handler(ref, true).pipe(
        Effect.flatMap((delivered) =>
          "after" in delivered ? Effect.sleep(Math.min(delivered.after, look)) : Effect.void
        ),
        Effect.ensuring(
          Effect.sync(() => {
            working.delete(key)
            wakes.wake("")
          })
        ),
        Effect.forkDaemon
      )
      working.set(key, { ref, fiber })
    })

  /** Takes what is this runner's share of pages that nobody holds. */
  const take = (pages: ReadonlyArray<Open>): Effect.Effect<void, SqlError> =>
    Effect.gen(function* () {
      if (pages.length === 0) return
      const counts = yield* runners
      const others = yield* refusing
      const runnersOf = ({ job, run }: PageRef): number =>
        Math.max(1, (counts.get(job) ?? 1) - (others.get(run) ?? 0))
      // Runners that were woken together would all ask for the same pages first. One lane is an order.
      const [ordered, free] = partition(pages, (page) => page.lanes > 1 && runnersOf(page) > 1)
      for (const { lanes, ...ref } of [...ordered, ...(yield* Random.shuffle(free))]) {
        if (working.has(`${ref.run}/${ref.page}`)) continue
        if (refusals.has(ref)) continue
        const share = Math.ceil(lanes / runnersOf(ref))
        if (ref.page === readerPage || held(ref.run) < share) yield* begin(ref)
      }
    })

  /**
   * Has an engine deliver pages that nobody holds, each again after the time of a lease: it may have lost them. One that was put in the future
   * was put before the store's clock stepped back.
   */
  const putTo = ({ put }: Delivery, pages: ReadonlyArray<Open>): Effect.Effect<void, unknown> =>
    Effect.gen(function* () {
      const due: Array<PageRef> = []
      for (const { lanes: _, ...ref } of pages) {
        const [row] = yield* sql<Row>`
          UPDATE quartet_pages SET put_at = ${now(sql)}
          WHERE run = ${ref.run} AND page = ${ref.page} AND lease_until <= ${now(sql)}
            AND (put_at <= ${now(sql)} - ${leaseTime} OR put_at > ${now(sql)}) RETURNING page`
        if (row !== undefined) due.push(ref)
      }
      if (due.length > 0) yield* put(due)
    })

  /** Puts pages beside what this runner does itself: an engine that does not answer holds up nothing, and hears of them again later. */
  let putting: Fiber.RuntimeFiber<void> | undefined
  let isLeft = false
  const putBeside = (engine: Delivery, pages: ReadonlyArray<Open>): Effect.Effect<void> =>
    Effect.gen(function* () {
      // Those that come meanwhile are put next.
      isLeft = putting?.unsafePoll() === null
      if (isLeft) return
      putting = yield* putTo(engine, pages).pipe(
        Effect.disconnect,
        Effect.timeoutFail({ duration: leaseTime, onTimeout: () => "it does not answer" }),
        Effect.catchAllCause((cause) => Effect.logWarning("the fleet's engine does not take pages", cause)),
        Effect.ensuring(Effect.sync(() => isLeft && wakes.wake(""))),
        Effect.forkDaemon
      )
    })

  /** No engine delivers the reading of a source: it lasts as long as its run, and would take the place of a page. */
  const forward = Effect.flatMap(open, (pages) => {
    if (engine === undefined) return take(pages)
    const isReading = ({ page }: PageRef): boolean => page === readerPage
    return Effect.zipRight(
      take(pages.filter(isReading)),
      putBeside(
        engine,
        pages.filter((page) => !isReading(page))
      )
    )
  })
  let beatAt = Number.NEGATIVE_INFINITY
  let isTold = false
  const round = Effect.gen(function* () {
    // Whoever starts a run, cuts a page or ends one wakes this.
    const woken = wakes.next("")
    const isDue = performance.now() - beatAt >= look
    if (isDue) {
      beatAt = performance.now()
      yield* beat
      yield* refusals.again
    }
    if (isDue || isTold) {
      isTold = false
      yield* watch(crew)
    }
    yield* forward
    yield* woken(look)
  }).pipe(
    // Whatever fails, and however, is tried again: nobody else looks after the pages that this process has.
    Effect.catchAllCause((cause) =>
      Effect.zipRight(Effect.logDebug("the fleet's store does not answer", cause), Effect.sleep(look)).pipe(
        Effect.ensuring(Effect.sync(() => wakes.wake(failing)))
      )
    )
  )
  const told = hear(crew, () => {
    isTold = true
  })
  const rounds = Effect.raceFirst(Effect.forever(round), told)
  const delivered =
    engine === undefined
      ? rounds
      : Effect.raceFirst(
          rounds,
          Effect.forever(
            engine
              .deliver(names, (ref) => handler(ref))
              .pipe(
                Effect.catchAllCause((cause) =>
                  Effect.zipRight(
                    Effect.logWarning("the fleet's engine does not deliver", cause),
                    Effect.sleep(look)
                  )
                )
              )
          )
        )
  return Effect.ensuring(
    delivered,
    Effect.suspend(() =>
      Fiber.interruptAll([...working.values()].map(({ fiber }) => fiber).concat(putting ?? []))
    ).pipe(Effect.zipRight(leave))
  )
}
