// What becomes of a run's items: each by its own record, whatever its work and its source do.

import { OutcomeUnknown } from "@quartet/sdk/extend"
import { live } from "@quartet/support/effect.js"
import { Chunk, Data, Deferred, Effect, type Option, Schema, Stream } from "effect"
import { describe, expect, vi } from "vitest"
import * as Fleet from "../jobs/index.js"
import { Lease } from "../jobs/lease.js"
import { Page } from "../jobs/page.js"
import { StateWriter } from "../jobs/state-writer.js"
import { StoreClock } from "../store/elapsed.js"
import { movable } from "./clocks.js"
import { leavePage, memory, startRun, work } from "./crew.js"
import { Platform, Refused } from "./platform.js"
import { leaseTime, orphanAfter } from "./times.js"

vi.mock("../jobs/times.js", () => import("./times.js"))

const input = Schema.Number
const base = { input, key: String, page: 4, lanes: 2 }
const numbers = (count: number) => Array.from({ length: count }, (_, item) => item)

class Transient extends Data.TaggedError("ServerFault") {
  readonly retryable = true
}

/** Runs a job to where it stops. */
const ran = <I>(job: Fleet.Job<I, never>, input: I) =>
  Effect.gen(function* () {
    const sql = yield* memory
    const run = yield* startRun(sql, job, input)
    yield* work(sql, job, run.id)
    return { sql, run, again: work(sql, job, run.id), status: yield* run.status }
  })

const failuresOf = (run: Fleet.Run) =>
  Effect.map(Stream.runCollect(run.failures), (failures) =>
    Chunk.toReadonlyArray(failures).map(({ attempts, error, input, item, state, tag }) => ({
      attempts,
      error,
      input,
      item,
      state,
      tag
    }))
  )

live.each([
  { what: "an empty source", count: 0, page: 4, lanes: 2 },
  { what: "a part of a page", count: 3, page: 4, lanes: 2 },
  { what: "exactly one page", count: 4, page: 4, lanes: 2 },
  { what: "an end at a page's border", count: 12, page: 4, lanes: 2 },
  { what: "pages of one item", count: 9, page: 1, lanes: 2 },
  { what: "one lane", count: 9, page: 2, lanes: 1 },
  { what: "64 lanes", count: 200, page: 2, lanes: 64 },
  { what: "more items than are marked at once", count: 150, page: 150, lanes: 1 }
])("does each item once, with $what", function* ({ count, lanes, page }) {
  const platform = new Platform()
  const job = Fleet.job("sizes", {
    ...base,
    lanes,
    page,
    source: (count) => Stream.fromIterable(numbers(count)),
    each: (item: number) => platform.send(undefined, item),
    onUnknown: () => Effect.succeedNone
  })
  const { status } = yield* ran(job, count)
  expect(status).toMatchObject({
    state: "done",
    read: count,
    total: count,
    done: count,
    failed: 0,
    unknown: 0
  })
  expect(platform.wrong(numbers(count))).toEqual([])
})

live("gives an item the same key in all runners and all attempts, and each item another one", function* () {
  const keys: Array<string> = []
  const job = Fleet.job("keys", {
    ...base,
    source: () => Stream.make(0, 1),
    each: (item: number, { idempotencyKey }) =>
      Effect.suspend(() => {
        keys.push(`${item} ${idempotencyKey}`)
        return keys.length <= 2 ? new Transient() : Effect.void
      })
  })
  yield* ran(job, 1)
  expect(keys).toHaveLength(4)
  expect(new Set(keys).size).toBe(2)
})

live("says in the store that items may have been sent, before they are", function* () {
  const sql = yield* memory
  const seen: Array<string> = []
  const job = Fleet.job("marks", {
    ...base,
    lanes: 1,
    source: () => Stream.make(0, 1),
    each: () =>
      Effect.map(Effect.orDie(sql`SELECT states FROM quartet_pages WHERE page = 0`), ([row]) =>
        seen.push(String(row?.states))
      )
  })
  const run = yield* startRun(sql, job, 1)
  yield* work(sql, job, run.id)
  expect(seen).toEqual(["ss", "ss"])
})

live("marks at most twice as many items of a page as can be in flight, each before it is sent", function* () {
  const sql = yield* memory
  const seen: Array<{ readonly marked: number; readonly own: string | undefined }> = []
  const job = Fleet.job("few", {
    ...base,
    page: 40,
    concurrency: 3,
    source: () => Stream.fromIterable(numbers(80)),
    each: (item: number) =>
      sql`SELECT states FROM quartet_pages WHERE page = ${Math.floor(item / 40)}`.pipe(
        Effect.orDie,
        Effect.tap(Effect.yieldNow()),
        Effect.map(([row]) => {
          const states = String(row?.states)
          return seen.push({ marked: states.split("s").length - 1, own: states[item % 40] })
        })
      )
  })
  const run = yield* startRun(sql, job, 1)
  yield* work(sql, job, run.id)
  expect(yield* run.status).toMatchObject({ state: "done", done: 80 })
  expect(seen.filter(({ own }) => own !== "s")).toEqual([])
  expect(Math.max(...seen.map(({ marked }) => marked))).toBeLessThanOrEqual(6)
})

