// What repetitions cost a client, and what happens when its budget is spent.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { failed, json } from "./fake-transport.js"
import { outcomeOf, settled } from "./running.js"
import * as Sample from "./sample-gateway.js"
import { busy, thing } from "./sample-gateway.js"
import * as Things from "./sample-operations.js"

describe("the budget of a client", () => {
  const calls = (gateway: Sample.Made["gateway"], count: number) =>
    Effect.all(
      Array.from({ length: count }, () => Effect.either(gateway.call(Things.get, { id: "a" }))),
      { concurrency: "unbounded" }
    )
  const together = (gateway: Sample.Made["gateway"], count: number) =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(calls(gateway, count))
      yield* TestClock.adjust("1 minutes")
      return yield* Fiber.join(fiber)
    })

  it.effect("pays for 100 repetitions in a total outage: 10,000 calls send 10,100 requests", () =>
    Effect.gen(function* () {
      const { fake, gateway } = Sample.make([busy])
      const ended = yield* together(gateway, 10_000)
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
        const { fake, gateway } = Sample.make([outcome])
        yield* together(gateway, 1_000)
        expect(fake.exchanges).toHaveLength(1_050)
      }
    })
  )

  it.effect("is spent before the attempts are: what is left fails at once", () =>
    Effect.gen(function* () {
      const { fake, gateway } = Sample.make([busy])
      yield* together(gateway, 1_000)
      const before = fake.exchanges.length
      yield* Effect.flip(gateway.call(Things.get, { id: "a" }))
      expect(fake.exchanges.length - before).toBe(1)
    })
  )

  it.effect("earns one token a call that succeeds at its first attempt", () =>
    Effect.gen(function* () {
      let isUp = false
      const { fake, gateway } = Sample.make(() => (isUp ? thing : busy))
      yield* together(gateway, 1_000)
      isUp = true
      yield* together(gateway, 4)
      isUp = false
      const before = fake.exchanges.length
      yield* settled(Effect.ignore(gateway.call(Things.get, { id: "a" })))
      expect(fake.exchanges.length - before, "four tokens pay for nothing").toBe(1)
      isUp = true
      yield* together(gateway, 1)
      isUp = false
      yield* settled(Effect.ignore(gateway.call(Things.get, { id: "a" })))
      expect(fake.exchanges.length - before, "five tokens pay for one repetition").toBe(4)
    })
  )

  it.effect("earns nothing by a call that succeeds only when it is repeated", () =>
    Effect.gen(function* () {
      const { fake, gateway } = Sample.make(({ attempt }) => (attempt === 1 ? busy : thing))
      yield* together(gateway, 130)
      yield* together(gateway, 130)
      expect(fake.exchanges).toHaveLength(260 + 100)
    })
  )

  it.effect("is as large as the client's configuration says", () =>
    Effect.gen(function* () {
      const { fake, gateway } = Sample.make([busy], { config: { retryBudget: 20 } })
      yield* together(gateway, 100)
      expect(fake.exchanges).toHaveLength(104)
    })
  )

  it.effect("is nothing where the configuration says 0", () =>
    Effect.gen(function* () {
      const { fake, gateway } = Sample.make([busy], { config: { retryBudget: 0 } })
      yield* together(gateway, 100)
      expect(fake.exchanges).toHaveLength(100)
    })
  )

  it.effect("is paid what the policy of the client says, or of the call", () =>
    Effect.gen(function* () {
      const dear = Sample.make([busy], { policy: { retryCost: 100 } })
      yield* together(dear.gateway, 100)
      expect(dear.fake.exchanges).toHaveLength(105)
      const { fake, gateway } = Sample.make([busy], { config: { retryBudget: 0 } })
      const spared = gateway.call(Things.get, { id: "a" }, { policy: { retryCost: 0 } })
      yield* settled(spared)
      expect(fake.exchanges).toHaveLength(3)
    })
  )

  it.effect("is each client's own", () =>
    Effect.gen(function* () {
      const { gateway } = Sample.make([busy])
      yield* together(gateway, 1_000)
      expect(yield* outcomeOf([busy], "get")).toEqual({ tag: "ServerFault", sent: 3 })
    })
  )
})
