/** Whatever a value of a platform says, no promise of the SDK is lost: over real servers with sessions, cookies and storages of their own. */
import type { Transport } from "@quartet/sdk"
import * as Platform from "@quartet/sdk/platform"
import { createAdminClient, createEndUserClient, signInEndUser } from "@quartet/sdk/promise"
import { jwt } from "@quartet/support/jwt.js"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { describe, expect, onTestFinished, test } from "vitest"
import { sessionStoreOver } from "../../adapters/storage/text-store.js"
import * as Tap from "../../adapters/tap/index.js"
import { readerOf, unseen } from "../../core/kernel/dispatch/dialect.js"
import { account, adminOf, failureOf, serve, token } from "./served.js"

describe("secrets", () => {
  const places = {
    signIn: {
      legacy: false,
      admin: { accessToken: "data.a", sessionId: "data.s", refreshToken: "data.r" }
    }
  } satisfies Platform.Definition
  const opened = { data: { a: token("ada"), s: "the-session-id", r: "the-refresh-token" } }

  test("of a sign-in are shown by no tap, wherever they stand", async () => {
    const server = await serve(({ target }, json) =>
      json(target.startsWith("/auth/admin/login") ? opened : { _id: "u1" })
    )
    const { admin, exchanges } = adminOf(server.url, places)
    await admin.users.get({ id: "u1" })
    const shown = JSON.stringify(exchanges)
    for (const secret of [...Object.values(opened.data), account.password])
      expect(shown).not.toContain(secret)
  })

  test("in the query are sent, and shown in no error and by no tap", async () => {
    const server = await serve(({ target }, json) =>
      target.startsWith("/auth/admin/login") ? json(opened) : json({ message: `no ${target}` }, 400)
    )
    const { admin, exchanges } = adminOf(server.url, {
      ...places,
      credentials: { accessToken: { query: "token" }, session: { query: "sid" } }
    })
    const error = await failureOf(admin.users.get({ id: "u1" }))
    expect(server.heard.at(-1)?.target).toContain(`token=${opened.data.a}&sid=the-session-id`)
    expect(server.heard.at(-1)?.headers.authorization).toBeUndefined()
    const shown = `${String(error)} ${JSON.stringify(error)} ${JSON.stringify(exchanges)}`
    for (const secret of Object.values(opened.data)) expect(shown).not.toContain(secret)
  })
})

test("a token that a page's browser keeps as a cookie is read by nobody there: the sign-in says who the admin is, and the platform what they may do", () => {
  const value = Platform.make({
    token: { subject: "uid", permissions: "grants" },
    credentials: { accessToken: { cookie: "token" } }
  })
  const headerNames = { authorization: "authorization", session: "s", apiKey: "k", privateKey: "p" }
  const around = { baseUrl: "http://any.test", headerNames, projectId: "p1" }
  const dialectOf = (isPage: boolean) =>
    Either.getOrThrow(Option.getOrThrow(Option.fromNullable(readerOf(value)))({ ...around, isPage }))
  const [inPage, onServer] = [dialectOf(true), dialectOf(false)]
  const session = { sessionId: "s1", accessToken: unseen, user: { _id: "a1", fullName: "Ada" } }
  expect(Either.getOrThrow(inPage.readToken(session))).toMatchObject({ _id: "a1" })
  expect([inPage.isUnchecked, onServer.isUnchecked]).toEqual([true, false])
})

