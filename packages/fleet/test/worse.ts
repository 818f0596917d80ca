// What a fleet promises over an engine that is worse than its adapter asks for.
import { live } from "@quartet/support/effect.js"
import type { Worse } from "@quartet/support/engines.js"
import { Effect, Schema, Stream } from "effect"
import { expect } from "vitest"
import * as Fleet from "../jobs/index.js"
import type { Deliverer } from "./deliveries.js"
import { Platform } from "./platform.js"
import { runner } from "./promises.js"

/** Items of a page that takes longer than the engine bears, and that keep its process from renewing anything. */
const long = (platform: Platform, block: number) =>
  Fleet.job("long", {
    input: Schema.Number,
    key: String,
    page: 10,
    lanes: 2,
    concurrency: 1,
    source: (count) => Stream.range(0, count - 1),
    each: (item: number) =>
      Effect.gen(function* () {
        yield* platform.send(undefined, item)
        if (item % 10 === 5) {
          const end = performance.now() + block
          while (performance.now() < end);
        }
        yield* Effect.sleep(250)
      }),
    onUnknown: (item: number) => platform.find(item)
  })

/** Declares that each item is done once, however the engine is worse; an item of each page blocks the process for so many milliseconds. */
export const onceOverWorse = (
  { opened }: Deliverer,
  block: number,
  worse: ReadonlyArray<readonly [what: string, worse: Worse]>
): void =>
  live.each(worse)("each item is done once where the engine %s", function* ([, worse]) {
    const place = yield* opened
    const platform = new Platform()
    const job = long(platform, block)
    const first = yield* runner(place, [job], worse)
    yield* runner(place, [job], worse)
    const run = yield* Effect.provide(job.start(40), first.context)
    expect(yield* run.wait).toMatchObject({ state: "done", done: 40, failed: 0, unknown: 0 })
    expect(platform.wrong(Array.from({ length: 40 }, (_, item) => item))).toEqual([])
  })
