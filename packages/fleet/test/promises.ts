/** What a fleet promises, whatever delivers its pages: one suite for each store, engine and version. */
import { live } from "@quartet/support/effect.js"
import { deliveryOf, type Worse } from "@quartet/support/engines.js"
import { Effect, Exit, Layer, Schema, Scope, Stream } from "effect"
import { describe, expect, vi } from "vitest"
import * as Fleet from "../jobs/index.js"
import { type Deliverer, endRunner, type Place, spawnRunner } from "./deliveries.js"
import { Platform } from "./platform.js"
import { remote, serve } from "./remote.js"

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
export const runner = <const Jobs extends ReadonlyArray<Fleet.Job<never, never>>>(
  { engine, store }: Pick<Place, "engine" | "store">,
  jobs: Jobs,
  worse?: Worse
) =>
  Effect.gen(function* () {
    const scope = yield* Effect.acquireRelease(Scope.make(), (scope) => Scope.close(scope, Exit.void))
    const delivery = yield* Scope.extend(deliveryOf(engine, worse), scope)
    const layer = Fleet.layer({ jobs, store, ...(delivery && { delivery }) })
    const context = yield* Scope.extend(Layer.build(layer), scope)
    return { context, end: Scope.close(scope, Exit.void) }
  })

const until = (isSo: () => boolean) => Effect.repeat(Effect.sleep(10), { until: isSo })

/** Whether this is what pg-boss 10 leaves rejected when PostgreSQL ends while it completes or fails a job. */
const isLeftByBoss = (reason: unknown): boolean =>
  reason instanceof Error &&
  /terminat|ECONNRE|shutting down|starting up|57P0/.test(`${reason.message} ${Object(reason).code}`)

/** Tolerates what pg-boss 10 leaves rejected, and nothing else. */
const tolerant = Effect.acquireRelease(
  Effect.sync(() => {
    const others = process.listeners("unhandledRejection")
    const handle = (reason: unknown, promise: Promise<unknown>): void => {
      if (!isLeftByBoss(reason)) for (const other of others) other(reason, promise)
    }
    process.removeAllListeners("unhandledRejection")
    process.on("unhandledRejection", handle)
    return { others, handle }
  }),
  ({ handle, others }) =>
    Effect.sync(() => {
      process.off("unhandledRejection", handle)
      for (const other of others) process.on("unhandledRejection", other)
    })
)

/** Declares the promises that are kept within one process. */
const promises = ({ opened, own }: Deliverer): void => {
  /** Has one runner do 800 items, while something is done to what it needs. */
  const whileWorking = <P extends Place>(
    opened: Effect.Effect<P, never, Scope.Scope>,
    harm: (place: P, platform: Platform) => Effect.Effect<unknown>
  ) =>
    Effect.gen(function* () {
      const place = yield* opened
      if (place.engine.kind === "pg-boss") yield* tolerant
      const platform = new Platform()
      const job = slowly("numbers", platform, 5)
      const { context } = yield* runner(place, [job])
      const run = yield* Effect.provide(job.start(800), context)
      yield* until(() => platform.done.size > 100)
      yield* harm(place, platform)
      expect(yield* run.wait).toMatchObject({ state: "done", done: 800, failed: 0, unknown: 0 })
      expect(platform.wrong(numbers(800))).toEqual([])
    })

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

  live("puts all pages again that an engine has lost", () =>
    whileWorking(opened, ({ purge }, platform) =>
      Effect.forEach([100, 200, 400], (least) =>
        Effect.zipRight(
          until(() => platform.done.size > least),
          purge
        )
      )
    )
  )

  live("goes on once what it needs is started again", () => whileWorking(own, ({ restart }) => restart))

  live("goes on once what it needs is within reach again, after seconds", () =>
    whileWorking(opened, ({ cut }) => cut(4_000))
  )

  live("goes on where a runner's clock steps by hours, forward and back", () =>
    whileWorking(opened, (_, platform) =>
      Effect.acquireUseRelease(
        Effect.sync(() => {
          const real = Date.now
          let step = 3_600_000
          const spy = vi.spyOn(Date, "now").mockImplementation(() => real() + step)
          return {
            back: () => {
              step = -7_200_000
            },
            restore: () => spy.mockRestore()
          }
        }),
        ({ back }) =>
          Effect.gen(function* () {
            yield* until(() => platform.done.size > 300)
            back()
            yield* until(() => platform.done.size > 500)
          }),
        ({ restore }) => Effect.sync(restore)
      )
    )
  )

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

  live("ends more runs of one job than pages are delivered at a time", function* () {
    const place = yield* opened
    const platform = new Platform()
    const done: Array<string> = []
    const job = Fleet.job("many", {
      input: Schema.Number,
      key: String,
      page: 5,
      lanes: 1,
      source: (run) => Stream.map(Stream.range(0, 19), (item) => `${run} ${item}`),
      each: (item: string) => Effect.sync(() => done.push(item))
    })
    const { context } = yield* runner(place, [job])
    const runs = yield* Effect.provide(Effect.forEach(numbers(12), job.start), context)
    for (const run of runs) expect(yield* run.wait).toMatchObject({ state: "done", done: 20 })
    expect(new Set(done).size).toBe(12 * 20)
    expect(done).toHaveLength(12 * 20)
    expect(platform.done.size).toBe(0)
  })
}