describe("secrets of answers", () => {
  test("are masked whatever the platform calls their fields", async () => {
    const server = await serve(({ target }, json) =>
      target.startsWith("/auth/admin/login")
        ? json({ accessToken: token("ada") })
        : json({ _id: "p1", geheim: "the-private-api-key" })
    )
    const { admin, exchanges } = adminOf(server.url, {
      signIn: { legacy: false, admin: { sessionId: false } },
      entities: { fields: { private_api_key: "geheim" } }
    })
    await admin.projects.get({ id: "p1" })
    expect(JSON.stringify(exchanges)).toContain("geheim")
    expect(JSON.stringify(exchanges)).not.toContain("the-private-api-key")
  })

  test("in the link to the next page are not handed on", async () => {
    const server = await serve(({ target }, json) =>
      target.startsWith("/auth/admin/login")
        ? json({ accessToken: token("ada") })
        : json([{ _id: "u1" }], 200, { link: `<${target}&after=2>; rel="next"` })
    )
    const { admin } = adminOf(server.url, {
      signIn: { legacy: false, admin: { sessionId: false } },
      credentials: { accessToken: { query: "access_token" } },
      lists: { page: { by: "link" } }
    })
    const page = await admin.users.list({})
    expect(page.paging.next).toMatch(/after=2/)
    expect(JSON.stringify(page)).not.toContain(token("ada"))
  })
})

describe("cookies", () => {
  const definition = {
    signIn: { legacy: false },
    credentials: {
      accessToken: false,
      session: { cookie: "sid" },
      csrf: { header: "x-csrf", cookie: "csrf" }
    }
  } satisfies Platform.Definition
  const past = "Expires=Thu, 01 Jan 1970 00:00:00 GMT"

  test("are kept, renewed and repeated where the platform wants it, and their values are shown nowhere", async () => {
    let calls = 0
    const server = await serve(({ headers, target }, json) => {
      if (target.startsWith("/auth/admin/login"))
        return json({ user: { _id: "a1" } }, 200, {
          "set-cookie": [
            `sid=old; ${past}`,
            "sid=first-session; Path=/; HttpOnly",
            "csrf=csrf-token-one; Path=/"
          ]
        })
      calls += 1
      if (calls === 1)
        return json({ _id: "u1" }, 200, { "set-cookie": ["sid=second-session; Path=/", `other=x; ${past}`] })
      json({ message: `you sent ${headers.cookie} and ${headers["x-csrf"]}` }, 400)
    })
    const { admin } = adminOf(server.url, definition)
    await admin.users.get({ id: "u1" })
    const error = await failureOf(admin.users.update({ id: "u1", payload: { fullName: "Ada" } }))
    const [, read, write] = server.heard
    expect(read?.headers.cookie).toBe("sid=first-session; csrf=csrf-token-one")
    expect(write?.headers).toMatchObject({
      cookie: "sid=second-session; csrf=csrf-token-one",
      "x-csrf": "csrf-token-one"
    })
    for (const secret of ["second-session", "csrf-token-one"]) expect(String(error)).not.toContain(secret)
  })

  test("that nothing is said of are neither kept nor taken for secrets", async () => {
    const server = await serve(({ target }, json) =>
      target.startsWith("/auth/admin/login")
        ? json({ user: { _id: "a1" } }, 200, { "set-cookie": "sid=first-session" })
        : json({ message: "the dark theme of orders" }, 400, { "set-cookie": "theme=dark" })
    )
    const { admin } = adminOf(server.url, definition)
    await failureOf(admin.users.get({ id: "u1" }))
    expect(String(await failureOf(admin.users.get({ id: "u1" })))).toContain("the dark theme of orders")
    expect(server.heard.at(-1)?.headers.cookie).toBe("sid=first-session")
  })

  test("of a storage, to which a download redirects, are none of the platform's", async () => {
    const storage = await serve((_, json) => json("bytes", 200, { "set-cookie": "sid=evil" }))
    const server = await serve(({ target }, json) => {
      if (target.startsWith("/auth/admin/login"))
        return json({ user: { _id: "a1" } }, 200, { "set-cookie": "sid=first-session" })
      if (target.includes("/download") || target.startsWith("/file"))
        return json(undefined, 302, { location: `${storage.url}/a?signature=s` })
      json({ _id: "u1" })
    })
    const { admin } = adminOf(server.url, { ...definition, downloads: { redirectTo: ["127.0.0.1"] } })
    expect(await admin.files.download.text({ id: "f1" })).toBe('"bytes"')
    expect(storage.heard).toHaveLength(1)
    expect(storage.heard[0]?.headers).not.toHaveProperty("cookie")
    await admin.users.get({ id: "u1" })
    expect(server.heard.at(-1)?.headers.cookie).toBe("sid=first-session")
  })
})

