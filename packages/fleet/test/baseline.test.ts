// What there was before an item was sent: a look afterwards shows what others did too, and only the difference is this item's.

import { live } from "@quartet/support/effect.js"
import { Chunk, Effect, Option, Schema, Stream } from "effect"
import { expect, it, vi } from "vitest"
import * as Fleet from "../jobs/index.js"
import { Bank, jobOn, lost } from "./bank.js"
import { leavePage, memory, startRun, work } from "./crew.js"
import { Busy, Refused } from "./platform.js"

vi.mock("../jobs/times.js", () => import("./times.js"))

live.each([
  ["that it noted and marked, and did not send", "s", "5", 1],
  ["that it noted and did not mark", ".", "0", 1],
  ["whose note says that it was done since", "s", "0", 0]
])("takes over an item of a lost process %s", function* ([, states, baseline, paid]) {
  const sql = yield* memory
  const bank = new Bank()
  const job = jobOn(bank, () => undefined)
  const run = yield* startRun(sql, job, 1)
  yield* run.pause
  yield* sql`INSERT INTO quartet_baselines (run, item, baseline) VALUES (${run.id}, 0, ${baseline})`
  yield* leavePage(sql, run.id, 0, { numbers: "0", items: "[3]", states: String(states) })
  yield* sql`UPDATE quartet_runs SET pages = 1, items = 1, is_read = 1`
  yield* run.resume
  yield* work(sql, job, run.id)
  expect([yield* run.status, bank.paid.get(3) ?? 0]).toMatchObject([{ done: 1, unknown: 0 }, paid])
})

live("what there is before an item stands in the store before the item is sent", function* () {
  const sql = yield* memory
  const seen: Array<unknown> = []
  const job = Fleet.job("kept", {
    input: Schema.Number,
    key: String,
    lanes: 1,
    source: () => Stream.make(7),
    baseline: (item: number) => Effect.succeed({ sum: item }),
    each: () =>
      Effect.orDie(
        Effect.map(
          sql`SELECT b.item, b.baseline, p.states FROM quartet_baselines b JOIN quartet_pages p ON p.run = b.run AND p.page = 0`,
          (rows) => seen.push(...rows)
        )
      ),
    onUnknown: () => Effect.succeedNone
  })
  const run = yield* startRun(sql, job, 1)
  yield* work(sql, job, run.id)
  expect(seen).toEqual([{ item: 0n, baseline: '{"sum":7}', states: "s" }])
})

live(
  "a run whose input needs no comparison looks at nothing and keeps nothing before it sends",
  function* () {
    const sql = yield* memory
    let looks = 0
    const kept: Array<unknown> = []
    const job = Fleet.job("some", {
      input: Schema.Literal("compared", "plain"),
      key: String,
      source: () => Stream.make(1, 2),
      hasBaseline: (input) => input === "compared",
      baseline: () => Effect.sync(() => looks++),
      each: () =>
        Effect.map(Effect.orDie(sql`SELECT item FROM quartet_baselines`), (rows) => kept.push(rows.length)),
      onUnknown: () => Effect.succeedNone
    })
    const plain = yield* startRun(sql, job, "plain")
    yield* work(sql, job, plain.id)
    expect([yield* plain.status, looks, kept]).toMatchObject([{ state: "done", done: 2 }, 0, [0, 0]])
    const compared = yield* startRun(sql, job, "compared", "two")
    yield* work(sql, job, compared.id)
    expect([yield* compared.status, looks]).toMatchObject([{ state: "done", done: 2 }, 2])
  }
)

it("refuses to be asked whether a run has a baseline where the job has none", () => {
  const options = {
    input: Schema.Number,
    key: String,
    source: () => Stream.make(7),
    each: () => Effect.void,
    hasBaseline: () => true
  }
  expect(() => Fleet.job("without", options)).toThrow("hasBaseline")
})

