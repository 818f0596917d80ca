// A transport that breaks the laws of its port makes a call die or fail, and never hang.

import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { fork as forked } from "../../../clients/promise/run.js"
import { failed } from "../../support/fake-transport.js"
import { fork } from "./running.js"
import * as Sample from "./sample-dispatcher.js"
import * as Things from "./sample-operations.js"

describe("a transport that misbehaves", () => {
  it.effect("by throwing when it starts makes the call die, and not hang", () =>
    Effect.gen(function* () {
      const { dispatcher } = Sample.make(() => {
        throw new Error("broken adapter")
      })
      const exit = yield* Effect.exit(dispatcher.call(Things.get, { id: "a" }))
      expect(Exit.isFailure(exit) && exit.cause._tag).toBe("Die")
      expect(Chunk.size(yield* TestClock.sleeps()), "what waits for its deadline").toBeLessThanOrEqual(1)
      yield* TestClock.adjust("50 millis")
      expect(Chunk.size(yield* TestClock.sleeps())).toBe(0)
    })
  )

  it.live("by throwing when it starts makes a call without a fiber die too", () =>
    Effect.gen(function* () {
      const { dispatcher } = Sample.make(() => {
        throw new Error("broken adapter")
      })
      const told: Array<string> = []
      dispatcher.launch(Things.get, { id: "a" }, undefined, forked, (exit) => {
        told.push(Exit.isFailure(exit) ? (Cause.pretty(exit.cause).split("\n")[0] ?? "") : "answered")
      })
      while (told.length === 0) yield* Effect.yieldNow()
      expect(told).toEqual(["Error: broken adapter"])
    })
  )

  it.effect("by an answer that throws when it is read makes the call die, and not hang", () =>
    Effect.gen(function* () {
      const { dispatcher } = Sample.make([
        {
          _tag: "Answered",
          status: 503,
          header: () => {
            throw new Error("broken adapter")
          },
          body: new Uint8Array()
        }
      ])
      const exit = yield* Effect.exit(dispatcher.call(Things.get, { id: "a" }))
      expect(Exit.isFailure(exit) && exit.cause._tag).toBe("Die")
    })
  )

  it.effect("by throwing when it is abandoned does not keep the deadline from ending the call", () =>
    Effect.gen(function* () {
      const { dispatcher } = Sample.make(["waits"], { policy: { deadline: 100 } })
      const start = () => () => {
        throw new Error("broken adapter")
      }
      const broken = Sample.over({ start }, { policy: { deadline: 100 } })
      const calls = yield* Effect.all([
        fork(broken.call(Things.get, { id: "a" })),
        fork(dispatcher.call(Things.get, { id: "a" }))
      ])
      yield* TestClock.adjust("100 millis")
      for (const call of calls) {
        expect(Either.getOrThrow(Either.flip(yield* Fiber.join(call)))._tag).toBe("DeadlineExceeded")
      }
    })
  )

  it.effect("by a cause of any kind makes a typed failure", () =>
    Effect.gen(function* () {
      for (const cause of [undefined, null, "text", 7, Symbol("s"), { toString: null }]) {
        const { dispatcher } = Sample.make([failed("Unknown", false, cause)], { policy: { attempts: 1 } })
        expect((yield* Effect.flip(dispatcher.call(Things.get, { id: "a" })))._tag).toBe("NetworkError")
      }
    })
  )
})