describe("a download", () => {
  test("whose storage refuses is a fault of the platform, not of the credentials", async () => {
    const storage = await serve((_, json) => json({ message: "expired" }, 401))
    const server = await serve(({ target }, json) =>
      target.startsWith("/auth")
        ? json({ accessToken: token("ada"), sessionId: "s1" })
        : json(undefined, 302, { location: `${storage.url}/a?signature=s` })
    )
    const { admin } = adminOf(
      server.url,
      { downloads: { redirectTo: [storage.host] } },
      { policy: { attempts: 1 } }
    )
    const error = await failureOf(admin.files.download.text({ id: "f1" }))
    expect(error).toMatchObject({
      _tag: "ServerFault",
      serverMessage: expect.stringContaining("answered 401")
    })
    expect(server.heard.filter(({ target }) => target.startsWith("/auth"))).toHaveLength(2)
  })

  test("is signed by what no tap and no archive shows, whatever the storage calls it", async () => {
    const signs = ["the-signature-of-amazon", "the-sig-of-azure", "the/policy+of another"]
    const [amazon, azure, other] = signs.map(encodeURIComponent)
    const storage = await serve((_, json) => json("bytes"))
    const address = `${storage.url}/a?X-Amz-Signature=${amazon}&sig=${azure}&p=${other}`
    const server = await serve(({ target }, json) =>
      target.startsWith("/auth")
        ? json({ accessToken: token("ada"), sessionId: "s1" })
        : json({ moved: address }, 302, { location: address })
    )
    const { admin, exchanges } = adminOf(server.url, { downloads: { redirectTo: ["127.0.0.1"] } })
    expect(await admin.files.download.text({ id: "f1" })).toBe('"bytes"')
    expect(storage.heard[0]?.target).toContain(`sig=${azure}`)
    const seen = exchanges.filter(({ origin }) => origin === storage.url)
    expect(seen.length).toBeGreaterThan(0)
    for (const shown of [JSON.stringify(seen), Tap.har(seen)])
      for (const sign of [...signs, amazon, azure, other]) expect(shown).not.toContain(sign)
    for (const sign of ["the-signature-of-amazon", "the-sig-of-azure"])
      expect(Tap.har(exchanges)).not.toContain(sign)
  })

  test("is followed to no host that is not named", async () => {
    const storage = await serve((_, json) => json("bytes"))
    const server = await serve(({ target }, json) =>
      target.startsWith("/auth")
        ? json({ accessToken: token("ada"), sessionId: "s1" })
        : json(undefined, 302, { location: `${storage.url}/a` })
    )
    const { admin } = adminOf(server.url, { downloads: { redirectTo: ["files.example.com"] } })
    const error = await failureOf(admin.files.download.text({ id: "f1" }))
    expect(error).toMatchObject({ _tag: "AnswerError", reason: "Redirect" })
    expect(storage.heard).toEqual([])
  })
})

