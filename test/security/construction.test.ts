// What a client refuses to be made of: values that no header may carry, and a private key in a browser.
import { inspect } from "node:util"
import { afterEach, describe, expect, it } from "@effect/vitest"
import * as Fake from "@quartet/support/fake-transport.js"
import { jwt } from "@quartet/support/jwt.js"
import { Config, ConfigError, ConfigProvider, Effect, Either, Layer, Option, Record, Redacted } from "effect"
import * as Admin from "../../clients/admin/index.js"
import * as EndUser from "../../clients/end-user/index.js"
import * as Private from "../../clients/private/index.js"
import { createAdmin } from "../../clients/promise/admin.js"
import { createEndUser } from "../../clients/promise/end-user.js"
import {
  createAdminClient,
  createEndUserClient,
  createPrivateClient,
  createPublicClient
} from "../../clients/promise/index.js"
import { createPrivate } from "../../clients/promise/private.js"
import { createPublic } from "../../clients/promise/public.js"
import * as Public from "../../clients/public/index.js"
import { CredentialsError } from "../../core/kernel/errors/errors.js"
import { Transport } from "../../core/ports/transport.js"

const canary = "c4n4ry"
const token = jwt({ sub: "a", p: { "*": { "*": 9 } } })
const baseUrl = "https://api.example.test"

/** Every field that ends in a header, and a client made with a value in it. */
const fields: Readonly<Record<string, (value: string) => Effect.Effect<unknown, unknown, Transport>>> = {
  "the admin's session id": (sessionId) =>
    Admin.make({ baseUrl, projectId: "p", sessionId, accessToken: token }),
  "the admin's access token": (accessToken) =>
    Admin.make({ baseUrl, projectId: "p", sessionId: "s-1", accessToken }),
  "the admin's API key": (apiKey) =>
    Admin.make({ baseUrl, projectId: "p", sessionId: "s-1", accessToken: token, apiKey }),
  "the visitor's API key": (apiKey) => Public.make({ baseUrl, apiKey }),
  "the private key": (privateKey) => Private.make({ baseUrl, privateKey }),
  "the end user's API key": (apiKey) => EndUser.make({ baseUrl, apiKey, sessionId: "s-1" }),
  "the end user's session id": (sessionId) => EndUser.make({ baseUrl, apiKey: "k-1", sessionId })
}

const bad: Readonly<Record<string, string>> = {
  "CRLF and a header": `${canary}\r\nx-evil: 1`,
  "a line feed at the end, as files end": `${canary}\n`,
  "a carriage return": `${canary}\r`,
  NUL: `${canary}\u0000`,
  "a tab": `${canary}\t`,
  "a space": `${canary} ${canary}`,
  DEL: `${canary}\u007f`,
  "a letter beyond ASCII": `${canary}é`,
  "a line separator": `${canary}\u2028`,
  "a letter whose low byte is a line feed": `${canary}\u010a`,
  "half of a surrogate pair": `${canary}\ud800`,
  "something that is no text": { toString: () => canary } as unknown as string
}

/** The error with which a client is not made; undefined where it is made. */
const refusal = (made: Effect.Effect<unknown, unknown, Transport>): unknown =>
  Either.getOrUndefined(Either.flip(make(made)))

const make = <A, E>(made: Effect.Effect<A, E, Transport>) =>
  Effect.runSync(Effect.either(Effect.provideService(made, Transport, Fake.make([]).service)))

const cases = Object.entries(fields).flatMap(([field, client]) =>
  Object.entries(bad).flatMap(([name, value]) => [
    { field, name, made: () => make(client(value)) },
    { field, name: `${name}, redacted`, made: () => make(client(Redacted.make(value) as unknown as string)) }
  ])
)

