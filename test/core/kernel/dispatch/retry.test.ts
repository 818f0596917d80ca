// Which calls are repeated, after what, when, how often, and at whose cost; and whose outcome is unknown.
import { describe, expect, it } from "@effect/vitest"
import * as Sample from "@quartet/support/dispatcher.js"
import { busy, ended, thing } from "@quartet/support/dispatcher.js"
import { effect } from "@quartet/support/effect.js"
import { bytes, failed, json, text, tooLarge } from "@quartet/support/fake-transport.js"
import { Effect, FastCheck as FC, Random, TestClock } from "effect"
import type { Credentials } from "../../../../core/kernel/dispatch/credentials.js"
import * as Retry from "../../../../core/kernel/dispatch/retry.js"
import { CredentialsError } from "../../../../core/kernel/errors/errors.js"
import type { Outcome } from "../../../../core/ports/transport.js"

type Script = ReadonlyArray<Outcome>
const refused = failed("Refused", false)
const key = { options: { idempotencyKey: "order-7" } }

const two = { policy: { attempts: 5 }, options: { policy: { attempts: 2 } } }
const notUtf8 = bytes(200, [0x22, 0xff, 0x22])

describe("a call", () => {
  effect.each<readonly [string, Sample.Named, Script, string, number, Sample.CallSettings?]>([
    ["that succeeds is sent once", "get", [thing], "success", 1],
    ["that reads is tried three times in all", "get", [busy, busy, thing], "success", 3],
    ["that reads fails as its last attempt did", "get", [busy, busy, json(502, {}), thing], "ServerFault", 3],
    ["is repeated after 503 with more to say than may be held", "get", [tooLarge(503), thing], "success", 2],
    ["is repeated after a refused connection", "get", [refused, thing], "success", 2],
    ["is repeated after a lost connection", "get", [failed("Reset"), thing], "success", 2],
    ["is repeated after a time-out", "get", [failed("Timeout"), thing], "success", 2],
    ["is not repeated after 501", "get", [json(501, {}), thing], "ServerFault", 1],
    ["is not repeated after a 404 that is too large", "get", [tooLarge(404), thing], "NotFound", 1],
    ["is not repeated after a certificate", "get", [failed("Tls", false), thing], "NetworkError", 1],
    ["is not repeated after a web page", "get", [text(200, "<html>"), thing], "AnswerError", 1],
    ["is not repeated after an answer that is too large", "get", [tooLarge(200), thing], "AnswerError", 1],
    ["is tried as often as the client says", "get", [busy], "ServerFault", 5, { policy: { attempts: 5 } }],
    ["may be tried once", "get", [busy], "ServerFault", 1, { policy: { attempts: 1 } }],
    ["is tried as often as its own policy says", "get", [busy], "ServerFault", 2, two],
    ["that writes is never repeated of itself: 503", "create", [busy, thing], "ServerFault", 1],
    ["that writes is never repeated of itself: 429", "create", [json(429, {}), thing], "RateLimited", 1],
    ["that writes is never repeated of itself: refused", "create", [refused, thing], "NetworkError", 1],
    ["that changes nothing is repeated", "search", [busy, failed("Reset"), thing], "success", 3],
    ["that changes nothing is tried three times", "search", [failed("Reset")], "NetworkError", 3],
    ["with an idempotency key is repeated", "create", [busy, failed("Reset"), thing], "success", 3, key]
  ])("%s", ([, name, script, tag, sent, of]) =>
    Effect.map(ended(script, name, of), (result) => expect(result).toMatchObject({ tag, sent }))
  )

  effect("counts its attempts from 1 in the requests, and sends the same key and body at each", function* () {
    const { fake } = yield* ended([busy, busy, thing], "create", key)
    expect(fake.requests().map(({ attempt }) => attempt)).toEqual([1, 2, 3])
    expect(fake.requests().map(({ headers }) => headers["idempotency-key"])).toEqual(Array(3).fill("order-7"))
    expect(new Set(fake.requests().map(({ body }) => JSON.stringify(body))).size).toBe(1)
  })

  effect.each([null, 7, true, ["k"], { toString: () => "k" }])(
    "with the key %j is refused, and nothing is sent",
    function* (key) {
      const result = yield* ended([thing], "create", { options: { idempotencyKey: key as never } })
      expect(result).toMatchObject({ sent: 0, error: { _tag: "InputError", field: "idempotencyKey" } })
    }
  )
})

