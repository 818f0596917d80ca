// Deploys: runners with another form of the items, or of another version of a job, and runs whose job no runner has.

import { live } from "@quartet/support/effect.js"
import { Effect, Exit, Layer, Metric, MetricState, Schema, Scope, Stream } from "effect"
import { expect, vi } from "vitest"
import * as Fleet from "../jobs/index.js"
import { file } from "./stores.js"

vi.mock("../jobs/times.js", () => import("./times.js"))

const count = 30

/** A job of numbers, which are kept as the schema says. It notes those that it has done. */
const numbers = <I>(of: {
  readonly item: Schema.Schema<number, I>
  readonly version?: number
  readonly done: Array<number>
  /** Those from there on take for ever. */
  readonly stuckFrom?: number
}) =>
  Fleet.job("numbers", {
    input: Schema.String,
    key: (key) => key,
    page: 10,
    lanes: 2,
    concurrency: 2,
    item: of.item,
    ...(of.version === undefined ? {} : { version: of.version }),
    source: () => Stream.range(0, count - 1),
    each: (n) =>
      Effect.suspend(() => {
        if (n >= (of.stuckFrom ?? count)) return Effect.never
        of.done.push(n)
        return Effect.void
      }),
    onUnknown: () => Effect.succeedNone
  })

/** A runner that can be ended before the test is. */
const runner = (store: string, job: Fleet.Job<string, never>) =>
  Effect.gen(function* () {
    const scope = yield* Effect.acquireRelease(Scope.make(), (scope) => Scope.close(scope, Exit.void))
    const context = yield* Scope.extend(Layer.build(Fleet.layer({ jobs: [job], store })), scope)
    return { context, end: Scope.close(scope, Exit.void) }
  })

const until = <A, E>(look: Effect.Effect<A, E>, isSo: (value: A) => boolean) =>
  Effect.repeat(Effect.delay(look, 10), { until: isSo })

live(
  "a deploy that no longer reads kept items pauses the run and fails none of them; one that reads both goes on",
  function* () {
    const store = yield* file
    const done: Array<number> = []
    const before = numbers({ item: Schema.Number, done, stuckFrom: 5 })
    const first = yield* runner(store, before)
    const run = yield* Effect.provide(before.start("a"), first.context)
    yield* until(
      Effect.sync(() => done.length),
      (length) => length >= 5
    )
    yield* first.end
    const watcher = yield* Layer.build(Fleet.layerClient({ store }))
    const same = yield* Effect.flatMap(Fleet.Fleet, (fleet) => fleet.run(run.id)).pipe(
      Effect.provide(watcher)
    )
    const second = yield* runner(store, numbers({ item: Schema.NumberFromString, done }))
    const { error, ...paused } = yield* same.wait
    expect(paused).toMatchObject({ state: "paused", failed: 0, unknown: 0 })
    expect(error).toContain("was kept in another form than the job's schema of items reads")
    yield* second.end
    const both = Schema.Union(Schema.Number, Schema.NumberFromString)
    yield* runner(store, numbers({ item: both, done }))
    yield* same.resume
    expect(yield* same.wait).toMatchObject({ state: "done", done: count, failed: 0, unknown: 0 })
    expect([...new Set(done)].sort((left, right) => left - right)).toEqual(
      Array.from({ length: count }, (_, n) => n)
    )
  }
)

live(
  "a runner leaves runs of a newer version alone, which say what they wait for; a newer one does both",
  function* () {
    const store = yield* file
    const done: Array<number> = []
    const older = numbers({ item: Schema.Number, done })
    const newer = numbers({ item: Schema.NumberFromString, version: 2, done })
    const watcher = yield* Layer.build(Fleet.layerClient({ store }))
    yield* runner(store, older)
    const run = yield* Effect.provide(newer.start("a"), watcher)
    const { error } = yield* until(run.status, ({ error }) => error !== undefined)
    expect(error).toBe("no runner has the job numbers in version 2: start one that has it")
    expect([(yield* run.status).read, done]).toEqual([0, []])
    // Runs of its own version go on beside it.
    expect(yield* (yield* Effect.provide(older.start("b"), watcher)).wait).toMatchObject({ state: "done" })
    yield* runner(store, newer)
    expect(yield* run.wait).toMatchObject({ state: "done", done: count, error: undefined })
  }
)

live("a run of an older version is done by a runner of a newer one that reads what it kept", function* () {
  const store = yield* file
  const done: Array<number> = []
  const older = numbers({ item: Schema.Number, done })
  const watcher = yield* Layer.build(Fleet.layerClient({ store }))
  const run = yield* Effect.provide(older.start("a"), watcher)
  yield* runner(store, numbers({ item: Schema.Number, version: 2, done }))
  expect(yield* run.wait).toMatchObject({ state: "done", done: count })
})

live("a metric counts the runs whose job no runner has, by job, and none once there is one", function* () {
  const counted = Effect.sync(() => {
    const state = Metric.unsafeSnapshot().find(
      ({ metricKey: { name, tags } }) =>
        name === "quartet.fleet.orphans" &&
        tags.some(({ key, value }) => key === "job" && value === "numbers")
    )?.metricState
    return MetricState.isGaugeState(state) ? Number(state.value) : undefined
  })
  const store = yield* file
  const other = Fleet.job("other", {
    input: Schema.String,
    key: (key) => key,
    source: () => Stream.make(1),
    each: () => Effect.void
  })
  const { context } = yield* runner(store, other)
  const job = numbers({ item: Schema.Number, done: [] })
  const runs = yield* Effect.provide(Effect.all([job.start("a"), job.start("b")]), context)
  yield* until(counted, (value) => value === 2)
  yield* runs[1].pause
  yield* until(counted, (value) => value === 1)
  yield* runner(store, job)
  yield* until(counted, (value) => value === 0)
  expect(yield* runs[0].wait).toMatchObject({ state: "done" })
})
