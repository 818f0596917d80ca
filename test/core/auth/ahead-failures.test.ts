// What becomes of a session whose renewal ahead of its end fails, and of one that does not say reliably when it
// ends.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { json } from "../../support/fake-transport.js"
import { jwt } from "../../support/jwt.js"
import { busy, hour, minute, start } from "./busy.js"
import * as Platform from "./platform.js"

describe("a renewal that fails", () => {
  it.effect("leaves the old session in use, and is tried at most ten times before its end", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const platform = yield* Platform.make()
      const client = yield* Platform.client(platform, { policy: { attempts: 1 } })
      yield* Effect.exit(Platform.call(client))
      platform.refusals.push(...Array.from({ length: 100 }, () => json(503, {})))
      expect(yield* busy(Platform.call(client), 59 * minute, 30_000)).toBe(0)
      expect(platform.count("auth.login", 503)).toBeGreaterThan(1)
      expect(platform.count("auth.login", 503)).toBeLessThanOrEqual(10)
      platform.refusals.length = 0
      expect(yield* busy(Platform.call(client), minute)).toBe(0)
      expect(platform.count("auth.login", 200)).toBe(2)
    })
  )

  it.effect("because the password was refused is not tried again while the old session holds", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const platform = yield* Platform.make()
      const client = yield* Platform.client(platform)
      yield* Effect.exit(Platform.call(client))
      platform.refusals.push(...Array.from({ length: 100 }, () => json(401, {})))
      expect(yield* busy(Platform.call(client), 59 * minute, 30_000)).toBe(0)
      expect(platform.count("auth.login", 401)).toBe(1)
    })
  )

  it.effect("with a token that cannot be read leaves the old session in use", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const platform = yield* Platform.make()
      const client = yield* Platform.client(platform)
      yield* Effect.exit(Platform.call(client))
      platform.refusals.push(json(200, { accessToken: "opaque", user: {} }))
      expect(yield* busy(Platform.call(client), 59 * minute, 30_000)).toBe(0)
    })
  )
})

describe("a token whose end cannot be relied on is used until it is refused:", () => {
  it.effect.each([
    ["one that has no exp", { exp: undefined }],
    ["one that ended before it came", { exp: start / 1_000 - 10 }],
    ["one that ends within a second", { exp: start / 1_000 + 0.9 }],
    ["one that ends in the year 55,000", { exp: start }],
    ["one whose exp is NaN in disguise", { exp: null }]
  ] as ReadonlyArray<readonly [string, object]>)("%s", ([, claims]) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const platform = yield* Platform.make()
      const client = yield* Platform.client(platform)
      platform.refusals.push(
        json(200, { accessToken: jwt({ sub: "a", p: { "*": { "*": 9 } }, ...claims }), user: {} })
      )
      const credentials = yield* client.session.obtain
      yield* TestClock.adjust(24 * hour)
      expect(yield* client.session.obtain).toBe(credentials)
      expect(platform.signIns()).toBe(1)
    })
  )
})
