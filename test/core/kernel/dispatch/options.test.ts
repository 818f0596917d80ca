// Options of callers without types: a name that is none is refused with the one that was probably meant.
import { describe, expect, it } from "@effect/vitest"
import { effect } from "@quartet/support/effect.js"
import * as Fake from "@quartet/support/fake-transport.js"
import { Duration, Effect, Either, Layer, Option, Schema, Stream } from "effect"
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
import type { CallError, CredentialsError } from "../../../../core/kernel/errors/errors.js"
import * as Options from "../../../../core/kernel/operation/options.js"
import { SessionStore } from "../../../../core/ports/session-store.js"
import { Transport } from "../../../../core/ports/transport.js"

const isNone = (meant: string) => `is not an option (did you mean "${meant}"?)`

describe("a name that is none", () => {
  const known = { baseUrl: "any", policy: "object", accessToken: "any", onUpload: "function" } as const
  const rule = (config: object) =>
    Either.getOrThrow(
      Either.flip(Options.read("client", "config", config, known, { deadline: 1, attempts: 1 }))
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
    expect(rule({ [name]: "canary" })).toBe(isNone(meant))
  })

  it("far from all is refused with all that there are", () => {
    expect(rule({ constructor: 1 })).toBe(
      "is not an option: there are baseUrl, policy, accessToken, onUpload"
    )
  })

  it("is as good as left out where its value is undefined", () => {
    const config = { nonsense: undefined } as object
    expect(Either.isRight(Options.read("client", "config", config, known))).toBe(true)
  })

  it.each(Object.keys(Resilience.defaults))("is as good as left out in a policy: %s", (name) => {
    expect(Resilience.read("client", Resilience.defaults, { [name]: undefined })).toEqual(
      Either.right(Resilience.defaults)
    )
  })

  it("is not taken from a prototype, neither from the caller's nor from Object's", () => {
    const config = Object.assign(Object.create({ timeout: 5 }), { baseUrl })
    expect(Either.getOrThrow(Options.read("client", "config", config, known))).toEqual({ baseUrl })
  })
})

describe("an option that would be left out", () => {
  const known = { baseUrl: "any", accessToken: "any" } as const
  class Config {
    readonly baseUrl = "https://api.example.test"
    get accessToken(): string {
      return "canary"
    }
  }
  it.each<readonly [what: string, config: object]>([
    ["a getter of a class", new Config()],
    ["inherited", Object.assign(Object.create({ accessToken: "canary" }), { baseUrl })],
    ["not enumerable", Object.defineProperty({ baseUrl }, "accessToken", { value: "canary" })]
  ])("is refused by its name: %s", (_, config) => {
    const refusal = Either.flip(Options.read("client", "config", config as typeof known, known))
    expect(Either.getOrThrow(refusal)).toMatchObject({
      field: "accessToken",
      rule: expect.stringContaining("must be an own field")
    })
  })

  it("is not one that every object has of a polluted prototype", () => {
    Object.assign(Object.prototype, { accessToken: "canary" })
    const read = Options.read("client", "config", { baseUrl } as unknown as typeof known, known)
    Reflect.deleteProperty(Object.prototype, "accessToken")
    expect(read).toEqual(Either.right({ baseUrl }))
  })
})

const baseUrl = "https://api.example.test"
const login = { baseUrl, projectId: "p1", email: "ada@example.com", password: "secret-1" }

/** What a visitor's call fails with, if it does, and how many requests it sends. */
const visited = (
  call: Effect.Effect<unknown, CallError, Public.Client>,
  config: Partial<Public.ClientConfig> = {}
) =>
  Effect.gen(function* () {
    const fake = Fake.make([Fake.json(200, [])])
    const layer = Layer.provide(Public.layer({ baseUrl, apiKey: "key-1", ...config }), fake.layer)
    const result = yield* Effect.either(Effect.provide(call, layer))
    return { error: Option.getOrUndefined(Either.getLeft(result)), sent: fake.exchanges.length }
  })

