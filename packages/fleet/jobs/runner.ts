/**
 * A runner: it says that it is there, tells its pages when their run is stopped, and works on those that are delivered. Without an engine it
 * takes its share of the pages that nobody holds; with one it has them put there, again where they are lost. So pages of a runner that died
 * are found once their lease has ended, whatever an engine remembers.
 */
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { now, numberOf } from "../store/store.js"
import { type Crew, Stop } from "./crew.js"
import type { Definition } from "./definition.js"
import type { Delivered, Delivery, PageRef } from "./delivery.js"
import { handle } from "./handle.js"
import { type Row, readerPage } from "./tables.js"
import { leaseTime, look, termination } from "./times.js"

/** Tells the pages that this process works on that their run is no longer running. */
const watch = ({ sql, stops }: Crew): Effect.Effect<void, SqlError> =>
  Effect.gen(function* () {
    const ids = [...new Set(stops.values())]
    if (ids.length === 0) return
    const rows = yield* sql<Row>`SELECT id FROM quartet_runs WHERE state = 'running' AND ${sql.in("id", ids)}`
    const running = new Set(rows.map(({ id }) => id))
    for (const [stop, run] of stops) if (ids.includes(run) && !running.has(run)) yield* stop.set
  })

/** Where an interruption asks to begin nothing more, and then waits for the end. */
const gracefully = <A>(work: (stop: Stop) => Effect.Effect<A>): Effect.Effect<A> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const stop = new Stop()
      const fiber = yield* Effect.forkDaemon(restore(work(stop)))
      return yield* Effect.onInterrupt(restore(Fiber.join(fiber)), () =>
        stop.set.pipe(
          Effect.zipRight(Effect.timeoutOption(Fiber.await(fiber), termination)),
          Effect.zipRight(Fiber.interrupt(fiber))
        )
      )
    })
  )

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

/** Works on the runs of these jobs, with all other runners of the store. */
export const run = (
  crew: Crew,
  jobs: ReadonlyArray<Definition<never>>,
  engine?: Delivery
): Effect.Effect<never> => {
  const { runner, sql, wakes } = crew
  const definitions = new Map(jobs.map((job) => [job.name, job]))
  const names = [...definitions.keys()]
  const working = new Map<string, { readonly ref: PageRef; readonly fiber: Fiber.RuntimeFiber<void> }>()

  /** Says that this runner is there. */
  const beat: Effect.Effect<void, SqlError> = Effect.forEach(
    jobs,
    ({ name, version }) => sql`
      INSERT INTO quartet_runners (runner, job, version, lease_until) VALUES (${runner}, ${name}, ${version}, ${now(sql)} + ${leaseTime})
      ON CONFLICT (runner, job) DO UPDATE SET lease_until = excluded.lease_until`,
    { discard: true }
  )

  /** How many runners there are for each job. */
  const runners: Effect.Effect<ReadonlyMap<string, number>, SqlError> = Effect.map(
    sql<Row>`
      SELECT job, COUNT(*) AS count FROM quartet_runners WHERE ${sql.in("job", names)} AND lease_until > ${now(sql)} GROUP BY job`,
    (rows) => new Map(rows.map(({ count, job }) => [String(job), numberOf(count)]))
  )

  /** The runs of its jobs, but of those that were started by a newer version. */
  const known = sql.or(jobs.map(({ name, version }) => sql`(r.job = ${name} AND r.version <= ${version})`))

  /** The pages that nobody holds, of all that are cut: the first ones first, whose source is read before. */
  const open: Effect.Effect<ReadonlyArray<Open>, SqlError> = Effect.map(
    sql<Row>`
      SELECT r.job AS job, p.run AS run, p.page AS page, r.lanes AS lanes FROM quartet_pages p JOIN quartet_runs r ON r.id = p.run
      WHERE r.state = 'running' AND ${known} AND p.state <> 'ended' AND p.page < r.pages AND p.lease_until <= ${now(sql)}
      ORDER BY p.page, p.run LIMIT ${atOnce}`,
    (rows) => rows.map(openOf)
  )

  const handler = (ref: PageRef): Effect.Effect<Delivered> => {
    const job = definitions.get(ref.job)
    return job === undefined
      ? Effect.succeed({ _tag: "Again", after: look })
      : gracefully((stop) => handle(crew, job, ref, stop))
  }

  const held = (run: string): number =>
    [...working.values()].filter(({ ref }) => ref.run === run && ref.page !== readerPage).length

  const begin = (ref: PageRef): Effect.Effect<void> =>
    Effect.gen(function* () {
      const key = `${ref.run}/${ref.page}`
      const fiber = yield* handler(ref).pipe(
        Effect.flatMap((delivered) =>
          delivered._tag === "Done" ? Effect.void : Effect.sleep(Math.min(delivered.after, look))
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

  /** Takes what is this runner's share of the pages that nobody holds. */
  const take: Effect.Effect<void, SqlError> = Effect.gen(function* () {
    const pages = yield* open
    if (pages.length === 0) return
    const counts = yield* runners
    for (const { lanes, ...ref } of pages) {
      if (working.has(`${ref.run}/${ref.page}`)) continue
      const share = Math.ceil(lanes / Math.max(1, counts.get(ref.job) ?? 1))
      if (ref.page === readerPage || held(ref.run) < share) yield* begin(ref)
    }
  })

  /** Has an engine deliver the pages that nobody holds, each again after the time of a lease: it may have lost them. */
  const putTo = ({ put }: Delivery): Effect.Effect<void, unknown> =>
    Effect.gen(function* () {
      const pages = yield* open
      const due: Array<PageRef> = []
      for (const { lanes: _, ...ref } of pages) {
        const [row] = yield* sql<Row>`
          UPDATE quartet_pages SET put_at = ${now(sql)}
          WHERE run = ${ref.run} AND page = ${ref.page} AND put_at <= ${now(sql)} - ${leaseTime} AND lease_until <= ${now(sql)} RETURNING page`
        if (row !== undefined) due.push(ref)
      }
      if (due.length > 0) yield* put(due)
    })

  const forward = engine === undefined ? take : putTo(engine)
  let beatAt = Number.NEGATIVE_INFINITY
  const round = Effect.gen(function* () {
    // Whoever starts a run here, cuts a page or ends one wakes this.
    const woken = wakes.next("")
    if (performance.now() - beatAt >= look) {
      beatAt = performance.now()
      yield* beat
      yield* watch(crew)
    }
    yield* forward
    yield* woken(look)
  }).pipe(
    // Whatever fails, and however, is tried again: nobody else looks after the pages that this process has.
    Effect.catchAllCause((cause) =>
      Effect.zipRight(Effect.logDebug("the fleet's store does not answer", cause), Effect.sleep(look))
    )
  )
  const rounds = Effect.forever(round)
  const delivered =
    engine === undefined
      ? rounds
      : Effect.raceFirst(
          rounds,
          Effect.forever(
            engine
              .deliver(names, handler)
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
    Effect.suspend(() => Fiber.interruptAll([...working.values()].map(({ fiber }) => fiber))).pipe(
      // It was there until now.
      Effect.zipRight(
        Effect.ignore(sql`UPDATE quartet_runners SET lease_until = ${now(sql)} WHERE runner = ${runner}`)
      )
    )
  )
}
