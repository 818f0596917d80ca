// Work that fails with what nobody can read as a text: it ends as any other failure does.

import { OutcomeUnknown } from "@quartet/sdk/extend"
import { live } from "@quartet/support/effect.js"
import { Chunk, Effect, Option, Schema, Stream } from "effect"
import { expect, vi } from "vitest"
import * as Fleet from "../jobs/index.js"
import { memory, startRun, work } from "./crew.js"

vi.mock("../jobs/times.js", () => import("./times.js"))

const refuse = (): never => {
  throw new Error("it is not to be read")
}

/** What promises and libraries reject with, now and then. */
const unreadable: ReadonlyArray<readonly [name: string, value: unknown]> = [
  ["an object without a prototype", Object.create(null)],
  ["a message that throws where it becomes a text", { message: { toString: refuse } }],
  ["a getter of the tag that throws", Object.defineProperty({}, "_tag", { get: refuse })],
  ["a getter of the status that throws", Object.defineProperty(new Error("no"), "status", { get: refuse })],
  ["a proxy that refuses everything", new Proxy({}, { get: refuse, has: refuse, getPrototypeOf: refuse })]
]

const lost = new OutcomeUnknown({ operation: "items.create", reason: "Network", attempts: 1 })

const base = { input: Schema.Number, key: String, page: 4, lanes: 1 }
const numbers = (count: number) => Stream.range(0, count - 1)

/** Runs a job over three items to where it stops. */
const ran = (job: Fleet.Job<number, never>) =>
  Effect.gen(function* () {
    const sql = yield* memory
    const run = yield* startRun(sql, job, 3)
    yield* work(sql, job, run.id)
    return {
      status: yield* run.status,
      failures: Chunk.toReadonlyArray(yield* Stream.runCollect(run.failures))
    }
  })

live.each(unreadable)("of an item is listed: $0", function* ([, error]) {
  for (const each of [
    (item: number) => (item === 1 ? Effect.fail(error) : Effect.void),
    (item: number) => (item === 1 ? Effect.die(error) : Effect.void)
  ]) {
    const { failures, status } = yield* ran(Fleet.job("items", { ...base, source: numbers, each }))
    expect(status).toMatchObject({ state: "done", done: 2, failed: 1 })
    expect(failures).toMatchObject([{ item: 1, state: "failed", input: 1 }])
  }
})

live.each(unreadable)("of a look at an item leaves it unknown: $0", function* ([, error]) {
  const { failures, status } = yield* ran(
    Fleet.job("looks", {
      ...base,
      source: numbers,
      each: (item: number) => (item === 1 ? Effect.fail(lost) : Effect.void),
      onUnknown: () => Effect.fail(error)
    })
  )
  expect(status).toMatchObject({ state: "done", done: 2, unknown: 1 })
  expect(failures).toMatchObject([
    { item: 1, state: "unknown", error: expect.stringMatching(/(cannot|not to) be read/) }
  ])
})

live.each(unreadable)("of a baseline is its item's: $0", function* ([, error]) {
  const { failures, status } = yield* ran(
    Fleet.job("baselines", {
      ...base,
      source: numbers,
      each: () => Effect.void,
      onUnknown: () => Effect.succeed(Option.none()),
      baseline: (item: number) => (item === 1 ? Effect.fail(error) : Effect.succeed(0))
    })
  )
  expect(status).toMatchObject({ state: "done", done: 2, failed: 1 })
  expect(failures).toMatchObject([{ item: 1, state: "failed" }])
})

live.each(unreadable)("of a page or a source pauses the run: $0", function* ([, error]) {
  const pages = yield* ran(
    Fleet.job("pages", { ...base, source: numbers, eachPage: () => Effect.fail(error) })
  )
  const source = yield* ran(
    Fleet.job("source", { ...base, source: () => Stream.fail(error), each: () => Effect.void })
  )
  for (const { status } of [pages, source])
    expect(status).toMatchObject({ state: "paused", error: expect.stringMatching(/(cannot|not to) be read/) })
})
