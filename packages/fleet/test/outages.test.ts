/** Which failures of the database are waited for, and for how long: a restart is over some time, and what it refuses it refuses again. */
import * as Reactivity from "@effect/experimental/Reactivity"
import * as SqlClient from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import * as Statement from "@effect/sql/Statement"
import { effect } from "@quartet/support/effect.js"
import { Chunk, Effect, Fiber, identity, Logger, Option, Schema, Stream, TestClock } from "effect"
import { expect } from "vitest"
import * as Fleet from "../jobs/index.js"
import * as Runs from "../jobs/runs.js"
import * as Version from "../jobs/version.js"
import { create } from "../store/store.js"
import { client, file } from "./stores.js"

const job = Fleet.job("numbers", {
  input: Schema.Number,
  key: String,
  source: (count) => Stream.range(1, count),
  each: () => Effect.void
})

/** How a database fails: with a code, while there is one, where it is asked for such statements. */
interface Failing {
  code: string | undefined
  of: RegExp
  failures: number
}

/** A database that fails, and counts how often. */
const failing = (inner: SqlClient.SqlClient) =>
  Effect.gen(function* () {
    const state: Failing = { code: undefined, of: /^/, failures: 0 }
    const execute: Connection["execute"] = (text, params, transform = identity) =>
      Effect.suspend(() => {
        if (state.code === undefined || !state.of.test(text))
          return Effect.map(inner.unsafe(text, params), transform)
        state.failures += 1
        const cause = Object.assign(new Error("hush"), { code: state.code })
        return new SqlError({ cause, message: "Failed to execute statement" })
      })
    const connection: Connection = {
      execute,
      executeUnprepared: execute,
      executeRaw: (text, params) => execute(text, params, undefined),
      executeValues: () => Effect.die("nobody asks for values"),
      executeStream: () => Stream.die("nobody asks for a stream")
    }
    const sql = yield* SqlClient.make({
      acquirer: Effect.succeed(connection),
      compiler: Statement.makeCompilerSqlite(),
      spanAttributes: []
    }).pipe(Effect.provide(Reactivity.layer))
    return { sql, state }
  })

/** A run of a database that can fail. */
const failingRun = Effect.gen(function* () {
  const inner = yield* client(yield* file)
  yield* Version.prepare(inner, true)
  const run = yield* Effect.provideService(job.start(3), Fleet.Fleet, Runs.make(inner))
  const { sql, state } = yield* failing(inner)
  return { inner, state, run: yield* Runs.make(sql).run(run.id) }
})

const isPending = (fiber: Fiber.RuntimeFiber<unknown, unknown>) =>
  Effect.map(Fiber.poll(fiber), Option.isNone)

/** What a program logs above debug. */
const logged = () => {
  const lines: Array<unknown> = []
  return {
    lines,
    layer: Logger.replace(
      Logger.defaultLogger,
      Logger.make(({ message }) => void lines.push(message))
    )
  }
}

for (const code of ["57P03", "57P01", "57P02"])
  effect(
    `a statement waits half a minute while PostgreSQL says that it starts or stops (${code})`,
    function* () {
      const { run, state } = yield* failingRun
      state.code = code
      const asked = yield* Effect.fork(run.status)
      yield* TestClock.adjust("20 seconds")
      expect(yield* isPending(asked)).toBe(true)
      state.code = undefined
      yield* TestClock.adjust("2 seconds")
      expect(yield* Fiber.join(asked)).toMatchObject({ state: "running" })
      state.code = code
      const vain = yield* Effect.fork(Effect.flip(run.status))
      yield* TestClock.adjust("40 seconds")
      expect(yield* isPending(vain)).toBe(false)
      expect(yield* Fiber.join(vain)).toMatchObject({
        reason: "Store",
        advice: expect.stringContaining(`does not answer, or refuses what was asked of it (${code})`)
      })
    }
  )

effect("a statement waits on where connections are refused in the middle of a restart", function* () {
  const { run, state } = yield* failingRun
  state.code = "57P01"
  const asked = yield* Effect.fork(run.status)
  yield* TestClock.adjust("5 seconds")
  state.code = "ECONNREFUSED"
  yield* TestClock.adjust("15 seconds")
  expect(yield* isPending(asked)).toBe(true)
  state.code = undefined
  yield* TestClock.adjust("2 seconds")
  expect(yield* Fiber.join(asked)).toMatchObject({ state: "running" })
})