live("gives an item another key in another store, where the same run is other work", function* () {
  const keys: Array<string> = []
  const job = Fleet.job("keys", {
    ...base,
    source: () => Stream.make(0),
    each: (_, { idempotencyKey }) => Effect.sync(() => keys.push(idempotencyKey))
  })
  yield* ran(job, 1)
  yield* ran(job, 1)
  expect(keys).toHaveLength(2)
  expect(new Set(keys).size).toBe(2)
})

live("lists an error with what PostgreSQL would refuse: a NUL, half of a surrogate pair", function* () {
  const job = Fleet.job("odd", {
    ...base,
    source: () => Stream.make(0),
    each: () => Effect.fail(new Refused({ message: "bad\u0000 \ud800 text" }))
  })
  const { run } = yield* ran(job, 1)
  expect([...(yield* Stream.runCollect(run.failures))]).toMatchObject([{ error: "bad\ufffd \ufffd text" }])
})

live("goes on behind what is cut, once a source that failed in the middle is mended", function* () {
  let isBroken = true
  const done: Array<number> = []
  const job = Fleet.job("broken", {
    ...base,
    source: () =>
      Stream.fromIterable(numbers(11)).pipe(
        Stream.mapEffect((item) =>
          isBroken && item === 6 ? new Refused({ message: "line 6 is not CSV" }) : Effect.succeed(item)
        )
      ),
    each: (item: number) => Effect.sync(() => done.push(item))
  })
  const { again, run, status } = yield* ran(job, 1)
  expect(status).toMatchObject({ state: "paused", error: "Refused: line 6 is not CSV", read: 6 })
  isBroken = false
  yield* run.resume
  yield* again
  expect(yield* run.status).toMatchObject({ state: "done", done: 11, error: undefined })
  expect(done.sort((left, right) => left - right)).toEqual(numbers(11))
})

live("asks a source that can begin elsewhere for what is left", function* () {
  const skipped: Array<number> = []
  let isBroken = true
  const done: Array<number> = []
  const job = Fleet.job("elsewhere", {
    ...base,
    source: (_, skip) => {
      skipped.push(skip)
      const from = Math.max(0, skip - 1)
      const items = Stream.fromIterable(numbers(10).slice(from))
      return {
        from,
        items: isBroken
          ? Stream.concat(Stream.take(items, 5), Stream.fail(new Refused({ message: "no" })))
          : items
      }
    },
    each: (item: number) => Effect.sync(() => done.push(item))
  })
  const { again, run } = yield* ran(job, 1)
  isBroken = false
  yield* run.resume
  yield* again
  expect(skipped).toEqual([0, 5])
  expect(done.sort((left, right) => left - right)).toEqual(numbers(10))
})

live(
  "is not kept up by a page that a crash left uncounted, where the source has become shorter",
  function* () {
    const job = Fleet.job("left", { ...base, source: () => Stream.make(1), each: () => Effect.void })
    const sql = yield* memory
    const run = yield* startRun(sql, job, 1)
    yield* leavePage(sql, run.id, 1, { numbers: "1", items: "[2]", states: "." })
    yield* work(sql, job, run.id)
    expect(yield* run.status).toMatchObject({ state: "done", done: 1 })
    expect(yield* sql`SELECT page FROM quartet_pages WHERE state <> 'ended'`).toEqual([])
  }
)

live("pauses where its source interrupts itself", function* () {
  const job = Fleet.job("interrupts", {
    ...base,
    source: () => Stream.fromEffect(Effect.interrupt),
    each: () => Effect.void
  })
  expect((yield* ran(job, 1)).status).toMatchObject({ state: "paused" })
})

live("keeps items as their schema says", function* () {
  const seen: Array<unknown> = []
  const job = Fleet.job("dates", {
    ...base,
    item: Schema.Struct({ at: Schema.Date, big: Schema.BigInt }),
    source: () => Stream.make({ at: new Date(5), big: 12345678901234567890n }),
    each: (item) => Effect.sync(() => seen.push(item))
  })
  yield* ran(job, 1)
  expect(seen).toEqual([{ at: new Date(5), big: 12345678901234567890n }])
})

live("keeps nothing and null as null, without a schema", function* () {
  const seen: Array<unknown> = []
  const job = Fleet.job("nothing", {
    ...base,
    source: (): Stream.Stream<unknown> => Stream.make(undefined, null, "text"),
    each: (item) => Effect.sync(() => seen.push(item))
  })
  yield* ran(job, 1)
  expect(seen.sort()).toEqual(["text", null, null].sort())
})

