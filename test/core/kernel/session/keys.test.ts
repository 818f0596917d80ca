// Clients whose credentials are keys: each sends its own, and none can be renewed.
import { describe, expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Settings from "../../../../core/kernel/dispatch/settings.js"
import * as Keyed from "../../../../core/kernel/session/keys.js"
import { effect } from "../../../support/effect.js"
import * as Fake from "../../../support/fake-transport.js"
import { json } from "../../../support/fake-transport.js"
import * as Things from "../../../support/things.js"

const known = { ...Settings.common, apiKey: "any", sessionId: "any", privateKey: "any" }
const config = { baseUrl: "https://api.example.test" }

describe("a client with keys", () => {
  effect("sends each under its header, at hand from the start", function* () {
    const fake = Fake.make([json(200, { _id: "a" })])
    const { dispatcher } = yield* Effect.provide(
      Keyed.make(
        Effect.runFork,
        "endUser",
        {
          ...config,
          headerNames: { session: "X-Session" },
          sessionId: Redacted.make("session-1"),
          apiKey: "key-1"
        },
        known,
        { session: ["sessionId", "a session"], apiKey: ["apiKey", "a key"] }
      ),
      fake.layer
    )
    yield* dispatcher.call(Things.get, { id: "a" })
    expect(fake.at(0).request.headers).toEqual({
      accept: "application/json",
      "x-session": "session-1",
      "x-api-key": "key-1"
    })
  })

  effect("is refused by 401 at once, and says nothing of its keys", function* () {
    const fake = Fake.make([json(401, { message: "key-4711 is no key" })])
    const { dispatcher } = yield* Effect.provide(
      Keyed.make(Effect.runFork, "public", { ...config, apiKey: "key-4711" }, known, {
        apiKey: ["apiKey", "a key"]
      }),
      fake.layer
    )
    const error = yield* Effect.flip(dispatcher.call(Things.get, { id: "a" }))
    expect(error).toMatchObject({ _tag: "Unauthenticated", serverMessage: "••• is no key" })
    expect(fake.exchanges).toHaveLength(1)
  })

  effect("is not made with a key that cannot stand in a header", function* () {
    const keyed = { ...config, privateKey: "canary\r\nx-evil: 1" }
    const made = Keyed.make(Effect.runFork, "private", keyed, known, {
      privateKey: ["privateKey", "a key"]
    })
    const error = yield* Effect.flip(Effect.provide(made, Fake.make([]).layer))
    expect(error).toMatchObject({ _tag: "CredentialsError", reason: "Malformed" })
    expect(error.message).toContain("privateKey must be visible ASCII")
    expect(error.message).not.toContain("canary")
  })

  effect("is not made with an address that is none", function* () {
    const keyed = { baseUrl: "nowhere", apiKey: "key-1" }
    const made = Keyed.make(Effect.runFork, "public", keyed, known, { apiKey: ["apiKey", "a key"] })
    expect(yield* Effect.flip(Effect.provide(made, Fake.make([]).layer))).toMatchObject({
      _tag: "InputError",
      field: "baseUrl"
    })
  })
})
