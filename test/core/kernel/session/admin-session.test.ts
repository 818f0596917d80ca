// How an admin proves who they are: both sign-ins, or a session that exists already (specification, points 4, 5 and 8).

import { inspect } from "node:util"
import { describe, expect } from "@effect/vitest"
import { effect, live } from "@quartet/support/effect.js"
import * as Fake from "@quartet/support/fake-transport.js"
import { failed, json } from "@quartet/support/fake-transport.js"
import { claims, jwt } from "@quartet/support/jwt.js"
import { Effect, Option, Redacted } from "effect"
import * as Admin from "../../../../clients/admin/index.js"
import type { CredentialsError } from "../../../../core/kernel/errors/errors.js"
import { SessionStore, type StoredSession } from "../../../../core/ports/session-store.js"
import type { Outcome, Request } from "../../../../core/ports/transport.js"

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
  const request = fake.requests().find((request) => request.operation === operation)
  if (request === undefined) throw new Error(`${operation} was not sent`)
  return request
}

describe("an admin with an e-mail and a password", () => {
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

  effect("gets no further without a session id", function* () {
    const fake = platform({ "auth.legacyLogin": json(200, {}) })
    const error = { _tag: "AnswerError", field: "sessionId" }
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
})

describe("an admin whose permissions are off", () => {
  const opaque = "opaque-token"
  const off = { permissions: "off" } as const
  const session = { sessionId: "session-9", accessToken: opaque, ...off }
  const readings = ["intended", "asBuilt"] as const

  effect("may have a token that cannot be read: it is sent as it is", function* () {
    const fake = platform()
    yield* call(fake, session)
    expect(sent(fake, "requests.get").headers).toMatchObject({ authorization: `Bearer ${opaque}` })
  })

  effect("may get such a token from the sign-in, once for all calls, and keep it", function* () {
    const fake = platform({ "auth.login": json(200, { accessToken: opaque, user: { _id: 7, name: "Ada" } }) })
    const kept = new Map<string, StoredSession>()
    const store = {
      load: (key: string) => Effect.sync(() => Option.fromNullable(kept.get(key))),
      save: (key: string, session: StoredSession) => Effect.sync(() => void kept.set(key, session)),
      clear: (key: string) => Effect.sync(() => void kept.delete(key))
    }
    const calls = Effect.provideService(
      Effect.zipRight(call(fake, { ...login, ...off }), call(fake, { ...login, ...off })),
      SessionStore,
      store
    )
    yield* calls
    expect(fake.requests().map(({ operation }) => operation)).toEqual([
      "auth.login",
      "auth.legacyLogin",
      "requests.get",
      "requests.get"
    ])
    expect(sent(fake, "requests.get").headers).toMatchObject({ authorization: `Bearer ${opaque}` })
  })

  effect("is who the sign-in says, if the token does not", function* () {
    const user = { _id: 7, name: "Ada", email: login.email }
    const fake = platform({ "auth.login": json(200, { accessToken: opaque, user }) })
    const me = (config: object) =>
      Effect.flatMap(Admin.make({ ...base, ...off, ...config } as Admin.ClientConfig), (service) =>
        Effect.provideService(Admin.onDemand.me, Admin.Client, service)
      ).pipe(Effect.provide(fake.layer))
    expect(yield* me(login)).toMatchObject({ _id: "7", fullName: "Ada", email: login.email })
    expect(yield* Effect.flip(me(session))).toMatchObject({ _tag: "CredentialsError", reason: "Malformed" })
    expect(yield* me({ ...session, accessToken: token })).toMatchObject({ _id: "admin-1" })
  })

  effect.each(readings)(
    "but not by the reading %s, which needs the token's permissions",
    function* (permissions) {
      const fake = platform()
      const error = yield* Effect.flip(call(fake, { ...session, permissions }))
      expect(error).toMatchObject({ _tag: "CredentialsError", reason: "Malformed" })
      expect(fake.exchanges).toHaveLength(0)
    }
  )
})

describe("a platform that counts its sessions and its admins", () => {
  effect("signs an admin in: the session id is sent as its digits", function* () {
    const counted = jwt({ ...claims, sub: 42 })
    const fake = platform({
      "auth.login": json(200, { accessToken: counted, user: {} }),
      "auth.legacyLogin": json(200, { sessionId: 1_000_001 })
    })
    yield* call(fake, login)
    expect(sent(fake, "requests.get").headers).toMatchObject({
      authorization: `Bearer ${counted}`,
      "x-session-id": "1000001"
    })
  })

  effect.each([42, Redacted.make(42)])("takes the number as a given session id: %o", function* (sessionId) {
    const fake = platform()
    yield* call(fake, { sessionId, accessToken: token })
    expect(fake.at(0).request.headers).toMatchObject({ "x-session-id": "42" })
  })

  effect.each([1.5, 2 ** 53, Number.NaN])(
    "refuses what is given as one and is none: %s",
    function* (sessionId) {
      expect(yield* Effect.flip(call(platform(), { sessionId, accessToken: token }))).toMatchObject({
        _tag: "CredentialsError",
        reason: "Malformed",
        advice: expect.stringContaining("sessionId")
      })
    }
  )

  effect(
    "signs in where a store that somebody else has filled holds a number that is no session's",
    function* () {
      const fake = platform()
      const session = { sessionId: 1.5, accessToken: token } as unknown as StoredSession
      const store = {
        load: () => Effect.succeedSome(session),
        save: () => Effect.void,
        clear: () => Effect.void
      }
      yield* Effect.provideService(call(fake, login), SessionStore, store)
      expect(sent(fake, "requests.get").headers).not.toMatchObject({ "x-session-id": "1.5" })
    }
  )

  effect("takes it from a store that somebody else has filled", function* () {
    const fake = platform()
    const session = { sessionId: 42, accessToken: token } as unknown as StoredSession
    const store = {
      load: () => Effect.succeedSome(session),
      save: () => Effect.void,
      clear: () => Effect.void
    }
    yield* Effect.provideService(call(fake, login), SessionStore, store)
    expect(fake.requests()).toHaveLength(1)
    expect(fake.at(0).request.headers).toMatchObject({ "x-session-id": "42" })
  })
})

effect.each<readonly [string, object, ReadonlyArray<string>?]>([
  ["nothing", {}],
  ["an e-mail alone", { email: "a@b.test" }, ["password"]],
  ["a session id alone", { sessionId: "s" }, ["accessToken"]],
  ["one half of each pair", { email: "a@b.test", accessToken: token }, ["sessionId", "password"]]
])("with %s a client is not made, and told what is missing", function* ([, config, missing]) {
  const error = yield* Effect.flip(call(platform(), config))
  expect(error).toMatchObject({ _tag: "CredentialsError", reason: "Missing" })
  expect((error as CredentialsError).missing).toEqual(missing)
})
