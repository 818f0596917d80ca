// The client's own check of an admin's grants, before anything is sent.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FC from "effect/FastCheck"
import { check, type Reading } from "../../../core/permissions/grants.js"
import * as Level from "../../../core/permissions/level.js"
import { json } from "../../support/fake-transport.js"
import * as Sample from "./sample-dispatcher.js"
import { thing } from "./sample-dispatcher.js"
import * as Things from "./sample-operations.js"

/** Whether a call is sent, and what it fails with. */
const tried = (grants: unknown, settings: Sample.Options["settings"] = {}) =>
  Effect.gen(function* () {
    const { fake, dispatcher } = Sample.make([thing], {
      credentialsProvider: Sample.keys(grants),
      settings: settings ?? {}
    })
    const ended = yield* Effect.either(dispatcher.call(Things.create, { payload: {} }))
    return { sent: fake.exchanges.length, error: ended._tag === "Left" ? ended.left : undefined }
  })

const readings: ReadonlyArray<Reading> = ["intended", "asBuilt", "off"]

describe("a call that needs a grant", () => {
  it.effect("is sent where the grant reaches", () =>
    Effect.gen(function* () {
      expect((yield* tried({ things: { create: 3 } })).sent).toBe(1)
      expect((yield* tried({ things: { "*": 9 } })).sent).toBe(1)
      expect((yield* tried({ "*": { "*": 3 } })).sent).toBe(1)
    })
  )

  // Spec 6.6
  it.effect("is not sent where it does not, and says what was looked for and what was found", () =>
    Effect.gen(function* () {
      expect(yield* tried({ things: { "*": 1 }, "*": { "*": 9 } })).toMatchObject({
        sent: 0,
        error: {
          _tag: "PermissionDenied",
          operation: "things.create",
          reason: "Grant",
          resource: "things",
          action: "create",
          required: 3,
          grant: "things.*",
          level: 1
        }
      })
      expect((yield* tried({})).error?.message).toContain("found no grant")
    })
  )

  // Spec 6.6
  it.effect("is sent by any grant above None in the reading as built", () =>
    Effect.gen(function* () {
      expect((yield* tried({ things: { "*": 1 } }, { permissions: "asBuilt" })).sent).toBe(1)
      expect((yield* tried({ things: { "*": 0 } }, { permissions: "asBuilt" })).sent).toBe(0)
      expect((yield* tried({}, { permissions: "asBuilt" })).sent).toBe(0)
    })
  )

  it.effect("is always sent where the check is off", () =>
    Effect.gen(function* () {
      for (const grants of [{}, undefined, null, { things: { create: 0 } }, "hostile"]) {
        expect((yield* tried(grants, { permissions: "off" })).sent).toBe(1)
      }
    })
  )

  it.effect("is always sent by the clients whose credentials hold no grants", () =>
    Effect.gen(function* () {
      for (const audience of ["public", "private", "endUser"] as const) {
        for (const permissions of readings) {
          expect((yield* tried(undefined, { audience, permissions })).sent).toBe(1)
        }
      }
    })
  )

  // Spec 6.2
  it.effect.prop(
    "is sent exactly where the permissions allow it, whatever the token holds",
    [
      FC.dictionary(
        FC.constantFrom("things", "*", "x"),
        FC.oneof(
          FC.dictionary(FC.constantFrom("create", "*"), FC.constantFrom(0, 1, 3, 9, -1, "9")),
          FC.constantFrom(0, 9)
        )
      )
    ],
    ([grants]) =>
      Effect.gen(function* () {
        for (const permissions of readings) {
          const { allowed } = check(grants, "things", "create", Level.Write, permissions)
          expect((yield* tried(grants, { permissions })).sent).toBe(allowed ? 1 : 0)
        }
      })
  )
})

describe("a call that needs none", () => {
  it.effect("is sent without any grant", () =>
    Effect.gen(function* () {
      const { fake, dispatcher } = Sample.make([thing], { credentialsProvider: Sample.keys({}) })
      yield* dispatcher.call(Things.search, { payload: {} })
      expect(fake.exchanges).toHaveLength(1)
    })
  )
})

describe("names of permissions", () => {
  it.effect("map our resource to the token's", () =>
    Effect.gen(function* () {
      const permissionNames = { things: "thing-admin" }
      expect((yield* tried({ "thing-admin": { create: 3 } }, { permissionNames })).sent).toBe(1)
      expect((yield* tried({ things: { create: 3 } }, { permissionNames })).error).toMatchObject({
        resource: "thing-admin",
        action: "create"
      })
    })
  )

  it.effect("map one call to the token's resource and action", () =>
    Effect.gen(function* () {
      const permissionNames = { things: "ignored", "things.create": "thing-admin.add.new" }
      expect((yield* tried({ "thing-admin": { "add.new": 3 } }, { permissionNames })).sent).toBe(1)
      expect((yield* tried({}, { permissionNames })).error).toMatchObject({
        resource: "thing-admin",
        action: "add.new"
      })
    })
  )

  it.effect("of other calls change nothing, and none is taken from a prototype", () =>
    Effect.gen(function* () {
      const permissionNames: Record<string, string> = Object.create({ things: "inherited" })
      permissionNames["things.get"] = "other.get"
      expect((yield* tried({ things: { create: 3 } }, { permissionNames })).sent).toBe(1)
    })
  )
})

describe("new credentials", () => {
  it.effect("are checked anew: what the old ones granted, these may not", () =>
    Effect.gen(function* () {
      const fresh = { headers: { authorization: "Bearer token-2" }, grants: {} }
      const credentialsProvider = {
        ...Sample.keys({ things: { "*": 9 } }),
        renew: () => Effect.succeed(fresh)
      }
      const { fake, dispatcher } = Sample.make([json(401, {})], { credentialsProvider })
      expect(yield* Effect.flip(dispatcher.call(Things.create, { payload: {} }))).toMatchObject({
        _tag: "PermissionDenied",
        reason: "Grant"
      })
      expect(fake.exchanges).toHaveLength(1)
    })
  )

  it.effect("are each checked by what they hold, however often a call is made", () =>
    Effect.gen(function* () {
      let grants: unknown = { things: { "*": 9 } }
      const made = () => ({ headers: {}, grants })
      let held = made()
      const credentialsProvider = { ...Sample.keys(), current: () => held }
      const { fake, dispatcher } = Sample.make([thing], { credentialsProvider })
      yield* Effect.all([
        dispatcher.call(Things.create, { payload: {} }),
        dispatcher.call(Things.create, { payload: {} })
      ])
      grants = {}
      held = made()
      yield* Effect.flip(dispatcher.call(Things.create, { payload: {} }))
      expect(fake.exchanges).toHaveLength(2)
    })
  )
})
