// Properties of a chat that is connected again and again: every message is told once, in order.
import { describe, expect, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { TestContext } from "effect/TestContext"
import { FakeHistory, ids, opened, range } from "./fixtures.js"
import { reconnect, setup } from "./reconnection.js"

const Plan = Schema.Array(
  Schema.Struct({
    live: Schema.Int.pipe(Schema.between(0, 6)),
    missed: Schema.Int.pipe(Schema.between(0, 9))
  })
).pipe(Schema.minItems(1), Schema.maxItems(5))

describe("whatever is missed", () => {
  const property = (stands: "newest-first" | "oldest-first", counts: boolean) =>
    FastCheck.asyncProperty(
      Arbitrary.make(Plan),
      FastCheck.integer({ min: 2, max: 5 }),
      FastCheck.integer({ min: 1, max: 12 }),
      (plan, limit, buffer) => {
        const { happen, history, options, say, socket } = setup(new FakeHistory({ stands, limit, counts }))
        const program = Effect.gen(function* () {
          const { onMessage: _, ...streaming } = options
          const chat = yield* opened({ ...streaming, policy: { buffer, longestPause: 500 } })
          // The first message makes the conversation known.
          say(1, 1)
          const reading = yield* Effect.fork(Stream.runCollect(chat.messages))
          yield* TestClock.adjust(0)
          let last = 1
          for (const { live, missed } of plan) {
            say(last + 1, last + live)
            happen(last + live + 1, last + live + missed)
            last += live + missed
            yield* reconnect(socket)
          }
          yield* TestClock.adjust(1_000)
          const { gaps, peak } = yield* chat.figures
          yield* chat.close
          const heard = ids(Chunk.toReadonlyArray(yield* Fiber.join(reading)))
          expect(heard).toEqual(range(1, last))
          expect(gaps).toBe(0)
          expect(peak).toBeLessThanOrEqual(buffer)
          expect(history.asked.length).toBeGreaterThan(0)
        })
        return Effect.runPromise(
          program.pipe(Effect.scoped, Effect.provide(socket.layer), Effect.provide(TestContext))
        )
      }
    )

  for (const stands of ["newest-first", "oldest-first"] as const) {
    for (const counts of [false, true]) {
      it(`is told once, in order, and within the buffer's bound (${stands}, ${counts ? "" : "not "}counted)`, () =>
        FastCheck.assert(property(stands, counts), { numRuns: 15 }))
    }
  }
})
