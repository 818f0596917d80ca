// What a store keeps of the items of a run, read from its own bytes and rows: nothing but the count of those that are done.

import { OutcomeUnknown } from "@quartet/sdk/extend"
import { live } from "@quartet/support/effect.js"
import { Effect, Fiber, Layer, Schema, Stream } from "effect"
import { describe, expect } from "vitest"
import * as Fleet from "../jobs/index.js"
import type { Store } from "./stores.js"

class Refused extends Schema.TaggedError<Refused>()("Refused", { message: Schema.String }) {}

const secretIn = /(?:item|baseline|run)-secret-\d+/g

/** A job of items with secrets. The third is refused, and of the seventh nobody knows whether it was done; those from `slowFrom` on wait. */
const jobOf = (slowFrom = Number.POSITIVE_INFINITY) => {
  const state = { isMended: false, begun: 0, waiting: Effect.unsafeMakeLatch() }
  const job = Fleet.job("kept", {
    input: Schema.Struct({ name: Schema.String, secret: Schema.String }),
    key: ({ name }) => name,
    page: 5,
    lanes: 2,
    source: () => Stream.map(Stream.range(0, 39), (n) => ({ n, secret: `item-secret-${n}` })),
    baseline: ({ n }) => Effect.succeed(`baseline-secret-${n}`),
    each: ({ n }) =>
      Effect.suspend((): Effect.Effect<void, OutcomeUnknown | Refused> => {
        state.begun += 1
        if (n >= slowFrom) return state.waiting.await
        if (n === 7) return new OutcomeUnknown({ operation: "send", reason: "Network", attempts: 1 })
        return n === 3 && !state.isMended ? new Refused({ message: "no" }) : Effect.void
      }),
    onUnknown: () => Effect.fail(new Refused({ message: "nobody knows" }))
  })
  return { job, state }
}

/** Declares the tests over a database; `read` answers all that it keeps, as text. */
export const kept = (name: string, database: Store, read: (url: string) => Effect.Effect<string>): void => {
  /** The secrets that stand in a database, once they are those. */
  const expectSecrets = (url: string, expected: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      let secrets: ReadonlyArray<string> = []
      for (let look = 0; look < 200; look++) {
        secrets = [...new Set((yield* read(url)).match(secretIn) ?? [])].sort()
        if (secrets.join() === [...expected].sort().join()) break
        yield* Effect.sleep(20)
      }
      expect(secrets).toEqual([...expected].sort())
    })

  const started = (key: string, { job }: ReturnType<typeof jobOf>) =>
    Effect.gen(function* () {
      const url = yield* database
      const context = yield* Layer.build(Fleet.layer({ jobs: [job], store: url }))
      const run = yield* Effect.provide(job.start({ name: key, secret: "run-secret-0" }), context)
      return { run, url }
    })

  describe(`over ${name}, a run keeps`, () => {
    live("nothing of the items that are done, and of those that were not, all until they are", function* () {
      const made = jobOf()
      const { run, url } = yield* started("ended", made)
      expect(yield* run.wait).toMatchObject({ state: "done", done: 38, failed: 1, unknown: 1 })
      yield* expectSecrets(url, ["baseline-secret-7", "item-secret-3", "item-secret-7", "run-secret-0"])
      made.state.isMended = true
      expect(yield* run.retry({ items: [3] })).toBe(1)
      expect(yield* run.wait).toMatchObject({ done: 39 })
      yield* expectSecrets(url, ["baseline-secret-7", "item-secret-7", "run-secret-0"])
      expect(yield* run.settle([7])).toBe(1)
      yield* expectSecrets(url, ["run-secret-0"])
      expect(yield* run.status).toMatchObject({ state: "done", done: 40, failed: 0, unknown: 0 })
    })

    live("nothing of its items once it is cancelled, and nothing at all once it is removed", function* () {
      const made = jobOf(10)
      const { run, url } = yield* started("cancelled", made)
      yield* Effect.repeat(Effect.sleep(10), { until: () => made.state.begun > 12 })
      expect(yield* read(url)).toContain("item-secret-1")
      const cancelling = yield* Effect.fork(run.cancel)
      yield* Effect.repeat(Effect.delay(run.status, 10), { until: ({ state }) => state === "cancelled" })
      yield* made.state.waiting.open
      yield* Fiber.join(cancelling)
      yield* expectSecrets(url, ["run-secret-0"])
      yield* run.remove
      yield* expectSecrets(url, [])
      expect(yield* read(url)).not.toContain("cancelled")
    })
  })
}
