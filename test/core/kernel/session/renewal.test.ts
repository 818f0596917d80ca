// A session is renewed ahead of its end, once, in the background, and on the platform's clock. Where that fails, it is
// used as long as it holds; one that does not say when it ends, until it is refused.
import { describe, expect } from "@effect/vitest"
import { effect } from "@quartet/support/effect.js"
import { json } from "@quartet/support/fake-transport.js"
import { jwt } from "@quartet/support/jwt.js"
import { Effect, Exit, TestClock } from "effect"
import * as Platform from "./platform.js"
import { start } from "./platform.js"

const minute = 60_000

const hour = 60 * minute

/** Calls again and again over a span of time; answers how many calls failed. */
const busy = (call: Effect.Effect<unknown, unknown>, span: number, pause = 30_000) =>
  Effect.gen(function* () {
    let failures = 0
    for (let time = 0; time < span; time += pause) {
      if (Exit.isFailure(yield* Effect.exit(call))) failures += 1
      yield* TestClock.adjust(pause)
    }
    return failures
  })

/** Milliseconds that the token before each sign-in but the first still had. */
const leftAtRenewals = (platform: Platform.Platform, lifetime: number) => {
  const times = platform.log.filter(({ operation }) => operation === "auth.login").map(({ at }) => at)
  return times.slice(1).map((at, index) => Math.floor((times[index] ?? 0) / 1_000) * 1_000 + lifetime - at)
}

describe("a session in use", () => {
  const clocks = [-10 * minute, 0, 10 * minute].flatMap((ahead) =>
    (["date", "iat"] as const).map((tells) => ({ ahead, tells, minutes: 0 - ahead / minute }))
  )

  effect.each(clocks)(
    "is renewed in the last tenth of its time with the local clock $minutes minutes off, told by $tells",
    function* ({ ahead, tells }) {
      const lifetime = 10 * minute
      const { client, platform } = yield* Platform.makeWorld({ ahead, tells, lifetime })
      expect(yield* busy(Platform.call(client), 30 * minute)).toBe(0)
      const left = leftAtRenewals(platform, lifetime)
      expect(left.length).toBe(3)
      for (const milliseconds of left) {
        expect(milliseconds).toBeGreaterThan(minute - 30_000)
        expect(milliseconds).toBeLessThanOrEqual(minute + 1_000)
      }
      expect(platform.count("requests.list", 401)).toBe(0)
      expect(platform.count("auth.legacyLogin")).toBe(platform.signIns())
    }
  )

  effect("that lasts hours is renewed no sooner than five minutes before its end", function* () {
    const { client, platform } = yield* Platform.makeWorld({ lifetime: 12 * hour })
    expect(yield* busy(Platform.call(client), 24 * hour, 4.9 * minute)).toBe(0)
    expect(leftAtRenewals(platform, 12 * hour)).toHaveLength(2)
    for (const milliseconds of leftAtRenewals(platform, 12 * hour)) {
      expect(milliseconds).toBeLessThanOrEqual(5 * minute + 1_000)
      expect(milliseconds).toBeGreaterThan(0)
    }
  })

  const untold = [-10, 10].flatMap((minutes) => [5, 30].map((lasts) => ({ minutes, lasts })))

  effect.each(untold)(
    "that lasts $lasts minutes causes no storm with the local clock $minutes minutes off and no time told",
    function* ({ lasts, minutes }) {
      const lifetime = lasts * minute
      const { client, platform } = yield* Platform.makeWorld({
        ahead: -minutes * minute,
        tells: "nothing",
        lifetime
      })
      expect(yield* busy(Platform.call(client), 3 * lifetime, lifetime / 30)).toBe(0)
      // At the worst it is renewed ten minutes early, which a clock that is ahead makes of five minutes' margin.
      expect(platform.signIns()).toBeLessThanOrEqual(1 + Math.ceil((3 * lasts) / Math.max(5, lasts - 13)))
      expect(platform.count("requests.list", 401)).toBeLessThanOrEqual(3)
    }
  )

  effect(
    "is renewed by one sign-in however many calls meet its last minutes, and none of them waits",
    function* () {
      const { client, platform } = yield* Platform.makeWorld({ latency: 10 })
      const first = yield* Effect.fork(Platform.call(client))
      yield* TestClock.adjust(100)
      yield* first
      yield* TestClock.adjust(56 * minute)
      const calls = yield* Effect.fork(
        Effect.all(
          Array.from({ length: 100 }, () => Platform.call(client)),
          { concurrency: "unbounded" }
        )
      )
      // The time of one answer, not of a sign-in before it.
      yield* TestClock.adjust(10)
      expect(yield* calls).toHaveLength(100)
      expect(platform.count("requests.list", 200)).toBe(101)
      yield* TestClock.adjust(100)
      expect(platform.signIns()).toBe(2)
      expect(platform.count("requests.list", 401)).toBe(0)
    }
  )

  effect("is used until the new one is there, and the new one from then on", function* () {
    const { client, platform } = yield* Platform.makeWorld()
    for (const wait of [0, 56 * minute, 0]) {
      yield* TestClock.adjust(wait)
      yield* Platform.call(client)
      yield* TestClock.adjust(1)
    }
    const tokens = platform.log
      .filter(({ operation }) => operation === "requests.list")
      .map(({ token }) => token)
    expect(tokens[1]).toBe(tokens[0])
    expect(tokens[2]).not.toBe(tokens[0])
  })

  effect("survives a platform that ends the old session when it opens the new one", function* () {
    const { client, platform } = yield* Platform.makeWorld({ isExclusive: true })
    expect(yield* busy(Platform.call(client), 3 * hour, minute)).toBe(0)
    expect(platform.signIns()).toBe(4)
  })

  effect("is told by the running clock: setting the local time does not move its end", function* () {
    const { client, platform } = yield* Platform.makeWorld()
    const clock = yield* Effect.clock
    let moved = 0
    const moving = {
      ...clock,
      unsafeCurrentTimeMillis: () => clock.unsafeCurrentTimeMillis() + moved,
      unsafeCurrentTimeNanos: () => clock.unsafeCurrentTimeNanos(),
      sleep: clock.sleep.bind(clock)
    }
    const call = Effect.withClock(Platform.call(client), moving)
    yield* Effect.exit(call)
    for (const step of [30 * minute, -2 * hour, 24 * hour]) {
      moved = step
      yield* Effect.exit(call)
    }
    expect(platform.signIns()).toBe(1)
  })
})

