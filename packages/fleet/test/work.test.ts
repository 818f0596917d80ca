// Pages that a program has worked on one by one: by a workflow, a function that is called, a timer.

import { live } from "@quartet/support/effect.js"
import { Deferred, Effect, Exit, Fiber, Layer, Option, Schema, Scope, Stream } from "effect"
import { expect, vi } from "vitest"
import * as Fleet from "../jobs/index.js"
import type { Job } from "../jobs/job.js"
import { Platform } from "./platform.js"
import { file } from "./stores.js"
import { leaseTime, orphanAfter } from "./times.js"

vi.mock("../jobs/times.js", () => import("./times.js"))

const numbers = (count: number) => Array.from({ length: count }, (_, item) => item)

const jobOn = (platform: Platform, milliseconds = 0) =>
  Fleet.job("numbers", {
    input: Schema.Number,
    key: String,
    page: 5,
    lanes: 2,
    source: (count) => Stream.fromIterable(numbers(count)),
    each: (item: number) => Effect.zipLeft(platform.send(undefined, item), Effect.sleep(milliseconds)),
    onUnknown: (item: number) => platform.find(item)
  })

/** A process that works on what it is told, and can be ended before the test is. */
const worker = <const Jobs extends ReadonlyArray<Job<never, never>>>(store: string, jobs: Jobs) =>
  Effect.gen(function* () {
    const scope = yield* Effect.acquireRelease(Scope.make(), (scope) => Scope.close(scope, Exit.void))
    const context = yield* Scope.extend(Layer.build(Fleet.layer({ jobs, store, delivery: "manual" })), scope)
    return { context, end: Scope.close(scope, Exit.void) }
  })

/** Has pages worked on, one after another, until none is left: what a timer that knows nothing of the fleet would do. */
const toItsEnd = (run: Fleet.Run) =>
  Effect.gen(function* () {
    const answers: Array<Fleet.Delivered["_tag"]> = []
    while (true) {
      const pages = yield* run.openPages
      if (pages.length === 0) return answers
      for (const page of pages) {
        const answer = yield* run.work(page)
        answers.push(answer._tag)
        // What is to come again need not come so late: that nobody is in the middle is enough.
        if ("after" in answer) yield* Effect.sleep(Math.min(answer.after, 10))
      }
    }
  })

live("nothing is worked on but what is asked for", function* () {
  const store = yield* file
  const platform = new Platform()
  const job = jobOn(platform)
  const { context } = yield* worker(store, [job])
  const run = yield* Effect.provide(job.start(12), context)
  yield* Effect.sleep(300)
  expect(yield* run.status).toMatchObject({ state: "running", read: 0, done: 0 })
  expect(yield* run.openPages).toEqual([-1])
  // The reading has no pages to wait for here: it cuts all three, and is to come again.
  expect(yield* run.work(-1)).toMatchObject({ _tag: "Again" })
  expect(yield* run.openPages).toEqual([-1, 0, 1, 2])
  expect(platform.done.size).toBe(0)
  expect(yield* run.work(1)).toEqual({ _tag: "Done" })
  expect([...platform.done.keys()]).toEqual([5, 6, 7, 8, 9])
  expect(yield* run.openPages).toEqual([-1, 0, 2])
})

live("a run is brought to its end by a loop over its open pages", function* () {
  const store = yield* file
  const platform = new Platform({ 3: "lost", 30: "dropped", 77: "busy" })
  const job = jobOn(platform)
  const { context } = yield* worker(store, [job])
  const run = yield* Effect.provide(job.start(100), context)
  expect(new Set(yield* toItsEnd(run))).toEqual(new Set(["Again", "Done"]))
  expect(yield* run.status).toMatchObject({ state: "done", done: 100, failed: 0, unknown: 0 })
  expect(platform.wrong(numbers(100))).toEqual([])
  expect(yield* run.work(0)).toEqual({ _tag: "Done" })
  expect(yield* run.work(-1)).toEqual({ _tag: "Done" })
})

