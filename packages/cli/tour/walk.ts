/** Runs the steps of the tour one after the other and reports each. The first failure ends it. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

/** One step: who does what, and its result in a few words. */
export interface Step<R> {
  readonly who: string
  readonly what: string
  readonly run: Effect.Effect<string, unknown, R>
}

export interface StepResult {
  readonly who: string
  readonly what: string
  readonly duration: number
  readonly detail: string | undefined
  /** Why it failed; undefined if it succeeded. */
  readonly error: string | undefined
}

/** Maximum time of one step, in milliseconds. */
const patience = 20_000

const reason = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  return error instanceof Error ? error.message : String(error)
}

/** Runs steps until one fails. `report` is called with each as soon as it has ended. */
export const walk = <R>(
  steps: ReadonlyArray<Step<R>>,
  report: (result: StepResult) => Effect.Effect<void>
): Effect.Effect<ReadonlyArray<StepResult>, never, R> =>
  Effect.gen(function* () {
    const results: Array<StepResult> = []
    for (const { run, what, who } of steps) {
      const started = performance.now()
      const exit = yield* Effect.exit(
        Effect.timeoutFail(run, {
          duration: patience,
          onTimeout: () => new Error(`it took more than ${patience / 1000} s`)
        })
      )
      const result = {
        who,
        what,
        duration: performance.now() - started,
        detail: Exit.isSuccess(exit) ? exit.value : undefined,
        error: Exit.isFailure(exit) ? reason(exit.cause) : undefined
      }
      results.push(result)
      yield* report(result)
      if (result.error !== undefined) break
    }
    return results
  })
