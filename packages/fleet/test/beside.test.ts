// What one run meets, or what is done to it, while another one is worked on, and what comes at the same moment.

import { live } from "@quartet/support/effect.js"
import { Context, Data, Effect, Layer, Logger, LogLevel, Option, Schema, Stream } from "effect"
import { expect, vi } from "vitest"
import * as Fleet from "../jobs/index.js"
import { file } from "./stores.js"

vi.mock("../jobs/times.js", () => import("./times.js"))

const numbers = (count: number) => Stream.range(0, count - 1)

/** What a platform answers that asks to be left alone. */
class RateLimited extends Data.TaggedError("RateLimited")<{ readonly retryAfter?: number }> {
  readonly retryable = true
}

const jobOf = (name: string, each: () => Effect.Effect<unknown, unknown>) =>
  Fleet.job(name, {
    input: Schema.Number,
    key: String,
    page: 20,
    lanes: 1,
    concurrency: 4,
    source: numbers,
    each,
    onUnknown: () => Effect.succeedNone
  })

const fleetOf = <const Jobs extends ReadonlyArray<Fleet.Job<never, never>>>(jobs: Jobs) =>
  Effect.flatMap(file, (store) => Layer.build(Fleet.layer({ jobs, store })))

/** A platform that asks everybody to leave it alone, and sees how many ask, and how many of them at once. */
class Busy {
  asking = 0
  asked = 0
  together = 0
  readonly ask = (): Effect.Effect<never, RateLimited> =>
    Effect.acquireUseRelease(
      Effect.sync(() => {
        this.asking += 1
        this.asked += 1
        this.together = Math.max(this.together, this.asking)
      }),
      () => Effect.zipRight(Effect.sleep(5), new RateLimited({})),
      () => Effect.sync(() => this.asking--)
    )
}

live("what a run asks is out of service, and another run goes on and opens nothing to it", function* () {
  const platform = new Busy()
  const closed = jobOf("closed", platform.ask)
  const open = jobOf("open", () => Effect.sleep(1))
  const context = yield* fleetOf([closed, open])
  const waiting = yield* Effect.provide(closed.start(40), context)
  yield* Effect.repeat(Effect.delay(waiting.status, 10), {
    until: ({ pages }) =>
      platform.asking === 0 && pages.some(({ error = "" }) => error.startsWith("429 since"))
  })
  expect(platform.together).toBe(4)
  platform.together = 0
  const end = yield* Effect.provide(
    Effect.flatMap(open.start(400), ({ wait }) => wait),
    context
  )
  expect(end).toMatchObject({ state: "done", done: 400 })
  const { done, failed, unknown } = yield* waiting.status
  expect([done, failed, unknown]).toEqual([0, 0, 0])
  // One at a time has tried since, and no wave.
  yield* Effect.repeat(Effect.sleep(10), { until: () => platform.together > 0 })
  expect(platform.together).toBe(1)
})

live.each(["pause", "cancel"] as const)("to %s a run that waits begins none of its items", function* (how) {
  let asked = 0
  const job = jobOf("job", () => {
    asked += 1
    return new RateLimited({ retryAfter: 60_000 })
  })
  const context = yield* fleetOf([job])
  const run = yield* Effect.provide(job.start(40), context)
  yield* Effect.repeat(Effect.delay(run.status, 10), {
    until: ({ pages }) => pages.some(({ error = "" }) => error.startsWith("429 since"))
  })
  const before = asked
  yield* run[how]
  expect(asked).toBe(before)
})

live.each([Number.POSITIVE_INFINITY, Number.NaN, -1, 1e12])(
  "a pause of %d milliseconds that is asked for is a time that can be told",
  function* (retryAfter) {
    const job = jobOf("job", () => new RateLimited({ retryAfter }))
    const context = yield* fleetOf([job])
    const run = yield* Effect.provide(job.start(4), context)
    const { pages } = yield* Effect.repeat(Effect.delay(run.status, 10), {
      until: ({ pages }) => pages.some(({ error }) => error !== undefined)
    })
    const [, seconds = "0"] = /next try in (\d+) s$|trying now$/.exec(pages[0]?.error ?? "") ?? []
    expect(Number(seconds)).toBeLessThanOrEqual(300)
  }
)

