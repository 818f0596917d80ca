/** Cookies that carry a session, and the one of a CSRF token beside it, are part of the session wherever it is handed on: over real servers that roll them. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inspect } from "node:util"
import { Admin, EndUser, Public } from "@quartet/sdk"
import * as FileStorage from "@quartet/sdk/adapters/storage-file"
import * as Platform from "@quartet/sdk/platform"
import {
  createAdminClient,
  createEndUserClient,
  createPublicClient,
  signInEndUser
} from "@quartet/sdk/promise"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { describe, expect, onTestFinished, test } from "vitest"
import * as FetchTransport from "../../adapters/fetch/index.js"
import { sessionStoreOver } from "../../adapters/storage/text-store.js"
import * as Tap from "../../adapters/tap/index.js"
import type { Service as Store, StoredSession } from "../../core/ports/session-store.js"
import type { AnyRequest, Service as Transport } from "../../core/ports/transport.js"
import { account, adminOf, failureOf, serve } from "./served.js"

const definition = {
  signIn: { legacy: false, admin: { sessionId: false } },
  token: "opaque",
  credentials: {
    accessToken: { cookie: "access" },
    session: false,
    endUserSession: { cookie: "access" },
    csrf: { header: "X-CSRF-Token", cookie: "csrf_access" }
  }
} satisfies Platform.Definition

/** Cookies of a request by their names. */
const cookiesOf = (header = ""): Readonly<Record<string, string>> =>
  Object.fromEntries(
    header
      .split("; ")
      .filter(Boolean)
      .map((pair) => pair.split("=", 2))
  )

/** A platform that sets the CSRF cookie at a sign-in alone, and refuses writes without it. With `rolls` each answer sets a new session cookie. */
const platformOf = async ({ rolls = () => false }: { rolls?: () => boolean } = {}) => {
  let count = 0
  const sessions = new Map<string, string>()
  const open = (csrf: string): string => {
    count += 1
    const session = `cookie-of-session-${count}`
    sessions.set(session, csrf)
    return session
  }
  const server = await serve(({ headers, method, target }, json) => {
    if (/\/(login|signup)$/.test(target.split("?")[0] ?? "")) {
      const csrf = `token-against-forgery-${count + 1}`
      return json({ user: { _id: "a1" } }, 200, {
        "set-cookie": [`access=${open(csrf)}; Path=/; HttpOnly`, `csrf_access=${csrf}; Path=/`]
      })
    }
    const { access = "", csrf_access: beside } = cookiesOf(headers.cookie)
    const csrf = sessions.get(access)
    if (csrf === undefined) return json({ message: "no session" }, 401)
    if (method !== "GET" && !(headers["x-csrf-token"] === csrf && beside === csrf))
      return json({ message: "no token against forgery" }, 403)
    if (!rolls()) return json({ _id: "u1" })
    sessions.delete(access)
    json({ _id: "u1" }, 200, { "set-cookie": `access=${open(csrf)}; Path=/` })
  })
  const signIns = () => server.heard.filter(({ target }) => /login|signup/.test(target)).length
  return { ...server, signIns, expire: () => sessions.clear() }
}

const textsOf = (kept: Map<string, string>): Store =>
  sessionStoreOver({
    get: (key) => Effect.sync(() => Option.fromNullable(kept.get(key))),
    set: (key, text) => Effect.sync(() => void kept.set(key, text)),
    remove: (key) => Effect.sync(() => void kept.delete(key))
  })

const write = { id: "u1", payload: { fullName: "Ada" } }
const platform = Platform.make(definition)

/** A client of a session that another one has handed on. */
const clientOf = (url: string, session: { sessionId: string; accessToken: string }) => {
  const admin = createAdminClient({
    baseUrl: url,
    projectId: account.projectId,
    ...session,
    platform,
    logDrift: false
  })
  onTestFinished(() => admin.close())
  return admin
}

