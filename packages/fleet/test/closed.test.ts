/** What is left of a fleet once its layer is closed: it says so, and does nothing else. */

import { live } from "@quartet/support/effect.js"
import { Context, Effect, Exit, Fiber, Layer, Schema, Scope, Stream } from "effect"
import { expect } from "vitest"
import * as Fleet from "../jobs/index.js"
import { file } from "./stores.js"

const job = Fleet.job("numbers", {
  input: Schema.Struct({ to: Schema.Number }),
  key: ({ to }) => String(to),
  source: ({ to }) => Stream.range(0, to),
  each: (n) => (n === 1 ? Effect.fail(new Error("no")) : Effect.void)
})

/** Every operation of a fleet and of a run of it. */
const operations = (fleet: Context.Tag.Service<typeof Fleet.Fleet>, run: Fleet.Run) => ({
  start: Effect.provideService(job.start({ to: 3 }), Fleet.Fleet, fleet),
  jobRuns: Effect.provideService(job.runs, Fleet.Fleet, fleet),
  runs: fleet.runs(),
  run: fleet.run(run.id),
  ended: fleet.ended("1 day"),
  input: run.input,
  status: run.status,
  progress: Stream.runDrain(run.progress),
  wait: run.wait,
  failures: Stream.runDrain(run.failures),
  pause: run.pause,
  resume: run.resume,
  cancel: run.cancel,
  retry: run.retry({ states: ["failed", "unknown"] }),
  settle: run.settle([1]),
  openPages: run.openPages,
  work: run.work(0)
})

const closed = {
  _tag: "Failure",
  cause: { error: { _tag: "FleetError", reason: "Closed", message: expect.stringContaining("was closed") } }
}

live.each([
  ["a runner's", (store: string) => Fleet.layer({ jobs: [job], store })],
  ["a client's", (store: string) => Fleet.layerClient({ store })]
] as const)(
  "all that %s layer gave fails by name once it is closed, and the process goes on",
  function* ([, layer]) {
    const store = yield* file
    const scope = yield* Scope.make()
    const context = yield* Scope.extend(Layer.build(layer(store)), scope)
    const fleet = Context.get(context, Fleet.Fleet)
    const run = yield* Effect.provideService(job.start({ to: 3 }), Fleet.Fleet, fleet)
    yield* Scope.close(scope, Exit.void)
    for (const [name, operation] of Object.entries(operations(fleet, run)))
      expect([name, yield* Effect.exit(operation)]).toMatchObject([name, closed])
  }
)

live("who waits for a run or watches it as the layer is closed hears that", function* () {
  const store = yield* file
  const scope = yield* Scope.make()
  const context = yield* Scope.extend(Layer.build(Fleet.layerClient({ store })), scope)
  const fleet = Context.get(context, Fleet.Fleet)
  const run = yield* Effect.provideService(job.start({ to: 3 }), Fleet.Fleet, fleet)
  const seen = yield* Effect.makeLatch()
  const watching = yield* Effect.fork(Effect.exit(Stream.runDrain(Stream.tap(run.progress, () => seen.open))))
  const waiting = yield* Effect.fork(Effect.exit(run.wait))
  yield* seen.await
  yield* Scope.close(scope, Exit.void)
  expect(yield* Fiber.join(watching)).toMatchObject(closed)
  expect(yield* Fiber.join(waiting)).toMatchObject(closed)
})
