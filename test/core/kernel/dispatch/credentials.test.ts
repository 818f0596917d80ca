// Credentials: obtained before a call is sent, renewed once after 401, and checked for the grant that a call needs.
import { describe, expect } from "@effect/vitest"
import * as Sample from "@quartet/support/dispatcher.js"
import { busy, ended, renewing, thing, tokenOf } from "@quartet/support/dispatcher.js"
import { effect } from "@quartet/support/effect.js"
import { json, tooLarge } from "@quartet/support/fake-transport.js"
import * as Things from "@quartet/support/things.js"
import { Effect, FastCheck as FC, Fiber, TestClock } from "effect"
import { CredentialsError } from "../../../../core/kernel/errors/errors.js"
import { check, type Reading } from "../../../../core/permissions/grants.js"
import * as Level from "../../../../core/permissions/level.js"
import type { Outcome } from "../../../../core/ports/transport.js"

describe("a call without credentials at hand", () => {
  effect("obtains them first, together with all others", function* () {
    const { credentialsProvider, count, forget } = renewing()
    forget()
    const { fake, dispatcher } = Sample.make([thing], { credentialsProvider })
    const calls = yield* Effect.fork(Sample.together(50, Sample.call(dispatcher, "get")))
    yield* TestClock.adjust("999 millis")
    expect(fake.exchanges).toHaveLength(0)
    yield* TestClock.adjust("1 millis")
    yield* Fiber.join(calls)
    expect(count.renewals).toBe(1)
    expect(new Set(fake.requests().map(tokenOf))).toEqual(new Set(["token-2"]))
  })

  effect("that is repeated takes those that are at hand by then", function* () {
    const { credentialsProvider, forget } = renewing()
    const script = [json(503, {}, { "retry-after": "5" }), thing]
    const { fake, fiber } = yield* Sample.start(script, "get", { credentialsProvider })
    forget()
    yield* Effect.fork(Effect.clockWith(credentialsProvider.getCredentials))
    yield* TestClock.adjust("5 seconds")
    yield* Fiber.join(fiber)
    expect(fake.requests().map(tokenOf)).toEqual(["token-1", "token-2"])
  })
})

const refused = json(401, { message: "who?" }, { "x-request-id": "req-1" })

describe("a call whose credentials are refused", () => {
  type Outcomes = ReadonlyArray<Outcome>
  const once = { attempts: 1 }
  const often = { attempts: 10 }
  effect.each<readonly [string, Sample.Named, Outcomes, string, ReadonlyArray<number>, object?]>([
    ["is sent once more with new ones", "get", [refused, thing], "success", [1, 2]],
    ["is sent once more where the refusal is too long", "get", [tooLarge(401), thing], "success", [1, 2]],
    ["is sent once more where it writes: nothing was done", "create", [refused, thing], "success", [1, 2]],
    ["is renewed where it may be tried only once", "get", [refused, thing], "success", [1, 2], once],
    ["twice is not sent again", "get", [refused], "Unauthenticated", [1, 2], often],
    ["twice, with a fault between", "get", [refused, busy, refused], "Unauthenticated", [1, 2, 2], often],
    ["is not renewed where it sends none, as a sign-in does", "open", [refused], "Unauthenticated", [0]]
  ])("%s", function* ([, name, script, tag, tokens, policy = {}]) {
    const { credentialsProvider, count } = renewing()
    const result = yield* ended(script, name, { credentialsProvider, policy })
    expect(result.tag).toBe(tag)
    if (tag !== "success")
      expect(result.error).toMatchObject({ status: 401, serverMessage: "who?", requestId: "req-1" })
    expect(result.fake.requests().map(tokenOf)).toEqual(tokens.map((at) => (at ? `token-${at}` : "")))
    expect(count.renewals).toBe(tokens.includes(2) ? 1 : 0)
  })

  effect("is not renewed where credentials are keys", () =>
    Effect.map(ended([refused]), (result) =>
      expect(result).toMatchObject({ tag: "Unauthenticated", sent: 1 })
    )
  )

  effect("fails as the renewal does", function* () {
    const rejected = new CredentialsError({ operation: "auth.login", reason: "Rejected", advice: "no" })
    const credentialsProvider = { ...Sample.keys(), renew: () => Effect.fail(rejected) }
    const { error, sent } = yield* ended([refused], "get", { credentialsProvider })
    expect(error).toBe(rejected)
    expect(sent).toBe(1)
  })

  effect("does not spend the budget of repetitions", function* () {
    const { credentialsProvider } = renewing()
    const sample = Sample.make((request) => (tokenOf(request) === "token-1" ? refused : busy), {
      credentialsProvider
    })
    const once = Sample.call(sample.dispatcher, "get", { policy: { attempts: 1 } })
    yield* Sample.settled(Sample.together(200, Effect.either(once)))
    const before = sample.fake.exchanges.length
    yield* Sample.settled(Sample.call(sample.dispatcher, "get"))
    expect(sample.fake.exchanges.length - before).toBe(3)
  })

  effect.each([
    ["share one renewal, and each is sent once more", "success"],
    ["are refused again once each, and then fail", "Unauthenticated"]
  ])("is one of a hundred, which %s", function* ([, tag]) {
    const { credentialsProvider, count } = renewing()
    const script = (request: Parameters<typeof tokenOf>[0]) =>
      tag === "success" && tokenOf(request) === "token-2" ? thing : refused
    const { fake, dispatcher } = Sample.make(script, { credentialsProvider })
    const calls = Sample.together(100, Effect.either(Sample.call(dispatcher, "get")))
    const fiber = yield* Effect.fork(calls)
    yield* TestClock.adjust("1 second")
    const tags = (yield* Fiber.join(fiber)).map((end) => (end._tag === "Left" ? end.left._tag : "success"))
    expect(new Set(tags)).toEqual(new Set([tag]))
    expect([count.renewals, fake.exchanges.length]).toEqual([1, 200])
  })
})