describe("routes of an Effect client, which does not know the calls that an app does not use", () => {
  effect.each<readonly [name: string, error: object | undefined, sent: number]>([
    ...["boxes.lst", "boxes.liSt", "boxes.lists"].map((name) => {
      const rule = 'is not a call (did you mean "boxes.list"?)'
      return [
        name,
        { _tag: "InputError", operation: "boxes.list", field: `routes.${name}`, rule },
        0
      ] as const
    }),
    ...["boxes.get", "items.list", "requests.list"].map((name) => [name, undefined, 1] as const)
  ])(
    "refuse the first call that %s was probably meant for, and let be what is another",
    ([name, error, sent]) =>
      Effect.map(visited(Public.boxes.list(), { routes: { [name]: { path: "x" } } }), (visits) =>
        expect(visits).toEqual({ error: error && expect.objectContaining(error), sent })
      )
  )

  it("never take one call of the platform for another, misspelt", () => {
    const names = [...new Set(operations.map(({ name }) => name))]
    const mistaken = names.flatMap((name) =>
      names.filter((otherName) => isMisspelt(name, otherName)).map((otherName) => `${name} for ${otherName}`)
    )
    expect(names.length).toBeGreaterThan(100)
    expect(mistaken).toEqual([])
  })
})

/** What making a client fails with, over a transport that is none of interest. */
const refusal = <E>(
  make: Effect.Effect<unknown, E, Transport>,
  transport: unknown = Fake.make([]).service
): E => Effect.runSync(Effect.flip(Effect.provideService(make, Transport, transport as Transport["Type"])))

/** The clients, each with a configuration that it can be made of. */
const clients = {
  admin: [Admin.make, login],
  public: [Public.make, { baseUrl, apiKey: "key-1" }],
  private: [Private.make, { baseUrl, privateKey: "key-1" }],
  endUser: [EndUser.make, { baseUrl, apiKey: "key-1", sessionId: "session-1" }],
  "signed-in end user": [EndUser.signIn, { baseUrl, apiKey: "key-1", email: "a@b.test", password: "p" }]
} as const

