/**
 * Delivery by the store itself: each runner looks for pages that nobody holds, and takes its share of them. Those of a runner that died are
 * found so once their lease has ended.
 */
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { now, numberOf } from "../store/store.js"
import { type Crew, Stop } from "./crew.js"
import type { Definition } from "./definition.js"
import { handle, type PageRef } from "./handle.js"
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

/** Works on the runs of these jobs, with all other runners of the store. */
export const deliver = (crew: Crew, jobs: ReadonlyArray<Definition<never>>): Effect.Effect<never> => {
  const { runner, sql, wakes } = crew
  const definitions = new Map(jobs.map((job) => [job.name, job]))
  const names = [...definitions.keys()]
  const working = new Map<string, { readonly ref: PageRef; readonly fiber: Fiber.RuntimeFiber<void> }>()

  /** Says that this runner is there. */
  const beat: Effect.Effect<void, SqlError> = Effect.forEach(
    names,
    (job) => sql`
      INSERT INTO quartet_runners (runner, job, lease_until) VALUES (${runner}, ${job}, ${now(sql)} + ${leaseTime})
      ON CONFLICT (runner, job) DO UPDATE SET lease_until = excluded.lease_until`,
    { discard: true }
  )

  /** How many runners there are for each job. */
  const runners: Effect.Effect<ReadonlyMap<string, number>, SqlError> = Effect.map(
    sql<Row>`
      SELECT job, COUNT(*) AS count FROM quartet_runners WHERE ${sql.in("job", names)} AND lease_until > ${now(sql)} GROUP BY job`,
    (rows) => new Map(rows.map(({ count, job }) => [String(job), numberOf(count)]))
  )

  const open: Effect.Effect<ReadonlyArray<Open>, SqlError> = Effect.map(
    sql<Row>`
      SELECT r.job AS job, p.run AS run, p.page AS page, r.lanes AS lanes FROM quartet_pages p JOIN quartet_runs r ON r.id = p.run
      WHERE r.state = 'running' AND ${sql.in("r.job", names)} AND p.state <> 'ended' AND p.page < r.pages AND p.lease_until <= ${now(sql)}
      ORDER BY p.page, p.run LIMIT ${atOnce}`,
    (rows) =>
      rows.map((row) => ({
        job: String(row.job),
        run: String(row.run),
        page: numberOf(row.page),
        lanes: numberOf(row.lanes)
      }))
  )

  const held = (run: string): number =>
    [...working.values()].filter(({ ref }) => ref.run === run && ref.page !== readerPage).length

  const begin = (ref: PageRef, job: Definition<never>): Effect.Effect<void> =>
    Effect.gen(function* () {
      const key = `${ref.run}/${ref.page}`
      const fiber = yield* Effect.forkDaemon(
        gracefully((stop) =>
          Effect.flatMap(handle(crew, job, ref, stop), (handled) =>
            handled._tag === "Done" ? Effect.void : Effect.sleep(Math.min(handled.after, look))
          )
        ).pipe(
          Effect.ensuring(
            Effect.sync(() => {
              working.delete(key)
              wakes.wake("")
            })
          )
        )
      )
      working.set(key, { ref, fiber })
    })

  /** Takes what is this runner's share of the pages that nobody holds. */
  const take: Effect.Effect<void, SqlError> = Effect.gen(function* () {
    const pages = yield* open
    if (pages.length === 0) return
    const counts = yield* runners
    for (const ref of pages) {
      const { job, lanes, page, run } = ref
      const definition = definitions.get(job)
      if (definition === undefined || working.has(`${run}/${page}`)) continue
      const share = Math.ceil(lanes / Math.max(1, counts.get(job) ?? 1))
      if (page === readerPage || held(run) < share) yield* begin(ref, definition)
    }
  })

  let beatAt = Number.NEGATIVE_INFINITY
  const round = Effect.gen(function* () {
    // Whoever starts a run here, cuts a page or ends one wakes this.
    const woken = wakes.next("")
    if (performance.now() - beatAt >= look) {
      beatAt = performance.now()
      yield* beat
      yield* watch(crew)
    }
    yield* take
    yield* woken(look)
  }).pipe(
    // Whatever fails, and however, is tried again: nobody else looks after the pages that this process has.
    Effect.catchAllCause((cause) =>
      Effect.zipRight(Effect.logDebug("the fleet's store does not answer", cause), Effect.sleep(look))
    )
  )
  return Effect.ensuring(
    Effect.forever(round),
    Effect.suspend(() => Fiber.interruptAll([...working.values()].map(({ fiber }) => fiber))).pipe(
      Effect.zipRight(Effect.ignore(sql`DELETE FROM quartet_runners WHERE runner = ${runner}`))
    )
  )
}