live("pauses where an item cannot be kept, and says why", function* () {
  const job = Fleet.job("big", { ...base, source: () => Stream.make(1n), each: () => Effect.void })
  const { status } = yield* ran(job, 1)
  expect(status).toMatchObject({ state: "paused", read: 0 })
  expect(status.error).toContain("BigInt")
})

live("pauses where an item breaks the job's schema of items, and names it", function* () {
  const job = Fleet.job("empty", {
    ...base,
    item: Schema.NonEmptyString,
    source: () => Stream.make("a", "", "b"),
    each: () => Effect.void
  })
  const { status } = yield* ran(job, 1)
  expect(status).toMatchObject({ state: "paused", read: 0 })
  expect(status.error).toContain("item 1 breaks the job's schema of items")
})

live.each([5, -1, 1.5])("pauses where a source that is to begin at 4 begins at %d", function* (from) {
  let isBroken = true
  const job = Fleet.job("gap", {
    ...base,
    source: (_, skip) => {
      const items = Stream.fromIterable(numbers(12).slice(skip))
      if (skip === 0) return { from: 0, items: Stream.concat(Stream.take(items, 4), Stream.fail("cut")) }
      return { from: isBroken ? from : skip, items }
    },
    each: () => Effect.void
  })
  const { again, run } = yield* ran(job, 1)
  yield* run.resume
  yield* again
  expect(yield* run.status).toMatchObject({
    state: "paused",
    error: expect.stringContaining(`the source answered from: ${from} to skip: 4`)
  })
  isBroken = false
  yield* run.resume
  yield* again
  expect(yield* run.status).toMatchObject({ state: "done", done: 12 })
})

live("pauses where its source has become shorter than what was read of it", function* () {
  let rest: Stream.Stream<number, string> = Stream.fail("cut")
  let first = 4
  const job = Fleet.job("shorter", {
    ...base,
    source: () => Stream.concat(Stream.fromIterable(numbers(first)), rest),
    each: () => Effect.void
  })
  const { again, run } = yield* ran(job, 1)
  rest = Stream.empty
  first = 3
  yield* run.resume
  yield* again
  expect(yield* run.status).toMatchObject({
    state: "paused",
    error: expect.stringContaining("its first 4 items were read before, and 3 are there")
  })
  first = 12
  yield* run.resume
  yield* again
  expect(yield* run.status).toMatchObject({ state: "done", done: 12 })
})

live("lists items that fail, those that die among them, and goes on", function* () {
  const job = Fleet.job("poison", {
    ...base,
    source: () => Stream.fromIterable(numbers(6)),
    each: (item: number) => {
      if (item === 1) throw new TypeError("poison")
      return item === 4 ? new Refused({ message: "no" }) : Effect.void
    }
  })
  const { run, status } = yield* ran(job, 1)
  expect(status).toMatchObject({ state: "done", done: 4, failed: 2 })
  expect(yield* failuresOf(run)).toEqual([
    { item: 1, state: "failed", tag: "TypeError", error: "poison", input: 1, attempts: 1 },
    { item: 4, state: "failed", tag: "Refused", error: "no", input: 4, attempts: 1 }
  ])
})

live("tries an item again that may succeed, as often as the job says", function* () {
  const job = Fleet.job("attempts", {
    ...base,
    attempts: 3,
    source: () => Stream.make(0),
    each: () => new Transient()
  })
  const { run } = yield* ran(job, 1)
  expect(yield* failuresOf(run)).toMatchObject([{ item: 0, tag: "ServerFault", attempts: 3 }])
})

live.each([true, false])("waits while the platform is out of service, however often", function* (retryable) {
  class Unavailable extends Data.TaggedError("ServerFault") {
    readonly status = 503
    readonly retryable = retryable
  }
  let count = 0
  const job = Fleet.job("away", {
    ...base,
    attempts: 1,
    source: () => Stream.make(0),
    each: () => Effect.suspend(() => (++count <= 4 ? new Unavailable() : Effect.void)),
    onUnknown: () => Effect.succeedNone
  })
  const { status } = yield* ran(job, 1)
  expect([count, status]).toMatchObject([5, { state: "done", done: 1, failed: 0 }])
})

live("waits as long as the platform asks for, however often", function* () {
  const at: Array<number> = []
  class Limited extends Data.TaggedError("RateLimited") {
    readonly retryable = true
    readonly retryAfter = 60
  }
  const job = Fleet.job("limited", {
    ...base,
    attempts: 1,
    source: () => Stream.make(0),
    each: () =>
      Effect.suspend(() => {
        at.push(performance.now())
        return at.length <= 3 ? new Limited() : Effect.void
      })
  })
  const { status } = yield* ran(job, 1)
  expect(status).toMatchObject({ state: "done", done: 1 })
  for (const [index, moment] of at.slice(1).entries()) expect(moment - (at[index] ?? 0)).toBeGreaterThan(59)
})