describe("a session that is renewed by a refresh token", () => {
  const definition = {
    signIn: { admin: { refreshToken: "refresh" }, refresh: { path: "auth/renew", field: "refresh" } }
  } satisfies Platform.Definition

  test("and refused all the same leads to a new sign-in", async () => {
    // The session of the legacy service has ended, which no refresh renews.
    let sessions = 0
    const server = await serve(({ headers, target }, json) => {
      if (target.startsWith("/auth/admin/login")) return json({ accessToken: token("ada"), refresh: "r1" })
      if (target.startsWith("/auth/renew")) return json({ accessToken: token("renewed"), refresh: "r2" })
      if (target.startsWith("/auth/login")) return json({ sessionId: `s${++sessions}` })
      if (headers["x-session-id"] === "s1") return json({ message: "no session" }, 401)
      json({ _id: "u1" })
    })
    const { admin } = adminOf(server.url, definition)
    expect(await admin.users.get({ id: "u1" })).toMatchObject({ _id: "u1" })
    expect(sessions).toBe(2)
    expect(server.heard.filter(({ target }) => target.startsWith("/auth/renew"))).toHaveLength(1)
  })

  /** A platform that renews its sessions, and ends each when it is told to; `isRefused` says which calls refuse all the same. */
  const renewing = async (isRefused: (target: string, authorization: string) => boolean = () => false) => {
    let issued = 0
    let present = ""
    const open = () => {
      issued += 1
      present = `opaque-token-${issued}`
      return { accessToken: present, refresh: `refresh-token-${issued}` }
    }
    const server = await serve(({ body, headers, target }, json) => {
      if (target.startsWith("/auth/admin/login")) return json(open())
      if (target.startsWith("/auth/login")) return json({ sessionId: "s1" })
      if (target.startsWith("/auth/renew"))
        return JSON.parse(body).refresh === `refresh-token-${issued}` ? json(open()) : json({}, 401)
      const { authorization = "" } = headers
      return authorization !== `Bearer ${present}` || isRefused(target, authorization)
        ? json({ message: "ended" }, 401)
        : json({ _id: "u1" })
    })
    const asked = (path: string) => server.heard.filter(({ target }) => target.split("?")[0] === path).length
    return {
      ...server,
      end: () => {
        present = "none"
      },
      sessions: () => [asked("/auth/admin/login"), asked("/auth/renew")]
    }
  }
  const opaque = { ...definition, token: "opaque" } satisfies Platform.Definition

  test("is renewed so each time that it has ended, and never by the password", async () => {
    const { end, sessions, url } = await renewing()
    const { admin } = adminOf(url, opaque)
    await admin.users.get({ id: "u1" })
    for (let ends = 1; ends <= 4; ends++) {
      end()
      await admin.users.get({ id: "u1" })
      await admin.roles.get({ id: "r1" })
      expect(sessions()).toEqual([1, ends])
    }
  })

  test("is signed in to anew where renewing has not helped a call, though others are accepted", async () => {
    const helped = new Set(["Bearer opaque-token-1", "Bearer opaque-token-3"])
    const { sessions, url } = await renewing(
      (target, authorization) => target.startsWith("/auth/user/") && !helped.has(authorization)
    )
    const { admin } = adminOf(url, opaque)
    await admin.roles.get({ id: "r1" })
    helped.delete("Bearer opaque-token-1")
    expect(await admin.users.get({ id: "u1" })).toMatchObject({ _id: "u1" })
    expect(sessions()).toEqual([2, 1])
  })

  test("and refused whatever is done is asked for a bounded number of times", async () => {
    const { heard, sessions, url } = await renewing(() => true)
    const { admin } = adminOf(url, opaque)
    for (let call = 0; call < 10; call++)
      expect(await failureOf(admin.users.get({ id: `u${call}` }))).toMatchObject({ _tag: "Unauthenticated" })
    expect(sessions()).toEqual([2, 1])
    // The first is sent with each of the three sessions.
    expect(heard.filter(({ target }) => target.startsWith("/auth/user/"))).toHaveLength(3 + 9)
  })

  describe("that something else than a field carries", () => {
    /** What a platform hears that keeps its refresh tokens there, and rolls them. */
    const renewedBy = async (signIn: Platform.SignIn, more: Partial<Platform.Definition> = {}) => {
      let issued = 0
      const server = await serve(({ headers, target }, json) => {
        if (/^\/auth\/(admin\/login|renew)/.test(target)) {
          issued += 1
          return json({ accessToken: `opaque-token-${issued}`, rt: `refresh-text-${issued}` }, 200, {
            "set-cookie": `rt=refresh-cookie-${issued}; Path=/auth/renew; HttpOnly`
          })
        }
        return headers.authorization === `Bearer opaque-token-${issued}`
          ? json({ _id: "u1" })
          : json({ message: `not ${JSON.stringify(headers)}` }, 401)
      })
      const { admin, exchanges } = adminOf(server.url, {
        token: "opaque",
        ...more,
        signIn: { legacy: false, ...signIn, admin: { sessionId: false, ...signIn.admin } }
      })
      for (let ends = 0; ends < 3; ends++) {
        await admin.users.get({ id: "u1" })
        issued += 10
      }
      const renewals = server.heard.filter(({ target }) => target.startsWith("/auth/renew"))
      const others = server.heard.filter((one) => !renewals.includes(one))
      expect(others.filter(({ target }) => target.startsWith("/auth/admin/login"))).toHaveLength(1)
      const shown = `${JSON.stringify(exchanges)} ${Tap.har(exchanges)}`
      for (const { headers, target } of others) {
        expect(JSON.stringify([headers, target])).not.toMatch(/refresh-(text|cookie)/)
        expect(headers).not.toHaveProperty("cookie")
      }
      for (const kind of ["text", "cookie"])
        if (renewals.some((one) => JSON.stringify(one).includes(`refresh-${kind}-1`)))
          for (const at of [1, 12]) expect(shown).not.toContain(`refresh-${kind}-${at}`)
      expect(JSON.stringify(server.heard)).not.toContain(unseen)
      return renewals
    }

    test.each<readonly [string, Platform.SignIn, string]>([
      ["the sign-in", { admin: { refreshToken: { cookie: "rt" } }, refresh: { path: "auth/renew" } }, "{}"],
      ["the call", { refresh: { path: "auth/renew", carrier: { cookie: "rt" } } }, "{}"],
      [
        "its answer beside other parts",
        {
          admin: { refreshToken: { cookie: "rt" } },
          refresh: { path: "auth/renew", answer: { accessToken: "accessToken" } }
        },
        "{}"
      ],
      [
        "a field too",
        { admin: { refreshToken: { cookie: "rt" } }, refresh: { path: "auth/renew", field: "token" } },
        '{"token":"refresh-cookie-1"}'
      ]
    ])("is sent as the cookie, and as its latest value, where %s says so", async (_, signIn, body) => {
      const renewals = await renewedBy(signIn)
      expect(renewals.map(({ headers }) => headers.cookie)).toEqual([
        "rt=refresh-cookie-1",
        "rt=refresh-cookie-12"
      ])
      expect(renewals[0]?.body).toBe(body)
    })

    test.each<
      readonly [
        string,
        Platform.Refresh["carrier"],
        (heard: { target: string; headers: object }) => unknown,
        unknown
      ]
    >([
      [
        "a header",
        { header: "authorization", scheme: "Bearer" },
        ({ headers }) => headers,
        expect.objectContaining({ authorization: "Bearer refresh-text-1" })
      ],
      ["a parameter", { query: "refresh" }, ({ target }) => target, "/auth/renew?refresh=refresh-text-1"]
    ])("is sent in %s", async (_, carrier, read, sent) => {
      const [first] = await renewedBy({
        admin: { refreshToken: "rt" },
        refresh: { path: "auth/renew", ...(carrier === undefined ? {} : { carrier }) }
      })
      expect(first === undefined ? undefined : read(first)).toEqual(sent)
      expect(first?.body).toBe("{}")
    })
  })

  describe("and was kept past the end of its token", () => {
    const at = (seconds: number): string =>
      jwt({ sub: "ada", exp: Math.floor(Date.now() / 1_000) + seconds, p: { "*": { "*": 9 } } })
    /** A client that finds such a session in its store, and the targets and bodies that it then asks. */
    const restarted = async (stored: object, refresh: (body: string) => readonly [object, number]) => {
      const server = await serve(({ body, target }, json) => {
        if (target.startsWith("/auth/admin/login")) return json({ accessToken: at(3_600), refresh: "r1" })
        if (target.startsWith("/auth/renew")) return json(...refresh(body))
        if (target.startsWith("/auth/login")) return json({ sessionId: "s2" })
        json({ _id: "u1" })
      })
      const kept = new Map<string, string>()
      const store = sessionStoreOver({
        get: (key) => Effect.sync(() => Option.fromNullable(kept.get(key))),
        set: (key, text) => Effect.sync(() => void kept.set(key, text)),
        remove: (key) => Effect.sync(() => void kept.delete(key))
      })
      const first = adminOf(server.url, definition, { sessionStore: store })
      await first.admin.users.get({ id: "u1" })
      for (const [key, text] of kept) kept.set(key, JSON.stringify({ ...JSON.parse(text), ...stored }))
      const before = server.heard.length
      const { admin, exchanges } = adminOf(server.url, definition, { sessionStore: store })
      await admin.users.get({ id: "u1" })
      const heard = server.heard.slice(before)
      const asked = heard.map(({ target }) => target.split("?")[0])
      return { asked, exchanges, heard, kept: [...kept.values()].map((text) => JSON.parse(text)) }
    }

    test("is renewed without the password", async () => {
      const { asked, heard, kept } = await restarted({ accessToken: at(-60) }, (body) => [
        { accessToken: at(3_600), refresh: `after ${JSON.parse(body).refresh}` },
        200
      ])
      expect(asked).toEqual(["/auth/renew", "/auth/user/u1"])
      expect(heard[0]?.body).toBe('{"refresh":"r1"}')
      expect(heard[1]?.headers["x-session-id"]).toBe("s2")
      expect(kept).toMatchObject([{ refreshToken: "after r1", sessionId: "s2" }])
    })

    test("and refused leads to a sign-in, and is shown nowhere", async () => {
      const { asked, exchanges } = await restarted(
        { accessToken: at(-60), refreshToken: "kept-refresh-token" },
        () => [{ message: "no kept-refresh-token" }, 401]
      )
      expect(asked.sort()).toEqual(["/auth/admin/login", "/auth/login", "/auth/renew", "/auth/user/u1"])
      expect(JSON.stringify(exchanges)).not.toContain("kept-refresh-token")
    })

    test("leads to a sign-in where nothing renews it", async () => {
      const { asked } = await restarted({ accessToken: at(-60), refreshToken: undefined }, () =>
        expect.unreachable("there is nothing to renew it by")
      )
      expect(asked.sort()).toEqual(["/auth/admin/login", "/auth/login", "/auth/user/u1"])
    })
  })

  test.each<[what: string, answer: Parameters<typeof serve>[0]]>([
    ["answers nothing, and may have used the token up", ({ hangUp }) => hangUp()],
    ["does not answer", () => undefined],
    ["answers a fault", (_, json) => json({ message: "no" }, 500)],
    ["answers no token", (_, json) => json({})],
    ["answers a page", (_, json) => json("<html>")]
  ])("is asked for once, and a platform that %s is signed in to anew", async (_, answer) => {
    let isOld = true
    const server = await serve((heard, json, response) => {
      const { target } = heard
      if (target.startsWith("/auth/admin/login"))
        return json({ accessToken: token(isOld ? "ada" : "anew"), refresh: "r1" })
      if (target.startsWith("/auth/renew")) {
        isOld = false
        return answer(heard, json, response)
      }
      if (target.startsWith("/auth/login")) return json({ sessionId: "s1" })
      const isAnew = heard.headers.authorization === `Bearer ${token("anew")}`
      isAnew ? json({ _id: "u1" }) : json({ message: "ended" }, 401)
    })
    const { admin } = adminOf(server.url, definition, {
      signInCooldown: 0,
      policy: { deadline: "9 seconds" }
    })
    expect(await admin.users.get({ id: "u1" })).toMatchObject({ _id: "u1" })
    expect(server.heard.filter(({ target }) => target.startsWith("/auth/renew"))).toHaveLength(1)
  })

  test("is forgotten with a sign-out", async () => {
    let isRefusing = false
    const server = await serve(({ target }, json) => {
      if (target.startsWith("/auth/admin/login")) return json({ accessToken: token("ada"), refresh: "r1" })
      if (target.startsWith("/auth/renew")) return json({ accessToken: token("renewed") })
      if (target.startsWith("/auth/login")) return json({ sessionId: "s1" })
      isRefusing ? json({}, 401) : json({ _id: "u1" })
    })
    const { admin } = adminOf(server.url, definition, { signInCooldown: 0 })
    await admin.users.get({ id: "u1" })
    isRefusing = true
    await failureOf(admin.users.get({ id: "u1" }))
    await admin.session.signOut()
    isRefusing = false
    const before = server.heard.length
    await admin.users.get({ id: "u1" })
    expect(
      server.heard
        .slice(before)
        .map(({ target }) => target.split("?")[0])
        .sort()
    ).toEqual(["/auth/admin/login", "/auth/login", "/auth/user/u1"])
  })
})

