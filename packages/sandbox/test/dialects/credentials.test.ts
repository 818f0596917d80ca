/** Sign-ins, tokens and credentials of dialects, by bare requests. */
import { expect } from "@effect/vitest"
import { served } from "@quartet/support/clients.js"
import { Effect } from "effect"
import { accounts } from "../../index.js"
import { account, ask, at, key, project, renamedAccount, textAt, twoSignIns } from "./wire.js"

const signIn = (url: string, body: object, headers: Record<string, string> = {}) =>
  ask(url, "/auth/admin/login", { method: "POST", body, headers })

const ana = { username: accounts.endUsers.ana.email, pass: accounts.endUsers.ana.password }

served.with({ dialect: { signIn: "one" } })(
  "one sign-in serves both services: admins carry the token alone",
  function* ({ control, url }) {
    expect((yield* signIn(url, account)).status).toBe(400)
    const { body } = yield* signIn(url, renamedAccount)
    expect(at(body, "data")).toMatchObject({ token: { expires_in: 43_200 }, user: { email: account.email } })
    const headers = { authorization: `Bearer ${textAt(body, "data.token.access")}` }
    expect((yield* ask(url, `/projects?${project}`, { headers })).status).toBe(200)
    expect((yield* ask(url, `/project/${accounts.projectId}`, { headers })).status).toBe(200)
    control.expireSessions()
    expect((yield* ask(url, `/projects?${project}`, { headers })).status).toBe(401)
  }
)

served.with({ dialect: { signIn: "one" } })("end users find their session in its place", function* ({ url }) {
  const { body } = yield* ask(url, "/auth/login", { method: "POST", headers: key, body: ana })
  const headers = { ...key, "x-session-id": textAt(body, "data.session.id") }
  const self = yield* ask(url, "/auth/self", { headers })
  expect(at(self.body, "email")).toBe(ana.username)
  const signup = yield* ask(url, "/auth/signup", {
    method: "POST",
    headers: key,
    body: { email: "new@quartet.test", password: "of-their-own" }
  })
  expect(at(signup.body, "data.session.id")).toEqual(expect.any(String))
})

served.with({ dialect: "sessions" })("a session alone is all that an admin has", function* ({ url }) {
  const { body } = yield* signIn(url, renamedAccount)
  expect(body).toMatchObject({ session: {}, account: { email: account.email } })
  const list = yield* ask(url, `/projects?${project}`, {
    headers: { "x-session": textAt(body, "session.key") }
  })
  expect(at(list.body, "projects.0._id")).toBe(accounts.projectId)
  const client = { "x-client-key": accounts.apiKey }
  const login = yield* ask(url, "/auth/login", { method: "POST", headers: client, body: ana })
  const headers = { ...client, "x-session": textAt(login.body, "session.key") }
  expect((yield* ask(url, "/auth/self", { headers })).status).toBe(200)
})

served.with({ dialect: "cookie" })("a session is a cookie, and writes need a header", function* ({ url }) {
  const { body, headers } = yield* signIn(url, renamedAccount, { origin: "http://localhost:5173" })
  const cookie = headers.get("set-cookie") ?? ""
  expect(cookie).toMatch(/^quartet_session=\w+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax$/)
  expect(headers.get("access-control-allow-credentials")).toBe("true")
  expect([Object.keys(Object(body)), at(body, "account.email")]).toEqual([["account"], account.email])
  const sent = { cookie: `other=1; ${cookie.split(";")[0] ?? ""}` }
  expect((yield* ask(url, `/projects?${project}`, { headers: sent })).status).toBe(200)
  const write = (more: Record<string, string>) =>
    ask(url, `/auth/role?${project}`, {
      method: "POST",
      headers: { ...sent, ...more },
      body: { name: "Desk", permissions: [] }
    })
  expect((yield* write({})).status).toBe(403)
  expect((yield* write({ "x-csrf-protection": "1" })).status).toBe(201)
  const ended = { cookie: "quartet_session=ended", ...key }
  expect((yield* ask(url, "/auth/self", { headers: ended })).status).toBe(401)
  const again = yield* ask(url, "/auth/login", {
    method: "POST",
    headers: { ...ended, "x-csrf-protection": "1" },
    body: ana
  })
  const own = again.headers.get("set-cookie")?.split(";")[0] ?? ""
  const self = yield* ask(url, "/auth/self", { headers: { ...key, cookie: own } })
  expect(at(self.body, "email")).toBe(ana.username)
})

served.with({ dialect: "opaque" })(
  "an opaque token is short-lived, and renewed once by each refresh token",
  function* ({ control, url }) {
    const { body } = yield* signIn(url, renamedAccount)
    expect(at(body, "data.token")).toMatchObject({
      access: expect.stringMatching(/^at_/),
      refresh: expect.stringMatching(/^rt_/),
      expires_in: 900
    })
    const refresh = (token: string) =>
      ask(url, "/auth/refresh", { method: "POST", body: { refresh_token: token } })
    const list = (token: string) =>
      ask(url, "/projects", {
        headers: { authorization: `Bearer ${token}`, "x-project": accounts.projectId }
      })
    const first = textAt(body, "data.token.refresh")
    const renewed = yield* refresh(first)
    expect((yield* list(textAt(renewed.body, "data.token.access"))).status).toBe(200)
    expect((yield* refresh(first)).status).toBe(401)
    expect((yield* list("at_none")).status).toBe(401)
    control.expireSessions()
    expect((yield* refresh(textAt(renewed.body, "data.token.refresh"))).status).toBe(401)
    expect((yield* list(textAt(renewed.body, "data.token.access"))).status).toBe(401)
    expect(control.log().map(({ path }) => path)).toContain("/auth/refresh")
  }
)