describe("the cookie of a CSRF token that a sign-in sets", () => {
  test("is kept with the session, so that a program that starts again writes without a new sign-in", async () => {
    const server = await platformOf()
    const sessionStore = textsOf(new Map())
    const first = adminOf(server.url, definition, { sessionStore })
    await first.admin.users.update(write)
    const second = adminOf(server.url, definition, { sessionStore })
    await second.admin.users.update(write)
    expect(server.signIns()).toBe(1)
  })

  test("is kept by a store of files too, with Effect", async () => {
    const server = await platformOf()
    const folder = await mkdtemp(join(tmpdir(), "quartet-cookies-"))
    onTestFinished(() => rm(folder, { recursive: true }))
    const run = () =>
      Effect.runPromise(
        Effect.provide(
          Admin.users.update(write),
          Admin.layer({ baseUrl: server.url, ...account, platform }).pipe(
            Layer.provide(FileStorage.layer(folder)),
            Layer.provide(FetchTransport.layer)
          )
        )
      )
    await run()
    await run()
    expect(server.signIns()).toBe(1)
    const [file = ""] = await readdir(folder)
    expect(await readFile(join(folder, file), "utf8")).toContain("token-against-forgery-1")
  })

  test("is part of what session() answers, of which another client writes", async () => {
    const server = await platformOf()
    const { admin } = adminOf(server.url, definition)
    const session = await admin.onDemand.session()
    expect(session).toEqual({
      sessionId: expect.any(String),
      accessToken: "cookie-of-session-1",
      cookies: { csrf_access: "token-against-forgery-1" }
    })
    await clientOf(server.url, JSON.parse(JSON.stringify(session))).users.update(write)
    expect(server.signIns()).toBe(1)
  })

  test("is there from an end user's first write", async () => {
    const server = await platformOf()
    const endUser = { baseUrl: server.url, apiKey: "key-1", platform, logDrift: false }
    const ana = await signInEndUser({ ...endUser, email: "ana@example.com", password: "a good password" })
    await ana.auth.update({ payload: { fullName: "Ana" } })
    const again = createEndUserClient({ ...endUser, ...(await ana.onDemand.session()) })
    await again.auth.update({ payload: { fullName: "Ana" } })
    const { cookies, sessionId } = await createPublicClient(endUser).auth.signup({
      payload: { email: "nino@example.com", password: "a good password", fullName: "Nino" }
    })
    // What the platform's value adds to an answer is declared by no model.
    const beside = cookies as Readonly<Record<string, string>>
    const nino = createEndUserClient({ ...endUser, sessionId: sessionId ?? "", cookies: beside })
    await nino.auth.update({ payload: { fullName: "Nino" } })
    expect(server.signIns()).toBe(2)
  })

  test("is there from an end user's first write with Effect", async () => {
    const server = await platformOf()
    const endUser = { baseUrl: server.url, apiKey: "key-1", platform, logDrift: false }
    const live = EndUser.layerSignIn({ ...endUser, email: "ana@example.com", password: "a good password" })
    const session = Effect.zipRight(
      EndUser.auth.update({ payload: { fullName: "Ana" } }),
      EndUser.onDemand.session
    )
    const handed = await Effect.runPromise(Effect.provide(session, Layer.provide(live, FetchTransport.layer)))
    const again = EndUser.layer({ ...endUser, ...handed })
    await Effect.runPromise(
      Effect.provide(
        EndUser.auth.update({ payload: { fullName: "Ana" } }),
        Layer.provide(again, FetchTransport.layer)
      )
    )
    expect(server.signIns()).toBe(1)
  })

  test("of one host is not that of the other", async () => {
    const legacy = await platformOf()
    const server = await platformOf()
    const both = {
      ...definition,
      signIn: { legacy: { sessionId: { cookie: "access" } }, admin: { sessionId: false } },
      credentials: {
        ...definition.credentials,
        accessToken: { cookie: "access", on: "api" },
        session: { cookie: "access", on: "legacy" }
      }
    } satisfies Platform.Definition
    // Cookies of the ports of one host are the same to a browser.
    const legacyUrl = legacy.url.replace("127.0.0.1", "localhost")
    await fetch(`${legacy.url}/auth/login`, { method: "POST" })
    const sessionStore = textsOf(new Map())
    const { admin } = adminOf(server.url, both, { legacyUrl, sessionStore })
    await admin.users.update(write)
    const { cookies } = await admin.onDemand.session()
    expect(cookies).toEqual({
      "127.0.0.1 csrf_access": "token-against-forgery-1",
      "localhost csrf_access": "token-against-forgery-2"
    })
    const again = adminOf(server.url, both, { legacyUrl, sessionStore })
    await again.admin.users.update(write)
    expect(server.heard.at(-1)?.headers["x-csrf-token"]).toBe("token-against-forgery-1")
    expect([server.signIns(), legacy.signIns()]).toEqual([1, 2])
  })

  test("of a domain goes to all its hosts, whichever has set it", async () => {
    const sent: Array<readonly [string, AnyRequest["headers"]]> = []
    // No name of a domain leads to this machine everywhere.
    const transport: Transport = {
      start: ({ headers, method, origin, path }, settle) => {
        if (method !== "POST") sent.push([origin, headers])
        const isSignIn = path.startsWith("/auth/admin/login")
        const cookies = ["access=session-1; Domain=quartet.test", "csrf_access=proof-1; Domain=.Quartet.test"]
        settle({
          _tag: "Answered",
          status: 200,
          header: (name) => (name === "set-cookie" && isSignIn ? cookies.join("\n") : undefined),
          body: new TextEncoder().encode(JSON.stringify({ _id: "m1", user: { _id: "a1" } }))
        })
        return () => true
      }
    }
    const [baseUrl, legacyUrl] = ["https://api.quartet.test", "https://old.quartet.test"]
    const { admin } = adminOf(baseUrl, definition, { legacyUrl, transport })
    await admin.users.update({ id: "u1", payload: { fullName: "Ada" } })
    await admin.contentModels.delete({ id: "m1" })
    const both = { cookie: "access=session-1; csrf_access=proof-1", "x-csrf-token": "proof-1" }
    expect(sent).toEqual([
      [baseUrl, expect.objectContaining(both)],
      [legacyUrl, expect.objectContaining(both)]
    ])
  })

  test.each(["u=7,exp=99", '"a,b=c"', "a,b,c=="])("of a session may be %j", async (value) => {
    const server = await serve(({ target }, json) =>
      json(
        { _id: "u1", user: { _id: "a1" } },
        200,
        target.startsWith("/auth/admin/login")
          ? { "set-cookie": [`access=${value}; Path=/`, "theme=dark"] }
          : {}
      )
    )
    const { csrf: _, ...credentials } = definition.credentials
    const { admin } = adminOf(server.url, { ...definition, credentials })
    await admin.users.get({ id: "u1" })
    expect(server.heard[1]?.headers.cookie).toBe(`access=${value}`)
  })

  test("of a session that a client was given is shown by no error, percent-encoded or not", async () => {
    const server = await serve((_, json) =>
      json({ message: "no session of s/i+d== or s%2Fi%2Bd%3D%3D" }, 409)
    )
    const admin = createAdminClient({
      baseUrl: server.url,
      projectId: account.projectId,
      sessionId: "s%2Fi%2Bd%3D%3D",
      accessToken: "",
      permissions: "off",
      platform: Platform.make({
        credentials: { accessToken: false, session: { cookie: "sid" } },
        token: "opaque"
      })
    })
    onTestFinished(() => admin.close())
    expect(String(await failureOf(admin.users.get({ id: "u1" })))).toContain("no session of ••• or •••")
  })

  test("that a kept session lacks, since nothing was said of it then, costs a sign-in, and no write", async () => {
    const server = await platformOf()
    const kept = new Map<string, string>()
    const { csrf: _, ...credentials } = definition.credentials
    const before = { ...definition, credentials }
    await adminOf(server.url, before, { sessionStore: textsOf(kept) }).admin.users.get({ id: "u1" })
    expect([...kept.values()].join()).not.toContain("cookies")
    // Where nothing is needed beside a session, it is used as it is.
    await adminOf(server.url, before, { sessionStore: textsOf(kept) }).admin.users.get({ id: "u1" })
    expect(server.signIns()).toBe(1)
    await adminOf(server.url, definition, { sessionStore: textsOf(kept) }).admin.users.update(write)
    expect(server.signIns()).toBe(2)
  })

  test.each<[string, unknown]>([
    ["a list", [["csrf_access", "token-against-forgery-1"]]],
    ["text", "csrf_access=token-against-forgery-1"],
    ["other cookies", { other: "a", "127.0.0.1 other": "b" }],
    ["no values", { csrf_access: 1, "x csrf_access": null }],
    ["values that no header can hold", { csrf_access: "a\r\nx: y" }],
    ["several cookies in one", { csrf_access: "a; access=somebody-else" }]
  ])("is taken from no store that holds %s in its place", async (_, cookies) => {
    const server = await platformOf()
    let kept: StoredSession | undefined
    const sessionStore: Store = {
      load: () => Effect.succeed(Option.fromNullable(kept)),
      save: (_key, session) =>
        Effect.sync(() => {
          kept = session
        }),
      clear: () => Effect.void
    }
    await adminOf(server.url, definition, { sessionStore }).admin.users.get({ id: "u1" })
    // Somebody else's store may hold anything.
    kept = { sessionId: "s", ...kept, cookies } as StoredSession
    await adminOf(server.url, definition, { sessionStore }).admin.users.get({ id: "u1" })
    const sent = server.heard.at(-1)?.headers.cookie ?? ""
    expect(sent).toMatch(/^access=cookie-of-session-\d(; csrf_access=token-against-forgery-\d)?$/)
  })
})

