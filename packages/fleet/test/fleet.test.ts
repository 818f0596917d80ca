// A fleet as programs use it: runners that share a file, and whoever watches and steers their runs.

import { live } from "@quartet/support/effect.js"
import { Chunk, Deferred, Effect, Exit, Layer, Schema, Scope, Stream } from "effect"
import { expect, it, vi } from "vitest"
import * as Fleet from "../jobs/index.js"
import type { Job } from "../jobs/job.js"
import { Platform } from "./platform.js"
import { file } from "./stores.js"

vi.mock("../jobs/times.js", () => import("./times.js"))

const numbers = (count: number) => Array.from({ length: count }, (_, item) => item)

/** A job whose items take a moment on a platform. */
const slowly = (name: string, platform: Platform, milliseconds = 1) =>
  Fleet.job(name, {
    input: Schema.Number,
    key: String,
    page: 20,
    lanes: 2,
    source: (count) => Stream.fromIterable(numbers(count)),
    each: (item: number) => Effect.zipLeft(platform.send(undefined, item), Effect.sleep(milliseconds)),
    onUnknown: (item: number) => platform.find(item)
  })

/** A runner that can be ended before the test is. */
const runner = <const Jobs extends ReadonlyArray<Job<never, never>>>(store: string, jobs: Jobs) =>
  Effect.gen(function* () {
    const scope = yield* Effect.acquireRelease(Scope.make(), (scope) => Scope.close(scope, Exit.void))
    const context = yield* Scope.extend(Layer.build(Fleet.layer({ jobs, store })), scope)
    return { context, end: Scope.close(scope, Exit.void) }
  })

live("a run goes from its start to its end, and is found by its job, its id and its key", function* () {
  const store = yield* file
  const platform = new Platform()
  const job = slowly("numbers", platform)
  const { context } = yield* runner(store, [job])
  yield* Effect.gen(function* () {
    const [run, same] = yield* Effect.all([job.start(100), job.start(100)], { concurrency: 2 })
    expect(run.id).toBe(same.id)
    const seen = Chunk.toReadonlyArray(yield* Stream.runCollect(run.progress))
    expect(seen.at(-1)).toMatchObject({ state: "done", done: 100, total: 100 })
    expect(platform.wrong(numbers(100))).toEqual([])
    const fleet = yield* Fleet.Fleet
    expect((yield* fleet.run(run.id.slice(0, 8))).id).toBe(run.id)
    expect((yield* job.runs).map(({ key }) => key)).toEqual(["100"])
    expect(yield* Effect.flip(fleet.run("nobody"))).toMatchObject({ reason: "Unknown" })
    // The same key is the same run: it has ended, and nothing begins.
    expect((yield* (yield* job.start(100)).wait).done).toBe(100)
    expect(platform.wrong(numbers(100))).toEqual([])
  }).pipe(Effect.provide(context))
})

live("a run is paused, resumed and cancelled from elsewhere", function* () {
  const store = yield* file
  const platform = new Platform()
  const job = slowly("numbers", platform, 5)
  yield* runner(store, [job])
  const watcher = yield* Layer.build(Fleet.layerClient({ store }))
  yield* Effect.gen(function* () {
    const run = yield* job.start(3000)
    yield* Effect.repeat(Effect.sleep(20), { until: () => platform.done.size > 20 })
    yield* run.pause
    const { done } = yield* run.status
    expect(done).toBe(platform.done.size)
    yield* Effect.sleep(150)
    expect(platform.done.size).toBe(done)
    yield* run.resume
    yield* run.resume
    yield* Effect.repeat(Effect.sleep(20), { until: () => platform.done.size > done + 20 })
    yield* run.cancel
    const ended = yield* run.status
    expect(ended.state).toBe("cancelled")
    expect(yield* Effect.flip(run.resume)).toMatchObject({ reason: "State" })
    expect(yield* Effect.flip(run.pause)).toMatchObject({ reason: "State" })
    expect(yield* Effect.flip(run.retry())).toMatchObject({ reason: "State" })
    yield* Effect.sleep(150)
    expect(platform.done.size).toBe(ended.done)
    expect(platform.wrong([...platform.done.keys()])).toEqual([])
  }).pipe(Effect.provide(watcher))
})