live.each(["CredentialsError", "Unauthenticated"])("pauses at %s, and the item waits", function* (tag) {
  let isRefused = true
  const done: Array<number> = []
  const job = Fleet.job("refused", {
    ...base,
    source: () => Stream.fromIterable(numbers(9)),
    each: (item: number) =>
      Effect.suspend(() =>
        isRefused && item === 5 ? Effect.fail({ _tag: tag, message: "no" }) : Effect.void
      ).pipe(Effect.tap(() => done.push(item)))
  })
  const { again, run, status } = yield* ran(job, 1)
  expect(status).toMatchObject({ state: "paused", error: `${tag}: no`, failed: 0 })
  isRefused = false
  yield* run.resume
  yield* again
  expect(yield* run.status).toMatchObject({ state: "done", done: 9 })
  expect(done.sort()).toEqual(numbers(9))
})

live.each([
  ["failed", new Refused({ message: "no" })],
  ["unknown", new OutcomeUnknown({ operation: "items.create", reason: "Network", attempts: 1 })]
] as const)("pauses after too many %s items, and resumed, after as many more", function* ([kind, error]) {
  const job = Fleet.job("many", {
    ...base,
    lanes: 1,
    page: 4,
    maxFailures: 5,
    concurrency: 1,
    source: () => Stream.fromIterable(numbers(40)),
    each: () => Effect.fail<OutcomeUnknown | Refused>(error),
    onUnknown: () => new Refused({ message: "nobody knows" })
  })
  const { again, run, status } = yield* ran(job, 1)
  const counts = [status[kind]]
  expect(status).toMatchObject({ state: "paused", error: "more than 5 items were not done" })
  yield* run.resume
  yield* again
  const resumed = yield* run.status
  counts.push(resumed[kind])
  expect(resumed).toMatchObject({ state: "paused", error: "more than 5 items were not done" })
  // What was marked by then is ended: two items at most.
  const [first = 0, second = 0] = counts
  expect([first, second - first].every((count) => count === 6 || count === 7)).toBe(true)
})

const answers = {
  "that it was done": { find: () => Effect.succeedSome(1), sent: 1, done: 1, unknown: 0 },
  "that it was not": { find: () => Effect.succeedNone, sent: 2, done: 1, unknown: 0 },
  "nothing but a failure": { find: () => new Refused({ message: "no" }), sent: 1, done: 0, unknown: 1 },
  "by throwing": {
    find: (): Effect.Effect<Option.Option<never>> => {
      throw new TypeError("no")
    },
    sent: 1,
    done: 0,
    unknown: 1
  }
}

live.each(Object.entries(answers))("where an answer is lost, onUnknown tells %s", function* ([, expected]) {
  const platform = new Platform({ 0: "dropped" })
  let sent = 0
  const job = Fleet.job("unknown", {
    ...base,
    source: () => Stream.make(0),
    each: (item: number) =>
      Effect.suspend(() => {
        sent += 1
        return platform.send(undefined, item)
      }),
    onUnknown: expected.find
  })
  const { status } = yield* ran(job, 1)
  expect({ sent, state: status.state, done: status.done, unknown: status.unknown }).toEqual({
    sent: expected.sent,
    state: "done",
    done: expected.done,
    unknown: expected.unknown
  })
})

live("asks onUnknown again where its failure may pass, and sends nothing meanwhile", function* () {
  const platform = new Platform({ 0: "lost" })
  let lookUps = 0
  const job = Fleet.job("asks", {
    ...base,
    source: () => Stream.make(0),
    each: (item: number) => platform.send(undefined, item),
    onUnknown: (item) =>
      Effect.suspend(
        (): Effect.Effect<Option.Option<unknown>, unknown> =>
          ++lookUps < 3 ? new Transient() : platform.find(item)
      )
  })
  const { status } = yield* ran(job, 1)
  expect({ lookUps, done: status.done, times: platform.done.get(0) }).toEqual({
    lookUps: 3,
    done: 1,
    times: 1
  })
})

live("works on pages as a whole", function* () {
  const seen: Array<string> = []
  let isBroken = true
  const job = Fleet.job("whole", {
    ...base,
    source: () => Stream.fromIterable(numbers(10)),
    eachPage: (items: ReadonlyArray<number>, { page }) =>
      Effect.suspend(() => {
        if (isBroken && page === 1) return new Refused({ message: "disk is full" })
        seen.push(`${page}: ${items.join(" ")}`)
        return Effect.void
      })
  })
  const { again, run, status } = yield* ran(job, 1)
  expect(status).toMatchObject({ state: "paused", error: "Refused: disk is full" })
  isBroken = false
  yield* run.resume
  yield* again
  expect(yield* run.status).toMatchObject({ state: "done", done: 10 })
  expect([...new Set(seen)].sort()).toEqual(["0: 0 1 2 3", "1: 4 5 6 7", "2: 8 9"])
})