describe("a session cookie that the platform rolls", () => {
  test("is kept with its last value, which a program that starts again sends", async () => {
    const server = await platformOf({ rolls: () => true })
    const kept = new Map<string, string>()
    const first = adminOf(server.url, definition, { sessionStore: textsOf(kept) })
    for (let call = 0; call < 3; call += 1) await first.admin.users.get({ id: "u1" })
    expect([...kept.values()].join()).toContain("cookie-of-session-4")
    const second = adminOf(server.url, definition, { sessionStore: textsOf(kept) })
    await second.admin.users.update(write)
    expect(server.signIns()).toBe(1)
  })

  test("is what session() answers, of which another client lives on, and so does one of its own", async () => {
    const server = await platformOf({ rolls: () => true })
    const { admin } = adminOf(server.url, definition)
    await admin.users.get({ id: "u1" })
    const second = clientOf(server.url, await admin.onDemand.session())
    await second.users.update(write)
    const session = await second.onDemand.session()
    expect(session).toMatchObject({ accessToken: "cookie-of-session-3" })
    await clientOf(server.url, session).users.update(write)
    expect(server.signIns()).toBe(1)
  })

  test("of an end user is what session() answers", async () => {
    const server = await platformOf({ rolls: () => true })
    const endUser = { baseUrl: server.url, apiKey: "key-1", platform, logDrift: false }
    const ana = await signInEndUser({ ...endUser, email: "ana@example.com", password: "a good password" })
    await ana.auth.self()
    const again = createEndUserClient({ ...endUser, ...(await ana.onDemand.session()) })
    await again.auth.update({ payload: { fullName: "Ana" } })
    expect(server.signIns()).toBe(1)
  })

  test("is taken from the store by a client whose own value is over", async () => {
    const server = await platformOf({ rolls: () => true })
    const sessionStore = textsOf(new Map())
    const one = adminOf(server.url, definition, { sessionStore }).admin
    const other = adminOf(server.url, definition, { sessionStore }).admin
    await one.users.get({ id: "u1" })
    await other.users.get({ id: "u1" })
    await one.users.update(write)
    await other.users.update(write)
    expect(server.signIns()).toBe(1)
  })

  test("that the platform ends is signed in to anew, and not found in the store", async () => {
    const server = await platformOf({ rolls: () => true })
    const sessionStore = textsOf(new Map())
    const { admin } = adminOf(server.url, definition, { sessionStore })
    await admin.users.get({ id: "u1" })
    server.expire()
    const before = server.heard.length
    await admin.users.get({ id: "u1" })
    // The refused call, the sign-in, and the call again.
    expect(server.heard.length - before).toBe(3)
  })

  test("is kept by a store that is slow or fails without a call that waits, and never an older value last", async () => {
    const server = await platformOf({ rolls: () => true })
    const saved: Array<string> = []
    let resume: (() => void) | undefined
    const sessionStore: Store = {
      load: () => Effect.succeed(Option.none()),
      clear: () => Effect.void,
      save: (_, { accessToken = "" }) =>
        saved.length === 0
          ? Effect.sync(() => void saved.push(accessToken))
          : Effect.async<void>((done) => {
              resume = () => {
                saved.push(accessToken)
                done(Effect.die("the store is broken"))
              }
            })
    }
    const { admin } = adminOf(server.url, definition, { sessionStore })
    for (let call = 0; call < 4; call += 1) await admin.users.get({ id: "u1" })
    expect(saved).toEqual(["cookie-of-session-1"])
    const closed = admin.close()
    // The one that was begun, and the last.
    resume?.()
    await new Promise((done) => setTimeout(done, 20))
    resume?.()
    await closed
    expect(saved).toEqual(["cookie-of-session-1", "cookie-of-session-2", "cookie-of-session-5"])
  })

  test("is not kept again after a sign-out", async () => {
    const late: Array<() => void> = []
    let isHeld = false
    const server = await serve(({ target }, json) => {
      const answer = () => json({ _id: "u1" }, 200, { "set-cookie": "access=cookie-of-session-2" })
      if (target.startsWith("/auth/admin/login"))
        json({ user: { _id: "a1" } }, 200, {
          "set-cookie": ["access=cookie-of-session-1", "csrf_access=token-against-forgery-1"]
        })
      else if (isHeld) late.push(answer)
      else json({ _id: "u1" })
    })
    const kept = new Map<string, string>()
    const { admin } = adminOf(server.url, definition, { sessionStore: textsOf(kept) })
    await admin.users.get({ id: "u1" })
    isHeld = true
    const call = admin.users.get({ id: "u1" })
    await expect.poll(() => late.length).toBe(1)
    await admin.session.signOut()
    for (const answer of late) answer()
    await call
    expect(kept.size).toBe(0)
  })
})