live.each([
  { how: "dies", refuse: () => Effect.dieMessage("no such project") },
  {
    how: "throws",
    refuse: () => {
      throw new Error("no such project")
    }
  },
  { how: "says what no database keeps", refuse: () => Effect.succeed("not \0 mine") }
])("a job whose refuse $how keeps up no other job", function* ({ refuse }) {
  const odd = Fleet.job("odd", {
    input: Schema.Number,
    key: String,
    source: numbers,
    refuse,
    each: () => Effect.void
  })
  const other = jobOf("other", () => Effect.void)
  const context = yield* fleetOf([odd, other])
  const run = yield* Effect.provide(odd.start(1), context)
  const { wait } = yield* Effect.provide(other.start(30), context)
  expect(yield* wait).toMatchObject({ state: "done", done: 30 })
  expect(yield* run.status).toMatchObject({ state: "running", done: 0 })
})

live("a job whose refuse fails once is asked again, and its run is worked on", function* () {
  let asked = 0
  const job = Fleet.job("odd", {
    input: Schema.Number,
    key: String,
    source: numbers,
    refuse: () => {
      asked += 1
      return asked === 1 ? Effect.dieMessage("the network is out for a moment") : Effect.succeed(undefined)
    },
    each: () => Effect.void
  })
  const context = yield* fleetOf([job])
  const run = yield* Effect.provide(job.start(3), context)
  expect(yield* run.wait).toMatchObject({ state: "done", done: 3 })
  expect(asked).toBe(2)
})

live("more refused runs than one look finds hold up no run that is not refused", function* () {
  const job = Fleet.job("shops", {
    input: Schema.Number,
    key: String,
    source: () => numbers(2),
    refuse: (shop) => Effect.succeed(shop < 1_010 ? "it is for another shop" : undefined),
    each: () => Effect.void
  })
  const store = yield* file
  const watcher = yield* Layer.build(Fleet.layerClient({ store }))
  for (let shop = 0; shop < 1_010; shop++) yield* Effect.provide(job.start(shop), watcher)
  const context = yield* Layer.build(Fleet.layer({ jobs: [job], store })).pipe(
    Effect.provide(Logger.minimumLogLevel(LogLevel.Error))
  )
  const { wait } = yield* Effect.provide(job.start(1_010), context)
  expect(yield* wait).toMatchObject({ state: "done", done: 2 })
})

live("a runner that starts while the platform is out of service sends no wave", function* () {
  const platform = new Busy()
  const job = jobOf("job", platform.ask)
  const store = yield* file
  const runner = Layer.build(Fleet.layer({ jobs: [job], store }))
  const isClosed = (run: Fleet.Run) =>
    Effect.repeat(Effect.delay(run.status, 10), {
      until: ({ pages }) => pages.some(({ error = "" }) => /^429 since \d\d:\d\d UTC, /.test(error))
    })
  yield* Effect.scoped(
    Effect.gen(function* () {
      const context = yield* runner
      yield* isClosed(yield* Effect.provide(job.start(40), context))
    })
  )
  expect(platform.together).toBe(4)
  platform.together = 0
  platform.asked = 0
  const context = yield* runner
  const run = yield* Effect.provide(job.start(40), context)
  yield* isClosed(run)
  yield* Effect.repeat(Effect.sleep(10), { until: () => platform.asked >= 4 })
  expect(platform.together).toBe(1)
})

/** A run that is done but for one item. */
const ended = Effect.gen(function* () {
  let isWell = false
  const job = jobOf("job", () => (isWell ? Effect.void : Effect.fail(new Error("no"))))
  const context = yield* fleetOf([job])
  const run = yield* Effect.provide(job.start(1), context)
  expect(yield* run.wait).toMatchObject({ state: "done", failed: 1 })
  isWell = true
  return { fleet: Context.get(context, Fleet.Fleet), run, start: Effect.provide(job.start(1), context) }
})

live("a run is either removed or tried again, where both are asked for at once", function* () {
  for (let round = 0; round < 10; round += 1) {
    const { fleet, run } = yield* ended
    const [removed, retried] = yield* Effect.all([Effect.option(run.remove), Effect.option(run.retry())], {
      concurrency: "unbounded"
    })
    const count = Option.getOrElse(retried, () => 0)
    expect([Option.isSome(removed), count]).not.toEqual([true, 1])
    if (Option.isSome(removed)) expect(yield* fleet.runs()).toEqual([])
    if (count === 1) expect(yield* run.wait).toMatchObject({ state: "done", done: 1 })
  }
})

live("a run that is removed and started at once is there as a whole, or not", function* () {
  for (let round = 0; round < 10; round += 1) {
    const { fleet, run, start } = yield* ended
    yield* Effect.all([run.remove, start], { concurrency: "unbounded" })
    for (const left of yield* fleet.runs()) expect(yield* left.wait).toMatchObject({ state: "done", done: 1 })
  }
})
