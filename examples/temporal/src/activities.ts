/**
 * A job's run as activities of Temporal. Temporal says when a page is worked on, and again after a crash; the fleet's store says who works
 * on it, and what became of each of its items.
 */
import * as Fleet from "@quartet/fleet"
import { Context } from "@temporalio/activity"
import { Cause, Effect, Exit, type ManagedRuntime } from "effect"

/** Runs an effect as an activity. Cancelled, it gives back the page that it has, and then ends. */
const perform = async <A, R>(
  runtime: ManagedRuntime.ManagedRuntime<R, unknown>,
  effect: Effect.Effect<A, unknown, R>
): Promise<A> => {
  const { cancellationSignal, cancelled } = Context.current()
  const exit = await runtime.runPromiseExit(effect, { signal: cancellationSignal })
  if (Exit.isSuccess(exit)) return exit.value
  // Rejects with what Temporal knows a cancelled activity by.
  if (cancellationSignal.aborted) return await cancelled
  throw Cause.squash(exit.cause)
}

const runOf = (id: string) => Effect.flatMap(Fleet.Fleet, (fleet) => fleet.run(id))

/** The activities of a job. `runtime` is of a `Fleet.layer` with `delivery: "manual"`: it works on nothing but what it is told. */
export const make = <I, R>(
  runtime: ManagedRuntime.ManagedRuntime<Fleet.Fleet, unknown>,
  job: Fleet.Job<I, R>
) => ({
  /** Starts the run of this input, or finds it: so it may be repeated. Answers its id. */
  startRun: (input: I): Promise<string> =>
    perform(
      runtime,
      Effect.map(job.start(input), ({ id }) => id)
    ),

  /** The pages that have something left to do. */
  openPages: (id: string): Promise<ReadonlyArray<number>> =>
    perform(
      runtime,
      Effect.flatMap(runOf(id), (run) => run.openPages)
    ),

  /** Works on one page, with a heartbeat each time that the store has renewed its lease. */
  workOnPage: (id: string, page: number): Promise<Fleet.Delivered> => {
    const activity = Context.current()
    return perform(
      runtime,
      Effect.flatMap(runOf(id), (run) => run.work(page, { onProgress: (count) => activity.heartbeat(count) }))
    )
  }
})