describe("a session that nobody uses", () => {
  effect("is not renewed, and its end costs the next call a sign-in but no refusal", function* () {
    const { client, platform } = yield* Platform.makeWorld()
    yield* Effect.exit(Platform.call(client))
    yield* TestClock.adjust(12 * hour)
    expect(platform.signIns()).toBe(1)
    expect(Exit.isSuccess(yield* Effect.exit(Platform.call(client)))).toBe(true)
    expect(platform.signIns()).toBe(2)
    expect(platform.count("requests.list", 401)).toBe(0)
  })

  // The header `Date` has whole seconds: up to one more may have passed.
  effect("is not used in the second before its end that the platform's clock may be ahead", function* () {
    const { client, platform } = yield* Platform.makeWorld({ ahead: 900, lifetime: hour })
    yield* Platform.call(client)
    yield* TestClock.adjust(hour - 500)
    yield* Platform.call(client)
    expect(platform.signIns()).toBe(2)
    expect(platform.count("requests.list", 401)).toBe(0)
  })
})

describe("a session that was given", () => {
  effect("is never renewed", function* () {
    const accessToken = jwt({ sub: "a", p: { "*": { "*": 9 } }, exp: start / 1_000 + 600 })
    const { client, platform } = yield* Platform.makeWorld({}, Platform.given("session-1", accessToken))
    yield* TestClock.adjust(9 * minute)
    yield* Effect.exit(Platform.call(client))
    yield* TestClock.adjust(9 * minute)
    yield* Effect.exit(Platform.call(client))
    expect(platform.log.map(({ operation }) => operation)).toEqual(["requests.list", "requests.list"])
  })
})

describe("a renewal that fails", () => {
  effect("leaves the old session in use, and is tried at most ten times before its end", function* () {
    const { client, platform } = yield* Platform.makeWorld({}, { policy: { attempts: 1 } })
    yield* Effect.exit(Platform.call(client))
    platform.refusals.push(...Array.from({ length: 100 }, () => json(503, {})))
    expect(yield* busy(Platform.call(client), 59 * minute, 30_000)).toBe(0)
    expect(platform.count("auth.login", 503)).toBeGreaterThan(1)
    expect(platform.count("auth.login", 503)).toBeLessThanOrEqual(10)
    platform.refusals.length = 0
    expect(yield* busy(Platform.call(client), minute)).toBe(0)
    expect(platform.count("auth.login", 200)).toBe(2)
  })

  effect("because the password was refused is not tried again while the old session holds", function* () {
    const { client, platform } = yield* Platform.makeWorld()
    yield* Effect.exit(Platform.call(client))
    platform.refusals.push(...Array.from({ length: 100 }, () => json(401, {})))
    expect(yield* busy(Platform.call(client), 59 * minute, 30_000)).toBe(0)
    expect(platform.count("auth.login", 401)).toBe(1)
  })

  effect("with a token that cannot be read leaves the old session in use", function* () {
    const { client, platform } = yield* Platform.makeWorld()
    yield* Effect.exit(Platform.call(client))
    platform.refusals.push(json(200, { accessToken: "opaque", user: {} }))
    expect(yield* busy(Platform.call(client), 59 * minute, 30_000)).toBe(0)
  })
})

describe("a token whose end cannot be relied on is used until it is refused:", () => {
  effect.each([
    ["one that has no exp", { exp: undefined }],
    ["one that ended before it came", { exp: start / 1_000 - 10 }],
    ["one that ends within a second", { exp: start / 1_000 + 0.9 }],
    ["one that ends in the year 55,000", { exp: start }],
    ["one whose exp is NaN in disguise", { exp: null }]
  ] as ReadonlyArray<readonly [string, object]>)("%s", function* ([, claims]) {
    const { client, platform } = yield* Platform.makeWorld()
    platform.refusals.push(
      json(200, { accessToken: jwt({ sub: "a", p: { "*": { "*": 9 } }, ...claims }), user: {} })
    )
    const credentials = yield* Platform.credentials(client)
    yield* TestClock.adjust(24 * hour)
    expect(yield* Platform.credentials(client)).toBe(credentials)
    expect(platform.signIns()).toBe(1)
  })
})