describe("a client is not made", () => {
  it.each(cases)("where $field holds $name, and the value is shown nowhere", ({ made }) => {
    const result = made()
    expect(Either.isLeft(result)).toBe(true)
    if (Either.isRight(result)) return
    const error = result.left as Error
    expect(error).toMatchObject({
      _tag: "CredentialsError",
      reason: expect.stringMatching(/^(Malformed|Missing)$/)
    })
    const all = [
      error.message,
      error.stack,
      JSON.stringify(error),
      inspect(error, { depth: 10, showHidden: true })
    ]
    expect(all.join("\n")).not.toContain(canary)
  })

  it.each(["a b", "a:b", "a\r\nb", "", "é", "__proto__", "constructor"])(
    "with %j for a header's name",
    (name) => {
      expect(refusal(Public.make({ baseUrl, apiKey: "k-1", headerNames: { apiKey: name } }))).toMatchObject({
        _tag: "InputError",
        field: "headerNames.apiKey"
      })
    }
  )

  it.each([
    ["that another credential has", { session: "x-key", apiKey: "X-Key" }],
    ["that the client sends itself", { apiKey: "Accept" }],
    ["that the client sends itself", { apiKey: "content-type" }],
    ["that the client sends itself", { apiKey: "idempotency-key" }],
    ["that the transport sends", { apiKey: "Host" }],
    ["that the transport sends", { apiKey: "content-length" }],
    ["that the transport sends", { apiKey: "transfer-encoding" }],
    ["that the transport sends", { apiKey: "connection" }]
  ])("with a header's name %s: %o", (_, headerNames) => {
    expect(refusal(EndUser.make({ baseUrl, apiKey: "k-1", sessionId: "s-1", headerNames }))).toMatchObject({
      _tag: "InputError",
      field: expect.stringMatching(/^headerNames/)
    })
  })
})

describe("the private client", () => {
  const globals = globalThis as unknown as Record<string, unknown>
  const navigator = Object.getOwnPropertyDescriptor(globalThis, "navigator")
  const names = ["window", "document", "WorkerGlobalScope", "navigator"]
  afterEach(() => {
    for (const name of names) delete globals[name]
    if (navigator !== undefined) Object.defineProperty(globalThis, "navigator", navigator)
  })
  const become = (own: object) => {
    for (const [name, value] of Object.entries(own))
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  }
  const browser = { window: {}, document: {} }
  const worker = (userAgent: string) => ({ WorkerGlobalScope: class {}, navigator: { userAgent } })
  const chrome = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0"
  const config = { baseUrl, privateKey: `key-${canary}` }

  it("does not start in a browser, and says so without showing its key", () => {
    become(browser)
    const error = refusal(Private.make(config))
    expect(error).toMatchObject({ _tag: "CredentialsError", reason: "Browser" })
    expect(String(error)).toContain("does not start in a browser")
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(canary)
    expect(() => createPrivateClient(config)).toThrow(/does not start in a browser/)
  })

  it.each<[where: string, own: object, more: object, starts: boolean]>([
    ["on a server", {}, {}, true],
    ["on a server that has one of the two names", { window: {} }, {}, true],
    ["in a browser with an explicit flag", browser, { allowBrowser: true }, true],
    ...[false, undefined, 1, "true"].map((allowBrowser): [string, object, object, boolean] => [
      `in a browser with a flag that is ${typeof allowBrowser} ${allowBrowser}`,
      browser,
      { allowBrowser },
      false
    ]),
    ["in a worker of a browser", worker(chrome), {}, false],
    ["in a worker of Cloudflare's", worker("Cloudflare-Workers"), {}, true],
    ["in Deno's worker", worker("Deno/2.4.0"), {}, true]
  ])("%s starts, or does not", (_, own, more, starts) => {
    become(own)
    expect(Either.isRight(make(Private.make({ ...config, ...more })))).toBe(starts)
  })

  it("does not start with a flag that only a polluted prototype sets", () => {
    become(browser)
    const prototype = Object.prototype as unknown as Record<string, unknown>
    prototype.allowBrowser = true
    const result = make(Private.make(config))
    delete prototype.allowBrowser
    expect(Either.isLeft(result)).toBe(true)
  })

  it("is the only client that minds: the others start in a browser", () => {
    become(browser)
    expect(Either.isRight(make(Public.make({ baseUrl, apiKey: "k-1" })))).toBe(true)
    expect(Either.isRight(make(EndUser.make({ baseUrl, apiKey: "k-1", sessionId: "s-1" })))).toBe(true)
  })
})

const required = "Session ID and access token or email and password must be provided"

/** Every way to make an admin client, and the error of each. */
const adminClients: Readonly<Record<string, (config: object | null | undefined) => unknown>> = {
  "Admin.make": (config) => refusal(Admin.make(config as Admin.ClientConfig)),
  "Admin.layer": (config) => refused(Admin.layer(config as Admin.ClientConfig)),
  "Admin.layerConfig": (config) =>
    refused(
      Admin.layerConfig(
        (config &&
          Record.map(
            config as Record<string, unknown>,
            Config.succeed
          )) as unknown as Config.Config.Wrap<Admin.ClientConfig>
      )
    ),
  createAdmin: (config) => thrown(() => createAdmin(config as Parameters<typeof createAdmin>[0])),
  createAdminClient: (config) =>
    thrown(() => createAdminClient(config as Parameters<typeof createAdminClient>[0]))
}