describe("a session that is none of the program's", () => {
  const orders = () =>
    serve(({ target }, json) => json(target.startsWith("/auth") ? { user: { _id: "u1" } } : { _id: "o1" }))

  test.each<readonly [string, Platform.Definition]>([
    ["is never sent", { credentials: { session: false } }],
    ["is never answered", { signIn: { endUser: { sessionId: false } } }]
  ])("of an end user, as it %s, is given as empty text, and sent nowhere", async (_, definition) => {
    const server = await orders()
    const place = {
      baseUrl: server.url,
      apiKey: "key-1",
      platform: Platform.make(definition),
      logDrift: false
    }
    const given = createEndUserClient({ ...place, sessionId: "" })
    const signedIn = await signInEndUser({ ...place, email: "ana@example.com", password: "a good password" })
    for (const client of [given, signedIn]) {
      onTestFinished(() => client.close())
      expect(await client.orders.get({ id: "o1" })).toMatchObject({ _id: "o1" })
      expect(server.heard.at(-1)?.headers).toMatchObject({ "x-api-key": "key-1" })
      expect(server.heard.at(-1)?.headers).not.toHaveProperty("x-session-id")
    }
  })

  test("is missing all the same where its platform says nothing of it", () => {
    const make = () =>
      createEndUserClient({
        baseUrl: "http://127.0.0.1:9",
        apiKey: "k",
        sessionId: "",
        platform: Platform.make({})
      })
    expect(make).toThrow("sessionId is missing")
  })
})