describe("a write", () => {
  const lost = failed("Reset", true)
  const unknown = (reason: string) => ({
    _tag: "OutcomeUnknown",
    reason,
    retryable: false,
    operation: "things.create"
  })

  effect("whose answer is lost has an unknown outcome", () =>
    Effect.map(ended([lost], "create"), ({ error }) =>
      expect(error).toMatchObject({ ...unknown("Network"), attempts: 1 })
    )
  )

  effect.each<readonly [string, Script, object]>([
    ["a lost answer, then 409", [lost, json(409, {})], unknown("Network")],
    ["a lost answer, then 500", [lost, json(500, {})], unknown("Network")],
    ["a lost answer, then a refused connection", [lost, refused], unknown("Network")],
    ["a lost answer, then a web page", [lost, text(200, "<html>")], unknown("Network")],
    ["a lost answer, then 404", [lost, json(404, {})], unknown("Network")],
    ["502, then 429", [json(502, {}), json(429, {}, { "retry-after": "3600" })], unknown("Server")],
    ["503, then a refused connection", [busy, refused], unknown("Server")],
    ["500, then 409", [json(500, {}), json(409, {})], unknown("Server")],
    ["500, then 404", [json(500, {}), json(404, {})], unknown("Server")],
    ["500, then 403", [json(500, {}), json(403, {})], unknown("Server")],
    ["504, then 422", [json(504, {}), json(422, {})], unknown("Server")],
    ["500, then a web page", [json(500, {}), text(200, "<html>")], unknown("Server")],
    ["429, then 409", [json(429, {}), json(409, {})], { _tag: "Conflict" }],
    ["a refused connection, then 404", [refused, json(404, {})], { _tag: "NotFound" }],
    ["501", [json(501, {})], { _tag: "ServerFault" }],
    ["nothing but 503", [busy, busy, busy], { ...unknown("Server"), cause: { status: 503 }, attempts: 3 }],
    ["408, then 429", [json(408, {}), json(429, {}, { "retry-after": "3600" })], unknown("Server")],
    ["nothing but 429", [json(429, {})], { _tag: "RateLimited", retryable: true }],
    ["500, then bad UTF-8", [json(500, {}), notUtf8], { _tag: "AnswerError", isDone: true }]
  ])("with a key that met %s ends as is known of it", function* ([, script, expected]) {
    const { error } = yield* ended(script, "create", key)
    expect(error).toMatchObject(expected)
    if (error?._tag === "OutcomeUnknown") expect(error.message).toContain("with the same idempotency key")
  })

  const rejected = new CredentialsError({ operation: "auth.login", reason: "Rejected", advice: "no" })
  const lesser = { headers: { authorization: "Bearer token-2" }, grants: {} }
  const denied = { cause: { _tag: "PermissionDenied" } }
  effect.each<readonly [string, Outcome, Effect.Effect<Credentials, CredentialsError>, object]>([
    ["new session grants less", json(502, {}), Effect.succeed(lesser), denied],
    ["credentials then fail", lost, Effect.fail(rejected), { reason: "Network" }]
  ])(
    "that may have been done, and whose %s, has an unknown outcome",
    function* ([, first, renewal, expected]) {
      const credentialsProvider = { ...Sample.keys(), renew: () => renewal }
      const { error } = yield* ended([first, json(401, {})], "create", { ...key, credentialsProvider })
      expect(error).toMatchObject({ _tag: "OutcomeUnknown", operation: "things.create", ...expected })
    }
  )
})

describe("a pause", () => {
  const half = Random.fixed([0.5])
  /** The pauses between the attempts of one call. */
  const pauses = (policy: Sample.Options["policy"], random: Random.Random, outcome: Outcome = busy) =>
    Effect.gen(function* () {
      const clock = yield* Effect.clock
      const times: Array<number> = []
      const script = () => {
        times.push(clock.unsafeCurrentTimeMillis())
        return outcome
      }
      yield* Effect.withRandom(ended(script, "get", { policy: { deadline: 500_000, ...policy } }), random)
      return times.slice(1).map((time, at) => time - times[at]!)
    })

  effect("is the random part of a bound that doubles from 200 ms to 8 s", function* () {
    const doubling = [100, 200, 400, 800, 1_600, 3_200, 4_000, 4_000, 4_000]
    expect(yield* pauses({ attempts: 10 }, half)).toEqual(doubling)
    expect(yield* pauses({ attempts: 4 }, Random.fixed([0]))).toEqual([0, 0, 0])
  })

  effect.prop(
    "is never longer than its bound, whatever chance says",
    [FC.string(), FC.integer({ min: 0, max: 300 }), FC.integer({ min: 0, max: 1_000 })],
    function* ([seed, pause, longestPause]) {
      const pausesOf = yield* pauses({ attempts: 5, pause, longestPause }, Random.make(seed))
      expect(pausesOf).toHaveLength(4)
      for (const [at, length] of pausesOf.entries()) {
        expect(length).toBeGreaterThanOrEqual(0)
        expect(length).toBeLessThanOrEqual(Math.min(longestPause, pause * 2 ** at) + 1)
      }
    },
    25
  )

  effect("differs from call to call, so that clients do not return in step", function* () {
    const pausesOf = yield* Effect.forEach(["a", "b", "c", "d"], (seed) =>
      pauses({ attempts: 2 }, Random.make(seed))
    )
    expect(new Set(pausesOf.map(([first]) => first)).size).toBe(4)
  })

  const now = Date.parse("2024-02-29T10:00:00Z")
  const date = new Date(now).toUTCString()
  const late = { "retry-after": "Thu, 29 Feb 2024 10:00:20 GMT" }
  // Spec 9.8
  effect.each<readonly [string, Outcome, number, minutesOff?: number]>([
    ["asks", json(503, {}, { "retry-after": "7" }), 7_000],
    ["asks, with more to say than may be held", tooLarge(503, { "retry-after": "7" }), 7_000],
    ["asks after 429", json(429, {}, { "retry-after": "0" }), 0],
    ["asks by a fraction", json(503, {}, { "retry-after": "1.5" }), 1_500],
    ["asks by a date", json(503, {}, late), 20_000],
    ["asks by its own clock, with the local one behind", json(503, {}, { ...late, date }), 20_000, -10],
    ["asks by its own clock, with the local one ahead", json(503, {}, { ...late, date }), 20_000, 10],
    ...["soon", "-5", "1,5", "Thu, 99 Feb 2024 10:00:20 GMT"].map(
      (header) => [`asks, unless for ${header}`, json(503, {}, { "retry-after": header }), 100] as const
    )
  ])("is as long as the platform %s", function* ([, outcome, millis, minutesOff = 0]) {
    yield* TestClock.setTime(now + minutesOff * 60_000)
    expect(yield* pauses({ attempts: 2 }, half, outcome)).toEqual([millis])
  })

  effect.each([
    ["longer than a minute", 429, "61", 500_000, "RateLimited"],
    ["that would outlast the deadline", 503, "30", 30_000, "ServerFault"]
  ] as const)(
    "%s fails the call at once with what the platform said",
    function* ([, status, header, deadline, _tag]) {
      const { error, sent } = yield* ended([json(status, {}, { "retry-after": header })], "get", {
        policy: { deadline }
      })
      expect([error, sent]).toMatchObject([{ _tag, status, retryAfter: Number(header) * 1_000 }, 1])
    }
  )
})

