/** A real fleet on a file, whose jobs fail as a test wants it. */

import * as Fleet from "@quartet/fleet"
import { OutcomeUnknown, Rejected } from "@quartet/sdk/extend"
import { Context, Data, Effect, Exit, Layer, Schedule, Schema, Scope, Stream } from "effect"
import { file } from "./database.js"

const named = { input: Schema.Struct({ name: Schema.String }), key: ({ name }: { name: string }) => name }

/** Twenty rows. Of these two are refused, and of one nobody learns what became of it, until `mended` has them. */
export const mended = new Set<number>()
export const rows = Fleet.job("rows", {
  ...named,
  page: 5,
  source: () => Stream.map(Stream.range(0, 19), (n) => ({ n, title: `Row ${n}`, password: `hush-${n}` })),
  each: ({ n }): Effect.Effect<void, OutcomeUnknown | Rejected> => {
    if ((n === 3 || n === 11) && !mended.has(n))
      return new Rejected({ operation: "items.create", serverMessage: "a title is missing" })
    return n === 7 && !mended.has(n)
      ? new OutcomeUnknown({ operation: "items.create", reason: "Network", attempts: 1 })
      : Effect.void
  },
  onUnknown: () => Effect.fail(new Error("nobody knows"))
})

/** Six letters. The first answer to each is lost, and nobody can look it up. */
const posted = new Set<string>()
export const letters = Fleet.job("letters", {
  ...named,
  source: () => Stream.map(Stream.range(0, 5), (n) => ({ n, to: `user-${n}` })),
  each: ({ n }, { run }) =>
    Effect.suspend((): Effect.Effect<void, OutcomeUnknown> => {
      if (posted.has(`${run} ${n}`)) return Effect.void
      posted.add(`${run} ${n}`)
      return new OutcomeUnknown({ operation: "notifications.send", reason: "Network", attempts: 1 })
    }),
  onUnknown: Fleet.leaveUnknown
})

/** As a client's call fails where the platform answers 503. */
class OutOfService extends Data.TaggedError("ServerFault") {
  readonly status = 503
  readonly retryable = true
}

/** One item that waits for a platform that is out of service. */
export const waiting = Fleet.job("waiting", {
  ...named,
  source: () => Stream.make(1),
  each: () => new OutOfService()
})

/** A job that the fleet does not have. */
export const nobodys = Fleet.job("nobodys", {
  ...named,
  source: () => Stream.make(1),
  each: () => Effect.void
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
    Scope.extend(Layer.build(Fleet.layer({ jobs: [rows, letters, waiting, endless], store })), scope)
  )
  return {
    store,
    fleet: Context.get(context, Fleet.Fleet),
    start: (job: Fleet.Job<{ readonly name: string }, never>, name: string) =>
      Effect.runPromise(Effect.provide(job.start({ name }), context)),
    end: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}