const refused = <E>(layer: Layer.Layer<Admin.Client, E, Transport>): unknown =>
  refusal(Effect.scoped(Layer.build(layer)))

const thrown = (make: () => unknown): unknown =>
  Option.getOrUndefined(Either.getLeft(Either.try({ try: make, catch: (error) => error })))

const blanks: ReadonlyArray<unknown> = [
  undefined,
  null,
  "",
  "  ",
  "\n",
  Redacted.make(""),
  Redacted.make(null)
]
const account = { email: "a@b.test", password: "x" }
const session = { sessionId: "s", accessToken: token }

/** Credentials that no client can be made of, and the missing halves of those that are half given. */
interface Unusable {
  readonly says: string
  readonly credentials: object
  readonly missing?: ReadonlyArray<string>
}

const halves = [account, session].flatMap((pair) =>
  Object.entries(pair).flatMap(([part, value]): ReadonlyArray<Unusable> => {
    const missing = Object.keys(pair).filter((name) => name !== part)
    return [
      { says: `${part} alone`, credentials: { [part]: value }, missing },
      ...blanks.map((blank) => ({
        says: `${part} beside a ${missing} of ${inspect(blank)}`,
        credentials: { [part]: value, [String(missing)]: blank },
        missing
      }))
    ]
  })
)

const unusable: ReadonlyArray<Unusable> = [
  { says: "nothing at all", credentials: {} },
  { says: "no text", credentials: { email: {}, password: ["x"], sessionId: true, accessToken: () => token } },
  ...halves,
  {
    says: "one half of each pair",
    credentials: { email: "a@b.test", sessionId: "s" },
    missing: ["accessToken", "password"]
  },
  ...blanks.map((blank) => ({
    says: `four of ${inspect(blank)}`,
    credentials: { email: blank, password: blank, sessionId: blank, accessToken: blank }
  }))
]

describe.each(Object.entries(adminClients))("%s without usable credentials", (_, made) => {
  // Spec 5.1, 5.2, 8.1
  it.each(unusable)("fails with the words of the specification: $says", ({ credentials, missing }) => {
    const error = made({ baseUrl, projectId: "p", ...credentials })
    expect(error).toBeInstanceOf(CredentialsError)
    expect(error).toMatchObject({ reason: "Missing", message: required })
    expect((error as CredentialsError).missing).toEqual(missing)
  })

  it.each([undefined, null, {}])("fails so with a configuration of %o", (config) => {
    expect(made(config)).toMatchObject({ _tag: "CredentialsError", message: required })
  })

  it.each(blanks)("uses a whole pair beside one of %o", (blank) => {
    const rest = { baseUrl, projectId: "p", apiKey: blank }
    expect(made({ ...rest, ...account, sessionId: blank, accessToken: blank })).toBeUndefined()
    expect(made({ ...rest, ...session, email: blank, password: blank })).toBeUndefined()
    expect(made({ ...rest, ...session, email: "a@b.test", password: blank })).toBeUndefined()
  })
})

it("the layer of an environment without credentials fails with the words of the specification", () => {
  const layer = Admin.layerConfig({
    baseUrl: Config.succeed(baseUrl),
    projectId: Config.succeed("p"),
    email: Config.string("QUARTET_EMAIL"),
    password: Config.redacted("QUARTET_PASSWORD")
  })
  const within = (environment: Record<string, string>) =>
    refusal(
      Effect.withConfigProvider(
        Effect.scoped(Layer.build(layer)),
        ConfigProvider.fromMap(new Map(Object.entries(environment)))
      )
    )
  expect(within({})).toMatchObject({ _tag: "CredentialsError", message: required })
  expect(within({ QUARTET_EMAIL: "a@b.test" })).toMatchObject({ message: required, missing: ["password"] })
  expect(within({ QUARTET_EMAIL: "a@b.test", QUARTET_PASSWORD: " " })).toMatchObject({ message: required })
  expect(within({ QUARTET_EMAIL: "a@b.test", QUARTET_PASSWORD: "x" })).toBeUndefined()
})