/** Whether a call is sent, and what it fails with. */
const tried = (grants: unknown, options: Sample.Options = {}) =>
  ended([thing], "create", { credentialsProvider: Sample.keys(grants), ...options })

const readings: ReadonlyArray<Reading> = ["intended", "asBuilt", "off"]

describe("a call that needs a grant", () => {
  const mapped = { things: "ignored", "things.create": "admin.add.new" }
  const others = Object.assign(Object.create({ things: "inherited" }), { "things.get": "other.get" })
  const hostile = [{}, undefined, null, { things: { create: 0 } }, "hostile"]
  effect.each<readonly [string, unknown, Sample.Options, number]>([
    ...hostile.map(
      (grants) => [`anything, unchecked: ${grants}`, grants, { permissions: "off" }, 1] as const
    ),
    ["none where the client checks none", undefined, { settings: { authorization: undefined } }, 1],
    ["the name that is mapped", { admin: { create: 3 } }, { permissionNames: { things: "admin" } }, 1],
    ["the name that one call is mapped to", { admin: { "add.new": 3 } }, { permissionNames: mapped }, 1],
    ["its own name where another call is mapped", { things: { create: 3 } }, { permissionNames: others }, 1]
  ])("is sent by a grant of %s", ([, grants, options, sent]) =>
    Effect.map(tried(grants, options), (result) => expect(result.sent).toBe(sent))
  )

  // Spec 6.6
  effect("is sent by any grant above None in the reading as built", function* () {
    for (const [grants, sent] of [
      [{ things: { "*": 1 } }, 1],
      [{ things: { "*": 0 } }, 0],
      [{}, 0]
    ] as const)
      expect((yield* tried(grants, { permissions: "asBuilt" })).sent).toBe(sent)
  })

  // Spec 6.6
  effect("is not sent where it does not, and says what was looked for and what was found", function* () {
    const needed = { _tag: "PermissionDenied", operation: "things.create", reason: "Grant", required: 3 }
    const required = { ...needed, resource: "things", action: "create" }
    const result = yield* tried({ things: { "*": 1 }, "*": { "*": 9 } })
    expect(result).toMatchObject({ sent: 0, error: { ...required, grant: "things.*", level: 1 } })
    expect((yield* tried({})).error?.message).toContain("found no grant")
    const renamed = { ...needed, resource: "admin", action: "add.new" }
    expect((yield* tried({}, { permissionNames: mapped })).error).toMatchObject(renamed)
  })

  const grants = FC.dictionary(
    FC.constantFrom("things", "*", "x"),
    FC.oneof(
      FC.dictionary(FC.constantFrom("create", "*"), FC.constantFrom(0, 1, 3, 9, -1, "9")),
      FC.constantFrom(0, 9)
    )
  )
  // Spec 6.2
  effect.prop(
    "is sent exactly where the permissions allow it, whatever the token holds",
    [grants],
    function* ([refusedWith]) {
      for (const permissions of readings) {
        const { allowed } = check(refusedWith, "things", "create", Level.Write, permissions)
        expect((yield* tried(refusedWith, { permissions })).sent).toBe(allowed ? 1 : 0)
      }
    }
  )

  effect("is checked anew with new credentials: what the old ones granted, these may not", function* () {
    const renew = () => Effect.succeed({ headers: { authorization: "Bearer token-2" }, grants: {} })
    const credentialsProvider = { ...Sample.keys({ things: { "*": 9 } }), renew }
    const result = yield* ended([refused], "create", { credentialsProvider })
    expect(result).toMatchObject({ tag: "PermissionDenied", sent: 1, error: { reason: "Grant" } })
  })

  effect("is checked by what its credentials hold, however often it is made", function* () {
    let credentials = { headers: {}, grants: { things: { "*": 9 } } as unknown }
    const credentialsProvider = { ...Sample.keys(), current: () => credentials }
    const { fake, dispatcher } = Sample.make([thing], { credentialsProvider })
    yield* Sample.together(2, Sample.call(dispatcher, "create"))
    credentials = { headers: {}, grants: {} }
    yield* Effect.flip(Sample.call(dispatcher, "create"))
    expect(fake.exchanges).toHaveLength(2)
  })
})

effect("a call that needs no grant is sent without any", function* () {
  const { fake, dispatcher } = Sample.make([thing], { credentialsProvider: Sample.keys({}) })
  yield* dispatcher.call(Things.search, { payload: {} })
  expect(fake.exchanges).toHaveLength(1)
})
