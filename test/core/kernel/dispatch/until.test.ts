// Waiting for a state: how often it asks, what ends it and what does not, on the clock of the test.
import { describe, expect } from "@effect/vitest"
import { effect } from "@quartet/support/effect.js"
import { Cause, Effect, Exit, Fiber, TestClock } from "effect"
import type { Call } from "../../../../core/kernel/dispatch/dispatcher.js"
import { type UntilOptions, until } from "../../../../core/kernel/dispatch/until.js"
import { type CallError, NetworkError, NotFound, RateLimited } from "../../../../core/kernel/errors/errors.js"
import { type Bytes, csv } from "../../../../core/kernel/operation/answer.js"
import * as Entity from "../../../../core/kernel/operation/entity.js"
import { Operation } from "../../../../core/kernel/operation/operation.js"

const declared = {
  path: "things/{id}",
  audiences: ["admin"],
  input: Entity.ById,
  success: Entity.Anything
} as const
const get: Operation<Entity.ById, unknown, "admin", "read"> = Operation.make("things.get", () => ({
  ...declared,
  method: "GET"
}))
const operation = "things.get"
const busy = new RateLimited({ operation, status: 429 })
const gone = new NetworkError({ operation, reason: "Reset" })

type Answer = string | CallError | "waits"

/** A call that is answered by a script, whose last answer repeats, and the times at which it was made. */
const scripted = (script: ReadonlyArray<Answer>, of: Operation<Entity.ById, unknown, "admin"> = get) => {
  const times: Array<number> = []
  const inputs: Array<unknown> = []
  const options: Array<unknown> = []
  let left = 0
  const poll = (...[input, own]: ReadonlyArray<unknown>) =>
    Effect.flatMap(TestClock.currentTimeMillis, (time): Effect.Effect<string, CallError> => {
      times.push(time)
      inputs.push(input)
      options.push(own)
      const answer = script[Math.min(times.length, script.length) - 1]
      if (answer === "waits")
        return Effect.onInterrupt(Effect.never, () =>
          Effect.sync(() => {
            left += 1
          })
        )
      return typeof answer === "string" ? Effect.succeed(answer) : Effect.fail(answer ?? gone)
    })
  // It plays a call of an admin's client.
  const call = Object.assign(poll, { operation: of, client: "test" }) as unknown as Call<
    Entity.ById,
    string,
    "admin",
    never,
    "read"
  >
  return { call, times, inputs, options, left: () => left }
}

const settled = (value: string): boolean => value === "settled"

/** Runs it on the test's clock, second by second. */
const run = (script: ReadonlyArray<Answer>, options?: UntilOptions, predicate = settled) =>
  Effect.gen(function* () {
    const played = scripted(script)
    const fiber = yield* Effect.fork(until(played.call, { id: "a" }, predicate, options))
    for (let second = 0; second < 120; second += 1) yield* TestClock.adjust("1 second")
    return { ...played, exit: yield* Fiber.await(fiber) }
  })

