/** What is done with a page that is delivered: who gets the lease on it works on it, until it is done or the run is stopped. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { numberOf } from "../store/store.js"
import type { Crew } from "./crew.js"
import { Stop } from "./crew.js"
import type { Definition } from "./definition.js"
import type { Delivered, PageRef } from "./delivery.js"
import { Lease, type Lost } from "./lease.js"
import * as Metrics from "./metrics.js"
import { Page } from "./page.js"
import { work } from "./page-work.js"
import { read } from "./reader.js"
import { type Known, pauseRun, type Shift } from "./shift.js"
import type { Row } from "./tables.js"
import { look, renewal } from "./times.js"

const done: Delivered = { _tag: "Done" }
const again = (after: number): Delivered => ({ _tag: "Again", after })

/** The run, as the job's schema reads its input. None where it does not: then the run pauses itself. */
const knownRun = (shift: Omit<Shift, "run">, row: Row): Effect.Effect<Option.Option<Known>, Lost> =>
  Effect.gen(function* () {
    const { job, lease } = shift
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

/** Works on the items of a page. Answers whether they are done. */
const pageOf = (shift: Shift, row: Row): Effect.Effect<boolean, Lost> =>
  Effect.gen(function* () {
    const { crew, job, lease, run } = shift
    const page = new Page(crew.sql, lease, row)
    const isDone = yield* work(shift, page).pipe(
      Effect.withSpan("quartet.fleet.page", {
        root: true,
        attributes: { job: job.name, run: run.id, page: page.page, items: page.items.length }
      })
    )
    if (isDone) yield* Metrics.pageEnded(job.name)
    return isDone
  })

/**
 * Claims a page and works on it. Once `stop` is given, what was begun is ended and the page given back. A claim that the store does not answer
 * is made again with the next delivery.
 */
export const handle = (
  crew: Crew,
  job: Definition<never>,
  { page, run }: PageRef,
  stop: Stop
): Effect.Effect<Delivered> =>
  Effect.gen(function* () {
    const claim = yield* Effect.option(
      Lease.claim(crew.sql, run, page, { runner: crew.runner, version: job.version })
    )
    if (Option.isNone(claim)) return again(look)
    if (claim.value._tag === "Over") return done
    if (claim.value._tag === "Held") return again(claim.value.after)
    const { lease, page: pageRow, run: runRow } = claim.value
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
      knownRun(shift, runRow),
      Option.match({
        onNone: () => Effect.succeed(false),
        onSome: (run) => (page < 0 ? read({ ...shift, run }) : pageOf({ ...shift, run }, pageRow))
      })
    ).pipe(
      Effect.raceFirst(renewals),
      Effect.raceFirst(stopping),
      Effect.onExit((exit) => {
        crew.stops.delete(shift.stop)
        return lease.release(Exit.isSuccess(exit) && exit.value)
      }),
      Effect.option
    )
    crew.wakes.wake(run)
    return Option.contains(isEnded, true) ? done : again(0)
  })
