// A process that dies around the note of what there was before.

import { live } from "@quartet/support/effect.js"
import { Effect } from "effect"
import { expect, vi } from "vitest"
import { numberOf } from "../store/store.js"
import { Bank, jobOn } from "./bank.js"
import { type Death, Life, memory, startRun, work } from "./crew.js"

vi.mock("../jobs/times.js", () => import("./times.js"))

/** A run whose process dies, and which another one ends. */
const interrupted = (death: Death) =>
  Effect.scoped(
    Effect.gen(function* () {
      const sql = yield* memory
      const bank = new Bank()
      const first = new Life(death)
      let life = first
      const job = jobOn(bank, () => life)
      const run = yield* startRun(sql, job, 1)
      yield* work(sql, job, run.id, first)
      life = new Life()
      yield* work(sql, job, run.id, life)
      const { done, state, unknown } = yield* run.status
      const [left] = yield* sql`SELECT COUNT(*) AS rows FROM quartet_baselines`
      return { hasDied: first.isOver, done, state, unknown, paid: [...bank.paid], left: numberOf(left?.rows) }
    }).pipe(Effect.orDie)
  )

live("a process that dies at any statement around the note loses neither the note nor an item", function* () {
  let hasDied = true
  let deaths = 0
  for (let from = 1; hasDied; from += 20) {
    const all = Array.from({ length: 20 }, (_, index) => index + from).flatMap(
      (at): ReadonlyArray<Death> => [
        { at, when: "before" },
        { at, when: "after" }
      ]
    )
    const results = yield* Effect.forEach(all, interrupted, { concurrency: "unbounded" })
    for (const [index, end] of results.entries()) {
      deaths += end.hasDied ? 1 : 0
      expect({ death: all[index], ...end, paid: end.paid.sort() }).toMatchObject({
        done: 4,
        unknown: 0,
        state: "done",
        left: 0,
        paid: [0, 1, 2, 3].map((account) => [account, 1])
      })
    }
    hasDied = results.every((end) => end.hasDied)
  }
  expect(deaths).toBeGreaterThan(20)
})
