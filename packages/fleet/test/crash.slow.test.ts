// A process that dies at any of its statements: the next one goes on, nothing is lost, and nothing is done twice.

import { live } from "@quartet/support/effect.js"
import { Chunk, Effect, Schema, Stream } from "effect"
import { expect, vi } from "vitest"
import * as Fleet from "../jobs/index.js"
import { numberOf } from "../store/store.js"
import { type Death, Life, memory, startRun, work } from "./crew.js"
import { type Fate, Platform } from "./platform.js"

vi.mock("../jobs/times.js", () => import("./times.js"))

const total = 25
const numbers = Array.from({ length: total }, (_, item) => item)
const fates: Readonly<Record<number, Fate>> = {
  3: "refused",
  6: "busy",
  9: "dark",
  12: "lost",
  17: "dropped"
}
/** What must be done once; of the ninth nobody can know, and it may have been done. */
const fine = numbers.filter((item) => item !== 3 && item !== 9)

/** A job on a platform, of which a process may die. */
const jobOn = (platform: Platform, life: () => Life | undefined) =>
  Fleet.job("numbers", {
    input: Schema.Number,
    key: String,
    page: 5,
    lanes: 2,
    concurrency: 2,
    source: (count) => Stream.range(0, count - 1),
    each: (item: number) => platform.send(life(), item),
    onUnknown: (item: number) => platform.find(item)
  })

/** What is left in the store, and was done on the platform, when a run has come to its end. */
const ended = (run: Fleet.Run) =>
  Effect.gen(function* () {
    const { done, failed, read, state, unknown } = yield* run.status
    const failures = Chunk.toReadonlyArray(yield* Stream.runCollect(run.failures))
    return {
      done,
      failed,
      read,
      state,
      unknown,
      listed: failures.map(({ item, state }) => `${item} ${state}`)
    }
  })

const whole = {
  done: 23,
  failed: 1,
  read: total,
  state: "done",
  unknown: 1,
  listed: ["3 failed", "9 unknown"]
}

/** A run whose process dies, and which another one ends. */
const interrupted = (death: Death) =>
  Effect.scoped(
    Effect.gen(function* () {
      const sql = yield* memory
      const platform = new Platform(fates)
      const first = new Life(death)
      let life = first
      const job = jobOn(platform, () => life)
      const run = yield* startRun(sql, job, total)
      yield* work(sql, job, run.id, first)
      life = new Life()
      yield* work(sql, job, run.id, life)
      const [left] =
        yield* sql`SELECT COUNT(*) AS pages FROM quartet_pages WHERE page >= 0 AND state <> 'ended'`
      return {
        hasDied: first.isOver,
        ...(yield* ended(run)),
        wrong: platform.wrong(fine),
        twice: (platform.done.get(9) ?? 0) > 1,
        pages: numberOf(left?.pages)
      }
    }).pipe(Effect.orDie)
  )

/** Looks at all deaths until one comes too late. */
const all = <A extends { readonly hasDied: boolean }>(
  trial: (death: Death) => Effect.Effect<A>,
  look: (result: Omit<A, "hasDied">, death: Death) => void
) =>
  Effect.gen(function* () {
    let hasDied = true
    for (let from = 1; hasDied; from += 50) {
      const deaths = Array.from({ length: 50 }, (_, index) => index + from).flatMap(
        (at): ReadonlyArray<Death> => [
          { at, when: "before" },
          { at, when: "after" }
        ]
      )
      const results = yield* Effect.forEach(
        deaths,
        (death) => Effect.map(trial(death), (end) => ({ death, end })),
        {
          concurrency: "unbounded"
        }
      )
      for (const { death, end } of results) {
        const { hasDied: _, ...rest } = end
        look(rest, death)
      }
      hasDied = results.every(({ end }) => end.hasDied)
    }
    expect(hasDied).toBe(false)
  })

live("a process may die at any statement of a run", () =>
  all(interrupted, (result, death) =>
    expect({ death, ...result }).toEqual({ death, ...whole, wrong: [], twice: false, pages: 0 })
  )
)

/** A run that has ended, and whose two items are tried again on a platform that now does them. */
const again = (steer: Life, worker: Life) =>
  Effect.scoped(
    Effect.gen(function* () {
      const sql = yield* memory
      const platform = new Platform(fates)
      let life = new Life()
      const job = jobOn(platform, () => life)
      const run = yield* startRun(sql, job, total)
      yield* work(sql, job, run.id, life)
      platform.heal()
      const retry = run.retry({ states: ["failed", "unknown"] })
      yield* Effect.exit(steer.through(retry))
      // Who asked and died asks again; what was asked for already is found in its pages.
      if (steer.isOver) yield* retry
      life = worker
      yield* work(sql, job, run.id, life)
      life = new Life()
      yield* work(sql, job, run.id, life)
      return {
        ...(yield* ended(run)),
        wrong: platform.wrong(numbers),
        hasDied: steer.isOver || worker.isOver
      }
    }).pipe(Effect.orDie)
  )

const mended = { done: total, failed: 0, read: total, state: "done", unknown: 0, listed: [], wrong: [] }

live("a process may die at any statement while items are tried again", () =>
  all(
    (death) => again(new Life(), new Life(death)),
    (result, death) => expect({ death, ...result }).toEqual({ death, ...mended })
  )
)

live("whoever asks for another try may die at any statement, and asks again", () =>
  all(
    (death) => again(new Life(death), new Life()),
    (result, death) => expect({ death, ...result }).toEqual({ death, ...mended })
  )
)

live("whoever cancels a run may die at any statement, and cancels it again", () =>
  all(
    (death) =>
      Effect.scoped(
        Effect.gen(function* () {
          const sql = yield* memory
          const platform = new Platform()
          const runner = new Life({ at: 40, when: "after" })
          const job = jobOn(platform, () => runner)
          const run = yield* startRun(sql, job, total)
          yield* work(sql, job, run.id, runner)
          const steer = new Life(death)
          yield* Effect.exit(steer.through(run.cancel))
          yield* run.cancel
          const [left] = yield* sql`SELECT COUNT(*) AS pages FROM quartet_pages WHERE items <> '[]'`
          const { done, state } = yield* run.status
          return { state, isCounted: done > 0, pages: numberOf(left?.pages), hasDied: steer.isOver }
        }).pipe(Effect.orDie)
      ),
    (result, death) =>
      expect({ death, ...result }).toEqual({ death, state: "cancelled", isCounted: true, pages: 0 })
  )
)