describe("what an admin may do", () => {
  const login = (permissions: unknown) => async () =>
    serve(({ target }, json) =>
      target.startsWith("/auth")
        ? json({
            accessToken: jwt({ sub: "ada", email: "ada@example.com", rights: permissions }),
            sessionId: "s1"
          })
        : json({ _id: "u1" })
    )
  const refusal = async (permissions: unknown, token: Platform.Token) => {
    const server = await login(permissions)()
    const { admin } = adminOf(server.url, { token }, { permissions: "intended" })
    return failureOf(admin.users.get({ id: "u1" }))
  }

  test("is said by a function whose failure names it, and shows nothing of what it read", async () => {
    const error = await refusal("a-private-claim", {
      permissions: ({ rights }) => {
        throw new TypeError(`no ${String(rights)}`)
      }
    })
    expect(error).toMatchObject({ _tag: "CredentialsError", reason: "Malformed" })
    expect(String(error)).toContain("token.permissions of the platform threw a TypeError")
    expect(String(error)).not.toContain("a-private-claim")
  })

  const mustBeMap = "must be an object of resource to action to level"
  test.each<readonly [unknown, Platform.Claim, string]>([
    [["users:read"], "rights", mustBeMap],
    ["users:read", "rights", mustBeMap],
    [{}, async () => ({}), "answered a Promise"]
  ])("is no %j", async (permissions, claim, rule) => {
    const error = await refusal(permissions, { permissions: claim })
    expect(String(error)).toContain(`token.permissions of the platform ${rule}`)
  })

  test("in a word that nothing says the level of is nothing, and the error names the word", async () => {
    const error = await refusal({ users: { "*": "owner" } }, { permissions: "rights", levels: { view: 1 } })
    expect(error).toMatchObject({ _tag: "PermissionDenied", reason: "Grant", level: 0, word: "owner" })
    expect(String(error)).toContain('found users.* = "owner", which is no level')
  })
})

