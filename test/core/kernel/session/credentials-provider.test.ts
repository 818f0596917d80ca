// However many calls are without a session, or have theirs refused, one sign-in is under way and no call asks twice. One
// that failed is not tried again before its cooldown has passed.
import { describe, expect } from "@effect/vitest"
import { effect } from "@quartet/support/effect.js"
import { failed, json } from "@quartet/support/fake-transport.js"
import { Effect, Exit, Fiber, TestClock } from "effect"
import * as Admin from "../../../../clients/admin/index.js"
import type { Outcome } from "../../../../core/ports/transport.js"
import * as Platform from "./platform.js"

const many = <A, E>(call: Effect.Effect<A, E>, count = 100) =>
  Effect.all(
    Array.from({ length: count }, () => Effect.exit(call)),
    { concurrency: "unbounded" }
  )

const tagOf = (exit: Exit.Exit<unknown, { readonly _tag: string }>): string =>
  Exit.match(exit, {
    onSuccess: () => "success",
    onFailure: (cause) => (cause._tag === "Fail" ? cause.error._tag : cause._tag)
  })

const tags = (exits: ReadonlyArray<Exit.Exit<unknown, { readonly _tag: string }>>) => [
  ...new Set(exits.map(tagOf))
]

const made = (options: Platform.Options = {}, config: object = {}) =>
  Platform.makeWorld({ latency: 10, ...options }, config)

/** Runs calls that have all the time they need. */
const settled = <A, E>(effect: Effect.Effect<A, E>) => Platform.during(effect, 45)

describe("a hundred calls at once", () => {
  // Spec 4.7
  effect("before any session lead to one sign-in on each service", function* () {
    const { client, platform } = yield* made()
    expect(tags(yield* settled(many(Platform.call(client))))).toEqual(["success"])
    expect(platform.signIns()).toBe(1)
    expect(platform.count("auth.legacyLogin")).toBe(1)
    expect(platform.count("requests.list")).toBe(100)
  })

  effect("that are all refused lead to one sign-in, and each is sent again once", function* () {
    const { client, platform } = yield* made()
    yield* settled(Platform.call(client))
    yield* TestClock.adjust("1 minutes")
    platform.revoke()
    expect(tags(yield* settled(many(Platform.call(client))))).toEqual(["success"])
    expect(platform.signIns()).toBe(2)
    expect(platform.count("requests.list", 401)).toBe(100)
    expect(platform.count("requests.list", 200)).toBe(101)
  })

  effect(
    "that stay refused with the new session too end so: one sign-in, two requests a call, no loop",
    function* () {
      const { client, platform } = yield* made({ lifetime: 60_000 })
      yield* settled(Platform.call(client))
      yield* TestClock.adjust("30 seconds")
      platform.revoke()
      // The session of the next sign-in is ended as soon as it is opened.
      const watch = yield* Effect.fork(
        Effect.forever(
          Effect.zipRight(
            Effect.sleep(1),
            Effect.sync(() => platform.revoke())
          )
        )
      )
      expect(tags(yield* settled(many(Platform.call(client))))).toEqual(["Unauthenticated"])
      yield* Fiber.interrupt(watch)
      expect(platform.signIns()).toBe(2)
      expect(platform.count("requests.list", 401)).toBe(200)
    }
  )

  effect(
    "whose sign-in fails are told so by one attempt, and no other follows within the cooldown",
    function* () {
      const { client, platform } = yield* made()
      platform.refusals.push(json(401, {}))
      expect(tags(yield* settled(many(Platform.call(client))))).toEqual(["CredentialsError"])
      expect(platform.signIns()).toBe(1)
      const again = yield* many(Platform.call(client))
      for (const exit of again) expect(exit).toMatchObject({ cause: { error: { reason: "Cooldown" } } })
      expect(platform.signIns()).toBe(1)
      yield* TestClock.adjust(Platform.signInCooldown)
      expect(tags(yield* settled(many(Platform.call(client))))).toEqual(["success"])
      expect(platform.signIns()).toBe(2)
    }
  )

  effect(
    "whose first is interrupted while it signs in: the others complete, by the same sign-in",
    function* () {
      const { client, platform } = yield* made()
      const first = yield* Effect.fork(Platform.call(client))
      yield* Effect.yieldNow()
      const others = yield* Effect.fork(many(Platform.call(client), 99))
      yield* TestClock.adjust(5)
      yield* Fiber.interrupt(first)
      yield* TestClock.adjust(45)
      expect(tags(yield* others)).toEqual(["success"])
      expect(platform.signIns()).toBe(1)
      expect(platform.count("requests.list")).toBe(99)
    }
  )

  effect(
    "that are all interrupted while they sign in leave nothing in flight, and the next one signs in",
    function* () {
      const { client, platform } = yield* made()
      const calls = yield* Effect.fork(many(Platform.call(client)))
      yield* TestClock.adjust(5)
      expect(platform.inFlight).toBe(2)
      yield* Fiber.interrupt(calls)
      yield* Effect.yieldNow()
      expect(platform.inFlight).toBe(0)
      expect(platform.abandoned).toBe(2)
      expect(tags([yield* settled(Effect.exit(Platform.call(client)))])).toEqual(["success"])
      expect(platform.signIns()).toBe(1)
    }
  )
})

