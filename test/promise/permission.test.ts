// Whether an admin may do something, asked without doing it: by a call, and by resource, action and level.

import * as Fake from "@quartet/support/fake-transport.js"
import { jwt } from "@quartet/support/jwt.js"
import { Effect } from "effect"
import { describe, expect, test } from "vitest"
import * as Admin from "../../clients/admin/index.js"
import * as requests from "../../clients/admin/requests.js"
import { can, check, createAdmin } from "../../clients/promise/admin.js"
import { createAdminClient, Level } from "../../clients/promise/index.js"
import * as Grants from "../../core/permissions/grants.js"

const grants = { requests: { list: 1, markSeen: 1, archive: 0 }, orders: { "*": 3 }, "*": { "*": 0 } }
const accessToken = jwt({ sub: "a", p: grants })
const base = { baseUrl: "https://api.example.test", projectId: "p1" }
const session = { sessionId: "s", accessToken }

/** What the grants say, by the reading `intended` and by `asBuilt`. */
const cases = [
  ["requests", "list", Level.Read, true, true],
  ["requests", "markSeen", Level.Write, false, true],
  ["requests", "archive", Level.Read, false, false],
  ["requests", "delete", Level.Read, false, false],
  ["orders", "update", Level.Write, true, true],
  ["orders", "update", Level.Admin, false, true],
  ["files", "list", Level.Read, false, false],
  ["files", "list", Level.None, true, true]
] as const

/** Each face's check, by a client over a platform that answers nothing. */
const faces = {
  Effect: (fake: Fake.Fake, config: object) => {
    const making = Effect.provide(Admin.make({ ...base, ...config } as Admin.ClientConfig), fake.layer)
    const client = Effect.runSync(making)
    const run = <A, E>(effect: Effect.Effect<A, E, Admin.Client>) =>
      Effect.runPromise(Effect.provideService(effect, Admin.Client, client))
    return {
      can: (...args: Admin.CheckArgs) => run(Reflect.apply(Admin.can, undefined, args)),
      check: (...args: Admin.CheckArgs) => run(Reflect.apply(Admin.check, undefined, args))
    } as Asked
  },
  "a client with Promises": (fake: Fake.Fake, config: object) => {
    const { session } = createAdminClient({ ...base, ...config, transport: fake.service } as never)
    return session as unknown as Asked
  },
  "a client as one function": (fake: Fake.Fake, config: object) => {
    const call = createAdmin({ ...base, ...config, transport: fake.service } as never)
    return {
      can: (...args: Admin.CheckArgs) => can(call, ...args),
      check: (...args: Admin.CheckArgs) => check(call, ...args)
    }
  }
}

interface Asked {
  readonly can: (...args: Admin.CheckArgs) => Promise<boolean>
  readonly check: (...args: Admin.CheckArgs) => Promise<Admin.Decision>
}

describe.each(Object.entries<(fake: Fake.Fake, config: object) => Asked>(faces))("%s", (_, make) => {
  const asked = (config: object = session, script: Fake.Script = []) => {
    const fake = Fake.make(script)
    return { fake, ...make(fake, config) }
  }

  // Spec 6.4
  test.each(cases)(
    "is asked for %s.%s at level %d by both readings, and sends nothing",
    async (resource, action, level, intended, asBuilt) => {
      const { can, fake } = asked()
      expect(await can(resource, action, level)).toBe(intended)
      expect(await can(resource, action, level, { reading: "intended" })).toBe(intended)
      expect(await can(resource, action, level, { reading: "asBuilt" })).toBe(asBuilt)
      expect(await can(resource, action, level, { reading: "off" })).toBe(true)
      expect(await asked({ ...session, permissions: "asBuilt" }).can(resource, action, level)).toBe(asBuilt)
      expect(fake.exchanges).toHaveLength(0)
    }
  )

  test("is asked by a call, at the level that the call requires, and says what it found", async () => {
    const { can, check, fake } = asked()
    expect(await can(requests.list)).toBe(true)
    expect(await can(requests.markSeen)).toBe(false)
    expect(await can(requests.markSeen, { reading: "asBuilt" })).toBe(true)
    expect(await check(requests.markSeen)).toEqual({
      allowed: false,
      resource: "requests",
      action: "markSeen",
      required: Level.Write,
      grant: "requests.markSeen",
      level: 1
    })
    expect(await can(Admin.auth.login)).toBe(true)
    expect(fake.exchanges).toHaveLength(0)
  })

  test("allows everything under permissions off, and says by another reading that a token cannot be read", async () => {
    const { can, check } = asked({ ...session, accessToken: "opaque", permissions: "off" })
    expect(await can(requests.list)).toBe(true)
    expect(await check(requests.list, { reading: "off" })).toMatchObject({ allowed: true })
    for (const reading of ["asBuilt", "intended"] as const)
      for (const ask of [can, check]) {
        const error: unknown = await ask(requests.list, { reading }).then(
          (answer) => answer,
          (error: unknown) => error
        )
        expect(String(error)).toContain("the access token must have three parts")
      }
    const readable = asked({ ...session, permissions: "off" })
    expect(await readable.can("requests", "archive", Level.Read, { reading: "asBuilt" })).toBe(false)
  })

  test("looks for the token's names, given as they are or by ours", async () => {
    const { check } = asked({
      ...session,
      permissionNames: { files: "orders", "files.list": "requests.list" }
    })
    const decision = { allowed: true, resource: "orders", grant: "orders.*" }
    expect(await check("files", "update", Level.Write)).toMatchObject(decision)
    expect(await check("files", "list", Level.Read)).toMatchObject({ grant: "requests.list" })
    expect(await check("orders", "update")).toMatchObject({ ...decision, required: Level.Write })
  })

  test("signs in before the first call", async () => {
    const { can, fake } = asked({ email: "a@b.test", password: "x" }, ({ operation }) =>
      Fake.json(200, operation === "auth.login" ? { accessToken, user: {} } : { sessionId: "s" })
    )
    expect(await can(requests.list)).toBe(true)
    expect(await can("requests", "markSeen", Level.Write)).toBe(false)
    expect(fake.requests().map(({ operation }) => operation)).toEqual(["auth.login", "auth.legacyLogin"])
  })

  test.each<readonly [field: string, ...args: ReadonlyArray<unknown>]>([
    ["call"],
    ["call", null],
    ["call", {}],
    ["call", () => undefined],
    ["resource", "", "list", 1],
    ["action", "requests"],
    ["action", "requests", ""],
    ["level", "requests", "list", 2],
    ["level", "requests", "list", "Write"],
    ["reading", requests.list, { reading: "asbuilt" }],
    ["level", "requests", "list", Number.NaN]
  ])("refuses with the field %s what asks for nothing", async (field, ...args) => {
    const { check } = asked()
    const error = await Reflect.apply(check, undefined, args).then(
      () => undefined,
      (error: unknown) => error
    )
    expect(String(error)).toContain(`the field "${field}"`)
  })
})

test("a client with Promises is asked by its own methods", async () => {
  const { files, requests, session: asked } = createAdminClient({ ...base, ...session })
  expect(
    await Promise.all([asked.can(requests.list), asked.can(requests.markSeen), asked.can(files.download)])
  ).toEqual([true, false, false])
})

test("grants that a program holds itself are checked by the same rules", () => {
  for (const [resource, action, level, intended, asBuilt] of cases) {
    expect(Grants.check(grants, resource, action, level, "intended").allowed).toBe(intended)
    expect(Grants.check(grants, resource, action, level, "asBuilt").allowed).toBe(asBuilt)
  }
})