effect("a statement waits about ten seconds for a database that is silent", function* () {
  const { run, state } = yield* failingRun
  state.code = "ECONNREFUSED"
  const asked = yield* Effect.fork(Effect.flip(run.status))
  yield* TestClock.adjust("7 seconds")
  expect(yield* isPending(asked)).toBe(true)
  yield* TestClock.adjust("8 seconds")
  expect(yield* isPending(asked)).toBe(false)
})

for (const code of ["57P03", "ECONNREFUSED"])
  effect(`who waits for a run or watches it outlives an outage of an hour (${code})`, function* () {
    const { inner, run, state } = yield* failingRun
    const { layer, lines } = logged()
    const waiting = yield* Effect.fork(Effect.provide(run.wait, layer))
    const watching = yield* Effect.fork(Effect.provide(Stream.runCollect(run.progress), layer))
    yield* TestClock.adjust("1 second")
    expect(yield* isPending(waiting)).toBe(true)
    state.code = code
    yield* TestClock.adjust("1 hour")
    expect([yield* isPending(waiting), yield* isPending(watching)]).toEqual([true, true])
    // Each says so once.
    expect(lines).toHaveLength(2)
    expect(String(lines[0])).toContain("the fleet's store does not answer")
    state.code = undefined
    yield* Runs.make(inner)
      .run(run.id)
      .pipe(Effect.flatMap(({ cancel }) => cancel))
    yield* TestClock.adjust("1 minute")
    expect(yield* Fiber.join(waiting)).toMatchObject({ state: "cancelled" })
    expect(Chunk.toReadonlyArray(yield* Fiber.join(watching)).map((seen) => seen.state)).toEqual([
      "running",
      "cancelled"
    ])
  })

effect("an interruption ends a wait in the middle of an outage", function* () {
  const { run, state } = yield* failingRun
  state.code = "57P03"
  const waiting = yield* Effect.fork(run.wait)
  yield* TestClock.adjust("1 minute")
  expect(yield* isPending(waiting)).toBe(true)
  expect(yield* Fiber.interrupt(waiting)).toMatchObject({ _tag: "Failure" })
})

effect.each([
  ["22P05", "a character that its encoding lacks"],
  ["22021", "a character that its encoding lacks"],
  ["22003", "refuses what was asked of it"],
  ["23505", "refuses what was asked of it"],
  ["42P01", "is it this fleet's own?"],
  ["3F000", "lacks USAGE"],
  ["3D000", "no database of this name"],
  ["28P01", "the password"],
  ["42501", "may not do this: hush"],
  ["SQLITE_CONSTRAINT_NOTNULL", "refuses what was asked of it"]
] as const)("what a database refuses is asked once, and told at once: %s", function* ([code, advice]) {
  const { run, state } = yield* failingRun
  for (const asked of [run.status, run.wait, run.input]) {
    state.code = code
    state.failures = 0
    // The test's clock stands still: whoever sleeps would not answer.
    const failed = yield* Effect.fork(Effect.flip(Effect.asVoid(asked)))
    yield* TestClock.adjust(0)
    expect(yield* isPending(failed)).toBe(false)
    const error = yield* Fiber.join(failed)
    expect(error).toMatchObject({ reason: "Store" })
    expect(error.advice).toContain(advice)
    expect(error.advice).toContain(`(${code})`)
    expect(error.advice).not.toContain("is the database up")
    expect(state.failures).toBe(1)
  }
})

effect.each(["23505", "42P07"])("who makes a table while others do so asks again: %s", function* (code) {
  const { sql, state } = yield* failing(yield* client(yield* file))
  state.code = code
  state.of = /^CREATE/
  const made = yield* Effect.fork(create(sql, ["CREATE TABLE IF NOT EXISTS quartet_some (id BIGINT)"]))
  yield* TestClock.adjust(0)
  expect(yield* isPending(made)).toBe(true)
  state.code = undefined
  yield* TestClock.adjust("1 second")
  yield* Fiber.join(made)
  expect(state.failures).toBe(1)
})