live("a runner that ends in the middle ends what was begun, and another one goes on at once", function* () {
  const store = yield* file
  const platform = new Platform()
  const first = yield* runner(store, [slowly("numbers", platform, 5)])
  const second = yield* runner(store, [slowly("numbers", platform, 5)])
  const job = slowly("numbers", platform, 5)
  yield* Effect.gen(function* () {
    const run = yield* job.start(500)
    yield* Effect.repeat(Effect.sleep(10), { until: () => platform.done.size > 50 })
    yield* first.end
    const at = platform.done.size
    yield* run.wait
    expect(platform.done.size).toBeGreaterThan(at)
    expect(yield* run.status).toMatchObject({ state: "done", done: 500, unknown: 0 })
    expect(platform.wrong(numbers(500))).toEqual([])
  }).pipe(Effect.provide(second.context))
})

live("runners of a store work on the runs of their own jobs", function* () {
  const store = yield* file
  const platform = new Platform()
  const slow = slowly("one", platform)
  const unrelated = slowly("other", new Platform())
  const nobodys = slowly("nobodys", platform)
  const first = yield* runner(store, [slow])
  yield* runner(store, [unrelated])
  yield* Effect.gen(function* () {
    const runs = yield* Effect.all([slow.start(30), unrelated.start(30), nobodys.start(30)])
    const [done, alike] = yield* Effect.all([runs[0].wait, runs[1].wait], { concurrency: 2 })
    expect([done.done, alike.done]).toEqual([30, 30])
    expect(yield* runs[2].status).toMatchObject({ state: "running", read: 0, done: 0 })
  }).pipe(Effect.provide(first.context))
})

live("an item that is interrupted is in doubt, and asked about", function* () {
  const store = yield* file
  const begun = yield* Deferred.make<void>()
  let lookUps = 0
  let sent = 0
  const job = Fleet.job("stuck", {
    input: Schema.Number,
    key: String,
    lanes: 1,
    source: () => Stream.make(1),
    each: () =>
      Effect.suspend(() => {
        sent += 1
        return sent > 1 ? Effect.void : Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never)
      }),
    onUnknown: () => {
      lookUps += 1
      return Effect.succeedSome(1)
    }
  })
  const first = yield* runner(store, [job])
  const run = yield* Effect.provide(job.start(1), first.context)
  yield* Deferred.await(begun)
  yield* first.end
  const second = yield* runner(store, [job])
  yield* Effect.gen(function* () {
    const again = yield* (yield* Fleet.Fleet).run(run.id)
    expect(yield* again.wait).toMatchObject({ state: "done", done: 1 })
  }).pipe(Effect.provide(second.context))
  expect({ lookUps, sent }).toEqual({ lookUps: 1, sent: 1 })
})

live("a run pauses where a kept item can no longer be read, and names it", function* () {
  const store = yield* file
  const begun = yield* Deferred.make<void>()
  const stuck = <I>(item: Schema.Schema<number, I>) =>
    Fleet.job("stuck", {
      input: Schema.Number,
      key: String,
      lanes: 1,
      item,
      source: () => Stream.make(1),
      each: () => Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never),
      onUnknown: () => Effect.succeedNone
    })
  const first = yield* runner(store, [stuck(Schema.Number)])
  const run = yield* Effect.provide(stuck(Schema.Number).start(1), first.context)
  yield* Deferred.await(begun)
  yield* first.end
  const second = yield* runner(store, [stuck(Schema.NumberFromString)])
  yield* Effect.gen(function* () {
    const again = yield* (yield* Fleet.Fleet).run(run.id)
    const { error, ...paused } = yield* again.wait
    expect(paused).toMatchObject({ state: "paused", failed: 0, unknown: 0 })
    expect(error).toContain("item 0 was kept in another form than the job's schema of items reads")
  }).pipe(Effect.provide(second.context))
})

live.each([[5], ["rows"], [{}]])("a runner refuses what is no job, such as %j", function* (...jobs) {
  const store = yield* file
  // What a program without types may give.
  const built = Layer.build(Fleet.layer({ store, jobs: jobs as never }))
  expect(yield* Effect.flip(built)).toMatchObject({ _tag: "InputError", field: "jobs[0]" })
})

it.each([
  ["onUnknown", { onUnknown: () => Effect.succeedNone }],
  ["concurrency", { concurrency: 4 }],
  ["attempts", { attempts: 3 }]
])("work on pages takes no %s, which is for items", (field, option) => {
  const options = {
    input: Schema.Number,
    key: String,
    source: () => Stream.make(1),
    eachPage: () => Effect.void,
    ...option
  }
  expect(() => Fleet.job("pages", options as never)).toThrow(
    expect.objectContaining({ _tag: "InputError", field })
  )
})