live("an item whose state before cannot be read is tried again or fails, and is not sent", function* () {
  const sql = yield* memory
  const sent: Array<number> = []
  let looks = 0
  const job = Fleet.job("blind", {
    input: Schema.Number,
    key: String,
    source: () => Stream.make(0, 1),
    baseline: (item: number) =>
      Effect.suspend((): Effect.Effect<number, Busy | Refused> => {
        if (item === 0) return new Refused({ message: "there is no such payment" })
        return ++looks < 3 ? new Busy() : Effect.succeed(0)
      }),
    each: (item: number) => Effect.sync(() => sent.push(item)),
    onUnknown: () => Effect.succeedNone
  })
  const run = yield* startRun(sql, job, 1)
  yield* work(sql, job, run.id)
  const failures = Chunk.toReadonlyArray(yield* Stream.runCollect(run.failures))
  expect(failures).toMatchObject([
    { item: 0, state: "failed", error: "there is no such payment", attempts: 0 }
  ])
  expect([sent, looks]).toEqual([[1], 3])
})

live(
  "an unknown item that is tried again is compared with what there was before it was first sent",
  function* () {
    const sql = yield* memory
    let sum = 5
    let isDark = true
    const job = Fleet.job("later", {
      input: Schema.Number,
      key: String,
      source: () => Stream.make(0),
      baseline: () => Effect.sync(() => sum),
      each: () =>
        Effect.suspend(() => {
          sum += 5
          return lost()
        }),
      onUnknown: (_, { baseline }) =>
        isDark
          ? Effect.fail(new Refused({ message: "out of sight" }))
          : Effect.succeed(Option.filter(baseline, (before) => sum - Number(before) === 5))
    })
    const run = yield* startRun(sql, job, 1)
    yield* work(sql, job, run.id)
    expect(yield* run.status).toMatchObject({ unknown: 1 })
    isDark = false
    yield* run.retry({ states: ["unknown"] })
    yield* work(sql, job, run.id)
    expect([yield* run.status, sum]).toMatchObject([{ state: "done", done: 1, unknown: 0 }, 10])
    expect(yield* sql`SELECT item FROM quartet_baselines`).toEqual([])
  }
)

live(
  "an item whose first attempt was surely not done is compared with what there was before the next one",
  function* () {
    const sql = yield* memory
    let sum = 0
    let attempts = 0
    const seen: Array<unknown> = []
    const job = Fleet.job("refused-first", {
      input: Schema.Number,
      key: String,
      source: () => Stream.make(0),
      baseline: () => Effect.sync(() => sum),
      each: () =>
        Effect.suspend((): Effect.Effect<void, unknown> => {
          attempts += 1
          if (attempts > 1) return lost()
          // Meanwhile others do the same.
          sum += 5
          return new Busy()
        }),
      onUnknown: (_, { baseline }) => {
        seen.push(Option.getOrUndefined(baseline))
        return new Refused({ message: "enough" })
      }
    })
    const run = yield* startRun(sql, job, 1)
    yield* work(sql, job, run.id)
    expect([attempts, seen]).toEqual([2, [5]])
  }
)

live("an item that an older version has sent without a note is left to onUnknown with none", function* () {
  const sql = yield* memory
  const seen: Array<Option.Option<unknown>> = []
  const bank = new Bank()
  const job = Fleet.job("older", {
    input: Schema.Number,
    key: String,
    lanes: 1,
    source: () => Stream.make(0),
    baseline: (account: number) => bank.look(account),
    each: (account: number) => bank.pay(undefined, account),
    onUnknown: (_, { baseline }) => {
      seen.push(baseline)
      return new Refused({ message: "nothing to compare with" })
    }
  })
  const run = yield* startRun(sql, job, 1)
  yield* run.pause
  yield* leavePage(sql, run.id, 0, { numbers: "0", items: "[0]", states: "s" })
  yield* sql`UPDATE quartet_runs SET pages = 1, items = 1, is_read = 1`
  yield* run.resume
  yield* work(sql, job, run.id)
  expect(seen).toEqual([Option.none()])
  expect([yield* run.status, [...bank.paid]]).toMatchObject([{ unknown: 1 }, []])
})

it("a baseline without onUnknown, and one for the work of a page, are refused by name", () => {
  const base = {
    input: Schema.Number,
    key: String,
    source: () => Stream.make(0),
    baseline: () => Effect.void
  }
  expect(() => Fleet.job("a", { ...base, each: () => Effect.void })).toThrow(/"baseline".*is for onUnknown/)
  // @ts-expect-error: the work of a page knows no items.
  expect(() => Fleet.job("a", { ...base, eachPage: () => Effect.void })).toThrow(/"baseline".*is for each/)
})
