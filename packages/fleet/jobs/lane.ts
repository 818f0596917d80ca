/** A lane of a run: who holds it takes its pages one after the other. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { numberOf } from "../store/store.js"
import type { Crew } from "./crew.js"
import { Stop } from "./crew.js"
import type { Definition } from "./definition.js"
import { insistent, Lease, type Lost } from "./lease.js"
import * as Metrics from "./metrics.js"
import { Page } from "./page.js"
import { work } from "./page-work.js"
import { type Known, leased, pauseRun, type Shift } from "./shift.js"
import type { Row } from "./tables.js"
import { look, renewal } from "./times.js"

/** Whether the lane may still get pages. */
const isOpen = ({ crew: { sql }, run }: Shift): Effect.Effect<boolean, Lost> =>
  Effect.map(
    insistent(sql<Row>`SELECT is_read, retry FROM quartet_runs WHERE id = ${run.id}`),
    ([row]) => numberOf(row?.is_read) !== 1 || row?.retry !== null
  )

/** Works on the lane's pages until there are none, or it is to stop. Answers whether there are none. */
export const pages = (shift: Shift): Effect.Effect<boolean, Lost> =>
  Effect.gen(function* () {
    const { crew, job, lease, run } = shift
    const find = (from: number) => insistent(Page.next(crew.sql, lease, run.lanes, from))
    let next = lease.nextPage
    let isLast = false
    // What a crash left behind of pages that are counted.
    yield* insistent(
      crew.sql`DELETE FROM quartet_pages WHERE run = ${run.id} AND page < ${next} AND page % ${run.lanes} = ${lease.lane}`
    )
    while (yield* leased(shift)) {
      const moved = crew.wakes.next(run.id)
      const nextPage = yield* find(next)
      if (Option.isSome(nextPage)) {
        isLast = false
        const page = nextPage.value
        const isDone = yield* work(shift, page).pipe(
          Effect.withSpan("quartet.fleet.page", {
            root: true,
            attributes: {
              job: job.name,
              run: run.id,
              lane: lease.lane,
              page: page.page,
              items: page.items.length
            }
          })
        )
        if (!isDone) continue
        next = page.page + 1
        yield* Metrics.pageEnded(job.name)
        crew.wakes.wake(run.id)
      } else if (isLast) return true
      else if (yield* isOpen(shift)) yield* Effect.raceFirst(moved(look), shift.stop.wait)
      // It was read to its end since this lane looked: one more look finds what was cut between the two.
      else isLast = true
    }
    return false
  })

/**
 * The run, for who has just taken a lane of it. It is read after that: whoever pauses a run waits for the lanes that are held, so a lane that
 * is taken later sees the pause. None where it is not to be worked on.
 */
const takenRun = (shift: Omit<Shift, "run">): Effect.Effect<Option.Option<Known>, Lost> =>
  Effect.gen(function* () {
    const { crew, job, lease } = shift
    const [row] = yield* insistent(
      crew.sql<Row>`SELECT salt, input, lanes, state FROM quartet_runs WHERE id = ${lease.run}`
    )
    if (row?.state !== "running") return Option.none()
    const input = yield* Effect.exit(Schema.decodeUnknown(job.input)(JSON.parse(String(row.input))))
    if (Exit.isSuccess(input))
      return Option.some({
        id: lease.run,
        salt: String(row.salt),
        input: input.value,
        lanes: numberOf(row.lanes)
      })
    yield* pauseRun(shift, "its input is not what the job's schema says")
    return Option.none()
  })

/**
 * Holds the lane's lease and works, until there is nothing left to do, the run is stopped, or another generation is to do it. Once `stop` is
 * given, what was begun is ended and the lane given back.
 */
export const keep = (
  crew: Crew,
  job: Definition<never>,
  { generation, lane, run }: { readonly run: string; readonly lane: number; readonly generation: number },
  stop: Stop,
  work: (shift: Shift) => Effect.Effect<boolean, Lost>
): Effect.Effect<void> =>
  Effect.gen(function* () {
    while (!stop.isSet) {
      const attempt = yield* Effect.raceFirst(
        Effect.option(
          Effect.retry(Lease.take(crew.sql, run, lane, generation, crew.runner), {
            schedule: Schedule.spaced(look)
          })
        ),
        Effect.as(stop.wait, Option.none())
      )
      const ownLease = Option.flatten(attempt)
      if (Option.isNone(ownLease)) return
      const lease = ownLease.value
      const shift = { crew, job, lease, stop: new Stop() }
      crew.stops.set(shift.stop, run)
      const renewals = Effect.forever(
        Effect.zipRight(
          Effect.sleep(renewal),
          Effect.catchTag(lease.renew, "SqlError", () => Effect.void)
        )
      )
      const stopping = Effect.zipRight(stop.wait, Effect.zipRight(shift.stop.set, Effect.never))
      const isEnded = yield* Effect.flatMap(
        takenRun(shift),
        Option.match({
          onNone: () => Effect.succeed(false),
          onSome: (run) => work({ ...shift, run })
        })
      ).pipe(
        Effect.raceFirst(renewals),
        Effect.raceFirst(stopping),
        Effect.onExit((exit) => {
          crew.stops.delete(shift.stop)
          return lease.release(Exit.isSuccess(exit) && exit.value ? "ended" : "idle")
        }),
        Effect.option
      )
      crew.wakes.wake(run)
      // Lost: whoever has it is waited for, in case it ends.
      if (Option.isSome(isEnded)) return
    }
  })
