// Which calls are repeated, when, how often, and what it costs.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FC from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import * as TestClock from "effect/TestClock"
import { type CallError, CredentialsError } from "../../../core/kernel/errors.js"
import type { CallOptions } from "../../../core/kernel/gateway.js"
import type { Outcome } from "../../../core/ports/transport.js"
import { failed, json, text } from "./fake-transport.js"
import * as Sample from "./sample-gateway.js"
import * as Things from "./sample-operations.js"
import "./seed.js"

const thing = json(200, { _id: "a" })
const busy = json(503, { message: "busy" })

/** Runs a call to its end, letting as much time pass as it wants. */
const settled = <A>(call: Effect.Effect<A, CallError>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(Effect.either(call))
    yield* TestClock.adjust("10 minutes")
    return yield* Fiber.join(fiber)
  })

/** The tag that a call ends in, and how many requests it took. */
const outcomeOf = (
  script: ReadonlyArray<Outcome>,
  call: "get" | "create" | "search",
  { options, ...of }: Sample.Options & { readonly options?: CallOptions } = {}
) =>
  Effect.gen(function* () {
    const { fake, gateway } = Sample.make(script, of)
    const ended = yield* settled(
      call === "get"
        ? gateway.call(Things.get, { id: "a" }, options)
        : call === "create"
          ? gateway.call(Things.create, { payload: {} }, options)
          : gateway.call(Things.search, { payload: {} }, options)
    )
    return { tag: Either.isRight(ended) ? "success" : ended.left._tag, sent: fake.exchanges.length }
  })

describe("a reading call", () => {
  it.effect("that succeeds is sent once", () =>
    Effect.gen(function* () {
      expect(yield* outcomeOf([thing], "get")).toEqual({ tag: "success", sent: 1 })
    })
  )

  it.effect("is tried three times in all, and then fails as the last attempt did", () =>
    Effect.gen(function* () {
      expect(yield* outcomeOf([busy, busy, thing], "get")).toEqual({ tag: "success", sent: 3 })
      expect(yield* outcomeOf([busy, busy, json(502, {}), thing], "get")).toEqual({
        tag: "ServerFault",
        sent: 3
      })
    })
  )

  describe.each<readonly [string, Outcome]>([
    ["429", json(429, {})],
    ["408", json(408, {})],
    ["500", json(500, {})],
    ["502", json(502, {})],
    ["503", busy],
    ["504", json(504, {})],
    ["a refused connection", failed("Refused", false)],
    ["a lost connection", failed("Reset")],
    ["a time-out", failed("Timeout")]
  ])("is repeated after %s", (_, outcome) => {
    it.effect("and may then succeed", () =>
      Effect.gen(function* () {
        expect(yield* outcomeOf([outcome, thing], "get")).toEqual({ tag: "success", sent: 2 })
      })
    )
  })

  describe.each<readonly [string, Outcome, string]>([
    ["400", json(400, {}), "Rejected"],
    ["401", json(401, {}), "Unauthenticated"],
    ["403", json(403, {}), "PermissionDenied"],
    ["404", json(404, {}), "NotFound"],
    ["409", json(409, {}), "Conflict"],
    ["422", json(422, {}), "Rejected"],
    ["501", json(501, {}), "ServerFault"],
    ["a redirect", text(301, "", { location: "https://evil.test" }), "AnswerError"],
    ["an answer of the wrong shape", json(200, {}), "AnswerError"],
    ["an answer that is no JSON", text(200, "<html>"), "AnswerError"],
    ["an answer that is too large", { _tag: "TooLarge", status: 200 }, "AnswerError"]
  ])("is not repeated after %s", (_, outcome, tag) => {
    it.effect(`but fails with ${tag}`, () =>
      Effect.gen(function* () {
        expect(yield* outcomeOf([outcome, thing], "get")).toEqual({ tag, sent: 1 })
      })
    )
  })

  it.effect("counts its attempts from 1 in the requests", () =>
    Effect.gen(function* () {
      const { fake, gateway } = Sample.make([busy, busy, thing])
      yield* settled(gateway.call(Things.get, { id: "a" }))
      expect(fake.requests().map(({ attempt }) => attempt)).toEqual([1, 2, 3])
    })
  )
})

