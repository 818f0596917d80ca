/** What is done with a page that is delivered: who gets the lease on it works on it, until it is done or the run is stopped. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { numberOf } from "../store/store.js"
import type { Crew } from "./crew.js"
import { Stop } from "./crew.js"
import type { Definition } from "./definition.js"
import type { Delivered, PageRef } from "./delivery.js"
import { Lease, type Lost } from "./lease.js"
import * as Metrics from "./metrics.js"
import { isEnded, Page } from "./page.js"
import { work } from "./page-work.js"
import { read } from "./reader.js"
import type { WorkOptions } from "./run.js"
import { type Known, pauseRun, type Shift } from "./shift.js"
import type { Row } from "./tables.js"
import { look, renewal, termination } from "./times.js"

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
const pageOf = (shift: Shift, page: Page): Effect.Effect<boolean, Lost> =>
  Effect.gen(function* () {
    const { job, run } = shift
    const isDone = yield* work(shift, page).pipe(
      Effect.withSpan("quartet.fleet.page", {
        root: true,
        attributes: { job: job.name, run: run.id, page: page.page, items: page.items.length }
      })
    )
    if (isDone) yield* Metrics.pageEnded(job.name)
    return isDone
  })

interface HandleOptions extends WorkOptions {
  /** Whether the reading of the source waits until others have worked on its pages. */
  readonly waits: boolean
}

/**
 * Claims a page and works on it. Once `stop` is given, what was begun is ended and the page given back. A claim that the store does not answer
 * is made again with the next delivery.
 */
export const handle = (
  crew: Crew,
  job: Definition<never>,
  ref: PageRef,
  stop: Stop,
  { onProgress, waits }: HandleOptions
): Effect.Effect<Delivered> =>
  Effect.gen(function* () {
    const { page, run } = ref
    if (yield* crew.refusals.isRefused(job, ref)) return again(look)
    const claim = yield* Effect.option(
      Lease.claim(crew.sql, run, page, {
        runner: crew.runner,
        storeClock: crew.storeClock,
        version: job.version
      })
    )
    if (Option.isNone(claim)) return again(look)
    if (claim.value._tag === "Over") return done
    if (claim.value._tag !== "Taken") return claim.value
    const { lease, page: pageRow, run: runRow } = claim.value
    if (typeof runRow.outage === "string") crew.gates.believe(run, runRow.outage)
    const shift = { crew, job, lease, stop: new Stop(), waits }
    const items = new Page(crew.sql, crew.states, lease, pageRow)
    crew.stops.set(shift.stop, run)
    const renewals = Effect.forever(
      Effect.zipRight(
        Effect.sleep(renewal),
        lease.renew.pipe(
          Effect.tap(() =>
            Effect.sync(() =>
              onProgress?.({ ended: items.states.filter(isEnded).length, items: items.states.length })
            )
          ),
          Effect.catchTag("SqlError", () => Effect.void)
        )
      )
    )
    const stopping = Effect.zipRight(stop.wait, Effect.zipRight(shift.stop.set, Effect.never))
    const isDone = yield* Effect.flatMap(
      knownRun(shift, runRow),
      Option.match({
        onNone: () => Effect.succeed(false),
        onSome: (run) => (page < 0 ? read({ ...shift, run }) : pageOf({ ...shift, run }, items))
      })
    ).pipe(
      Effect.provide(crew.context),
      Effect.raceFirst(renewals),
      Effect.raceFirst(stopping),
      Effect.onExit((exit) =>
        Effect.zipRight(
          lease.release(Exit.isSuccess(exit) && exit.value, page < 0 ? undefined : crew.gates.of(run).said),
          Effect.sync(() => {
            crew.stops.delete(shift.stop)
            if (![...crew.stops.values()].includes(run)) crew.gates.forget(run)
          })
        )
      ),
      Effect.tapDefect((cause) => Effect.logWarning(`page ${page} of the run ${run} was given back`, cause)),
      Effect.exit
    )
    crew.wakes.wake(run)
    // Whatever has failed here, somebody else may have the page, or it fails again.
    if (Exit.isFailure(isDone)) return again(look)
    if (isDone.value) return done
    // A reading that others have to move on first is worth another look later.
    return again(page < 0 && !waits && !stop.isSet ? look : 0)
  })

/** Does some work that is told by its sign to stop: an interruption gives the sign, and waits for the end. */
export const gracefully = <A>(work: (stop: Stop) => Effect.Effect<A>): Effect.Effect<A> =>
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
