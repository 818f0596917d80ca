/** What becomes of a store that the first fleet has left, over each database. */
import type { SqlClient } from "@effect/sql/SqlClient"
import { live } from "@quartet/support/effect.js"
import { Context, Effect, Exit, Fiber, Layer, Option, Schema, Stream } from "effect"
import { describe, expect } from "vitest"
import * as Fleet from "../jobs/index.js"
import { now, numberOf } from "../store/store.js"
import { doneBefore, firstStatements, runs, total, writeFirstStore } from "./first-store.js"
import { Platform } from "./platform.js"
import { client, type Store } from "./stores.js"
import { leaseTime } from "./times.js"

const numbers = (count: number) => Array.from({ length: count }, (_, item) => item)

/** The first fleet's store, with the platform as its runner has left it. */
const first = (store: Store) =>
  Effect.gen(function* () {
    const url = yield* store
    const sql = yield* client(url)
    yield* writeFirstStore(sql)
    const platform = new Platform({ 58: "lost" })
    for (const item of doneBefore) platform.done.set(item, 1)
    const asked = new Map<number, Option.Option<unknown>>()
    const job = Fleet.job("numbers", {
      input: Schema.Number,
      key: String,
      page: 20,
      lanes: 2,
      source: (count) => Stream.fromIterable(numbers(count)),
      each: (item: number) => platform.send(undefined, item),
      baseline: (item) => Effect.succeed(`now ${item}`),
      onUnknown: (item: number, { baseline }) => {
        asked.set(item, baseline)
        return platform.find(item)
      }
    })
    const layer = Fleet.layer({ jobs: [job], store: url, limits: { perSecond: 10_000, inFlight: 8 } })
    return { asked, job, layer, platform, sql, url }
  })

const migration = {
  from: 1,
  to: 2,
  runs: 3,
  // Page 1 to be counted, 2 and 3 to be done. Page 0 is counted, and nobody counts page 4.
  pages: 3,
  items: 60,
  inDoubt: 5,
  failures: 6,
  runners: []
}

const tablesIn = (sql: SqlClient) =>
  Effect.map(
    sql.onDialectOrElse({
      pg: () => sql`SELECT tablename AS name FROM pg_tables WHERE tablename LIKE 'quartet%' ORDER BY 1`,
      orElse: () =>
        sql`SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'quartet%' ORDER BY 1`
    }),
    (rows) => rows.map(({ name }) => String(name))
  )

/** Begins as the first fleet did, on any store: it made its tables, and only then worked. Answers how many of the statements went well. */
const beginAsFirst = (sql: SqlClient) =>
  Effect.gen(function* () {
    for (const [index, statement] of firstStatements.entries())
      if (Exit.isFailure(yield* Effect.exit(sql.unsafe(statement)))) return index
    return firstStatements.length
  })

/** Has the first fleet begin, in vain. */
const expectBarred = (sql: SqlClient) =>
  Effect.gen(function* () {
    const before = yield* tablesIn(sql)
    expect(yield* beginAsFirst(sql)).toBeLessThan(firstStatements.length)
    expect(yield* tablesIn(sql)).toEqual(before)
  })

/** Takes away what bars the first fleet, as it was before there was such a thing. */
const unbar = (sql: SqlClient) =>
  sql.onDialectOrElse({
    pg: () => sql`DROP TYPE quartet_lanes`,
    orElse: () => sql`DROP INDEX quartet_lanes`
  })

/** A lease of a runner of the first fleet, for so many milliseconds. */
const hold = (sql: SqlClient, milliseconds: number) =>
  sql`UPDATE quartet_lanes SET runner = 'host-c-1', lease_until = ${now(sql)} + ${milliseconds} WHERE lane = 0`