live("pauses where what finishes it fails, and finishes once it is mended", function* () {
  const finished: Array<string> = []
  let isBroken = true
  const job = Fleet.job("finish", {
    ...base,
    source: () => Stream.fromIterable(numbers(5)),
    each: () => Effect.void,
    finish: (count, run) =>
      Effect.suspend(() => {
        if (isBroken) return new Refused({ message: "no" })
        finished.push(`${count} ${run}`)
        return Effect.void
      })
  })
  const { again, run, status } = yield* ran(job, 7)
  expect(status).toMatchObject({ state: "paused", error: "Refused: no", done: 5 })
  isBroken = false
  yield* run.resume
  yield* again
  expect((yield* run.status).state).toBe("done")
  yield* again
  expect(finished).toEqual([`7 ${run.id}`])
})

live("pauses where its input is no longer what the job says", function* () {
  const before = Fleet.job("input", { ...base, source: () => Stream.make(1), each: () => Effect.void })
  const after = Fleet.job("input", {
    ...base,
    input: Schema.Date,
    source: () => Stream.make(1),
    each: () => Effect.void
  })
  const sql = yield* memory
  const run = yield* startRun(sql, before, 5)
  yield* work(sql, after, run.id)
  expect(yield* run.status).toMatchObject({
    state: "paused",
    error: "its input is not what the job's schema says"
  })
  yield* run.resume
  yield* work(sql, before, run.id)
  expect((yield* run.status).state).toBe("done")
})

/** A run whose items from 2 to 5 fail until the platform is mended. */
const failing = (count = 8) =>
  Effect.gen(function* () {
    let isBroken = true
    let offset = 0
    const done: Array<number> = []
    const job = Fleet.job("failing", {
      ...base,
      maxFailures: 1_000_000,
      source: () =>
        Stream.fromIterable(numbers(count - offset)).pipe(Stream.map((item) => item + 100 * offset)),
      each: (item: number) =>
        Effect.suspend(() => {
          if (isBroken && item >= 2 && item <= 5) return new Refused({ message: "no" })
          done.push(item)
          return Effect.void
        })
    })
    const result = yield* ran(job, 1)
    isBroken = false
    return {
      ...result,
      done,
      correct: () => {
        offset = 1
      }
    }
  })

live("tries failed items again, and only those", function* () {
  const { again, done, run } = yield* failing()
  expect(yield* run.retry()).toBe(4)
  yield* again
  expect(yield* run.status).toMatchObject({ state: "done", done: 8, failed: 0 })
  expect(done.sort()).toEqual(numbers(8))
  expect(yield* run.retry()).toBe(0)
})

live("tries the items again that are named", function* () {
  const { again, run } = yield* failing()
  expect(yield* run.retry({ items: [4, 2, 7, 4, 999] })).toBe(2)
  yield* again
  expect((yield* failuresOf(run)).map(({ item }) => item)).toEqual([3, 5])
})

live("tries many named items again", function* () {
  const { again, run } = yield* failing()
  expect(yield* run.retry({ items: numbers(70_000) })).toBe(4)
  yield* again
  expect(yield* run.status).toMatchObject({ state: "done", done: 8 })
})

live("adds requests that are made at the same time", function* () {
  const { again, run } = yield* failing()
  const counts = yield* Effect.all([run.retry({ items: [2] }), run.retry({ items: [3] })], {
    concurrency: 2
  })
  expect(counts).toEqual([1, 1])
  yield* again
  expect((yield* failuresOf(run)).map(({ item }) => item)).toEqual([4, 5])
})

live("adds requests of a run that is paused", function* () {
  const { again, run } = yield* failing()
  yield* run.retry({ items: [2] })
  yield* run.pause
  yield* run.retry({ items: [5] })
  yield* again
  expect((yield* failuresOf(run)).map(({ item }) => item)).toEqual([3, 4])
})

live("takes items again from a corrected source, and leaves those that it no longer has", function* () {
  const { again, correct, done, run } = yield* failing(6)
  correct()
  yield* run.retry({ readAgain: true })
  yield* again
  expect(yield* run.status).toMatchObject({ state: "done", done: 5, failed: 1 })
  expect(done.sort((left, right) => left - right)).toEqual([0, 1, 102, 103, 104])
  expect((yield* failuresOf(run)).map(({ item }) => item)).toEqual([5])
})

live("takes items for done that somebody has settled, each of them once", function* () {
  const { again, run } = yield* failing()
  expect(yield* run.settle([2, 3, 7])).toBe(2)
  expect(yield* run.settle([2, 3])).toBe(0)
  expect(yield* run.status).toMatchObject({ done: 6, failed: 2 })
  expect(yield* run.retry()).toBe(2)
  expect(yield* run.settle([4])).toBe(1)
  yield* again
  expect(yield* run.status).toMatchObject({ state: "done", done: 8, failed: 0 })
})