describe("cookies of a configuration", () => {
  const given = { baseUrl: "https://api.example.com", sessionId: "s1" }
  const admin = { ...given, accessToken: "t1", projectId: "p1", platform }

  test.each<[string, object, string]>([
    ["of another name", { csrf_acces: "a" }, 'did you mean "csrf_access"'],
    ["of no value", { csrf_access: 1 }, "must be the value of a cookie"],
    ["of several values", { csrf_access: "secret-value; access=b" }, "must be the value of a cookie"]
  ])("%s are refused by their names alone", async (_, cookies, rule) => {
    const made = (make: () => unknown) =>
      Either.flip(Either.try({ try: make, catch: (error) => error })).pipe(Either.getOrThrow)
    for (const error of [
      // A program without types may give anything.
      made(() => createAdminClient({ ...admin, cookies: cookies as never })),
      made(() => createEndUserClient({ ...given, apiKey: "k1", platform, cookies: cookies as never }))
    ]) {
      expect(error).toMatchObject({ _tag: "InputError" })
      expect(String(error)).toContain(rule)
      expect(String(error)).not.toContain("secret-value")
    }
  })

  test("may be redacted, and are sent by nobody's client", async () => {
    const server = await platformOf()
    const { admin } = adminOf(server.url, definition)
    const { cookies = {}, ...session } = await admin.onDemand.session()
    const redacted = Object.fromEntries(
      Object.entries(cookies).map(([name, value]) => [name, Redacted.make(value)])
    )
    const shared = { baseUrl: server.url, ...session, cookies: redacted, platform, logDrift: false }
    await createAdminClient({ ...shared, projectId: "p1" }).users.update(write)
    const visitor = { ...shared, apiKey: "k1" }
    await failureOf(createPublicClient(visitor).items.get({ id: "i1" }))
    expect(server.heard.at(-1)?.headers).not.toHaveProperty("cookie")
    await Effect.runPromise(
      Effect.flip(
        Effect.provide(
          Public.items.get({ id: "i1" }),
          Layer.provide(Public.layer(visitor), FetchTransport.layer)
        )
      )
    )
    expect(server.heard.at(-1)?.headers).not.toHaveProperty("cookie")
  })

  test("are shown nowhere, and so are those that a store brings", async () => {
    const canary = "canary-of-the-cookie"
    const server = await serve(({ headers }, json) =>
      json({ message: `${headers.cookie} ${headers["x-csrf-token"]}`, code: headers["x-csrf-token"] }, 400, {
        "x-request-id": headers["x-csrf-token"]
      })
    )
    const exchanges: Array<Tap.Exchange> = []
    const shared = {
      baseUrl: server.url,
      projectId: "p1",
      platform,
      transport: Tap.make(FetchTransport.make(), (exchange) => void exchanges.push(exchange))
    }
    const stored = { sessionId: "s1", accessToken: "t1-canary-token", cookies: { csrf_access: canary } }
    const sessionStore: Store = {
      load: () => Effect.succeedSome(stored),
      save: () => Effect.void,
      clear: () => Effect.void
    }
    for (const admin of [
      createAdminClient({ ...shared, ...stored }),
      createAdminClient({ ...shared, ...account, sessionStore })
    ]) {
      const error = await failureOf(admin.users.update(write))
      expect(server.heard.at(-1)?.headers["x-csrf-token"]).toBe(canary)
      const shown = [String(error), inspect(error, { depth: 20 }), JSON.stringify(error), inspect(admin)]
      for (const text of [...shown, JSON.stringify(exchanges), Tap.har(exchanges)])
        expect(text).not.toContain(canary)
    }
  })
})