describe("one Config of all fields", () => {
  const apiKey = Config.redacted("QUARTET_API_KEY")
  const email = Config.string("QUARTET_EMAIL")
  const privateKey = Config.redacted("QUARTET_PRIVATE_KEY")
  const projectId = Config.string("QUARTET_PROJECT_ID")
  const sessionId = Config.string("QUARTET_SESSION_ID")
  const logDrift = Config.withDefault(Config.boolean("QUARTET_LOG_DRIFT"), true)
  const password = Config.redacted("QUARTET_PASSWORD")
  const url = Config.string("QUARTET_BASE_URL")
  const layers = {
    admin: Admin.layerConfig(Config.all({ baseUrl: url, projectId, email, password, logDrift })),
    fields: Admin.layerConfig({ baseUrl: url, projectId, email, password, logDrift }),
    public: Public.layerConfig(Config.all({ baseUrl: url, apiKey, logDrift })),
    private: Private.layerConfig(Config.all({ baseUrl: url, privateKey, logDrift })),
    endUser: EndUser.layerConfig(Config.all({ baseUrl: url, apiKey, sessionId, logDrift }))
  }
  const within = (name: keyof typeof layers, environment: Record<string, string>): unknown =>
    refusal(
      Effect.withConfigProvider(
        Effect.scoped(Layer.build(layers[name] as Layer.Layer<never, unknown, Transport>)),
        ConfigProvider.fromMap(new Map(Object.entries(environment)))
      )
    )
  const account = { QUARTET_EMAIL: "a@b.test", QUARTET_PASSWORD: "x" }
  const place = { QUARTET_BASE_URL: baseUrl, QUARTET_PROJECT_ID: "p" }

  // Spec 5.1, 8.1
  it.each(["admin", "fields"] as const)(
    "fails with the words of the specification where the admin client's credentials are not set: %s",
    (name) => {
      for (const [environment, missing] of [
        [{}, undefined],
        [place, undefined],
        [{ ...place, QUARTET_EMAIL: "a@b.test" }, ["password"]],
        [{ QUARTET_PASSWORD: "x" }, ["email"]]
      ] as const) {
        const error = within(name, environment)
        expect(error).toBeInstanceOf(CredentialsError)
        expect(error).toMatchObject({ reason: "Missing", message: required })
        expect((error as CredentialsError).missing).toEqual(missing)
      }
      expect(within(name, { ...place, ...account })).toBeUndefined()
    }
  )

  it.each([
    ["public", { ...place }, ["apiKey"]],
    ["private", {}, ["privateKey"]],
    ["endUser", { ...place, QUARTET_API_KEY: "k" }, ["sessionId"]],
    ["endUser", {}, ["sessionId", "apiKey"]]
  ] as const)(
    "names what the %s client lacks in %j, and keeps the ConfigError as the cause",
    (name, environment, missing) => {
      const error = within(name, environment)
      expect(error).toMatchObject({ _tag: "CredentialsError", reason: "Missing", missing })
      expect((error as CredentialsError).cause).toSatisfy(ConfigError.isConfigError)
      for (const field of missing) expect(String(error)).toContain(`${field} is missing: pass the `)
    }
  )

  const text = (secret: unknown) => String(Redacted.isRedacted(secret) ? Redacted.value(secret) : secret)
  const starts = (config: Config.Config<string>, start: string) =>
    Config.validate(config, { message: `starts with ${start}`, validation: (it) => it.startsWith(start) })
  const fields = { baseUrl: url, projectId, email, password }
  const attempts = Config.map(
    Config.validate(Config.integer("QUARTET_ATTEMPTS"), {
      message: "1 to 9",
      validation: (it) => it > 0 && it < 10
    }),
    (attempts) => ({ attempts })
  )
  const taking: Readonly<Record<string, Config.Config<Admin.ClientConfig>>> = {
    "an address": Config.all({ ...fields, baseUrl: Config.map(Config.url("QUARTET_BASE_URL"), String) }),
    "a function that renames the fields": Config.map(
      Config.all({ url, user: email, projectId, key: Config.suspend(() => password) }),
      ({ key, url, user, ...rest }) => ({
        ...rest,
        baseUrl: new URL("/api", url).href,
        email: user,
        password: key
      })
    ),
    "a Config or another": Config.orElse(Config.all({ ...fields, policy: attempts }), () =>
      Config.all(fields)
    )
  }
  /** What takes numbers, short or certain texts alone: no read tells credentials that are not set from what else is not. */
  const refusing: Readonly<Record<string, Config.Config<Admin.ClientConfig>>> = {
    "a number": Config.all({ ...fields, policy: attempts }),
    "a boolean, a choice and a time": Config.all({
      ...fields,
      logDrift: Config.boolean("QUARTET_LOG_DRIFT"),
      permissions: Config.literal("off", "intended")("QUARTET_PERMISSIONS"),
      signInCooldown: Config.duration("QUARTET_COOLDOWN")
    }),
    "a rule": Config.all({ ...fields, projectId: starts(projectId, "p") }),
    "a rule of a credential itself": Config.all({
      ...fields,
      email: starts(email, "a@"),
      password: Config.validate(password, { message: "8 or more", validation: (it) => text(it).length > 99 })
    }),
    "a function that throws at a field": Config.all({
      ...fields,
      policy: Config.map(Config.string("QUARTET_POLICY"), (it) => JSON.parse(it))
    }),
    "a function that throws at the whole": Config.map(Config.all(fields), (all) => {
      if (!text(all.password).startsWith("x")) throw new TypeError("no x")
      return { ...all, baseUrl: new URL("/api", all.baseUrl).href }
    }),
    "nested fields": Config.nested(Config.all({ ...fields, policy: attempts }), "APP")
  }

  const refusalOf = (config: Config.Config<Admin.ClientConfig>, environment: Record<string, string>) =>
    refusal(
      Effect.withConfigProvider(
        Effect.scoped(Layer.build(Admin.layerConfig(config))),
        ConfigProvider.fromMap(new Map(Object.entries(environment)))
      )
    )

  it.each(Object.entries(taking))("names credentials that are not set beside %s", (_, config) => {
    for (const [environment, missing] of [
      [{}, undefined],
      [place, undefined],
      [{ QUARTET_EMAIL: "a@b.test" }, ["password"]]
    ] as const) {
      const error = refusalOf(config, environment)
      expect(error).toMatchObject({ _tag: "CredentialsError", reason: "Missing", message: required })
      expect((error as CredentialsError).missing).toEqual(missing)
    }
    expect(refusalOf(config, account)).toSatisfy(ConfigError.isConfigError)
  })

  it.each(Object.entries(refusing))("stays the ConfigError of all that is not set beside %s", (_, config) => {
    const error = refusalOf(config, {})
    expect(error).toSatisfy(ConfigError.isConfigError)
    expect(String(error)).toContain("QUARTET_")
  })

  it("stays the first ConfigError where credentials have defaults and another field is not set", () => {
    const layer = Admin.layerConfig(
      Config.all({
        ...fields,
        email: Config.withDefault(email, "a@b.test"),
        password: Config.withDefault(password, Redacted.make("x"))
      })
    )
    expect(
      refusal(Effect.withConfigProvider(Effect.scoped(Layer.build(layer)), ConfigProvider.fromMap(new Map())))
    ).toSatisfy(ConfigError.isConfigError)
  })

  it.each([
    ["where only another field is not set", account],
    ["where a field is wrong", { QUARTET_LOG_DRIFT: "soon" }]
  ])("stays a ConfigError %s", (_, environment) => {
    expect(within("admin", environment)).toSatisfy(ConfigError.isConfigError)
    expect(within("fields", environment)).toSatisfy(ConfigError.isConfigError)
  })
})

