// What people do to a run while it is worked on, tried again, or left by a runner that stands still.

import { live } from "@quartet/support/effect.js"
import { Chunk, Deferred, Effect, Fiber, Layer, Schema, Stream } from "effect"
import { expect, vi } from "vitest"
import * as Fleet from "../jobs/index.js"
import { memory, startRun, work } from "./crew.js"
import { file } from "./stores.js"

vi.mock("../jobs/times.js", () => import("./times.js"))

const failuresOf = (run: Fleet.Run) => Effect.map(Stream.runCollect(run.failures), Chunk.toReadonlyArray)

live.each(["pause", "cancel"] as const)(
  "a runner that stood still for longer than its lease writes nothing of a run that was stopped meanwhile: by %s",
  function* (how) {
    const sql = yield* memory
    const woken = yield* Deferred.make<void>()
    let begun = 0
    const job = Fleet.job("standing", {
      input: Schema.Number,
      key: String,
      page: 4,
      lanes: 1,
      concurrency: 2,
      maxFailures: 100,
      source: (count) => Stream.map(Stream.range(1, count), (item) => ({ item, secret: "hush" })),
      each: () =>
        Effect.suspend(() => {
          begun += 1
          return Effect.zipRight(Deferred.await(woken), Effect.fail(new Error("no")))
        })
    })
    const run = yield* startRun(sql, job, 8)
    const runner = yield* Effect.fork(work(sql, job, run.id))
    yield* Effect.repeat(Effect.sleep(5), { until: () => begun === 2 })
    yield* sql`UPDATE quartet_pages SET lease_until = 0 WHERE page >= 0`
    yield* run[how]
    yield* Deferred.succeed(woken, undefined)
    yield* Fiber.join(runner)
    expect(begun).toBe(2)
    expect(yield* failuresOf(run)).toEqual([])
    const { done, failed, state } = yield* run.status
    expect({ done, failed, state }).toEqual({
      done: 0,
      failed: 0,
      state: how === "pause" ? "paused" : "cancelled"
    })
  }
)

/** A run with an item that failed, and one that is under way until it is released. */
const underWay = Effect.gen(function* () {
  const released = yield* Deferred.make<void>()
  const begun: Array<number> = []
  const job = Fleet.job("under-way", {
    input: Schema.Number,
    key: String,
    page: 1,
    lanes: 2,
    source: (count) => Stream.range(0, count - 1),
    each: (item: number) =>
      Effect.suspend(() => {
        begun.push(item)
        return item === 0 ? Effect.fail(new Error("no")) : Deferred.await(released)
      })
  })
  const context = yield* Effect.flatMap(file, (store) => Layer.build(Fleet.layer({ jobs: [job], store })))
  const run = yield* Effect.provide(job.start(20), context)
  yield* Effect.repeat(Effect.delay(run.status, 5), { until: ({ failed }) => failed === 1 })
  yield* Effect.repeat(Effect.sleep(5), { until: () => begun.length > 1 })
  const stateIs = (state: Fleet.Progress["state"]) =>
    Effect.repeat(Effect.delay(run.status, 5), { until: (status) => status.state === state })
  return { begun, release: Deferred.succeed(released, undefined), run, stateIs }
})

live(
  "a run that somebody pauses while its items are being tried again stays paused, and tries them once it goes on",
  function* () {
    const { begun, release, run, stateIs } = yield* underWay
    const retrying = yield* Effect.fork(run.retry())
    yield* stateIs("paused")
    const pausing = yield* Effect.fork(run.pause)
    yield* Effect.repeat(Effect.delay(run.status, 5), { until: ({ error }) => error === undefined })
    yield* release
    yield* Fiber.join(pausing)
    expect(yield* Fiber.join(retrying)).toBe(1)
    const before = begun.length
    yield* Effect.sleep(200)
    expect([begun.length, (yield* run.status).state]).toEqual([before, "paused"])
    yield* run.resume
    expect(yield* run.wait).toMatchObject({ state: "done", done: 19, failed: 1 })
    expect(begun.filter((item) => item === 0)).toHaveLength(2)
  }
)

live("a run is waited for while its items are being tried again", function* () {
  const { release, run, stateIs } = yield* underWay
  const waiting = yield* Effect.fork(run.wait)
  const retrying = yield* Effect.fork(run.retry())
  const { error } = yield* stateIs("paused")
  expect(error).toContain("tried again")
  yield* release
  yield* Fiber.join(retrying)
  expect(yield* Fiber.join(waiting)).toMatchObject({ state: "done", done: 19, failed: 1 })
})

live("a retry that is interrupted leaves its run going", function* () {
  const { release, run, stateIs } = yield* underWay
  const retrying = yield* Effect.fork(run.retry())
  yield* stateIs("paused")
  yield* Fiber.interrupt(retrying)
  yield* release
  expect(yield* run.wait).toMatchObject({ state: "done", done: 19, failed: 1 })
})