export const migrations = (name: string, store: Store) =>
  describe(`a store of the first fleet in ${name}`, () => {
    live(
      "has a half-done run, which a runner of this one ends: nothing is lost, and nothing done twice",
      function* () {
        const { asked, job, layer, platform } = yield* first(store)
        const { half } = yield* runs
        yield* Effect.gen(function* () {
          const run = yield* job.start(total)
          expect(run.id).toBe(half)
          expect(yield* run.wait).toMatchObject({
            state: "done",
            read: total,
            total,
            done: total - 2,
            failed: 1,
            unknown: 1,
            startedAt: new Date(1_700_000_000_000)
          })
          const failures = yield* Stream.runCollect(run.failures)
          expect([...failures].map(({ input, item, state }) => [item, state, input])).toEqual([
            [3, "failed", 3],
            [25, "unknown", 25]
          ])
          // By hand one was done that no runner ever sent again, and two are not done.
          expect(platform.wrong(numbers(total))).toEqual([
            [3, 0],
            [25, 0]
          ])
          // Those that were perhaps sent were asked about, with what was kept of them; and the one whose answer is lost in this run.
          expect([...asked.keys()].sort()).toEqual([50, 51, 52, 53, 54, 58])
          expect(asked.get(50)).toEqual(Option.some("before 50"))
          expect(asked.get(51)).toEqual(Option.none())
          yield* run.retry({ states: ["unknown"] })
          expect(yield* run.wait).toMatchObject({ state: "done", done: total - 1, unknown: 0 })
          expect(asked.get(25)).toEqual(Option.some("before 25"))
          expect(platform.wrong(numbers(total))).toEqual([[3, 0]])
        }).pipe(Effect.provide(layer))
      }
    )

    live("keeps what is done and what was asked for, and both go on from there", function* () {
      const { layer, platform } = yield* first(store)
      const { done, paused } = yield* runs
      yield* Effect.gen(function* () {
        const fleet = yield* Fleet.Fleet
        const ended = yield* fleet.run(done)
        expect(yield* ended.status).toMatchObject({ state: "done", done: 49, failed: 1, total: 50 })
        platform.done.delete(7)
        expect(yield* ended.retry()).toBe(1)
        expect(yield* ended.wait).toMatchObject({ state: "done", done: 50, failed: 0 })
        expect(platform.done.get(7)).toBe(1)
        const other = yield* fleet.run(paused)
        expect(yield* other.status).toMatchObject({ state: "paused", error: "no more", done: 8, failed: 2 })
        platform.done.delete(1)
        platform.done.delete(2)
        yield* other.resume
        expect(yield* other.wait).toMatchObject({ state: "done", done: 10, failed: 0 })
        expect([platform.done.get(1), platform.done.get(2)]).toEqual([1, 1])
        yield* ended.remove
        expect(yield* Effect.flip(fleet.run(done))).toMatchObject({ reason: "Unknown" })
      }).pipe(Effect.provide(layer))
    })

    live("is migrated once, also by several at once, and shown before without being changed", function* () {
      const { sql, url } = yield* first(store)
      const before = yield* tablesIn(sql)
      expect(yield* Fleet.migrate({ store: url, dryRun: true })).toEqual(migration)
      expect(yield* tablesIn(sql)).toEqual(before)
      const migrate = Fleet.migrate({ store: url })
      const all = yield* Effect.all([migrate, migrate, migrate], { concurrency: "unbounded" })
      expect(all.map(({ to }) => to)).toEqual([2, 2, 2])
      expect(yield* migrate).toMatchObject({ from: 2, to: 2 })
      const { half } = yield* runs
      const pages = yield* sql`SELECT page, done FROM quartet_pages WHERE run = ${half} ORDER BY page`
      expect(pages.map(({ done, page }) => [page, done].map(numberOf))).toEqual([
        [-2, 18],
        [-1, 0],
        [1, 0],
        [2, 0],
        [3, 0]
      ])
      const fresh = yield* store
      yield* Layer.build(Fleet.layerClient({ store: fresh }))
      expect(yield* tablesIn(sql)).toEqual(yield* tablesIn(yield* client(fresh)))
    })

    live(
      "is left to the runners of the first one while they are there, and those that died are waited for",
      function* () {
        const { job, layer, sql, url } = yield* first(store)
        yield* hold(sql, leaseTime)
        const alive = yield* Effect.fork(Effect.forever(Effect.delay(hold(sql, leaseTime), 50)))
        const refused = {
          reason: "Version",
          advice: expect.stringMatching(/version 1, .* needs version 2: .* Stop host-c-1, /)
        }
        expect(yield* Effect.flip(Fleet.migrate({ store: url }))).toMatchObject(refused)
        expect(yield* Effect.flip(Effect.scoped(Layer.build(layer)))).toMatchObject(refused)
        expect(yield* Fleet.migrate({ store: url, dryRun: true })).toEqual({
          ...migration,
          runners: ["host-c-1"]
        })
        expect(yield* tablesIn(sql)).toContain("quartet_lanes")
        // It has died: its lease lasts for a while.
        yield* Fiber.interrupt(alive)
        yield* hold(sql, 700)
        const starting = yield* Effect.fork(Layer.build(layer))
        const context = yield* Fiber.join(starting)
        const run = yield* Effect.provide(job.start(total), context)
        expect(yield* run.wait).toMatchObject({ state: "done", done: total - 2 })
      }
    )

    live(
      "is barred to the first one from then on, which fails before it works, and so is every store of a newer one",
      function* () {
        const { layer, sql, url } = yield* first(store)
        expect(yield* beginAsFirst(sql)).toBe(firstStatements.length)
        yield* Fleet.migrate({ store: url })
        yield* expectBarred(sql)
        const fresh = yield* store
        yield* Layer.build(Fleet.layerClient({ store: fresh }))
        yield* expectBarred(yield* client(fresh))
        // One that was made or migrated before the first one was barred, which has begun on it since.
        yield* unbar(sql)
        const before = yield* tablesIn(sql)
        expect(yield* beginAsFirst(sql)).toBe(firstStatements.length)
        expect(yield* tablesIn(sql)).toEqual([...before, "quartet_lanes"].sort())
        yield* Effect.scoped(Layer.build(layer))
        expect(yield* tablesIn(sql)).toEqual(before)
        yield* expectBarred(sql)
        yield* unbar(sql)
        yield* Fleet.migrate({ store: url })
        yield* expectBarred(sql)
      }
    )

    live("is migrated where its clock was set back: a lease from before then is nobody's", function* () {
      const { sql, url } = yield* first(store)
      yield* hold(sql, 3_600_000)
      expect(yield* Fleet.migrate({ store: url, dryRun: true })).toEqual(migration)
      expect(yield* Fleet.migrate({ store: url })).toEqual(migration)
    })

    live("is changed by nobody who only looks: it says how to go on", function* () {
      const { sql, url } = yield* first(store)
      const before = yield* tablesIn(sql)
      expect(yield* Effect.flip(Effect.scoped(Layer.build(Fleet.layerClient({ store: url }))))).toMatchObject(
        {
          reason: "Version",
          advice: expect.stringContaining("quartet job migrate")
        }
      )
      expect(yield* tablesIn(sql)).toEqual(before)
    })

    live(
      "once it is a newer fleet's, is refused, and a runner that was there before is granted no page of it",
      function* () {
        const { job, layer, platform, sql, url } = yield* first(store)
        const context = yield* Layer.build(layer)
        const fleet = Context.get(context, Fleet.Fleet)
        yield* sql`UPDATE quartet_store SET version = 3`
        const newer = {
          reason: "Version",
          advice: expect.stringMatching(/version 3, .* needs version 2: a newer/)
        }
        for (const attempt of [
          Effect.asVoid(Layer.build(Fleet.layerClient({ store: url }))),
          Effect.asVoid(Layer.build(layer)),
          Effect.asVoid(Fleet.migrate({ store: url })),
          Effect.asVoid(Fleet.migrate({ store: url, dryRun: true }))
        ])
          expect(yield* Effect.flip(Effect.scoped(attempt))).toMatchObject(newer)
        const run = yield* Effect.provideService(job.start(7), Fleet.Fleet, fleet)
        const beaten = sql`SELECT 1 FROM quartet_runners WHERE job = 'numbers'`
        yield* Effect.repeat(Effect.delay(beaten, 50), { times: 10 })
        expect(yield* run.status).toMatchObject({ read: 0, done: 0 })
        yield* sql`UPDATE quartet_store SET version = 2`
        for (const item of numbers(7)) platform.done.delete(item)
        expect(yield* run.wait).toMatchObject({ state: "done", done: 7 })
      }
    )
  })
