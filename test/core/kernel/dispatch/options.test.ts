// Options of callers without types: a name that is none is refused with the one that was probably meant.
import { describe, expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import { known as admin } from "../../../../clients/admin/client.js"
import * as Admin from "../../../../clients/admin/index.js"
import { known as endUser } from "../../../../clients/end-user/client.js"
import * as EndUser from "../../../../clients/end-user/index.js"
import { known as signIn } from "../../../../clients/end-user/sign-in.js"
import { known as server } from "../../../../clients/private/client.js"
import * as Private from "../../../../clients/private/index.js"
import { known as visitor } from "../../../../clients/public/client.js"
import * as Public from "../../../../clients/public/index.js"
import { operations } from "../../../../core/catalogue.js"
import type { Bindable } from "../../../../core/kernel/dispatch/dispatcher.js"
import { isMisspelt } from "../../../../core/kernel/dispatch/endpoint.js"
import * as Resilience from "../../../../core/kernel/dispatch/retry.js"
import * as Settings from "../../../../core/kernel/dispatch/settings.js"
import { pages } from "../../../../core/kernel/dispatch/streaming.js"
import * as Options from "../../../../core/kernel/operation/options.js"
import { SessionStore } from "../../../../core/ports/session-store.js"
import { Transport } from "../../../../core/ports/transport.js"
import { effect } from "../../../support/effect.js"
import * as Fake from "../../../support/fake-transport.js"

describe("a name that is none", () => {
  const known = { baseUrl: "any", policy: "object", accessToken: "any", onUpload: "function" } as const
  const rule = (given: object) =>
    Either.getOrThrow(
      Either.flip(Options.read("client", "config", given, known, { deadline: 1, attempts: 1 }))
    ).rule

  it.each([
    ["baseURL", "baseUrl"],
    ["baseurl", "baseUrl"],
    ["bseUrl", "baseUrl"],
    ["url", "baseUrl"],
    ["URL", "baseUrl"],
    ["timeout", "policy.deadline"],
    ["retries", "policy.attempts"],
    ["maxRetries", "policy.attempts"],
    ["attempts", "policy.attempts"],
    ["token", "accessToken"],
    ["onUplaod", "onUpload"]
  ])("%s is refused with the one that was meant: %s", (name, meant) => {
    expect(rule({ [name]: "canary" })).toBe(`is not an option (did you mean "${meant}"?)`)
  })

  it("far from all is refused with all that there are", () => {
    expect(rule({ constructor: 1 })).toBe(
      "is not an option: there are baseUrl, policy, accessToken, onUpload"
    )
  })

  it("is as good as left out where its value is undefined", () => {
    const given = { nonsense: undefined } as object
    expect(Either.isRight(Options.read("client", "config", given, known))).toBe(true)
  })

  it.each(Object.keys(Resilience.defaults))("is as good as left out in a policy: %s", (name) => {
    expect(Resilience.read("client", Resilience.defaults, { [name]: undefined })).toEqual(
      Either.right(Resilience.defaults)
    )
  })

  it("is not taken from a prototype, neither from the caller's nor from Object's", () => {
    const given = Object.assign(Object.create({ timeout: 5 }), { baseUrl })
    expect(Either.getOrThrow(Options.read("client", "config", given, known))).toEqual({ baseUrl })
  })
})

describe("routes of an Effect client, which does not know the calls that an app does not use", () => {
  const calling = (name: string) =>
    Effect.gen(function* () {
      const fake = Fake.make([Fake.json(200, [])])
      const config = {
        baseUrl: "https://api.example.test",
        apiKey: "key-1",
        routes: { [name]: { path: "x" } }
      }
      const called = Effect.provide(Effect.provide(Public.boxes.list(), Public.layer(config)), fake.layer)
      return { result: yield* Effect.either(called), sent: fake.exchanges.length }
    })

  effect.each(["boxes.lst", "boxes.liSt", "boxes.lists"])(
    "refuse the first call that %s was probably meant for, before anything is sent",
    function* (name) {
      const { result, sent } = yield* calling(name)
      expect(Either.getOrThrow(Either.flip(result))).toMatchObject({
        _tag: "InputError",
        operation: "boxes.list",
        field: `routes.${name}`,
        rule: 'is no call (did you mean "boxes.list"?)'
      })
      expect(sent).toBe(0)
    }
  )

  effect.each(["boxes.get", "items.list", "requests.list"])(
    "let %s be, which is another call",
    function* (name) {
      const { result, sent } = yield* calling(name)
      expect(Either.isRight(result)).toBe(true)
      expect(sent).toBe(1)
    }
  )

  it("never take one call of the platform for another, misspelt", () => {
    const names = [...new Set(operations.map(({ name }) => name))]
    const mistaken = names.flatMap((one) =>
      names.filter((other) => isMisspelt(one, other)).map((other) => `${one} for ${other}`)
    )
    expect(names.length).toBeGreaterThan(100)
    expect(mistaken).toEqual([])
  })
})

const baseUrl = "https://api.example.test"
const login = { baseUrl, projectId: "p1", email: "ada@example.com", password: "secret-1" }

/** The clients, each with a configuration that it can be made of. */
const clients = {
  admin: [Admin.make, login],
  public: [Public.make, { baseUrl, apiKey: "key-1" }],
  private: [Private.make, { baseUrl, privateKey: "key-1" }],
  endUser: [EndUser.make, { baseUrl, apiKey: "key-1", sessionId: "session-1" }],
  "signed-in end user": [EndUser.signIn, { baseUrl, apiKey: "key-1", email: "a@b.test", password: "p" }]
} as const

describe.each(Object.entries(clients))("the %s client", (_, [make, config]) => {
  const failing = (given: unknown, transport: unknown = Fake.make([]).service) =>
    Effect.runSync(
      // Callers without types may pass anything.
      Effect.flip(
        Effect.provideService(
          (make as (config: unknown) => ReturnType<typeof make>)(given),
          Transport,
          transport as Transport["Type"]
        )
      )
    )

  it.each([undefined, null, "canary", 5, [], () => undefined])("is not made of %s", (given) => {
    expect(failing(given)).toMatchObject({
      _tag: "InputError",
      field: "config",
      rule: expect.stringContaining("must be an object of baseUrl")
    })
  })

  it.each([
    ["timeout", "policy.deadline"],
    ["retries", "policy.attempts"],
    ["baseURL", "baseUrl"],
    ["headers", "headerNames"],
    ["retrybudget", "retryBudget"]
  ])("is not made with %s, and tells of %s, never of the value", (field, meant) => {
    const error = failing({ ...config, [field]: "canary" })
    expect(error).toMatchObject({
      _tag: "InputError",
      field,
      rule: `is not an option (did you mean "${meant}"?)`
    })
    expect(`${error.message}${JSON.stringify(error)}`).not.toContain("canary")
  })

  it.each([
    [{ routes: null }, "routes", "must be an object"],
    [{ headerNames: "x" }, "headerNames", "must be an object"],
    [{ policy: null }, "policy", "must be an object"],
    [{ retryBudget: "5" }, "retryBudget", "must be a finite number of tokens, at least 0"],
    [{ answers: "strct" }, "answers", 'must be one of tolerant, strict (did you mean "strict"?)'],
    [{ onDrift: true }, "onDrift", "must be a function"],
    [{ logDrift: "no" }, "logDrift", "must be true or false"],
    [{ legacyUrl: 5 }, "legacyUrl", "must be an http or https URL"],
    [{ baseUrl: undefined }, "baseUrl", "is missing: pass the address of the API"]
  ])("is not made with %j", (wrong, field, rule) => {
    expect(failing({ ...config, ...wrong })).toMatchObject({ _tag: "InputError", field, rule })
  })

  it.each([{}, Fake.make([]).layer, fetch, "undici", null, Fake])(
    "is not made over no transport, case %#",
    (transport) => {
      expect(failing(config, transport)).toMatchObject({
        _tag: "InputError",
        field: "transport",
        rule: "must be a Transport, as FetchTransport.make() answers"
      })
    }
  )

  effect("is made of what it takes", function* () {
    const transport = Fake.make([Fake.json(200, { sessionId: "session-1", user: { _id: "u1" } })])
    const made: Effect.Effect<Bindable, unknown, Transport> = make(config as never)
    expect(yield* Effect.provide(made, transport.layer)).toHaveProperty("dispatcher")
  })
})

describe("credentials that are not there", () => {
  it.each([
    ["apiKey", Public.make({ baseUrl } as Public.ClientConfig), "the project's API key"],
    ["privateKey", Private.make({ baseUrl } as Private.ClientConfig), "the project's private key"],
    [
      "sessionId",
      EndUser.make({ baseUrl, apiKey: "key-1" } as EndUser.ClientConfig),
      "the session id that a sign-in answered"
    ],
    [
      "apiKey",
      EndUser.make({ baseUrl, sessionId: "session-1" } as EndUser.ClientConfig),
      "the project's API key"
    ]
  ])("are called missing, with what to pass: %s", (field, make, what) => {
    const error = Effect.runSync(Effect.flip(Effect.provideService(make, Transport, Fake.make([]).service)))
    expect(error).toMatchObject({ _tag: "CredentialsError", reason: "Missing" })
    expect(error.message).toBe(`${field} is missing: pass ${what}`)
  })
})

describe("an admin client", () => {
  const failing = (wrong: object) =>
    Effect.runSync(
      Effect.flip(Effect.provideService(Admin.make({ ...login, ...wrong }), Transport, Fake.make([]).service))
    )

  it.each([
    [
      { permissions: "asbuilt" },
      "permissions",
      'must be one of intended, asBuilt, off (did you mean "asBuilt"?)'
    ],
    [{ permissions: false }, "permissions", "must be one of intended, asBuilt, off"],
    [{ permissionNames: { requests: 5 } }, "permissionNames.requests", "must be the token's name as text"],
    [{ permissionNames: [] }, "permissionNames", "must be an object"],
    [{ signInCooldown: "5" }, "signInCooldown", "must be a finite number of milliseconds, at least 0"],
    [{ email: 5 }, "email", "must be text"],
    [{ password: 5 }, "password", "must be text"],
    [{ projectId: undefined }, "projectId", "is missing: pass the project's id"],
    [{ token: "canary" }, "token", 'is not an option (did you mean "accessToken"?)'],
    [{ projectid: "p1" }, "projectid", 'is not an option (did you mean "projectId"?)']
  ])("is not made with %j", (wrong, field, rule) => {
    expect(failing(wrong)).toMatchObject({ _tag: "InputError", field, rule })
  })

  it.each([{}, "memory", { load: () => undefined }])("does not keep its session in %j", (store) => {
    const made = Effect.provideService(
      Effect.provideService(Admin.make(login), Transport, Fake.make([]).service),
      SessionStore,
      store as unknown as SessionStore["Type"]
    )
    expect(Effect.runSync(Effect.flip(made))).toMatchObject({ _tag: "InputError", field: "sessionStore" })
  })
})

describe("a configuration that several clients share", () => {
  const all = {
    ...login,
    apiKey: "key-1",
    privateKey: "key-1",
    sessionId: "session-1",
    permissions: "off",
    permissionNames: {},
    signInCooldown: 5,
    allowBrowser: true
  } as const

  it.each(Object.entries(clients))(
    "makes the %s client, which passes over what is another's",
    (_, [make]) => {
      const transport = Fake.make([Fake.json(200, { sessionId: "session-1", user: { _id: "u1" } })])
      const made: Effect.Effect<Bindable, unknown, Transport> = make(all as never)
      return expect(Effect.runPromise(Effect.provide(made, transport.layer))).resolves.toHaveProperty(
        "dispatcher"
      )
    }
  )

  it("may hold every option of every client", () => {
    const names = [admin, visitor, server, endUser, signIn].flatMap((known) => Object.keys(known))
    expect(new Set([...Object.keys(Settings.common), ...Settings.others])).toEqual(new Set(names))
  })
})

describe("the options of one call", () => {
  const failing = (options: unknown) =>
    Effect.gen(function* () {
      const fake = Fake.make([])
      const called = Public.boxes.list({}, options as Record<string, never>)
      const layer = Public.layer({ baseUrl, apiKey: "key-1" })
      const error = yield* Effect.flip(Effect.provide(Effect.provide(called, layer), fake.layer))
      expect(fake.exchanges).toHaveLength(0)
      return error
    })

  effect.each([
    ...[null, 5, new AbortController().signal, new Date(0)].map(
      (options) =>
        [options, "options", "must be an object of policy, idempotencyKey, answers, onUpload"] as const
    ),
    [{ timeout: 5 }, "timeout", 'is not an option (did you mean "policy.deadline"?)'],
    [{ policy: null }, "policy", "must be an object"],
    [{ policy: new Map() }, "policy", "must be an object"],
    [{ policy: { retries: 5 } }, "policy.retries", 'is not an option (did you mean "attempts"?)'],
    [{ answers: Object.create(null) }, "answers", "must be one of tolerant, strict"],
    [{ answers: null }, "answers", "must be one of tolerant, strict"],
    [{ onUpload: 5 }, "onUpload", "must be a function"],
    ...["soon", "-5 seconds", Duration.infinity, -1].map(
      (deadline) =>
        [
          { policy: { deadline } },
          "policy",
          "deadline must be a finite number of milliseconds, at least 0"
        ] as const
    )
  ] as const)("%j are refused before anything is sent", ([options, field, rule]) =>
    Effect.map(failing(options), (error) =>
      expect(error).toMatchObject({ _tag: "InputError", operation: "boxes.list", field, rule })
    )
  )
})

describe("the options of pages", () => {
  effect.each([
    [null, "options", "must be an object of policy, idempotencyKey, answers, onUpload, first, limit"],
    [{ frist: 0 }, "frist", 'is not an option (did you mean "first"?)'],
    [{ timeout: 5 }, "timeout", 'is not an option (did you mean "policy.deadline"?)']
  ] as const)("%j are refused before anything is sent", function* ([options, field, rule]) {
    const fake = Fake.make([])
    const layer = Public.layer({ baseUrl, apiKey: "key-1" })
    const all = Stream.runDrain(pages(Public.boxes.list, {}, options as never))
    const error = yield* Effect.flip(Effect.provide(Effect.provide(all, layer), fake.layer))
    expect(error).toMatchObject({ _tag: "InputError", operation: "boxes.list", field, rule })
    expect(fake.exchanges).toHaveLength(0)
  })
})

describe("a duration among options", () => {
  it.each(["3 seconds", Duration.seconds(3), 3_000, [3, 0]] as const)(
    "of three seconds is taken as %j",
    (deadline) => {
      expect(Either.getOrThrow(Resilience.read("client", Resilience.defaults, { deadline })).deadline).toBe(
        3_000
      )
    }
  )
})

describe("a call narrowed to no schema", () => {
  effect.each([undefined, {}, "text", class {}])("fails before anything is sent: %s", function* (schema) {
    const fake = Fake.make([])
    const layer = Public.layer({ baseUrl, apiKey: "key-1" })
    for (const call of [
      Public.boxes.list.as(schema as never)(),
      Public.boxes.get.as(schema as never)({ id: "b" })
    ]) {
      const error = yield* Effect.flip(Effect.provide(Effect.provide(call, layer), fake.layer))
      expect(error).toMatchObject({
        _tag: "InputError",
        field: "schema",
        rule: "must be a Schema, such as Schema.Struct({ … })"
      })
    }
    expect(fake.exchanges).toHaveLength(0)
  })
})