describe("a writing call", () => {
  it.effect("is never repeated of itself", () =>
    Effect.gen(function* () {
      expect(yield* outcomeOf([busy, thing], "create")).toEqual({ tag: "ServerFault", sent: 1 })
      expect(yield* outcomeOf([json(429, {}), thing], "create")).toEqual({ tag: "RateLimited", sent: 1 })
      expect(yield* outcomeOf([failed("Refused", false), thing], "create")).toEqual({
        tag: "NetworkError",
        sent: 1
      })
    })
  )

  it.effect("whose answer is lost has an unknown outcome", () =>
    Effect.gen(function* () {
      const { gateway } = Sample.make([failed("Reset", true)])
      const error = yield* Effect.flip(gateway.call(Things.create, { payload: {} }))
      expect(error).toMatchObject({
        _tag: "OutcomeUnknown",
        reason: "Network",
        attempts: 1,
        retryable: false
      })
    })
  )

  it.effect("that declares that it changes nothing is repeated like a reading one", () =>
    Effect.gen(function* () {
      expect(yield* outcomeOf([busy, failed("Reset"), thing], "search")).toEqual({ tag: "success", sent: 3 })
      expect(yield* outcomeOf([failed("Reset")], "search")).toEqual({ tag: "NetworkError", sent: 3 })
    })
  )

  it.effect("is repeated where the caller gives a key by which the platform knows it again", () =>
    Effect.gen(function* () {
      const options = { idempotencyKey: "order-7" }
      expect(yield* outcomeOf([busy, failed("Reset"), thing], "create", { options })).toEqual({
        tag: "success",
        sent: 3
      })
    })
  )

  it.effect("sends the same key at every attempt", () =>
    Effect.gen(function* () {
      const { fake, gateway } = Sample.make([busy, busy, thing])
      yield* settled(gateway.call(Things.create, { payload: {} }, { idempotencyKey: "order-7" }))
      expect(fake.requests().map(({ headers }) => headers["idempotency-key"])).toEqual([
        "order-7",
        "order-7",
        "order-7"
      ])
      expect(new Set(fake.requests().map(({ body }) => JSON.stringify(body))).size).toBe(1)
    })
  )

  it.effect.each(["", " ", "a b", "a\r\nx-evil: 1", "ключ", "x".repeat(256)])("refuses the key %j", (key) =>
    Effect.gen(function* () {
      const { fake, gateway } = Sample.make([thing])
      const call = gateway.call(Things.create, { payload: {} }, { idempotencyKey: key })
      expect(yield* Effect.flip(call)).toMatchObject({ _tag: "InputError", field: "idempotencyKey" })
      expect(fake.exchanges).toHaveLength(0)
    })
  )

  describe.each<readonly [string, Outcome]>([
    ["a refusal", json(409, {})],
    ["a fault", json(500, {})],
    ["a refused connection", failed("Refused", false)],
    ["an answer of the wrong kind", text(200, "<html>")],
    ["a missing thing", json(404, {})]
  ])("whose answer was lost once, and then ends in %s,", (_, outcome) => {
    it.effect("still has an unknown outcome", () =>
      Effect.gen(function* () {
        const { gateway } = Sample.make([failed("Reset", true), outcome])
        const ended = yield* settled(gateway.call(Things.create, { payload: {} }, { idempotencyKey: "k" }))
        expect(Either.getOrThrow(Either.flip(ended))).toMatchObject({
          _tag: "OutcomeUnknown",
          reason: "Network"
        })
      })
    )
  })

  it.effect("whose answer was lost once, and whose credentials then fail, still has an unknown outcome", () =>
    Effect.gen(function* () {
      const refused = new CredentialsError({ operation: "auth.login", reason: "Rejected", advice: "no" })
      const authority = { ...Sample.keys(), renew: () => Effect.fail(refused) }
      const { gateway } = Sample.make([failed("Reset", true), json(401, {})], { authority })
      const ended = yield* settled(gateway.call(Things.create, { payload: {} }, { idempotencyKey: "k" }))
      expect(Either.getOrThrow(Either.flip(ended))).toMatchObject({
        _tag: "OutcomeUnknown",
        reason: "Network"
      })
    })
  )
})