/** Every way to make the other clients, the credentials that each needs, and its error. */
const others = {
  "Public.make": [["apiKey"], (config: never) => refusal(Public.make(config))],
  "Public.layer": [["apiKey"], (config: never) => refusal(Effect.scoped(Layer.build(Public.layer(config))))],
  createPublic: [["apiKey"], (config: never) => thrown(() => createPublic(config))],
  createPublicClient: [["apiKey"], (config: never) => thrown(() => createPublicClient(config))],
  "Private.make": [["privateKey"], (config: never) => refusal(Private.make(config))],
  createPrivate: [["privateKey"], (config: never) => thrown(() => createPrivate(config))],
  createPrivateClient: [["privateKey"], (config: never) => thrown(() => createPrivateClient(config))],
  "EndUser.make": [["sessionId", "apiKey"], (config: never) => refusal(EndUser.make(config))],
  createEndUser: [["sessionId", "apiKey"], (config: never) => thrown(() => createEndUser(config))],
  createEndUserClient: [
    ["sessionId", "apiKey"],
    (config: never) => thrown(() => createEndUserClient(config))
  ],
  "EndUser.signIn": [["apiKey", "email", "password"], (config: never) => refusal(EndUser.signIn(config))]
} as const

describe.each(Object.entries(others))("%s without its credentials", (_, [fields, made]) => {
  it.each([
    undefined,
    null,
    {},
    { baseUrl },
    ...blanks.map((blank) =>
      Object.fromEntries([["baseUrl", baseUrl], ...fields.map((field) => [field, blank])])
    )
  ])("names what it lacks: %o", (config) => {
    const error = made(config as never)
    expect(error).toBeInstanceOf(CredentialsError)
    expect(error).toMatchObject({ reason: "Missing", missing: fields })
    for (const field of fields) expect(String(error)).toContain(`${field} is missing: pass the `)
    expect(String(error)).not.toContain(required)
  })
})
