/** A job that several versions of Node have. */
import { Effect, Schema, Stream } from "effect"
import * as Fleet from "../../jobs/index.js"

export const numbers = (each: (item: number) => Effect.Effect<unknown>) =>
  Fleet.job("numbers", {
    input: Schema.Number,
    key: String,
    page: 25,
    lanes: 8,
    source: (count) => Stream.range(0, count - 1),
    each,
    // Nobody dies here: what is asked about counts as lost.
    onUnknown: () => Effect.fail(new Error("nobody knows"))
  })