live("refuses to try or settle what are no items", function* () {
  const { run } = yield* failing()
  const refused = <A, E>(work: Effect.Effect<A, E>) => Effect.flip(work)
  const of = (value: unknown) => value as never
  for (const [work, field] of [
    [run.retry(of({ states: ["bogus"] })), "states"],
    [run.retry({ states: [] }), "states"],
    [run.retry(of({ items: ["2"] })), "items[0]"],
    [run.retry({ items: [2, -1] }), "items[1]"],
    [run.retry(of({ item: 2 })), "item"],
    [run.settle(of(2)), "items"],
    [run.settle([2.5]), "items[0]"]
  ] as const)
    expect(yield* refused(work)).toMatchObject({ _tag: "InputError", field })
  expect(yield* run.status).toMatchObject({ state: "done", failed: 4 })
})

live("begins nothing after the run was paused", function* () {
  const platform = new Platform()
  const job = Fleet.job("paused", {
    ...base,
    source: () => Stream.fromIterable(numbers(9)),
    each: (item: number) => platform.send(undefined, item),
    onUnknown: () => Effect.succeedNone
  })
  const sql = yield* memory
  const run = yield* startRun(sql, job, 1)
  yield* run.pause
  yield* work(sql, job, run.id)
  expect(platform.done.size).toBe(0)
  expect(yield* run.status).toMatchObject({ state: "paused", read: 0 })
})

live("waits with a pause until what was begun is ended", function* () {
  let running = 0
  const job = Fleet.job("pauses", {
    ...base,
    source: () => Stream.fromIterable(numbers(4000)),
    each: () =>
      Effect.acquireUseRelease(
        Effect.sync(() => running++),
        () => Effect.sleep(30),
        () => Effect.sync(() => running--)
      )
  })
  const sql = yield* memory
  const run = yield* startRun(sql, job, 1)
  const working = yield* Effect.fork(work(sql, job, run.id))
  yield* Effect.repeat(Effect.sleep(10), { until: () => running > 0 })
  yield* Effect.all([run.pause, run.pause], { concurrency: 2 })
  expect(running).toBe(0)
  yield* working
  expect((yield* run.status).done).toBeLessThan(4000)
})

live("an owner that lost its page writes nothing", function* () {
  const job = Fleet.job("owners", { ...base, source: () => Stream.make(1), each: () => Effect.void })
  const sql = yield* memory
  const run = yield* startRun(sql, job, 1)
  yield* leavePage(sql, run.id, 0, { numbers: "0", items: "[1,2]", states: ".." })
  yield* sql`UPDATE quartet_runs SET pages = 1 WHERE id = ${run.id}`
  const storeClock = new StoreClock(yield* Effect.clock)
  const first = yield* Lease.claim(sql, run.id, 0, { runner: "first", storeClock, version: 1 })
  if (first._tag !== "Taken") throw new Error("the page is free")
  const page = new Page(sql, new StateWriter(sql), first.lease, first.page)
  const claim = Lease.claim(sql, run.id, 0, { runner: "second", storeClock, version: 1 })
  expect(yield* claim).toMatchObject({ _tag: "Held" })
  yield* sql`UPDATE quartet_pages SET lease_until = 0`
  expect(yield* claim).toMatchObject({ _tag: "Taken" })
  page.states[0] = "f"
  const failure = { item: 0, state: "failed", tag: "No", error: "no", input: "1", attempts: 1 } as const
  expect(yield* Effect.flip(page.save([failure]))).toMatchObject({ _tag: "Lost" })
  expect(yield* Effect.flip(page.close)).toMatchObject({ _tag: "Lost" })
  expect(yield* sql`SELECT states FROM quartet_pages WHERE page = 0`).toEqual([{ states: ".." }])
  expect(yield* failuresOf(run)).toEqual([])
})

live(
  "sends unknown items where somebody says that they were not done, and notes them all as done",
  function* () {
    const platform = new Platform({ 1: "dark", 2: "dark", 3: "dark" })
    const job = Fleet.job("dark", {
      ...base,
      source: () => Stream.fromIterable(numbers(5)),
      each: (item: number) => platform.send(undefined, item),
      onUnknown: (item: number) => platform.find(item)
    })
    const { again, run, sql, status } = yield* ran(job, 1)
    expect(status).toMatchObject({ done: 2, unknown: 3 })
    expect(yield* run.retry({ states: ["unknown"], items: [1] })).toBe(1)
    yield* again
    expect(yield* run.status).toMatchObject({ done: 2, unknown: 3 })
    platform.heal()
    expect(yield* run.retry({ states: ["unknown"], items: [1], send: true })).toBe(1)
    yield* again
    expect(yield* run.status).toMatchObject({ done: 3, unknown: 2 })
    // It was done before, as nobody could know.
    expect(platform.done.get(1)).toBe(2)
    expect(yield* run.settle()).toBe(2)
    expect(yield* run.status).toMatchObject({ done: 5, unknown: 0 })
    expect(yield* sql`SELECT input FROM quartet_failures`).toEqual([{ input: "null" }, { input: "null" }])
  }
)

