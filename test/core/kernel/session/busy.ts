// A client that is in use for a span of time, as the tests of renewal ahead of the end have it.
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as TestClock from "effect/TestClock"

export const start = Date.UTC(2026, 0, 1)

export const minute = 60_000

export const hour = 60 * minute

/** Calls again and again over a span of time; answers how many calls failed. */
export const busy = (call: Effect.Effect<unknown, unknown>, span: number, pause = 30_000) =>
  Effect.gen(function* () {
    let failures = 0
    for (let time = 0; time < span; time += pause) {
      if (Exit.isFailure(yield* Effect.exit(call))) failures += 1
      yield* TestClock.adjust(pause)
    }
    return failures
  })