live("several processes share the pages of a run, and each item is done once", function* () {
  const store = yield* file
  const platform = new Platform()
  const job = jobOn(platform, 1)
  const contexts = yield* Effect.all([worker(store, [job]), worker(store, [job]), worker(store, [job])])
  const started = yield* Effect.provide(job.start(150), contexts[0].context)
  yield* Effect.forEach(
    contexts,
    ({ context }) =>
      Effect.provide(
        Effect.flatMap(Fleet.Fleet, (fleet) => Effect.flatMap(fleet.run(started.id), toItsEnd)),
        context
      ),
    { concurrency: "unbounded" }
  )
  expect(yield* started.status).toMatchObject({ state: "done", done: 150, unknown: 0 })
  expect(platform.wrong(numbers(150))).toEqual([])
})

/** A job whose first item begins, and never ends. */
const stuckOn = (begun: Deferred.Deferred<void>, sent: Array<number>) =>
  Fleet.job("stuck", {
    input: Schema.Number,
    key: String,
    page: 2,
    lanes: 1,
    concurrency: 1,
    source: () => Stream.make(0, 1, 2, 3),
    each: (item: number) =>
      Effect.suspend(() => {
        sent.push(item)
        return item === 0 && sent.length === 1
          ? Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never)
          : Effect.void
      }),
    onUnknown: () => Effect.succeed(Option.some("it was done"))
  })

live("a page that somebody holds, or for which no lane is free, says when to come again", function* () {
  const store = yield* file
  const begun = yield* Deferred.make<void>()
  const job = stuckOn(begun, [])
  const [first, second] = yield* Effect.all([worker(store, [job]), worker(store, [job])])
  const run = yield* Effect.provide(job.start(1), first.context)
  yield* run.work(-1)
  yield* Effect.fork(run.work(0))
  yield* Deferred.await(begun)
  const same = yield* Effect.provide(
    Effect.flatMap(Fleet.Fleet, (fleet) => fleet.run(run.id)),
    second.context
  )
  const held = yield* same.work(0)
  expect(held._tag === "Held" && held.after > 0 && held.after <= leaseTime).toBe(true)
  expect(yield* same.work(1)).toMatchObject({ _tag: "Held" })
})

live("an interruption gives the page back, and whoever comes next goes on at once", function* () {
  const store = yield* file
  const begun = yield* Deferred.make<void>()
  const sent: Array<number> = []
  const job = stuckOn(begun, sent)
  const [first, second] = yield* Effect.all([worker(store, [job]), worker(store, [job])])
  const run = yield* Effect.provide(job.start(1), first.context)
  yield* run.work(-1)
  const working = yield* Effect.fork(run.work(0))
  yield* Deferred.await(begun)
  yield* Fiber.interrupt(working)
  const same = yield* Effect.provide(
    Effect.flatMap(Fleet.Fleet, (fleet) => fleet.run(run.id)),
    second.context
  )
  // Not `Held`: no lease is left to wait for. The item that was begun is asked about, and not sent again.
  expect(yield* same.work(0)).toEqual({ _tag: "Done" })
  expect(sent).toEqual([0, 1])
})

live("a layer that is closed gives back what it works on", function* () {
  const store = yield* file
  const begun = yield* Deferred.make<void>()
  const sent: Array<number> = []
  const job = stuckOn(begun, sent)
  const [first, second] = yield* Effect.all([worker(store, [job]), worker(store, [job])])
  const run = yield* Effect.provide(job.start(1), first.context)
  yield* run.work(-1)
  const working = yield* Effect.fork(run.work(0))
  yield* Deferred.await(begun)
  yield* first.end
  expect(yield* Fiber.join(working)).toEqual({ _tag: "Again", after: 0 })
  expect(yield* Effect.flip(run.work(0))).toMatchObject({ reason: "Closed" })
  const same = yield* Effect.provide(
    Effect.flatMap(Fleet.Fleet, (fleet) => fleet.run(run.id)),
    second.context
  )
  expect(yield* same.work(0)).toEqual({ _tag: "Done" })
  expect(sent).toEqual([0, 1])
})