describe("a pause", () => {
  /** The pauses between the attempts of one call. */
  const pauses = (policy: Sample.Options["policy"], random: Random.Random, outcome: Outcome = busy) =>
    Effect.gen(function* () {
      const clock = yield* Effect.clock
      const times: Array<number> = []
      const { gateway } = Sample.make(
        () => {
          times.push(clock.unsafeCurrentTimeMillis())
          return outcome
        },
        { policy: { deadline: 500_000, ...policy } }
      )
      yield* settled(Effect.withRandom(gateway.call(Things.get, { id: "a" }), random))
      return times.slice(1).map((time, at) => time - times[at]!)
    })

  it.effect("is the random part of a bound that doubles from 200 ms to 8 s", () =>
    Effect.gen(function* () {
      expect(yield* pauses({ attempts: 10 }, Random.fixed([0.5]))).toEqual([
        100, 200, 400, 800, 1_600, 3_200, 4_000, 4_000, 4_000
      ])
      expect(yield* pauses({ attempts: 4 }, Random.fixed([0]))).toEqual([0, 0, 0])
    })
  )

  it.effect.prop(
    "is never longer than its bound, whatever chance says",
    [FC.string(), FC.integer({ min: 0, max: 300 }), FC.integer({ min: 0, max: 1_000 })],
    ([seed, pause, longestPause]) =>
      Effect.gen(function* () {
        const found = yield* pauses({ attempts: 5, pause, longestPause }, Random.make(seed))
        expect(found).toHaveLength(4)
        for (const [at, taken] of found.entries()) {
          expect(taken).toBeGreaterThanOrEqual(0)
          expect(taken).toBeLessThanOrEqual(Math.min(longestPause, pause * 2 ** at) + 1)
        }
      }),
    { fastCheck: { numRuns: 25 } }
  )

  it.effect("differs from call to call, so that clients do not return in step", () =>
    Effect.gen(function* () {
      const first = yield* Effect.forEach(["a", "b", "c", "d"], (seed) =>
        Effect.map(pauses({ attempts: 2 }, Random.make(seed)), (found) => found[0])
      )
      expect(new Set(first).size).toBe(4)
    })
  )

  it.effect("is as long as the platform asks, where it asks", () =>
    Effect.gen(function* () {
      expect(yield* pauses({}, Random.fixed([0.5]), json(503, {}, { "retry-after": "7" }))).toEqual([
        7_000, 7_000
      ])
      expect(yield* pauses({}, Random.fixed([0.5]), json(429, {}, { "retry-after": "0" }))).toEqual([0, 0])
    })
  )

  it.effect("is as long as the platform asks by a date", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2024-02-29T10:00:00Z"))
      const late = json(503, {}, { "retry-after": "Thu, 29 Feb 2024 10:00:20 GMT" })
      expect(yield* pauses({ attempts: 2 }, Random.fixed([0.5]), late)).toEqual([20_000])
    })
  )

  it.effect.each(["soon", "-5", "1.5", "Thu, 99 Feb 2024 10:00:20 GMT"])(
    "is the client's own where the platform asks for %j",
    (header) =>
      Effect.gen(function* () {
        expect(
          yield* pauses({ attempts: 2 }, Random.fixed([0.5]), json(503, {}, { "retry-after": header }))
        ).toEqual([100])
      })
  )

  it.effect("longer than a minute fails the call at once, and says how long", () =>
    Effect.gen(function* () {
      const { fake, gateway } = Sample.make([json(429, {}, { "retry-after": "61" })], {
        policy: { deadline: 500_000 }
      })
      const error = yield* Effect.flip(gateway.call(Things.get, { id: "a" }))
      expect(error).toMatchObject({ _tag: "RateLimited", retryAfter: 61_000 })
      expect(fake.exchanges).toHaveLength(1)
    })
  )

  it.effect("that would outlast the deadline fails the call at once with what the platform said", () =>
    Effect.gen(function* () {
      const { fake, gateway } = Sample.make([json(503, {}, { "retry-after": "30" })])
      const error = yield* Effect.flip(gateway.call(Things.get, { id: "a" }))
      expect(error).toMatchObject({ _tag: "ServerFault", status: 503, retryAfter: 30_000 })
      expect(fake.exchanges).toHaveLength(1)
    })
  )
})

describe("a policy", () => {
  it.effect("of the client says how often its calls are tried", () =>
    Effect.gen(function* () {
      expect(yield* outcomeOf([busy], "get", { policy: { attempts: 5 } })).toEqual({
        tag: "ServerFault",
        sent: 5
      })
      expect(yield* outcomeOf([busy], "get", { policy: { attempts: 1 } })).toEqual({
        tag: "ServerFault",
        sent: 1
      })
    })
  )

  it.effect("of one call goes before that of the client", () =>
    Effect.gen(function* () {
      const options = { policy: { attempts: 2 } }
      expect(yield* outcomeOf([busy], "get", { policy: { attempts: 5 }, options })).toEqual({
        tag: "ServerFault",
        sent: 2
      })
    })
  )

  it.effect("of one call that is none is refused, and nothing is sent", () =>
    Effect.gen(function* () {
      const { fake, gateway } = Sample.make([thing])
      for (const policy of [
        { attempts: 0 },
        { deadline: -1 },
        { maxBytes: 0.5 },
        { pause: Number.NaN },
        { retryCost: -1 }
      ]) {
        const error = yield* Effect.flip(gateway.call(Things.get, { id: "a" }, { policy }))
        expect(error).toMatchObject({ _tag: "InputError", field: "policy" })
      }
      expect(fake.exchanges).toHaveLength(0)
    })
  )
})

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
