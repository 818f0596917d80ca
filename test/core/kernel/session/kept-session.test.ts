// A session outlives its client where there is a store, and a store that misbehaves costs a sign-in at most.
import { describe, expect } from "@effect/vitest"
import { effect } from "@quartet/support/effect.js"
import { json } from "@quartet/support/fake-transport.js"
import { jwt } from "@quartet/support/jwt.js"
import { Effect, Exit, Option, TestClock } from "effect"
import type { Service, StoredSession } from "../../../../core/ports/session-store.js"
import * as Platform from "./platform.js"
import { failing, makeStore, started } from "./platform.js"

/** A client that knows a store: what a program is after each restart. */
const restarted = (platform: Platform.Platform, store: Service, config: object = {}) =>
  Platform.client(platform, config, store)

describe("a restarted client", () => {
  effect("with the same store signs in no second time, however often it is restarted", function* () {
    const platform = yield* started()
    const { service } = makeStore()
    for (let run = 0; run < 10; run++) yield* Platform.call(yield* restarted(platform, service))
    expect(platform.signIns()).toBe(1)
    expect(platform.count("requests.list", 200)).toBe(10)
  })

  // Spec 4.7, 7.50
  effect("knows the user, the token and the session id of the sign-in before it", function* () {
    const platform = yield* started()
    const { service, sessions } = makeStore()
    const user = { _id: "admin-1" }
    expect(yield* (yield* restarted(platform, service)).session.user).toEqual(user)
    expect([...sessions.values()]).toEqual([
      { sessionId: "session-1", accessToken: expect.stringContaining("."), user }
    ])
    expect(yield* (yield* restarted(platform, service)).session.user).toEqual(user)
    expect(platform.signIns()).toBe(1)
  })

  effect("signs in where the session that was kept has ended by the local clock", function* () {
    const platform = yield* started()
    const { service } = makeStore()
    yield* Platform.call(yield* restarted(platform, service))
    yield* TestClock.adjust("2 hours")
    yield* Platform.call(yield* restarted(platform, service))
    expect(platform.signIns()).toBe(2)
    expect(platform.count("requests.list", 401)).toBe(0)
  })

  effect("whose kept session is refused signs in once and keeps the new one", function* () {
    const platform = yield* started()
    const { service } = makeStore()
    yield* Platform.call(yield* restarted(platform, service))
    platform.revoke()
    yield* Platform.call(yield* restarted(platform, service))
    expect(platform.signIns()).toBe(2)
    yield* Platform.call(yield* restarted(platform, service))
    expect(platform.signIns()).toBe(2)
  })

  effect.each([-10, 10])(
    "with a clock %s minutes off loses at most one sign-in or one refusal",
    function* (minutes) {
      const platform = yield* started({ ahead: -minutes * 60_000, lifetime: 900_000 })
      const { service } = makeStore()
      for (let run = 0; run < 14; run++) {
        yield* Platform.call(yield* restarted(platform, service))
        yield* TestClock.adjust("1 minutes")
      }
      expect(platform.signIns()).toBeLessThanOrEqual(3)
      expect(platform.count("requests.list", 401)).toBeLessThanOrEqual(1)
    }
  )

  effect("renews a kept session ahead of its end too", function* () {
    const platform = yield* started()
    const { service } = makeStore()
    yield* Platform.call(yield* restarted(platform, service))
    yield* TestClock.adjust("30 minutes")
    const client = yield* restarted(platform, service)
    yield* Platform.call(client)
    yield* TestClock.adjust("28 minutes")
    yield* Platform.call(client)
    yield* TestClock.adjust("5 minutes")
    yield* Platform.call(client)
    expect(platform.signIns()).toBe(2)
    expect(platform.count("requests.list", 401)).toBe(0)
  })

  effect("of another admin, project or platform does not see the session", function* () {
    const platform = yield* started()
    const { service, sessions } = makeStore()
    for (const config of [
      {},
      { email: "bob@example.test" },
      { projectId: "project-2" },
      { baseUrl: "https://other.example.test" },
      { baseUrl: "https://api.example.test/v2" }
    ]) {
      yield* Platform.call(yield* restarted(platform, service, config))
    }
    expect(platform.signIns()).toBe(5)
    expect(sessions.size).toBe(5)
  })

  effect("that was given a session leaves the store alone", function* () {
    const platform = yield* started()
    const { service, sessions } = makeStore()
    const first = yield* restarted(platform, service)
    yield* Platform.call(first)
    const kept = [...sessions.values()][0]
    sessions.clear()
    const client = yield* restarted(platform, service, Platform.given(kept?.sessionId, kept?.accessToken))
    yield* Platform.call(client)
    yield* client.session.signOut
    expect(sessions.size).toBe(0)
    expect(platform.signIns()).toBe(1)
  })
})