live("keeps nothing of the items of a cancelled run", function* () {
  const platform = new Platform({ 1: "refused" })
  const job = Fleet.job("secrets", {
    ...base,
    source: () => Stream.fromIterable(numbers(5)),
    each: (item: number) => platform.send(undefined, item),
    onUnknown: () => Effect.succeedNone
  })
  const sql = yield* memory
  const run = yield* startRun(sql, job, 1)
  yield* work(sql, job, run.id)
  yield* run.retry()
  yield* run.cancel
  expect(yield* sql`SELECT input FROM quartet_failures WHERE input <> 'null'`).toEqual([])
  expect(yield* sql`SELECT items FROM quartet_pages WHERE items <> '[]'`).toEqual([])
})

live("says that no runner has its job, once none has had it for a while", function* () {
  const sql = yield* memory
  const job = Fleet.job("nobodys", { ...base, source: () => Stream.make(1), each: () => Effect.void })
  const from = performance.now()
  const run = yield* startRun(sql, job, 1)
  const { error } = yield* run.status
  // A machine that is slow for a moment asks when it has been said already.
  if (performance.now() - from < orphanAfter) expect(error).toBe(undefined)
  yield* Effect.sleep(orphanAfter + 100)
  expect(yield* run.status).toMatchObject({
    state: "running",
    error: "no runner has the job nobodys: start one that has it"
  })
  yield* work(sql, job, run.id)
  expect(yield* run.status).toMatchObject({ state: "done", error: undefined })
})

live(
  "stops at a platform that is out of service after what was under way, tries with one item at a time, and says so",
  function* () {
    let isDown = true
    const sent: Array<number> = []
    const outage = () =>
      new OutcomeUnknown({
        operation: "send",
        method: "POST",
        path: "/send",
        reason: "Fault",
        attempts: 1,
        cause: { _tag: "ServerFault", status: 503 }
      } as never)
    const job = Fleet.job("outage", {
      ...base,
      page: 50,
      lanes: 2,
      concurrency: 4,
      source: () => Stream.fromIterable(numbers(200)),
      each: (item: number) =>
        Effect.suspend(() => {
          sent.push(item)
          return isDown ? Effect.delay(outage(), 30) : Effect.void
        }),
      onUnknown: Fleet.leaveUnknown
    })
    const sql = yield* memory
    const run = yield* startRun(sql, job, 1)
    const from = performance.now()
    const working = yield* Effect.fork(work(sql, job, run.id))
    yield* Effect.sleep(500)
    const { state, unknown } = yield* Effect.repeat(Effect.delay(run.status, 10), {
      until: ({ pages }) =>
        /503 since \d\d:\d\d UTC, (next try in \d+ s|trying now)/.test(pages.map(({ error }) => error).join())
    })
    // Two pages of four at once, and one item for each further try.
    expect([state, unknown <= 8 + (performance.now() - from) / 30]).toEqual(["running", true])
    isDown = false
    yield* working
    const end = yield* run.status
    expect(end).toMatchObject({ state: "done", done: 200 - end.unknown, failed: 0 })
    expect(new Set(sent).size).toBe(sent.length)
  }
)

live("leaves a run that it refuses to others, and the run says why where nobody takes it", function* () {
  const platform = new Platform()
  const jobOf = (why: string | undefined) =>
    Fleet.job("elsewhere", {
      ...base,
      refuse: () => Effect.succeed(why),
      source: (count) => Stream.fromIterable(numbers(count)),
      each: (item: number) => platform.send(undefined, item),
      onUnknown: () => Effect.succeedNone
    })
  const sql = yield* memory
  const wrong = jobOf("it is for shop-7, and this runner is configured for shop-8")
  const run = yield* startRun(sql, wrong, 10)
  const idle = yield* Effect.fork(work(sql, wrong, run.id))
  const stuck = yield* Effect.repeat(Effect.delay(run.status, 20), {
    until: ({ error }) => error !== undefined
  })
  expect(stuck).toMatchObject({ state: "running", read: 0, pages: [] })
  expect(stuck.error).toMatch(
    /^no runner takes this run\. runner-.*: it is for shop-7, and this runner is configured for shop-8$/
  )
  yield* work(sql, jobOf(undefined), run.id)
  yield* idle
  expect(yield* run.status).toMatchObject({ state: "done", done: 10, error: undefined })
  expect(platform.wrong(numbers(10))).toEqual([])
  yield* run.remove
  expect(yield* sql`SELECT run FROM quartet_refusals`).toEqual([])
})

