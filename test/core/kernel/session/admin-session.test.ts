// How an admin proves who they are: both sign-ins, or a session that exists already (specification, points 4, 5 and 8).

import { inspect } from "node:util"
import { describe, expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Admin from "../../../../clients/admin/index.js"
import type { CredentialsError } from "../../../../core/kernel/errors/errors.js"
import type { Outcome, Request } from "../../../../core/ports/transport.js"
import { effect, live } from "../../../support/effect.js"
import * as Fake from "../../../support/fake-transport.js"
import { failed, json } from "../../../support/fake-transport.js"
import { claims, jwt } from "../../../support/jwt.js"

const token = jwt(claims)
const login = { email: "ada@example.test", password: "correct horse" }
const base = {
  baseUrl: "https://api.example.test/v9",
  legacyUrl: "https://old.example.test",
  projectId: "p1"
}

type Answers = Partial<Record<"auth.login" | "auth.legacyLogin" | "requests.get", Outcome>>

/** A platform that signs in, but for what it is told to answer otherwise. */
const platform = (answers: Answers = {}) => {
  const usual: Required<Answers> = {
    "auth.login": json(200, { accessToken: token, user: { _id: "admin-1" } }),
    "auth.legacyLogin": json(200, { sessionId: "session-1" }),
    "requests.get": json(200, { _id: "r1" })
  }
  return Fake.make(({ operation }) => {
    const all: Record<string, Outcome> = { ...usual, ...answers }
    return all[operation] ?? json(404, {})
  })
}

/** One call of an admin with these credentials, as a caller without types may write them. */
const call = (fake: Fake.Fake, config: object) =>
  Effect.flatMap(Admin.make({ ...base, ...config } as Admin.ClientConfig), (service) =>
    Effect.provideService(Admin.requests.get({ id: "r1" }), Admin.Client, service)
  ).pipe(Effect.provide(fake.layer))

const sent = (fake: Fake.Fake, operation: string): Request => {
  const found = fake.requests().find((request) => request.operation === operation)
  if (found === undefined) throw new Error(`${operation} was not sent`)
  return found
}

describe("an admin with an e-mail and a password", () => {
  effect("signs in on the new and on the legacy service, and sends both proofs", function* () {
    const fake = platform()
    yield* call(fake, login)
    expect(fake.exchanges).toHaveLength(3)
    const body = { _tag: "Json", text: '{"email":"ada@example.test","password":"correct horse"}' }
    expect(sent(fake, "auth.login")).toMatchObject({
      method: "POST",
      origin: "https://api.example.test",
      path: "/v9/auth/admin/login",
      headers: { accept: "application/json", "content-type": "application/json" },
      body
    })
    expect(sent(fake, "auth.legacyLogin")).toMatchObject({
      method: "POST",
      origin: "https://old.example.test",
      path: "/auth/login",
      body
    })
    expect(sent(fake, "requests.get").headers).toEqual({
      accept: "application/json",
      authorization: `Bearer ${token}`,
      "x-session-id": "session-1"
    })
  })

  effect("sends neither password nor e-mail with any other call", function* () {
    const fake = platform()
    yield* call(fake, login)
    expect(JSON.stringify(sent(fake, "requests.get"))).not.toMatch(/correct horse|ada@/)
  })

  effect("may give the password redacted, and name the headers otherwise", function* () {
    const fake = platform()
    yield* call(fake, {
      email: login.email,
      password: Redacted.make(login.password),
      headerNames: { authorization: "X-Token", session: "X-Session" }
    })
    expect(sent(fake, "requests.get").headers).toEqual({
      accept: "application/json",
      "x-token": `Bearer ${token}`,
      "x-session": "session-1"
    })
  })

  effect("may do what the token says, and nothing else", function* () {
    const fake = platform({
      "auth.login": json(200, { accessToken: jwt({ sub: "a", p: { orders: { "*": 9 } } }), user: {} })
    })
    expect(yield* Effect.flip(call(fake, login))).toMatchObject({
      _tag: "PermissionDenied",
      reason: "Grant",
      resource: "requests",
      action: "get"
    })
    expect(fake.exchanges).toHaveLength(2)
  })

  effect.each<readonly [string, Answers]>([
    ["401 from the new service", { "auth.login": json(401, { message: "correct horse is wrong" }) }],
    ["401 from the legacy service", { "auth.legacyLogin": json(401, {}) }],
    ["400", { "auth.login": json(400, {}) }],
    ["403", { "auth.login": json(403, {}) }],
    ["404", { "auth.legacyLogin": json(404, {}) }],
    ["422", { "auth.login": json(422, {}) }]
  ])("who is refused with %s is told to check them, and nothing of them is shown", function* ([, answers]) {
    const fake = platform(answers)
    const error = yield* Effect.flip(call(fake, login))
    expect(error).toMatchObject({ _tag: "CredentialsError", reason: "Rejected" })
    expect(error.message).toContain("check the e-mail and the password")
    expect(inspect(error) + error.message + JSON.stringify(error)).not.toMatch(/correct horse|ada@/)
    expect(fake.requests().map(({ operation }) => operation)).not.toContain("requests.get")
  })

  effect.each<readonly [string, Answers, object]>([
    [
      "an answer without a token",
      { "auth.login": json(200, { user: {} }) },
      { _tag: "AnswerError", field: "accessToken" }
    ],
    [
      "an answer without a session",
      { "auth.legacyLogin": json(200, {}) },
      { _tag: "AnswerError", field: "sessionId" }
    ],
    [
      "a token that cannot be read",
      { "auth.login": json(200, { accessToken: "opaque", user: {} }) },
      { _tag: "CredentialsError", reason: "Malformed" }
    ],
    [
      "a token that would forge a header",
      { "auth.login": json(200, { accessToken: `${token}\r\nx-evil: 1`, user: {} }) },
      { _tag: "CredentialsError", reason: "Malformed" }
    ],
    [
      "a session id that would forge a header",
      { "auth.legacyLogin": json(200, { sessionId: "s\r\nx-evil: 1" }) },
      { _tag: "CredentialsError", reason: "Malformed" }
    ]
  ])("gets no further with %s", function* ([, answers, error]) {
    const fake = platform(answers)
    expect(yield* Effect.flip(call(fake, login))).toMatchObject(error)
    expect(fake.requests().map(({ operation }) => operation)).not.toContain("requests.get")
  })

  live("is signed in after a fault that passes: both sign-ins may be repeated", function* () {
    let isFirst = true
    const fake = Fake.make(({ operation }) => {
      if (operation === "auth.legacyLogin") return json(200, { sessionId: "session-1" })
      if (operation === "requests.get") return json(200, { _id: "r1" })
      const outcome = isFirst ? failed("Reset") : json(200, { accessToken: token, user: {} })
      isFirst = false
      return outcome
    })
    yield* call(fake, { ...login, policy: { pause: 1 } })
    expect(fake.exchanges).toHaveLength(4)
  })
})

describe("an admin with a session", () => {
  effect("is only read from the token: nothing is sent to sign in", function* () {
    const fake = platform()
    yield* call(fake, { sessionId: "session-9", accessToken: Redacted.make(token) })
    expect(fake.exchanges).toHaveLength(1)
    expect(fake.at(0).request.headers).toMatchObject({
      authorization: `Bearer ${token}`,
      "x-session-id": "session-9"
    })
  })

  effect("that the platform refuses fails: there is nothing to renew it with", function* () {
    const fake = platform({ "requests.get": json(401, {}) })
    const error = yield* Effect.flip(call(fake, { sessionId: "s", accessToken: token }))
    expect(error).toMatchObject({ _tag: "Unauthenticated", status: 401 })
    expect(fake.exchanges).toHaveLength(1)
  })

  effect.each<readonly [string, object]>([
    ["a token that is none", { sessionId: "s", accessToken: "canary" }],
    ["a token with a line break", { sessionId: "s", accessToken: `${token}\ncanary` }],
    ["a session id with a blank", { sessionId: "canary canary", accessToken: token }]
  ])("and %s is refused when the client is made, without showing it", function* ([, config]) {
    const fake = platform()
    const error = yield* Effect.flip(call(fake, config))
    expect(error).toMatchObject({ _tag: "CredentialsError", reason: "Malformed" })
    expect(inspect(error) + error.message).not.toContain("canary")
    expect(fake.exchanges).toHaveLength(0)
  })
})

describe("without either pair of credentials", () => {
  effect.each<readonly [string, object, ReadonlyArray<string>?]>([
    ["nothing", {}],
    ["an e-mail alone", { email: "a@b.test" }, ["password"]],
    ["a password alone", { password: "secret" }, ["email"]],
    ["a session id alone", { sessionId: "s" }, ["accessToken"]],
    ["a token alone", { accessToken: token }, ["sessionId"]],
    ["one half of each", { email: "a@b.test", accessToken: token }, ["sessionId", "password"]],
    ["an empty password", { email: "a@b.test", password: "" }, ["password"]],
    ["an empty token", { sessionId: "s", accessToken: "" }, ["accessToken"]],
    ["a redacted password that is empty", { email: "a@b.test", password: Redacted.make("") }, ["password"]],
    [
      "a redacted token that is empty",
      { sessionId: Redacted.make("s"), accessToken: Redacted.make("") },
      ["accessToken"]
    ]
  ])(
    "(%s) a client is not made, in the specification's own words, and told what is missing",
    function* ([, config, missing]) {
      const fake = platform()
      const error = yield* Effect.flip(call(fake, config))
      expect(error).toMatchObject({ _tag: "CredentialsError", reason: "Missing" })
      expect((error as CredentialsError).missing).toEqual(missing)
      expect(error.message).toBe("Session ID and access token or email and password must be provided")
      expect(fake.exchanges).toHaveLength(0)
    }
  )
})