/** Declares the promises that take processes of their own. */
const promisesOfProcesses = ({ opened }: Deliverer): void => {
  /** Two runners, of which one comes to its end in the middle. */
  const losing = (signal: "SIGKILL" | "SIGTERM", code: number | null) =>
    Effect.gen(function* () {
      const { engine, store } = yield* opened
      const items = new Platform()
      const platform = yield* serve(items)
      const told = { engine, store, platform }
      const [first] = yield* Effect.forEach(["first", "second"], (name) => spawnRunner({ ...told, name }), {
        concurrency: 2
      })
      if (first === undefined) throw new Error("there is no first runner")
      const client = yield* Layer.build(Fleet.layerClient({ store }))
      const run = yield* Effect.provide(remote(platform).start(2_000), client)
      yield* until(() => items.done.size > 100)
      // It is to be hit in the middle of a page.
      yield* Effect.repeat(Effect.delay(run.status, 20), {
        until: ({ pages }) => pages.some(({ page, runner }) => page >= 0 && runner.startsWith("first-"))
      })
      expect(yield* endRunner(first, signal)).toBe(code)
      expect(items.done.size).toBeLessThan(2_000)
      expect(yield* run.wait).toMatchObject({ state: "done", done: 2_000, failed: 0, unknown: 0 })
      expect(items.wrong(numbers(2_000))).toEqual([])
    })

  live("goes on where a runner's process was killed, once its leases have ended", () =>
    losing("SIGKILL", null)
  )

  live("goes on where a runner's process was told to end, which it does by itself", () =>
    losing("SIGTERM", 0)
  )
}

/** Declares what holds where the store is PostgreSQL. */
export const promisesOfPostgres = ({ opened }: Deliverer): void => {
  live(
    "goes on where the database's clock steps back by an hour, also with pages that were given back before",
    function* () {
      const place = yield* opened
      const { query = () => Promise.reject(new Error("the store is no PostgreSQL")) } = place
      const ask = (sql: string) => Effect.promise(() => query(sql))
      // What stands before pg_catalog in the search path hides its clock.
      yield* ask(`
      CREATE SCHEMA clock; CREATE TABLE clock.step (ms bigint); INSERT INTO clock.step VALUES (0);
      CREATE FUNCTION clock.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
        'SELECT pg_catalog.clock_timestamp() + (SELECT ms FROM clock.step) * interval ''1 millisecond''';
      DO $$ BEGIN
        EXECUTE format('ALTER DATABASE %I SET search_path = public, clock, pg_catalog', current_database());
      END $$;`)
      const platform = new Platform()
      const job = slowly("numbers", platform, 5)
      const first = yield* runner(place, [job])
      const { context } = yield* runner(place, [job])
      const run = yield* Effect.provide(job.start(800), context)
      yield* until(() => platform.done.size > 100)
      yield* first.end
      yield* run.pause
      yield* ask("UPDATE clock.step SET ms = -3600000")
      yield* run.resume
      yield* until(() => platform.done.size > 300)
      yield* ask("UPDATE clock.step SET ms = -7200000")
      expect(yield* run.wait).toMatchObject({ state: "done", done: 800, failed: 0, unknown: 0 })
      expect(platform.wrong(numbers(800))).toEqual([])
    }
  )
}

/** Declares that two fleets share an engine. */
export const promisesOfSharing = ({ opened }: Deliverer): void => {
  live("two fleets share one engine, each with queues of its own", function* () {
    const { engine, store } = yield* opened
    const other = yield* opened
    const platforms = [new Platform(), new Platform()] as const
    const ends = yield* Effect.forEach(
      [
        { platform: platforms[0], store, prefix: "first-" },
        { platform: platforms[1], store: other.store, prefix: "second-" }
      ],
      ({ platform, prefix, store }) =>
        Effect.gen(function* () {
          const job = slowly("numbers", platform)
          const { context } = yield* runner({ engine, store }, [job], { prefix })
          return yield* (yield* Effect.provide(job.start(300), context)).wait
        }),
      { concurrency: 2 }
    )
    for (const end of ends) expect(end).toMatchObject({ state: "done", done: 300 })
    for (const platform of platforms) expect(platform.wrong(numbers(300))).toEqual([])
  })
}

/** Tests within one process run one after another: its event loop is to be late by its own work alone. Those of other processes wait at the same time. */
export const suite = (name: string, deliverer: Deliverer): void => {
  describe(`a fleet whose pages are delivered by ${name}`, () => {
    promises(deliverer)
    describe.concurrent("in processes of its own", () => promisesOfProcesses(deliverer))
  })
}
