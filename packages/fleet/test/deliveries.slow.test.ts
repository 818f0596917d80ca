// What a fleet promises, whatever delivers its pages.

import { live } from "@quartet/support/effect.js"
import type { Worse } from "@quartet/support/engines.js"
import { Effect, Schema, Stream } from "effect"
import { describe, expect, vi } from "vitest"
import * as Fleet from "../jobs/index.js"
import { deliveries } from "./deliveries.js"
import { Platform } from "./platform.js"
import { promisesOfPostgres, promisesOfSharing, runner, suite } from "./promises.js"

vi.mock("../jobs/times.js", () => import("./times.js"))

for (const [name, opened] of Object.entries(deliveries)) suite(name, opened)

describe.each(Object.entries(deliveries).filter(([name]) => name === "PostgreSQL" || name === "pg-boss"))(
  "a fleet over %s",
  (_, opened) => promisesOfPostgres(opened)
)

const engines = Object.entries(deliveries).filter(([name]) => name === "pg-boss" || name === "BullMQ")

describe.each(engines)("fleets over %s", (_, opened) => promisesOfSharing(opened))

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

const worse: ReadonlyArray<readonly [what: string, name: string, block: number, worse: Worse]> = [
  [
    "takes pages for expired that are worked on",
    "pg-boss",
    0,
    { send: { expireInSeconds: 1, retryLimit: 0 } }
  ],
  [
    "expires pages and delivers them again, three times, and then gives up",
    "pg-boss",
    0,
    { send: { expireInSeconds: 1, retryLimit: 3, retryDelay: 0 } }
  ],
  [
    "takes a process that is blocked for dead, and delivers its pages again",
    "BullMQ",
    900,
    { worker: { lockDuration: 300, stalledInterval: 300, maxStalledCount: 3 } }
  ],
  [
    "takes a process that is blocked for dead, and gives its pages up",
    "BullMQ",
    900,
    { worker: { lockDuration: 300, stalledInterval: 300, maxStalledCount: 0 } }
  ]
]

live.each(worse)("each item is done once where the engine %s: %s", function* ([, name, block, worse]) {
  const opened = deliveries[name]
  if (opened === undefined) throw new Error(`there is no ${name}`)
  const place = yield* opened
  const platform = new Platform()
  const job = long(platform, block)
  const first = yield* runner(place, [job], worse)
  yield* runner(place, [job], worse)
  const run = yield* Effect.provide(job.start(40), first.context)
  expect(yield* run.wait).toMatchObject({ state: "done", done: 40, failed: 0, unknown: 0 })
  expect(platform.wrong(Array.from({ length: 40 }, (_, item) => item))).toEqual([])
})