describe("the budget of a client", () => {
  /** So many calls at once, to their end, and how many requests they sent. */
  const calls = ({ dispatcher, fake }: Sample.Made, count: number, options = {}) =>
    Effect.gen(function* () {
      const before = fake.exchanges.length
      yield* Sample.settled(Sample.together(count, Effect.either(Sample.call(dispatcher, "get", options))))
      return fake.exchanges.length - before
    })

  effect.each<readonly [string, number, number, Outcome, Sample.Options?]>([
    ["100 repetitions in a total outage", 1_000, 1_100, busy],
    ["50 after time-outs", 100, 150, failed("Timeout")],
    ["50 after time-outs while connecting", 100, 150, failed("ConnectTimeout", false)],
    ["50 after 504", 100, 150, json(504, {})],
    ["50 after 408", 100, 150, json(408, {})],
    ["as many as the configuration says", 100, 104, busy, { config: { retryBudget: 20 } }],
    ["none where the configuration says 0", 100, 100, busy, { config: { retryBudget: 0 } }],
    ["few where the policy says that they are dear", 100, 105, busy, { policy: { retryCost: 100 } }]
  ])("pays for %s: %d calls send %d requests", ([, count, requests, outcome, options]) =>
    Effect.map(calls(Sample.make([outcome], options), count), (sent) => expect(sent).toBe(requests))
  )

  effect(
    "is spent before the attempts are, is each client's own, and is not asked where a call costs 0",
    function* () {
      const sample = Sample.make([busy])
      yield* calls(sample, 100)
      expect(yield* calls(sample, 1)).toBe(1)
      expect(yield* calls(sample, 1, { policy: { retryCost: 0 } })).toBe(3)
      expect(yield* calls(Sample.make([busy]), 1)).toBe(3)
    }
  )

  effect("earns one token a call that succeeds at its first attempt", function* () {
    let isUp = false
    const sample = Sample.make(() => (isUp ? thing : busy))
    const succeed = (count: number) =>
      Effect.gen(function* () {
        isUp = true
        yield* calls(sample, count)
        isUp = false
      })
    yield* calls(sample, 100)
    yield* succeed(4)
    expect(yield* calls(sample, 1), "four tokens pay for nothing").toBe(1)
    yield* succeed(1)
    expect(yield* calls(sample, 1), "five tokens pay for one repetition").toBe(2)
  })

  effect("earns nothing by a call that succeeds only when it is repeated", function* () {
    const sample = Sample.make(({ attempt }) => (attempt === 1 ? busy : thing))
    expect((yield* calls(sample, 130)) + (yield* calls(sample, 130))).toBe(260 + 100)
  })

  it.prop(
    "stays between 0 and 500, and gives nothing on credit, whatever happens",
    [FC.array(FC.constantFrom("take", "timeout", "earn"), { maxLength: 300 })],
    ([events]) => {
      const budget = new Retry.RetryBudget()
      let left = budget.left
      expect(left).toBe(500)
      for (const event of events) {
        const cost = event === "timeout" ? 10 : 5
        if (event === "earn") {
          budget.earn()
          left = Math.min(500, left + 1)
        } else if (budget.take(cost)) left -= cost
        else expect(left).toBeLessThan(cost)
        expect(left).toBeGreaterThanOrEqual(0)
        expect(budget.left).toBe(left)
      }
    }
  )
})
