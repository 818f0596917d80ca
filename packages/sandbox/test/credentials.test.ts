/** Who may call what: credentials, audiences, permissions and input are checked as a platform checks them. */

import { expect } from "@effect/vitest"
import { Input } from "@quartet/sdk"
import * as Admin from "@quartet/sdk/admin"
import * as EndUser from "@quartet/sdk/end-user"
import * as Private from "@quartet/sdk/private"
import * as Public from "@quartet/sdk/public"
import {
  adminHeaders,
  adminLayer,
  answers,
  bare,
  post,
  refused,
  rejected,
  served,
  story
} from "@quartet/support/clients.js"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { accounts } from "../index.js"
import { slices } from "../slices/index.js"

const project = `projectId=${accounts.projectId}`
const key = { "x-api-key": accounts.apiKey }

served("every call that is not a sign-in refuses a request without credentials: 401", function* ({ url }) {
  const guarded = slices
    .map(({ operation }) => operation.declaration())
    .filter(({ credentials }) => credentials !== "none")
  expect(guarded.length).toBeGreaterThan(130)
  for (const { method, path } of guarded) {
    // The legacy sign-in has the address of the visitor's, and needs no credentials.
    if (method === "POST" && path === "auth/login") continue
    const { json: body, status } = yield* bare(`${url}/${path.replaceAll(/\{\w+\}/g, "x")}`, { method })
    expect([method, path, status, body.error?.code]).toEqual([method, path, 401, "unauthenticated"])
  }
})

// Spec 1.2, 1.3, 1.4, 1.5, 6.10
story("each client is served by its own credentials, and refused by another's", function* ({ url }) {
  yield* Admin.projects.list()
  yield* Public.project.self()
  yield* Private.project.self()
  yield* EndUser.auth.self()
  const wrong = Layer.mergeAll(
    Public.layer({ baseUrl: url, apiKey: accounts.privateKey }),
    Private.layer({ baseUrl: url, privateKey: accounts.apiKey }),
    EndUser.layer({ baseUrl: url, apiKey: accounts.apiKey, sessionId: "5".repeat(24) })
  )
  yield* Effect.gen(function* () {
    yield* refused(Public.project.self(), "Unauthenticated")
    yield* refused(Private.project.self(), "Unauthenticated")
    yield* refused(EndUser.auth.self(), "Unauthenticated")
  }).pipe(Effect.provide(wrong))
})

served.each<readonly [string, string, Record<string, string>]>([
  ["a wrong API key", "project/self", { "x-api-key": "qk_public_wrong" }],
  ["a wrong private key", "project/self", { "x-private-key": "qk_private_wrong" }],
  ["a session without its API key", "auth/self", { "x-session-id": "5".repeat(24) }],
  ["a session that does not exist", "auth/self", { ...key, "x-session-id": "5".repeat(24) }],
  [
    "a bearer that is no token",
    `projects?${project}`,
    { authorization: "Bearer nonsense", "x-session-id": "x" }
  ],
  ["another scheme than bearer", `projects?${project}`, { authorization: "Basic YTpi" }]
])("%s is refused: 401", function* ([, path, headers], { url }) {
  const answer = yield* bare(`${url}/${path}`, { headers })
  expect(answer.status).toBe(401)
  expect(answer.json.error?.code).toBe("unauthenticated")
  expect(answer.headers.get("www-authenticate")).toContain("Bearer")
})

served("an admin needs the token and the session, and both must be the same admin's", function* ({ url }) {
  const admin = yield* adminHeaders(url)
  const viewer = yield* adminHeaders(url, accounts.viewer)
  const list = (headers: Record<string, string>) => bare(`${url}/projects?${project}`, { headers })
  expect((yield* list(admin)).status).toBe(200)
  expect((yield* list({ authorization: admin.authorization })).status).toBe(401)
  expect((yield* list({ ...admin, "x-session-id": viewer["x-session-id"] })).status).toBe(401)
  const [header, payload = "", signature] = admin.authorization.split(".")
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString())
  const forged = Buffer.from(JSON.stringify({ ...claims, name: "Somebody" })).toString("base64url")
  for (const token of [`${header}.${forged}.${signature}`, `${header}.${payload}.`])
    expect((yield* list({ ...admin, authorization: token })).status).toBe(401)
})

