// What is kept in a file: read from its bytes and those of its log, while its runner is there.
import { readdirSync, readFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { live } from "@quartet/support/effect.js"
import { Effect, Layer, Schema, Stream } from "effect"
import { expect, vi } from "vitest"
import * as Fleet from "../jobs/index.js"
import { open as openWithLibsql } from "../store/libsql.js"
import * as NodeSqlite from "../store/node-sqlite.js"
import { kept } from "./kept.js"
import { file } from "./stores.js"

vi.mock("../jobs/times.js", () => import("./times.js"))

const pathOf = (url: string) => url.slice("file:".length)

const read = (url: string) =>
  Effect.sync(() => {
    const path = pathOf(url)
    return readdirSync(dirname(path))
      .filter((name) => name.startsWith(basename(path)))
      .map((name) => readFileSync(join(dirname(path), name), "latin1"))
      .join("\n")
  })

kept("a file", file, read)

/** Another program that has the file open, as a backup has: it reads from now on what is there now, until it ends that. */
const reading = (url: string) =>
  Effect.gen(function* () {
    const database = yield* Effect.acquireRelease(
      Effect.sync(() => (NodeSqlite.isThere() ? NodeSqlite.open : openWithLibsql)(pathOf(url))),
      ({ close }) => close
    )
    database.exec("BEGIN; SELECT * FROM quartet_failures")
    return { end: Effect.sync(() => database.exec("COMMIT")) }
  })

/** A store with a run that is done but for its item, which is a secret. */
const withSecret = Effect.gen(function* () {
  const store = yield* file
  const job = Fleet.job("kept", {
    input: Schema.String,
    key: (key) => key,
    source: () => Stream.make("item-secret-0"),
    each: () => Effect.fail(new Error("no"))
  })
  const ended = Effect.flatMap(job.start("a"), ({ wait }) => wait)
  expect(yield* Effect.provide(ended, Fleet.layer({ jobs: [job], store }))).toMatchObject({ failed: 1 })
  expect(yield* read(store)).toContain("item-secret-0")
  return store
})

/** Removes all runs of a store, as a client does that is closed then. */
const removeAll = Effect.gen(function* () {
  const fleet = yield* Fleet.Fleet
  for (const run of yield* fleet.runs()) yield* run.remove
  return yield* fleet.isForgotten
})

/** Waits until a store has no secret. */
const expectNoSecret = (store: string) =>
  Effect.gen(function* () {
    yield* Effect.repeat(Effect.delay(read(store), 20), {
      until: (text) => !text.includes("item-secret-0"),
      times: 250
    })
    expect(yield* read(store)).not.toContain("item-secret-0")
  })

live("a client overwrites what it removed as soon as another program reads it no more", function* () {
  const store = yield* withSecret
  const reader = yield* reading(store)
  yield* Effect.gen(function* () {
    expect(yield* removeAll).toBe(false)
    expect(yield* read(store)).toContain("item-secret-0")
    yield* reader.end
    yield* expectNoSecret(store)
    const { isForgotten } = yield* Fleet.Fleet
    yield* Effect.repeat(Effect.delay(isForgotten, 20), { until: (isDone) => isDone })
  }).pipe(Effect.provide(Fleet.layerClient({ store })))
})

live("what a client removed and could not overwrite, whoever opens the file next does", function* () {
  const store = yield* withSecret
  const reader = yield* reading(store)
  expect(yield* Effect.provide(removeAll, Fleet.layerClient({ store }))).toBe(false)
  yield* reader.end
  expect(yield* read(store)).toContain("item-secret-0")
  yield* Effect.provide(expectNoSecret(store), Fleet.layerClient({ store }))
  // It waits for those who are still in the way then.
  const next = yield* withSecret
  const other = yield* reading(next)
  expect(yield* Effect.provide(removeAll, Fleet.layerClient({ store: next }))).toBe(false)
  yield* Effect.gen(function* () {
    yield* other.end
    yield* expectNoSecret(next)
  }).pipe(Effect.provide(Fleet.layerClient({ store: next })))
})

const named = (name: string, each: () => Effect.Effect<void>) =>
  Fleet.job(name, { input: Schema.String, key: (key) => key, source: () => Stream.make(1), each })

live(
  "a runner removes runs of its jobs that ended as long ago as it keeps them, and no others",
  function* () {
    const store = yield* file
    const ended = named("ended", () => Effect.void)
    const going = named("going", () => Effect.never)
    const others = named("others", () => Effect.void)
    const other = yield* Layer.build(Fleet.layer({ jobs: [others], store }))
    const runner = yield* Layer.build(Fleet.layer({ jobs: [ended, going], store, keep: "100 millis" }))
    yield* Effect.gen(function* () {
      const fleet = yield* Fleet.Fleet
      yield* (yield* Effect.provide(others.start("a"), other)).wait
      yield* going.start("a")
      yield* ended.start("a")
      const jobs = Effect.map(fleet.runs(), (runs) => runs.map(({ job }) => job).sort())
      yield* Effect.repeat(Effect.delay(jobs, 20), { until: (names) => !names.includes("ended") })
      expect(yield* jobs).toEqual(["going", "others"])
    }).pipe(Effect.provide(runner))
  }
)

live.each([
  ["soon", 'must be a time such as "30 days"'],
  [-1, 'must be a time such as "30 days"'],
  [Number.POSITIVE_INFINITY, 'must be a time such as "30 days"'],
  [1e300, 'must be at most "100000000 days", which is as far as the times of a store reach']
] as const)("a runner refuses to keep runs for %s", function* ([keep, rule]) {
  const job = named("any", () => Effect.void)
  // What a program without types may give.
  const built = Layer.build(Fleet.layer({ store: yield* file, jobs: [job], keep: keep as never }))
  expect(yield* Effect.flip(built)).toMatchObject({ _tag: "InputError", field: "keep", rule })
})