served.with({ dialect: { token: "opaque" } })(
  "an opaque token of two sign-ins needs the session",
  function* ({ url }) {
    const headers = yield* twoSignIns(url)
    expect(headers.authorization).toMatch(/^Bearer at_/)
    expect((yield* ask(url, `/projects?${project}`, { headers })).status).toBe(200)
    const { authorization } = headers
    expect((yield* ask(url, `/projects?${project}`, { headers: { authorization } })).status).toBe(401)
  }
)

served.with({ dialect: { token: "other-claims" } })(
  "a token has other claims: a subject that is a number, and levels that are words",
  function* ({ url }) {
    const headers = yield* twoSignIns(url)
    const [, claims = ""] = headers.authorization.split(".")
    expect(JSON.parse(Buffer.from(claims, "base64url").toString())).toEqual({
      sub: expect.any(Number),
      preferred_username: account.email,
      display_name: expect.any(String),
      scope: "*:*:admin",
      iat: expect.any(Number),
      exp: expect.any(Number)
    })
    expect((yield* ask(url, `/projects?${project}`, { headers })).status).toBe(200)
  }
)

served.with({ dialect: { credentials: "token-scheme" } })(
  "the scheme is Token, and no other",
  function* ({ url }) {
    const { authorization, "x-session-id": session } = yield* twoSignIns(url)
    const list = (value: string) =>
      ask(url, `/projects?${project}`, { headers: { authorization: value, "x-session-id": session } })
    expect((yield* list(authorization.replace("Bearer", "Token"))).status).toBe(200)
    expect((yield* list(authorization)).status).toBe(401)
  }
)

served.with({ dialect: { credentials: "headers" } })(
  "credentials have headers of their own",
  function* ({ control, url }) {
    const { authorization, "x-session-id": session } = yield* twoSignIns(url)
    const headers = { "x-auth-token": authorization.replace("Bearer ", ""), "x-session": session }
    expect((yield* ask(url, `/projects?${project}`, { headers })).status).toBe(200)
    expect(control.log().at(-1)?.headers).toMatchObject({ "x-auth-token": "•••", "x-session": "•••" })
    const statuses = yield* Effect.all(
      [key, { "x-client-key": accounts.apiKey }, { "x-server-key": accounts.privateKey }].map((sent) =>
        Effect.map(
          ask(url, "/project/self", { headers: sent as Record<string, string> }),
          ({ status }) => status
        )
      )
    )
    expect(statuses).toEqual([401, 200, 200])
  }
)

served.with({ dialect: { credentials: "query-key" } })(
  "the API key is a parameter, which the log masks",
  function* ({ control, url }) {
    const { status } = yield* ask(url, `/v1/box?limit=1&api_key=${accounts.apiKey}`)
    expect(status).toBe(200)
    expect(control.log().at(-1)?.query).toBe("limit=1&api_key=•••")
    expect((yield* ask(url, "/v1/box", { headers: key })).status).toBe(401)
  }
)

for (const { at: place, dialect, sent } of [
  { dialect: "parameter", at: `/projects?project=${accounts.projectId}`, sent: {} },
  { dialect: "header", at: "/projects", sent: { "x-project": accounts.projectId } },
  { dialect: "path", at: `/tenants/${accounts.projectId}/projects`, sent: {} },
  { dialect: "none", at: "/projects", sent: {} }
] as const)
  served.with({ dialect: { project: dialect } })(
    `the project is named by a request's ${dialect}, and not in today's place`,
    function* ({ url }) {
      const headers = yield* twoSignIns(url)
      const named = yield* ask(url, place, { headers: { ...headers, ...sent } })
      expect([named.status, at(named.body, "items.0._id")]).toEqual([200, accounts.projectId])
      const usual = yield* ask(url, `/projects?${project}`, { headers })
      expect([usual.status, at(usual.body, "error.field")]).toEqual([400, "projectId"])
    }
  )

served.with({ dialect: { idempotency: "x-write-key" } })(
  "a write is done once under the key of its own header",
  function* ({ control, url }) {
    const make = (name: string) =>
      ask(url, "/v1/box", {
        method: "POST",
        headers: { ...key, [name]: "k1" },
        body: { type: "QUIZ_RESULT" }
      })
    const first = yield* make("x-write-key")
    const again = yield* make("x-write-key")
    const other = yield* make("idempotency-key")
    expect(at(again.body, "_id")).toBe(at(first.body, "_id"))
    expect(at(other.body, "_id")).not.toBe(at(first.body, "_id"))
    expect(control.log().map(({ idempotencyKey, replayed }) => [idempotencyKey, replayed])).toEqual([
      ["k1", false],
      ["k1", true],
      [undefined, false]
    ])
  }
)

served.with({ dialect: { version: "x-api-version" } })(
  "a header with the version is required",
  function* ({ url }) {
    expect((yield* ask(url, "/project/self", { headers: key })).status).toBe(400)
    expect((yield* ask(url, "/project/self", { headers: { ...key, "x-api-version": "1" } })).status).toBe(400)
    expect((yield* ask(url, "/project/self", { headers: { ...key, "x-api-version": "2" } })).status).toBe(200)
  }
)