live.each([
  { what: "right", count: Effect.succeed(6), early: 6 },
  { what: "too small", count: Effect.succeed(2), early: 4 },
  { what: "too large", count: Effect.succeed(900), early: 900 },
  { what: "no number", count: Effect.succeed(Number.NaN), early: undefined },
  { what: "a failure", count: Effect.fail("the list has no total"), early: undefined }
])("shows a total that is counted ahead until the source has ended: $what", function* ({ count, early }) {
  const isReadOn = yield* Deferred.make<void>()
  const job = Fleet.job("counted", {
    ...base,
    page: 2,
    count: () => count,
    source: () =>
      Stream.concat(
        Stream.fromIterable(numbers(4)),
        Stream.fromIterableEffect(Effect.as(Deferred.await(isReadOn), [4, 5]))
      ),
    each: () => Effect.void
  })
  const sql = yield* memory
  const run = yield* startRun(sql, job, 1)
  const working = yield* Effect.fork(work(sql, job, run.id))
  yield* Effect.repeat(Effect.delay(run.status, 20), {
    until: ({ done, total }) => done === 4 && total === early
  })
  yield* Deferred.succeed(isReadOn, undefined)
  yield* working
  expect(yield* run.status).toMatchObject({ state: "done", total: 6, done: 6 })
})

live("says that its runners were given different limits", function* () {
  const sql = yield* memory
  const job = Fleet.job("limited", { ...base, source: () => Stream.make(1), each: () => Effect.void })
  const run = yield* startRun(sql, job, 1)
  const later = Date.now() + 5_000
  yield* sql`INSERT INTO quartet_limits (owner, per_second, retries_per_second, in_flight, lease_until) VALUES ('a', 50, 5, 8, ${later}), ('b', 20, 5, NULL, ${later})`
  expect((yield* run.status).error).toBe(
    "the runners were given different limits, and the lowest hold: perSecond 20, retriesPerSecond 5, inFlight 8"
  )
  yield* sql`UPDATE quartet_limits SET per_second = 50, in_flight = 8`
  expect((yield* run.status).error).toBeUndefined()
})

describe("a store whose clock is set", () => {
  const hour = 3_600_000
  const job = Fleet.job("clocks", {
    ...base,
    source: (count) => Stream.fromIterable(numbers(count)),
    each: (item: number) => (item === 1 ? new Refused({ message: "no" }) : Effect.void)
  })

  live("back holds up no page whose runner has died, and no runs of runners that have", function* () {
    const sql = yield* memory
    const run = yield* startRun(sql, job, 3)
    yield* leavePage(sql, run.id, 0, { numbers: "0", items: "[0,2]", states: ".." })
    yield* sql`UPDATE quartet_runs SET pages = 1, items = 2, started_at = started_at + ${hour} WHERE id = ${run.id}`
    yield* sql`UPDATE quartet_pages SET lease_until = ${Date.now() + hour}, put_at = ${Date.now() + hour}`
    yield* sql`INSERT INTO quartet_runners (runner, job, version, lease_until) VALUES ('dead', 'clocks', 1, ${Date.now() + hour})`
    expect((yield* run.status).error).toBe("no runner has the job clocks: start one that has it")
    yield* work(sql, job, run.id)
    expect(yield* run.status).toMatchObject({ state: "done", done: 3 })
  })

  live("back holds up no pause", function* () {
    const sql = yield* memory
    const run = yield* startRun(sql, job, 3)
    yield* sql`UPDATE quartet_pages SET lease_until = ${Date.now() + hour}`
    yield* run.pause
    expect((yield* run.status).state).toBe("paused")
  })

  live("back leaves no failed item out that is tried again", function* () {
    const { again, run, sql } = yield* ran(job, 3)
    yield* sql`UPDATE quartet_failures SET failed_at = failed_at + ${hour}`
    expect(yield* run.retry()).toBe(1)
    yield* again
    expect((yield* failuresOf(run))[0]?.attempts).toBe(1)
    expect(yield* sql`SELECT item FROM quartet_failures WHERE failed_at > ${Date.now() + hour / 2}`).toEqual(
      []
    )
  })

  live("forward has nobody take a page before its holder had time to renew its lease", function* () {
    const { clock, move } = movable()
    const sql = yield* memory
    const run = yield* startRun(sql, job, 3)
    const storeClock = new StoreClock(clock)
    const claim = Lease.claim(sql, run.id, -1, { runner: "second", storeClock, version: 1 })
    yield* sql`UPDATE quartet_pages SET lease_until = ${Date.now() + hour}`
    expect(yield* claim).toMatchObject({ _tag: "Held" })
    // As if the store's clock had gone on for longer than this process's: by it the lease has ended.
    move({ monotonic: -5_000 })
    yield* sql`UPDATE quartet_pages SET lease_until = 1`
    expect(yield* claim).toMatchObject({ _tag: "Held" })
    move({ monotonic: leaseTime + 1 })
    expect(yield* claim).toMatchObject({ _tag: "Taken" })
  })
})
