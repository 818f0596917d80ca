/** A real fleet on a file, whose jobs fail as a test wants it. */

import * as Fleet from "@quartet/fleet"
import { OutcomeUnknown, Rejected } from "@quartet/sdk/extend"
import { Context, Effect, Exit, Layer, Schedule, Schema, Scope, Stream } from "effect"
import { file } from "./database.js"

const named = { input: Schema.Struct({ name: Schema.String }), key: ({ name }: { name: string }) => name }

/** Twenty rows. Of these two are refused until `mended` has them, and of one nobody learns what became of it. */
export const mended = new Set<number>()
export const rows = Fleet.job("rows", {
  ...named,
  page: 5,
  source: () => Stream.map(Stream.range(0, 19), (n) => ({ n, title: `Row ${n}`, password: `hush-${n}` })),
  each: ({ n }): Effect.Effect<void, OutcomeUnknown | Rejected> => {
    if ((n === 3 || n === 11) && !mended.has(n))
      return new Rejected({ operation: "items.create", serverMessage: "a title is missing" })
    return n === 7
      ? new OutcomeUnknown({ operation: "items.create", reason: "Network", attempts: 1 })
      : Effect.void
  },
  onUnknown: () => Effect.fail(new Error("nobody knows"))
})

/** Rows that never end. */
export const endless = Fleet.job("endless", {
  ...named,
  page: 10,
  source: () => Stream.schedule(Stream.range(0, 1_000_000), Schedule.spaced(10)),
  each: () => Effect.void
})

/** A fleet that works, until `end` is called. */
export const open = async () => {
  const scope = Effect.runSync(Scope.make())
  const store = await Effect.runPromise(Scope.extend(file, scope))
  const context = await Effect.runPromise(
    Scope.extend(Layer.build(Fleet.layer({ jobs: [rows, endless], store })), scope)
  )
  return {
    store,
    fleet: Context.get(context, Fleet.Fleet),
    start: (job: typeof rows | typeof endless, name: string) =>
      Effect.runPromise(Effect.provide(job.start({ name }), context)),
    end: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}