describe("two clients that share a store", () => {
  effect(
    "do not take each other's session away: the second takes the one that the first has opened",
    function* () {
      const platform = yield* started({ isExclusive: true })
      const { service } = makeStore()
      const first = yield* restarted(platform, service)
      const second = yield* restarted(platform, service)
      for (let hour = 0; hour < 3; hour++) {
        yield* Platform.call(first)
        yield* Platform.call(second)
        yield* Platform.call(first)
        yield* TestClock.adjust("2 hours")
      }
      expect(platform.signIns()).toBe(3)
      platform.revoke()
      yield* Platform.call(second)
      yield* Platform.call(first)
      expect(platform.signIns()).toBe(4)
    }
  )
})

describe("a store", () => {
  const holding = (session: StoredSession) => ({ load: () => Effect.succeedSome(session) })

  effect.each<readonly [string, Partial<Service>]>([
    ["fails to load", { load: failing("load") }],
    ["fails to save", { save: failing("save") }],
    ["dies when it loads", { load: () => Effect.die(new Error("broken")) }],
    ["holds a token that cannot be read", holding({ sessionId: "s", accessToken: "opaque" })],
    ["holds no token", holding({ sessionId: "s" })],
    ["holds a session id that no header can carry", holding({ sessionId: "a\r\nb" })]
  ])("that %s costs a sign-in and nothing else", function* ([, overrides]) {
    const platform = yield* started()
    const client = yield* restarted(platform, makeStore(overrides).service)
    yield* Platform.call(client)
    yield* Platform.call(client)
    expect(platform.signIns()).toBe(1)
  })

  effect.each<readonly [string, Partial<Service>]>([
    ["load", { load: () => Effect.never }],
    ["save", { save: () => Effect.never }]
  ])(
    "that never ends to %s holds the first call up for five seconds, and no later one",
    function* ([, overrides]) {
      const platform = yield* started()
      const client = yield* restarted(platform, makeStore(overrides).service)
      const first = yield* Effect.fork(Platform.call(client))
      yield* TestClock.adjust("4 seconds")
      expect(platform.count("requests.list")).toBe(0)
      yield* TestClock.adjust("1 seconds")
      yield* first
      yield* Platform.call(client)
      expect(platform.count("requests.list", 200)).toBe(2)
    }
  )

  effect.each(["at the first call", "once its own session has been refused"])(
    "that answers another refused session each time costs one sign-in: %s",
    function* (when) {
      const platform = yield* started()
      let loads = 0
      const refused = () =>
        Effect.sync(() => {
          loads += 1
          return Option.some({
            sessionId: `old-${loads}`,
            accessToken: jwt({ sub: "admin-1", p: { "*": { "*": 9 } }, jti: `old-${loads}` })
          })
        })
      const isFirst = when === "at the first call"
      const store = makeStore()
      const service: Service = {
        ...store.service,
        load: (key, replaced) => (isFirst || loads > 0 ? refused() : store.service.load(key, replaced))
      }
      const client = yield* restarted(platform, service)
      if (!isFirst) {
        yield* Platform.call(client)
        yield* TestClock.adjust("1 minutes")
        loads = 1
        platform.revoke()
      }
      const before = platform.signIns()
      for (let call = 0; call < 10; call++) {
        yield* Platform.call(client)
        yield* TestClock.adjust("30 seconds")
      }
      expect(platform.signIns() - before).toBe(1)
    }
  )

  effect("that answers refused sessions is looked at again while a failed sign-in cools down", function* () {
    const platform = yield* started()
    const kept = makeStore()
    yield* Platform.call(yield* restarted(platform, kept.service))
    const [session] = kept.sessions.values()
    let loads = 0
    const client = yield* restarted(
      platform,
      makeStore({
        load: () =>
          Effect.sync(() => {
            loads += 1
            return Option.some(
              loads < 3 || session === undefined
                ? {
                    sessionId: `old-${loads}`,
                    accessToken: jwt({ sub: "admin-1", p: { "*": { "*": 9 } }, jti: `old-${loads}` })
                  }
                : session
            )
          })
      }).service
    )
    platform.refusals.push(json(401, {}))
    expect(Exit.isFailure(yield* Effect.exit(Platform.call(client)))).toBe(true)
    yield* Platform.call(client)
    expect(platform.count("requests.list", 200)).toBe(2)
  })
})
