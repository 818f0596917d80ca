// What a fleet promises, whatever delivers its pages.

import { live } from "@quartet/support/effect.js"
import { Effect, Exit, Layer, Schema, Scope, Stream } from "effect"
import { describe, expect, vi } from "vitest"
import * as Fleet from "../jobs/index.js"
import { deliveries, type Place } from "./deliveries.js"
import { Platform } from "./platform.js"

vi.mock("../jobs/times.js", () => import("./times.js"))

const numbers = (count: number) => Array.from({ length: count }, (_, item) => item)

/** A job whose items take a moment on a platform that honours no keys. */
const slowly = (name: string, platform: Platform, milliseconds = 2) =>
  Fleet.job(name, {
    input: Schema.Number,
    key: String,
    page: 20,
    lanes: 4,
    source: (count) => Stream.fromIterable(numbers(count)),
    each: (item: number) => Effect.zipLeft(platform.send(undefined, item), Effect.sleep(milliseconds)),
    onUnknown: (item: number) => platform.find(item)
  })

/** A runner at a place, which can be ended before the test is. */
const runner = <const Jobs extends ReadonlyArray<Fleet.Job<never, never>>>(place: Place, jobs: Jobs) =>
  Effect.gen(function* () {
    const scope = yield* Effect.acquireRelease(Scope.make(), (scope) => Scope.close(scope, Exit.void))
    const delivery = yield* Scope.extend(place.delivery, scope)
    const layer = Fleet.layer({ jobs, store: place.store, ...(delivery && { delivery }) })
    const context = yield* Scope.extend(Layer.build(layer), scope)
    return { context, end: Scope.close(scope, Exit.void) }
  })

const until = (isSo: () => boolean) => Effect.repeat(Effect.sleep(10), { until: isSo })

describe.each(Object.entries(deliveries))("a fleet whose pages are delivered by %s", (_, opened) => {
  live("does each item once, with two runners", function* () {
    const place = yield* opened
    const platform = new Platform({ 3: "lost", 30: "dropped", 77: "busy" })
    const job = slowly("numbers", platform)
    const first = yield* runner(place, [job])
    yield* runner(place, [job])
    const run = yield* Effect.provide(job.start(400), first.context)
    expect(yield* run.wait).toMatchObject({ state: "done", done: 400, failed: 0, unknown: 0 })
    expect(platform.wrong(numbers(400))).toEqual([])
  })

  live("goes on with what a runner gave back that was stopped", function* () {
    const place = yield* opened
    const platform = new Platform()
    const job = slowly("numbers", platform, 5)
    const first = yield* runner(place, [job])
    const second = yield* runner(place, [job])
    const run = yield* Effect.provide(job.start(600), second.context)
    yield* until(() => platform.done.size > 50)
    yield* first.end
    expect(yield* run.wait).toMatchObject({ state: "done", done: 600, unknown: 0 })
    expect(platform.wrong(numbers(600))).toEqual([])
  })

  live("puts all pages again that an engine has lost", function* () {
    const place = yield* opened
    const platform = new Platform()
    const job = slowly("numbers", platform, 5)
    const { context } = yield* runner(place, [job])
    const run = yield* Effect.provide(job.start(800), context)
    for (const least of [50, 200, 400]) {
      yield* until(() => platform.done.size > least)
      yield* place.purge
    }
    expect(yield* run.wait).toMatchObject({ state: "done", done: 800, unknown: 0 })
    expect(platform.wrong(numbers(800))).toEqual([])
  })

  live("goes on once what it needs is started again", function* () {
    const place = yield* opened
    const platform = new Platform()
    const job = slowly("numbers", platform, 5)
    const { context } = yield* runner(place, [job])
    const run = yield* Effect.provide(job.start(800), context)
    yield* until(() => platform.done.size > 100)
    yield* place.restart
    expect(yield* run.wait).toMatchObject({ state: "done", done: 800, unknown: 0 })
    expect(platform.wrong(numbers(800))).toEqual([])
  })

  live("is paused and goes on", function* () {
    const place = yield* opened
    const platform = new Platform()
    const job = slowly("numbers", platform, 5)
    const { context } = yield* runner(place, [job])
    const run = yield* Effect.provide(job.start(600), context)
    yield* until(() => platform.done.size > 50)
    yield* run.pause
    const { done } = yield* run.status
    expect(platform.done.size).toBe(done)
    yield* Effect.sleep(300)
    expect(platform.done.size).toBe(done)
    yield* run.resume
    expect(yield* run.wait).toMatchObject({ state: "done", done: 600, unknown: 0 })
    expect(platform.wrong(numbers(600))).toEqual([])
  })

  live("works on a short run beside a long one", function* () {
    const place = yield* opened
    const platforms = [new Platform(), new Platform()] as const
    const [long, short] = [slowly("long", platforms[0], 5), slowly("short", platforms[1], 5)]
    const { context } = yield* runner(place, [long, short])
    yield* Effect.gen(function* () {
      const longRun = yield* long.start(4_000)
      yield* until(() => platforms[0].done.size > 50)
      const run = yield* short.start(60)
      expect(yield* run.wait).toMatchObject({ state: "done", done: 60 })
      expect((yield* longRun.status).state).toBe("running")
      yield* longRun.cancel
    }).pipe(Effect.provide(context))
  })
})
