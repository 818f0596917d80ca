// Runners over PostgreSQL hear from each other: their own look at the store is put off for an hour here, and so is the moment
// without a listener when it connects anew, in which nothing but the look finds what was told.

import { live } from "@quartet/support/effect.js"
import * as Postgres from "@quartet/support/postgres.js"
import { Effect, Exit, Layer, Schema, Scope, Stream } from "effect"
import { expect, vi } from "vitest"
import * as Fleet from "../jobs/index.js"
import { Platform } from "./platform.js"

const hour = 3_600_000
const engine = vi.hoisted(() => ({ look: 3_600_000, listening: 3_600_000, begun: { at: 0, listening: 0 } }))

vi.mock("../jobs/times.js", async () => {
  const times = await import("./times.js")
  return {
    ...times,
    get look() {
      return engine.look
    },
    get listening() {
      engine.begun = { at: Date.now(), listening: engine.listening }
      return engine.listening
    }
  }
})

const numbers = (count: number) => Array.from({ length: count }, (_, item) => item)

const slowly = (name: string, platform: Platform, milliseconds = 2) =>
  Fleet.job(name, {
    input: Schema.Number,
    key: String,
    page: 10,
    lanes: 2,
    source: (count) => Stream.fromIterable(numbers(count)),
    each: (item: number) => Effect.zipLeft(platform.send(undefined, item), Effect.sleep(milliseconds)),
    onUnknown: (item: number) => platform.find(item)
  })

const postgres = Effect.acquireRelease(
  Effect.promise(() => Postgres.open()),
  ({ stop }) => Effect.promise(stop)
)

/** The connections that listen, which they do from the end of the statement on. */
const thatListen = "FROM pg_stat_activity WHERE query LIKE 'LISTEN %' AND state = 'idle'"

/** How many runners listen, with connections that were opened since a moment. */
const listeners = ({ query }: Postgres.Postgres, since = 0) =>
  Effect.map(
    Effect.promise(() =>
      query(`SELECT count(*) ${thatListen} AND backend_start >= to_timestamp(${since} / 1000.0)`)
    ),
    Number
  )

/** Cuts the connections that listen; answers how many there were. */
const cut = ({ query }: Postgres.Postgres) =>
  Effect.map(
    Effect.promise(() => query(`SELECT count(pg_terminate_backend(pid)) ${thatListen}`)),
    Number
  )

/** A runner that listens. */
const listening = <const Jobs extends ReadonlyArray<Fleet.Job<never, never>>>(
  database: Postgres.Postgres,
  jobs: Jobs
) =>
  Effect.gen(function* () {
    const before = yield* listeners(database)
    const scope = yield* Effect.acquireRelease(Scope.make(), (scope) => Scope.close(scope, Exit.void))
    const context = yield* Scope.extend(Layer.build(Fleet.layer({ jobs, store: database.url })), scope)
    yield* Effect.repeat(Effect.delay(listeners(database), 50), { until: (count) => count > before })
    return { context, end: Scope.close(scope, Exit.void) }
  })

live("a run that is started elsewhere is begun without a look, paused and resumed", function* () {
  expect([engine.look, engine.listening]).toEqual([hour, hour])
  const database = yield* postgres
  const platform = new Platform()
  const job = slowly("numbers", platform, 10)
  yield* listening(database, [job])
  yield* listening(database, [job])
  const client = yield* Layer.build(Fleet.layerClient({ store: database.url }))
  const run = yield* Effect.provide(job.start(300), client)
  yield* Effect.repeat(Effect.sleep(10), { until: () => platform.done.size > 20 })
  yield* run.pause
  const { done } = yield* run.status
  expect(platform.done.size).toBe(done)
  yield* run.resume
  expect(yield* run.wait).toMatchObject({ state: "done", done: 300 })
  expect(platform.wrong(numbers(300))).toEqual([])
})

live("pages that a runner gives back are taken at once", function* () {
  const database = yield* postgres
  const platform = new Platform()
  const job = slowly("numbers", platform, 10)
  const first = yield* listening(database, [job])
  const second = yield* listening(database, [job])
  const run = yield* Effect.provide(job.start(400), second.context)
  yield* Effect.repeat(Effect.sleep(10), { until: () => platform.done.size > 20 })
  yield* first.end
  expect(yield* run.wait).toMatchObject({ state: "done", done: 400, unknown: 0 })
  expect(platform.wrong(numbers(400))).toEqual([])
})

live("a listener whose connection was cut listens anew by itself", function* () {
  engine.listening = 500
  const database = yield* postgres
  const platform = new Platform()
  const job = slowly("numbers", platform)
  yield* listening(database, [job])
  const client = yield* Layer.build(Fleet.layerClient({ store: database.url }))
  yield* Effect.repeat(Effect.delay(cut(database), 10), { until: (count) => count > 0 })
  // The one that comes after it stays.
  engine.listening = hour
  yield* Effect.repeat(Effect.sleep(10), { until: () => engine.begun.listening === hour })
  const { at } = engine.begun
  yield* Effect.repeat(Effect.delay(listeners(database, at), 50), { until: (count) => count === 1 })
  const run = yield* Effect.provide(job.start(50), client)
  expect(yield* run.wait).toMatchObject({ state: "done", done: 50 })
})

live("without a listener the look at the store remains", function* () {
  engine.look = 50
  engine.listening = 500
  const database = yield* postgres
  // Who may not listen is not kept from working: a pooler between loses what is told.
  const platform = new Platform()
  const job = slowly("numbers", platform)
  const cutting = yield* Effect.fork(Effect.forever(Effect.zipRight(cut(database), Effect.sleep(20))))
  yield* Layer.build(Fleet.layer({ jobs: [job], store: database.url }))
  const client = yield* Layer.build(Fleet.layerClient({ store: database.url }))
  const run = yield* Effect.provide(job.start(200), client)
  expect(yield* run.wait).toMatchObject({ state: "done", done: 200 })
  expect(platform.wrong(numbers(200))).toEqual([])
  expect(cutting.unsafePoll()).toBe(null)
})
