// What repetitions cost a client, and what happens when its budget is spent.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { failed, json } from "../../support/fake-transport.js"
import { outcomeOf, settled } from "./running.js"
import * as Sample from "./sample-dispatcher.js"
import { busy, thing } from "./sample-dispatcher.js"
import * as Things from "./sample-operations.js"

describe("the budget of a client", () => {
  const calls = (dispatcher: Sample.Made["dispatcher"], count: number) =>
    Effect.all(
      Array.from({ length: count }, () => Effect.either(dispatcher.call(Things.get, { id: "a" }))),
      { concurrency: "unbounded" }
    )
  const together = (dispatcher: Sample.Made["dispatcher"], count: number) =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(calls(dispatcher, count))
      yield* TestClock.adjust("1 minutes")
      return yield* Fiber.join(fiber)
    })

  it.effect("pays for 100 repetitions in a total outage: 10,000 calls send 10,100 requests", () =>
    Effect.gen(function* () {
      const { fake, dispatcher } = Sample.make([busy])
      const ended = yield* together(dispatcher, 10_000)
      expect(ended.every((call) => Either.isLeft(call) && call.left._tag === "ServerFault")).toBe(true)
      expect(fake.exchanges).toHaveLength(10_100)
      expect(fake.exchanges.length).toBeLessThanOrEqual(1.1 * 10_000)
    })
  )

  it.effect("pays for 50 repetitions after time-outs", () =>
    Effect.gen(function* () {
      for (const outcome of [
        failed("Timeout"),
        failed("ConnectTimeout", false),
        json(504, {}),
        json(408, {})
      ]) {
        const { fake, dispatcher } = Sample.make([outcome])
        yield* together(dispatcher, 1_000)
        expect(fake.exchanges).toHaveLength(1_050)
      }
    })
  )

  it.effect("is spent before the attempts are: what is left fails at once", () =>
    Effect.gen(function* () {
      const { fake, dispatcher } = Sample.make([busy])
      yield* together(dispatcher, 1_000)
      const before = fake.exchanges.length
      yield* Effect.flip(dispatcher.call(Things.get, { id: "a" }))
      expect(fake.exchanges.length - before).toBe(1)
    })
  )

  it.effect("earns one token a call that succeeds at its first attempt", () =>
    Effect.gen(function* () {
      let isUp = false
      const { fake, dispatcher } = Sample.make(() => (isUp ? thing : busy))
      yield* together(dispatcher, 1_000)
      isUp = true
      yield* together(dispatcher, 4)
      isUp = false
      const before = fake.exchanges.length
      yield* settled(Effect.ignore(dispatcher.call(Things.get, { id: "a" })))
      expect(fake.exchanges.length - before, "four tokens pay for nothing").toBe(1)
      isUp = true
      yield* together(dispatcher, 1)
      isUp = false
      yield* settled(Effect.ignore(dispatcher.call(Things.get, { id: "a" })))
      expect(fake.exchanges.length - before, "five tokens pay for one repetition").toBe(4)
    })
  )

  it.effect("earns nothing by a call that succeeds only when it is repeated", () =>
    Effect.gen(function* () {
      const { fake, dispatcher } = Sample.make(({ attempt }) => (attempt === 1 ? busy : thing))
      yield* together(dispatcher, 130)
      yield* together(dispatcher, 130)
      expect(fake.exchanges).toHaveLength(260 + 100)
    })
  )

  it.effect("is as large as the client's configuration says", () =>
    Effect.gen(function* () {
      const { fake, dispatcher } = Sample.make([busy], { config: { retryBudget: 20 } })
      yield* together(dispatcher, 100)
      expect(fake.exchanges).toHaveLength(104)
    })
  )

  it.effect("is nothing where the configuration says 0", () =>
    Effect.gen(function* () {
      const { fake, dispatcher } = Sample.make([busy], { config: { retryBudget: 0 } })
      yield* together(dispatcher, 100)
      expect(fake.exchanges).toHaveLength(100)
    })
  )

  it.effect("is paid what the policy of the client says, or of the call", () =>
    Effect.gen(function* () {
      const dear = Sample.make([busy], { policy: { retryCost: 100 } })
      yield* together(dear.dispatcher, 100)
      expect(dear.fake.exchanges).toHaveLength(105)
      const { fake, dispatcher } = Sample.make([busy], { config: { retryBudget: 0 } })
      const spared = dispatcher.call(Things.get, { id: "a" }, { policy: { retryCost: 0 } })
      yield* settled(spared)
      expect(fake.exchanges).toHaveLength(3)
    })
  )

  it.effect("is each client's own", () =>
    Effect.gen(function* () {
      const { dispatcher } = Sample.make([busy])
      yield* together(dispatcher, 1_000)
      expect(yield* outcomeOf([busy], "get")).toEqual({ tag: "ServerFault", sent: 3 })
    })
  )
})
