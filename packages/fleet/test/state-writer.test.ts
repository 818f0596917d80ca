// What is known of the items of several pages is written together.
import { live } from "@quartet/support/effect.js"
import { Effect, Stream } from "effect"
import * as Schema from "effect/Schema"
import { expect } from "vitest"
import * as Fleet from "../jobs/index.js"
import { Lease } from "../jobs/lease.js"
import { StateWriter } from "../jobs/state-writer.js"
import { prepare } from "../jobs/version.js"
import { StoreClock } from "../store/elapsed.js"
import { Life, leavePage, startRun, work } from "./crew.js"
import { client, file } from "./stores.js"

/** The leases of a process on so many pages of two items. */
const leases = (count: number) =>
  Effect.gen(function* () {
    // In a file, whose log is synced beside other work; in memory each would be written at once.
    const sql = yield* client(yield* file)
    yield* prepare(sql, true)
    const job = Fleet.job("pages", {
      input: Schema.Number,
      key: String,
      lanes: count,
      source: () => Stream.empty,
      each: () => Effect.void
    })
    const run = yield* startRun(sql, job, 1)
    yield* sql`UPDATE quartet_runs SET pages = ${count}`
    const held: Array<Lease> = []
    const storeClock = new StoreClock(yield* Effect.clock)
    for (let page = 0; page < count; page++) {
      yield* leavePage(sql, run.id, page, { numbers: String(2 * page), items: "[1,2]", states: ".." })
      const claim = yield* Lease.claim(sql, run.id, page, { runner: "one", storeClock, version: 1 })
      if (claim._tag !== "Taken") throw new Error("the page is free")
      held.push(claim.lease)
    }
    const states = Effect.map(sql`SELECT states FROM quartet_pages WHERE page >= 0 ORDER BY page`, (rows) =>
      rows.map(({ states }) => states)
    )
    return { held, sql, states }
  })

live("those that come while one is written share the next statement", function* () {
  const { held, sql, states } = yield* leases(4)
  const writer = new StateWriter(sql)
  const life = new Life()
  yield* Effect.forEach(held, (lease) => writer.write(lease, () => "sd"), { concurrency: "unbounded" }).pipe(
    life.through
  )
  expect([yield* states, life.statements]).toEqual([["sd", "sd", "sd", "sd"], 2])
})

live("a page that was lost to another runner is not written, and those beside it are", function* () {
  const { held, sql, states } = yield* leases(3)
  const writer = new StateWriter(sql)
  yield* sql`UPDATE quartet_pages SET epoch = epoch + 1 WHERE page = 1`
  const written = yield* Effect.forEach(held, (lease) => Effect.either(writer.write(lease, () => "ss")), {
    concurrency: "unbounded"
  })
  expect(written.map(({ _tag }) => _tag)).toEqual(["Right", "Left", "Right"])
  expect(written[1]).toMatchObject({ left: { _tag: "Lost" } })
  expect(yield* states).toEqual(["ss", "..", "ss"])
})

live("what is known when its turn comes is written, not what was known when it was asked for", function* () {
  const { held, sql, states } = yield* leases(2)
  const [first, second] = held
  if (first === undefined || second === undefined) throw new Error("there are two")
  const writer = new StateWriter(sql)
  let known = ".."
  const isWritten = () => {
    known = "sd"
    return "ss"
  }
  yield* Effect.all([writer.write(first, isWritten), writer.write(second, () => known)], {
    concurrency: "unbounded"
  })
  expect(yield* states).toEqual(["ss", "sd"])
})

live("no item is known to have failed before it stands among the failures", function* () {
  const sql = yield* client(yield* file)
  yield* prepare(sql, true)
  const job = Fleet.job("fails", {
    input: Schema.Number,
    key: String,
    lanes: 4,
    concurrency: 4,
    page: 40,
    attempts: 1,
    maxFailures: 1000,
    source: () => Stream.range(1, 320),
    // Some fail at once and some while others are written.
    each: (item: number) => Effect.zipRight(Effect.sleep(item % 4), Effect.fail("no"))
  })
  const run = yield* startRun(sql, job, 1)
  const told: Array<number> = []
  const look = Effect.gen(function* () {
    const [row] = yield* sql`
      SELECT COALESCE(SUM(LENGTH(states) - LENGTH(REPLACE(states, 'f', ''))), 0) - (SELECT COUNT(*) FROM quartet_failures) AS more
      FROM quartet_pages WHERE run = ${run.id}`
    told.push(Number(row?.more))
  })
  yield* Effect.raceFirst(work(sql, job, run.id), Effect.forever(Effect.zipRight(look, Effect.sleep(1))))
  expect(yield* run.status).toMatchObject({ failed: 320 })
  expect(told.length).toBeGreaterThan(0)
  expect(told.filter((more) => more > 0)).toEqual([])
})