// Spec admin.auth.login, admin.auth.legacyLogin
story("both sign-ins of an admin answer: the token with its user, and the session", function* () {
  const { accessToken, user } = yield* Admin.auth.login(accounts.admin)
  expect(accessToken.split(".")).toHaveLength(3)
  expect(user).toMatchObject({ email: accounts.admin.email })
  expect((yield* Admin.auth.legacyLogin(accounts.admin)).sessionId).not.toBe("")
})

served("a wrong password is refused on all three sign-ins: 401", function* ({ url }) {
  const account = { email: accounts.admin.email, password: "wrong" }
  for (const [path, headers] of [["auth/admin/login"], ["auth/login"], ["auth/login", key]] as const) {
    const answer = yield* post(`${url}/${path}`, account, headers)
    expect([answer.status, answer.json.error?.message]).toEqual([401, "the e-mail or the password is wrong"])
  }
})

// Spec 1.9, 6.7
served("a call of another audience is refused: 403, naming whom it serves", function* ({ url }) {
  const visitor = yield* bare(`${url}/auth/user`, { headers: key })
  expect([visitor.status, visitor.json.error?.message]).toEqual([
    403,
    "this call serves admin, not the public client"
  ])
  const program = yield* bare(`${url}/notification`, {
    headers: { "x-private-key": accounts.privateKey }
  })
  expect(program.status).toBe(403)
  const admin = yield* bare(`${url}/v1/box?${project}`, { headers: yield* adminHeaders(url) })
  expect(admin.status).toBe(403)
})

story("an admin whose roles only let them read is refused every change: 403", function* ({ url }) {
  const { items } = yield* Admin.requests.list({ limit: 1 })
  const id = items[0]?._id ?? ""
  const comment = Admin.requests.addComment({ id, payload: { text: "Hello" } })
  const denied = yield* Effect.flip(comment).pipe(Effect.provide(adminLayer(url, accounts.viewer)))
  expect(denied).toMatchObject({ _tag: "PermissionDenied", reason: "Server", status: 403 })
  expect((yield* Admin.requests.get({ id })).comments).toEqual(items[0]?.comments)
})

served("the token of a sign-in names the admin and carries what their roles allow", function* ({ url }) {
  const claims = (account: { email: string; password: string }) =>
    Effect.map(adminHeaders(url, account), ({ authorization }) =>
      JSON.parse(Buffer.from(authorization.split(".")[1] ?? "", "base64url").toString())
    )
  expect(yield* claims(accounts.admin)).toMatchObject({
    email: accounts.admin.email,
    name: "Tamar Chikovani",
    p: { "*": { "*": 9 } },
    exp: expect.any(Number),
    sub: expect.stringMatching(/^[0-9a-f]{24}$/)
  })
  expect((yield* claims(accounts.viewer)).p).toEqual({ "*": { "*": 1 } })
  expect((yield* claims({ email: "support@quartet.test", password: "support-password" })).p).toMatchObject({
    "*": { "*": 1 },
    requests: { "*": 3 }
  })
})

served("an unknown address is 404; with another method it says which it knows", function* ({ url }) {
  const unknown = yield* bare(`${url}/no/such/call`, { headers: key })
  expect([unknown.status, unknown.json.error?.code]).toEqual([404, "not_found"])
  const wrongMethod = yield* bare(`${url}/auth/signup`, { headers: key })
  expect(wrongMethod.status).toBe(404)
  expect(wrongMethod.json.error?.message).toContain("POST")
})