describe.each(Object.entries(clients))("the %s client", (_, [make, config]) => {
  // Callers without types may pass anything.
  const failing = (config: unknown, transport?: unknown): CredentialsError | CallError =>
    refusal<CredentialsError | CallError>(make(config as never), transport)

  it.each([undefined, null])("is not made of %s, and says which credentials it lacks", (config) => {
    expect(failing(config)).toMatchObject({ _tag: "CredentialsError", reason: "Missing" })
  })

  it.each(["canary", 5, [], () => undefined])("is not made of %s", (config) => {
    const rule = expect.stringContaining("must be an object of baseUrl")
    expect(failing(config)).toMatchObject({ _tag: "InputError", field: "config", rule })
  })

  it.each([
    ["timeout", "policy.deadline"],
    ["retries", "policy.attempts"],
    ["baseURL", "baseUrl"],
    ["header", "headers"],
    ["defaultHeaders", "headers"],
    ["retrybudget", "retryBudget"]
  ])("is not made with %s, and tells of %s, never of the value", (field, meant) => {
    const error = failing({ ...config, [field]: "canary" })
    expect(error).toMatchObject({ _tag: "InputError", field, rule: isNone(meant) })
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

  const transports = [{}, Fake.make([]).layer, fetch, "undici", null, Fake]
  it.each(transports)("is not made over no transport, case %#", (transport) => {
    const rule = "must be a Transport, as FetchTransport.make() answers"
    expect(failing(config, transport)).toMatchObject({ _tag: "InputError", field: "transport", rule })
  })

  effect("is made of what it takes", function* () {
    const transport = Fake.make([Fake.json(200, { sessionId: "session-1", user: { _id: "u1" } })])
    const client: Effect.Effect<Bindable, unknown, Transport> = make(config as never)
    expect(yield* Effect.provide(client, transport.layer)).toHaveProperty("dispatcher")
  })
})

describe("credentials that are not there", () => {
  const answered = "the session id that a sign-in answered"
  it.each<readonly [string, Effect.Effect<unknown, Error, Transport>, string]>([
    ["apiKey", Public.make({ baseUrl } as Public.ClientConfig), "the project's API key"],
    ["privateKey", Private.make({ baseUrl } as Private.ClientConfig), "the project's private key"],
    ["sessionId", EndUser.make({ baseUrl, apiKey: "key-1" } as EndUser.ClientConfig), answered],
    ["apiKey", EndUser.make({ baseUrl, sessionId: "s-1" } as EndUser.ClientConfig), "the project's API key"]
  ])("are called missing, with what to pass: %s", (field, make, what) => {
    const message = `${field} is missing: pass ${what}`
    expect(refusal(make)).toMatchObject({ _tag: "CredentialsError", reason: "Missing", message })
  })
})

describe("an admin client", () => {
  const oneOf = "must be one of intended, asBuilt, off"
  it.each([
    [{ permissions: "asbuilt" }, "permissions", `${oneOf} (did you mean "asBuilt"?)`],
    [{ permissions: false }, "permissions", oneOf],
    [{ permissionNames: { requests: 5 } }, "permissionNames.requests", "must be the token's name as text"],
    [{ permissionNames: [] }, "permissionNames", "must be an object"],
    [{ signInCooldown: "5" }, "signInCooldown", "must be a finite number of milliseconds, at least 0"],
    [{ projectId: undefined }, "projectId", "is missing: pass the project's id"],
    [{ token: "canary" }, "token", isNone("accessToken")],
    [{ projectid: "p1" }, "projectid", isNone("projectId")]
  ])("is not made with %j", (wrong, field, rule) => {
    const client = Admin.make({ ...login, ...wrong } as Admin.ClientConfig)
    expect(refusal(client)).toMatchObject({ _tag: "InputError", field, rule })
  })

  it.each(["email", "password"])("is not made with a number for %s, which is not one", (missing) => {
    const client = Admin.make({ ...login, [missing]: 5 } as Admin.ClientConfig)
    expect(refusal(client)).toMatchObject({ _tag: "CredentialsError", reason: "Missing", missing: [missing] })
  })

  it.each([{}, "memory", { load: () => undefined }])("does not keep its session in %j", (store) => {
    const client = Effect.provideService(Admin.make(login), SessionStore, store as never)
    expect(refusal(client)).toMatchObject({ _tag: "InputError", field: "sessionStore" })
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
      const client: Effect.Effect<Bindable, unknown, Transport> = make(all as never)
      return expect(Effect.runPromise(Effect.provide(client, transport.layer))).resolves.toHaveProperty(
        "dispatcher"
      )
    }
  )

  it("may hold every option of every client", () => {
    const names = [admin, visitor, server, endUser, signIn].flatMap((known) => Object.keys(known))
    expect(new Set([...Object.keys(Settings.common), ...Settings.others])).toEqual(new Set(names))
  })
})

describe("the options of a call and of pages", () => {
  type Call = (options: never) => Effect.Effect<unknown, CallError, Public.Client>
  const single: Call = (options) => Public.boxes.list({}, options)
  const all: Call = (options) => Stream.runDrain(pages(Public.boxes.list, {}, options))
  const names = "must be an object of policy, idempotencyKey, headers, answers, onUpload"
  const deadline = "must be a finite number of milliseconds, at least 0"

  effect.each<readonly [unknown, string, string, Call?]>([
    ...[null, 5, new AbortController().signal, new Date(0)].map((none) => [none, "options", names] as const),
    [null, "options", `${names}, first, limit`, all],
    [{ frist: 0 }, "frist", isNone("first"), all],
    [{ timeout: 5 }, "timeout", isNone("policy.deadline"), all],
    [{ timeout: 5 }, "timeout", isNone("policy.deadline")],
    [{ policy: null }, "policy", "must be an object"],
    [{ policy: new Map() }, "policy", "must be an object"],
    [{ policy: { retries: 5 } }, "policy.retries", isNone("attempts")],
    [{ answers: Object.create(null) }, "answers", "must be one of tolerant, strict"],
    [{ answers: null }, "answers", "must be one of tolerant, strict"],
    [{ onUpload: 5 }, "onUpload", "must be a function"],
    ...["soon", "-5 seconds", Duration.infinity, -1].map(
      (wrong) => [{ policy: { deadline: wrong } }, "policy.deadline", deadline] as const
    )
  ])("%j are refused before anything is sent", ([options, field, rule, call = single]) =>
    Effect.map(visited(call(options as never)), (visits) =>
      expect(visits).toMatchObject({
        error: { _tag: "InputError", operation: "boxes.list", field, rule },
        sent: 0
      })
    )
  )
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
  effect.each([undefined, {}, "text", class {}, Schema.optional(Schema.String)])(
    "fails before anything is sent: %s",
    function* (schema) {
      const rule = "must be a Schema, such as Schema.Struct({ … })"
      for (const call of [
        Public.boxes.list.as(schema as never)(),
        Public.boxes.get.as(schema as never)({ id: "b" })
      ])
        expect(yield* visited(call)).toMatchObject({
          error: { _tag: "InputError", field: "schema", rule },
          sent: 0
        })
    }
  )
})