describe("a project in the host", () => {
  test("is where a call goes that fails, and what its error names", async () => {
    const asked: Array<string> = []
    const transport: typeof Transport.Service = {
      start: ({ origin }, settle) => {
        asked.push(origin)
        settle({
          _tag: "Failed",
          reason: "Unresolved",
          cause: new Error("getaddrinfo ENOTFOUND"),
          sent: false
        })
        return () => true
      }
    }
    const { admin } = adminOf(
      "https://api.example.com:8443",
      { credentials: { project: { host: "{projectId}.api.example.com" } } },
      { transport, policy: { attempts: 1 } }
    )
    const error = await failureOf(admin.users.get({ id: "u1" }))
    expect(error).toMatchObject({ _tag: "NetworkError", origin: "https://p1.api.example.com:8443" })
    expect(new Set(asked)).toEqual(
      new Set(["https://p1.api.example.com:8443", "https://api.example.com:8443"])
    )
  })
})

describe("an answer", () => {
  test("that is narrowed by a caller's own schema is translated by what its call declares", async () => {
    const server = await serve(({ target }, json) =>
      target.startsWith("/auth/admin/login") || target.startsWith("/auth/login")
        ? json({ accessToken: token("ada"), sessionId: "s1" })
        : json({ id: 5, full_name: "Ana", created_at: 1_700_000_000 })
    )
    const { admin } = adminOf(server.url, {
      entities: { id: "id", numericIds: true, names: "snake_case" },
      dates: "seconds"
    })
    const Mine = Schema.Struct({
      _id: Schema.String,
      fullName: Schema.String,
      createdAt: Schema.Date
    })
    const { _id, createdAt, fullName } = await admin.users.get.as(Mine)({ id: "u1" })
    expect([_id, fullName, createdAt]).toEqual(["5", "Ana", new Date(1_700_000_000_000)])
  })
})

describe("a write", () => {
  const write = (definition: Platform.Definition) => {
    const admin = createAdminClient({
      baseUrl: "http://127.0.0.1:9",
      ...account,
      platform: Platform.make(definition)
    })
    onTestFinished(() => admin.close())
    return failureOf(admin.users.update({ id: "u1", payload: { fullName: "Ada" } }))
  }

  test.each<readonly [string, Platform.Definition, string]>([
    ["would lose a field", { entities: { fields: { fullName: "email" } } }, "platform.entities"],
    ["is wrapped in nothing", { entities: { wrap: () => undefined } }, "platform.entities.wrap"],
    ["is wrapped in a Promise", { entities: { wrap: async (body) => body } }, "platform.entities.wrap"],
    [
      "is wrapped by a function that throws",
      {
        entities: {
          wrap: () => {
            throw new Error("no")
          }
        }
      },
      "platform.entities.wrap"
    ],
    [
      "has a header that no header can be",
      { credentials: { csrf: { header: "x-csrf", value: () => "a\nb" } } },
      "platform.credentials.csrf.value"
    ]
  ])("that %s is refused, and nothing is sent", async (_, definition, field) => {
    expect(await write(definition)).toMatchObject({ _tag: "InputError", field })
  })
})