describe("a platform that opens sessions and refuses them at once", () => {
  effect(
    "is asked twice, then once in a cooldown, however many calls come one after the other",
    function* () {
      const { client, platform } = yield* made({ latency: 0 })
      const refused = Effect.exit(Platform.call(client))
      platform.isClosed = true
      const exits = yield* Effect.replicateEffect(refused, 100)
      expect(tags(exits)).toEqual(["Unauthenticated"])
      expect(platform.signIns()).toBe(2)
      for (let sessions = 3; sessions < 10; sessions++) {
        yield* TestClock.adjust(Platform.signInCooldown)
        yield* Effect.replicateEffect(refused, 100)
        expect(platform.signIns()).toBe(sessions)
      }
      expect(exits[99]).toMatchObject({
        cause: { error: { operation: "requests.list", status: 401, serverMessage: "who?" } }
      })
      platform.isClosed = false
      yield* TestClock.adjust(Platform.signInCooldown)
      expect(tags([yield* Effect.exit(Platform.call(client))])).toEqual(["success"])
    }
  )
})

describe("a session that is revoked moments after a good sign-in", () => {
  effect("is renewed like any other, and each call succeeds", function* () {
    const { client, platform } = yield* made({ latency: 0 })
    for (let sessions = 1; sessions <= 20; sessions++) {
      expect(tags([yield* Effect.exit(Platform.call(client))])).toEqual(["success"])
      expect(platform.signIns()).toBe(sessions)
      platform.revoke()
      yield* TestClock.adjust(100)
    }
  })

  effect.each([400, 403, 404, 409, 422])(
    "is renewed like any other where calls are answered %i",
    function* (status) {
      const { client, platform } = yield* made({ latency: 0 })
      platform.status = status
      for (let sessions = 1; sessions <= 5; sessions++) {
        expect(tags([yield* Effect.exit(Platform.call(client))])).not.toContain("Unauthenticated")
        expect(platform.signIns()).toBe(sessions)
        platform.revoke()
        yield* TestClock.adjust(100)
      }
      expect(platform.count("requests.list", status)).toBe(5)
    }
  )

  effect("is renewed like any other where answers are refused by a strict client", function* () {
    const { client, platform } = yield* made({ latency: 0 }, { answers: "strict" })
    platform.body = { items: [5] }
    for (let sessions = 1; sessions <= 5; sessions++) {
      expect(tags([yield* Effect.exit(Platform.call(client))])).toEqual(["AnswerError"])
      expect(platform.signIns()).toBe(sessions)
      platform.revoke()
    }
  })

  effect.each([302, 407, 408, 429, 501])(
    "is not known to have been good by an answer %i, which may come from before it was looked at",
    function* (status) {
      const { client, platform } = yield* made({ latency: 0 })
      platform.status = status
      const call = Effect.exit(
        Effect.provideService(Admin.requests.list({}, { policy: { attempts: 1 } }), Admin.Client, client)
      )
      for (let turn = 0; turn < 5; turn++) {
        yield* call
        platform.revoke()
      }
      expect(platform.signIns()).toBe(2)
    }
  )

  effect("before its first use too", function* () {
    const { client, platform } = yield* made({ latency: 0 })
    yield* Platform.credentials(client)
    platform.revoke()
    expect(tags(yield* many(Platform.call(client)))).toEqual(["success"])
    expect(platform.signIns()).toBe(2)
  })
})

describe("a refusal", () => {
  effect("that comes after another call has renewed the session leads to no further sign-in", function* () {
    const { client, platform } = yield* made()
    yield* settled(Platform.call(client))
    yield* TestClock.adjust("1 minutes")
    platform.revoke()
    const early = yield* Effect.fork(Effect.exit(Platform.call(client)))
    yield* TestClock.adjust(8)
    const late = yield* Effect.fork(Effect.exit(Platform.call(client)))
    yield* TestClock.adjust(45)
    expect(tags([yield* early, yield* late])).toEqual(["success"])
    expect(platform.signIns()).toBe(2)
  })

  effect("of a session in its last minutes joins the renewal that is under way", function* () {
    const { client, platform } = yield* made()
    yield* settled(Platform.call(client))
    yield* TestClock.adjust("57 minutes")
    platform.revoke()
    expect(tags(yield* settled(many(Platform.call(client))))).toEqual(["success"])
    expect(platform.signIns()).toBe(2)
    expect(platform.count("requests.list")).toBe(201)
  })
})

describe("a sign-in", () => {
  effect("waits for the first call", function* () {
    const { platform } = yield* made()
    yield* TestClock.adjust("1 minute")
    expect(platform.log).toEqual([])
  })

  effect.each([
    ["the platform is down", failed("Refused"), "NetworkError"],
    ["its token cannot be read", json(200, { accessToken: "opaque", user: {} }), "CredentialsError"]
  ] as ReadonlyArray<readonly [string, Outcome, string]>)(
    "that fails because %s is not tried again before its cooldown has passed",
    function* ([, outcome, tag]) {
      const { client, platform } = yield* made({ latency: 0 }, { policy: { attempts: 1 } })
      platform.refusals.push(outcome)
      const call = Effect.exit(Platform.call(client))
      expect(tags([yield* call])).toEqual([tag])
      yield* TestClock.adjust(Platform.signInCooldown - 1)
      expect(yield* call).toMatchObject({ cause: { error: { reason: "Cooldown", cause: { _tag: tag } } } })
      expect(platform.signIns()).toBe(1)
      yield* TestClock.adjust(1)
      expect(tags([yield* call])).toEqual(["success"])
    }
  )
})

effect(
  "the secrets are the password and every session, also those that have been replaced or given up",
  function* () {
    const { client, platform } = yield* made({ latency: 0 })
    yield* Platform.call(client)
    platform.revoke()
    yield* Platform.call(client)
    yield* client.session.signOut
    const secrets = client.session.secrets()
    for (const secret of ["correct horse", "session-1", "session-2"]) expect(secrets).toContain(secret)
    const tokens = [...new Set(platform.log.map(({ token }) => token.replace("Bearer ", "")))]
    expect(tokens.filter((token) => token !== "" && !secrets.includes(token))).toEqual([])
    expect(tokens.length).toBeGreaterThan(2)
  }
)