describe("until", () => {
  effect("gives the first answer at once where it is as wanted", function* () {
    const { exit, times } = yield* run(["settled"])
    expect(exit).toEqual(Exit.succeed("settled"))
    expect(times).toEqual([0])
  })

  effect("asks every two seconds, and ends with the answer for which the predicate holds", function* () {
    const { exit, times } = yield* run(["pending", "pending", "settled", "refunded"])
    expect(exit).toEqual(Exit.succeed("settled"))
    expect(times).toEqual([0, 2_000, 4_000])
  })

  effect("asks as often as it is told, with the options of each call", function* () {
    const policy = { attempts: 1 }
    const { options, times } = yield* run(["pending", "settled"], { every: "5 seconds", policy })
    expect(times).toEqual([0, 5_000])
    expect(options).toEqual([{ policy }, { policy }])
  })

  effect("goes on after failures that may be otherwise in a moment", function* () {
    const { exit, times } = yield* run([gone, busy, "settled"])
    expect(exit).toEqual(Exit.succeed("settled"))
    expect(times).toEqual([0, 2_000, 4_000])
  })

  effect(
    "waits as long as `Retry-After` asks, where that is longer, and no less than its own pause",
    function* () {
      const asked = (retryAfter: number) => new RateLimited({ operation, status: 429, retryAfter })
      const { times } = yield* run([asked(7_000), asked(500), "settled"])
      expect(times).toEqual([0, 7_000, 9_000])
    }
  )

  effect(
    "ends with an InputError where the predicate answers with a Promise, which always holds",
    function* () {
      const later = (async (value: string) => settled(value)) as unknown as typeof settled
      const { exit, times } = yield* run(["pending"], {}, later)
      expect(Cause.squash(Exit.isFailure(exit) ? exit.cause : Cause.empty)).toMatchObject({
        _tag: "InputError",
        field: "predicate"
      })
      expect(times).toEqual([0])
    }
  )

  effect.each<readonly [string, unknown]>([
    ["an Effect", Effect.succeed(false)],
    ["a generator", (function* () {})()],
    ["a list", []],
    ["a function", () => false]
  ])("ends with an InputError where the predicate answers %s, which always holds", ([, answered]) =>
    Effect.map(
      run(["pending"], {}, () => answered as boolean),
      ({ exit, times }) => {
        expect(Cause.squash(Exit.isFailure(exit) ? exit.cause : Cause.empty)).toMatchObject({
          _tag: "InputError",
          field: "predicate",
          rule: expect.stringMatching(/^must answer true or false at once/)
        })
        expect(times).toEqual([0])
      }
    )
  )

  effect.each<readonly [unknown, number]>([
    [undefined, 0],
    ["", 0],
    ["yes", 1]
  ])("takes %j of a predicate without types as JavaScript does", ([answered, held]) =>
    Effect.map(
      run(["pending"], {}, () => answered as boolean),
      ({ exit }) => expect(Exit.isSuccess(exit)).toBe(held === 1)
    )
  )

  effect("reads its input once, whatever becomes of it between two calls", function* () {
    const { call, inputs } = scripted(["pending", "settled"])
    let reads = 0
    const input = {
      get id() {
        reads += 1
        return `a${reads}`
      }
    }
    const fiber = yield* Effect.fork(until(call, input, settled))
    yield* TestClock.adjust("5 seconds")
    yield* Fiber.join(fiber)
    expect([reads, inputs]).toEqual([1, [{ id: "a1" }, { id: "a1" }]])
    const changed = { id: "a" }
    const later = scripted(["pending", "settled"])
    const waiting = yield* Effect.fork(until(later.call, changed, settled))
    yield* TestClock.adjust("1 second")
    changed.id = "b"
    yield* TestClock.adjust("5 seconds")
    yield* Fiber.join(waiting)
    expect(later.inputs).toEqual([{ id: "a" }, { id: "a" }])
  })

  effect("leaves an input with hidden fields to the call, which refuses it", function* () {
    const { call, inputs } = scripted(["settled"])
    const hidden = Object.defineProperty({ id: "a" }, "limit", { value: 5, enumerable: false })
    yield* until(call, hidden, settled)
    expect(inputs[0]).toBe(hidden)
  })

  effect("ends with any other failure", function* () {
    const missing = new NotFound({ operation, status: 404 })
    const { exit, times } = yield* run(["pending", missing])
    expect(exit).toEqual(Exit.fail(missing))
    expect(times).toEqual([0, 2_000])
  })

  effect("ends at its deadline with the last answer, which no JSON holds", function* () {
    const { exit, times } = yield* run(["pending", "captured"], { every: 1_000, deadline: "3500 millis" })
    const error = Cause.squash(Exit.isFailure(exit) ? exit.cause : Cause.empty)
    expect(error).toMatchObject({
      _tag: "DeadlineExceeded",
      deadline: 3_500,
      attempts: 4,
      isUnmet: true,
      last: "captured",
      message: "things.get: no answer as wanted within 3500 ms (4 calls)"
    })
    expect(JSON.stringify(error)).not.toContain("captured")
    expect(error).not.toHaveProperty("cause")
    expect(times).toEqual([0, 1_000, 2_000, 3_000])
  })

  effect("says what the last call failed with, and keeps the answer before it", function* () {
    const { exit } = yield* run(["pending", gone], { deadline: 3_000 })
    const error = Cause.squash(Exit.isFailure(exit) ? exit.cause : Cause.empty)
    expect(error).toMatchObject({ _tag: "DeadlineExceeded", last: "pending", cause: gone })
  })

  effect("has no last answer where none came", function* () {
    const { exit } = yield* run([gone])
    const error = Cause.squash(Exit.isFailure(exit) ? exit.cause : Cause.empty)
    expect(error).toMatchObject({ _tag: "DeadlineExceeded", deadline: 60_000, cause: gone })
    expect(error).not.toHaveProperty("last")
  })

  effect("gives up the call under way at its deadline", function* () {
    const { exit, left } = yield* run(["waits"], { deadline: 1_000 })
    expect(Exit.isFailure(exit)).toBe(true)
    expect(left()).toBe(1)
  })

  effect("gives up the call under way where it is interrupted", function* () {
    const { call, left, times } = scripted(["waits"])
    const fiber = yield* Effect.fork(until(call, { id: "a" }, settled))
    yield* TestClock.adjust("1 second")
    expect(Exit.isInterrupted(yield* Fiber.interrupt(fiber))).toBe(true)
    yield* TestClock.adjust("10 seconds")
    expect([left(), times]).toEqual([1, [0]])
  })

  effect("asks no more where it is interrupted in a pause", function* () {
    const { call, times } = scripted(["pending"])
    const fiber = yield* Effect.fork(until(call, { id: "a" }, settled))
    yield* TestClock.adjust("1 second")
    yield* Fiber.interrupt(fiber)
    yield* TestClock.adjust("10 seconds")
    expect(times).toEqual([0])
  })

  effect("dies of what the predicate throws", function* () {
    const mistake = new Error("a mistake of the program")
    const { exit, times } = yield* run(["pending"], {}, () => {
      throw mistake
    })
    expect(exit).toEqual(Exit.die(mistake))
    expect(times).toEqual([0])
  })

  effect("waits anew each time that it is run", function* () {
    const { call, times } = scripted(["settled"])
    const waiting = until(call, { id: "a" }, settled)
    yield* waiting
    yield* waiting
    expect(times).toEqual([0, 0])
  })

  const update: Operation<Entity.ById, unknown, "admin"> = Operation.make("things.update", () => ({
    ...declared,
    method: "PUT"
  }))
  const download: Operation<Entity.ById, Bytes, "admin"> = Operation.make("things.csv", () => ({
    ...declared,
    method: "GET",
    success: csv
  }))
  effect.each<readonly [string, string, Effect.Effect<unknown, CallError>]>([
    ["a call that changes something", "call", until(scripted([], update).call, { id: "a" }, settled)],
    ["a download", "call", until(scripted([], download).call, { id: "a" }, settled)],
    ["what is no call", "call", until({} as never, {}, () => true)],
    ["a predicate that is none", "predicate", until(scripted([]).call, { id: "a" }, "settled" as never)],
    ["no time between calls", "every", until(scripted([]).call, { id: "a" }, settled, { every: 0 })],
    [
      "a deadline that no timer keeps",
      "deadline",
      until(scripted([]).call, { id: "a" }, settled, { deadline: "30 days" })
    ],
    ["an unknown option", "evry", until(scripted([]).call, { id: "a" }, settled, { evry: 5 } as never)],
    [
      "a key, which writes alone have",
      "idempotencyKey",
      until(scripted([]).call, { id: "a" }, settled, { idempotencyKey: "k" } as never)
    ]
  ])("refuses %s, and sends nothing", ([, field, refused]) =>
    Effect.map(Effect.flip(refused), (error) => expect(error).toMatchObject({ _tag: "InputError", field }))
  )
})