live("a run that is paused has no open pages, and answers so, until it is resumed", function* () {
  const store = yield* file
  const platform = new Platform()
  const job = jobOn(platform, 20)
  const { context } = yield* worker(store, [job])
  const run = yield* Effect.provide(job.start(10), context)
  yield* run.work(-1)
  const working = yield* Effect.fork(run.work(0))
  yield* Effect.repeat(Effect.sleep(5), { until: () => platform.done.size > 0 })
  yield* run.pause
  yield* Fiber.join(working)
  expect(yield* run.openPages).toEqual([])
  expect(yield* run.work(0)).toEqual({ _tag: "Paused" })
  yield* run.resume
  yield* toItsEnd(run)
  expect(yield* run.status).toMatchObject({ state: "done", done: 10 })
  expect(platform.wrong(numbers(10))).toEqual([])
})

live("progress is told while the lease is renewed", function* () {
  const store = yield* file
  const platform = new Platform()
  const job = jobOn(platform, 100)
  const { context } = yield* worker(store, [job])
  const run = yield* Effect.provide(job.start(5), context)
  yield* run.work(-1)
  const counts: Array<Fleet.PageCount> = []
  yield* run.work(0, { onProgress: (count) => counts.push(count) })
  expect(counts.length).toBeGreaterThan(0)
  for (const { ended, items } of counts) {
    expect(items).toBe(5)
    expect(ended).toBeLessThanOrEqual(5)
  }
})

live("who does not have the job, or names no page, is told so", function* () {
  const store = yield* file
  const job = jobOn(new Platform())
  const { context } = yield* worker(store, [job])
  const run = yield* Effect.provide(job.start(5), context)
  const watcher = yield* Layer.build(Fleet.layerClient({ store }))
  const watched = yield* Effect.provide(
    Effect.flatMap(Fleet.Fleet, (fleet) => fleet.run(run.id)),
    watcher
  )
  expect(yield* Effect.flip(watched.work(0))).toMatchObject({ _tag: "FleetError", reason: "Unknown" })
  for (const page of [-2, 0.5, Number.NaN])
    expect(yield* Effect.flip(run.work(page))).toMatchObject({ _tag: "InputError", field: "page" })
  // A page that is not cut is nothing to do.
  expect(yield* run.work(40)).toEqual({ _tag: "Done" })
})

live("a run of one lane keeps to its order, whatever is asked for", function* () {
  const store = yield* file
  const done: Array<number> = []
  const job = Fleet.job("ordered", {
    input: Schema.Number,
    key: String,
    page: 2,
    lanes: 1,
    concurrency: 1,
    source: () => Stream.make(0, 1, 2, 3, 4, 5),
    each: (item: number) => Effect.sync(() => done.push(item))
  })
  const { context } = yield* worker(store, [job])
  const run = yield* Effect.provide(job.start(1), context)
  yield* run.work(-1)
  expect(yield* run.work(2)).toMatchObject({ _tag: "Held" })
  expect(yield* run.work(1)).toMatchObject({ _tag: "Held" })
  for (const page of [0, 1, 2]) expect(yield* run.work(page)).toEqual({ _tag: "Done" })
  expect(done).toEqual([0, 1, 2, 3, 4, 5])
})

live.each(["rows", 5, {}])("a layer refuses a delivery that is none, such as %j", function* (delivery) {
  const store = yield* file
  // What a program without types may give.
  const built = Layer.build(
    Fleet.layer({ store, jobs: [jobOn(new Platform())], delivery: delivery as never })
  )
  expect(yield* Effect.flip(built)).toMatchObject({ _tag: "InputError", field: "delivery" })
})

live("a run on which only this process works, page by page, lacks no runner", function* () {
  const store = yield* file
  const job = jobOn(new Platform())
  const { context } = yield* worker(store, [job])
  const run = yield* Effect.provide(job.start(5), context)
  yield* Effect.sleep(3 * orphanAfter)
  expect((yield* run.status).error).toBeUndefined()
})