// Spec 7.2
story(
  "an admin's call names the project, in its path or else in its query: 400 without it, 404 for another one",
  function* ({ url }) {
    // What every client sends is held to the platform's list, with the project where it belongs.
    yield* Admin.requests.list({ limit: 1 })
    yield* Admin.providers.list()
    const headers = yield* adminHeaders(url)
    const without = yield* bare(`${url}/request-action`, { headers })
    expect([without.status, without.json.error?.field]).toEqual([400, "projectId"])
    expect((yield* bare(`${url}/request-action?projectId=other`, { headers })).status).toBe(404)
    expect((yield* bare(`${url}/project/other/provider`, { headers })).status).toBe(404)
  }
)

served.each([
  ["a body that is not JSON", "auth/login", "{", "body"],
  ["a body that is not an object", "auth/login", "[]", "body"],
  ["a field that is missing", "auth/login", '{"email":"a@b"}', "password"],
  ["a field of the wrong type", "auth/login", '{"email":"a@b","password":7}', "password"],
  ["a field that is not known", "auth/login", '{"email":"a@b","password":"c","extra":1}', "extra"],
  ["no body at all", "auth/signup", "", "body"],
  ["a body field that its schema refuses", "v1/box", '{"type":7}', "type"]
] as const)("%s is refused: 400, naming the field", function* ([, path, body, field], { url }) {
  const answer = yield* post(`${url}/${path}`, body, key)
  const { code, field: named } = answer.json.error ?? {}
  expect([answer.status, code, named]).toEqual([400, "bad_request", field])
})

served.each([
  ["a page that is no number", "page=x", "page"],
  ["a page before the first", "page=0", "page"],
  ["a limit beyond the highest", "limit=501", "limit"],
  ["a sort by a field that is not there", "sort=-colour", "sort"],
  ["a filter by a field that is not there", "colour=red", "colour"],
  ["a time that is no date", "from=yesterday", "from"]
] as const)("%s is refused: 400, naming the field", function* ([, query, field], { url }) {
  const headers = { "x-private-key": accounts.privateKey }
  const answer = yield* bare(`${url}/ecommerce/item?${query}`, { headers })
  expect([answer.status, answer.json.error?.field]).toEqual([400, field])
})

story("every answer carries a request id, which errors of the clients show", function* ({ url }) {
  const failed = yield* Effect.flip(Public.boxes.get({ id: "nothing" }))
  expect(failed).toMatchObject({ _tag: "NotFound", requestId: expect.stringMatching(/^sandbox-\d{6}$/) })
  const { headers } = yield* bare(`${url}/project/self`, { headers: key })
  expect(headers.get("x-request-id")).toMatch(/^sandbox-/)
})

// Spec public.auth.signup, endUser.auth.update
story("a visitor signs up, becomes an end user, and changes name and password", function* ({ url }) {
  const account = { email: "new@example.test", password: "first" }
  const { sessionId, user } = yield* Public.auth.signup({
    payload: { ...account, fullName: "New Person" }
  })
  expect(JSON.stringify(user)).not.toContain("first")
  yield* refused(Public.auth.signup({ payload: account }), "Conflict")

  yield* Effect.gen(function* () {
    yield* answers(EndUser.auth.self(), { email: account.email, fullName: "New Person" })
    yield* EndUser.auth.update({ payload: Input.raw({ fullName: "Newer Person", status: "admin" }) })
    yield* answers(EndUser.auth.self(), { fullName: "Newer Person", status: "active" })
    yield* rejected(EndUser.auth.updatePassword({ oldPassword: "no", newPassword: "second" }), "oldPassword")
    yield* EndUser.auth.updatePassword({ oldPassword: "first", newPassword: "second" })
  }).pipe(
    Effect.provide(EndUser.layer({ baseUrl: url, apiKey: accounts.apiKey, sessionId: sessionId ?? "" }))
  )

  yield* refused(Public.auth.login(account), "Unauthenticated")
  expect((yield* Public.auth.login({ ...account, password: "second" })).sessionId).toBeTruthy()
})
