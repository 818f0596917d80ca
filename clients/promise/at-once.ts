/** Effects that a program without Effect reads at once. */
import * as Cause from "effect/Cause"
import type * as Effect from "effect/Effect"
import { exitAtOnce } from "../../core/ports/at-once.js"

/** What an Effect that does not wait gives. Throws its typed error, or what a function of the program threw. */
export const runAtOnce = <A>(effect: Effect.Effect<A, unknown>): A => {
  const exit = exitAtOnce(effect)
  if (exit?._tag === "Success") return exit.value
  throw exit === null ? new Error("has to wait, where nothing can") : Cause.squash(exit.cause)
}
