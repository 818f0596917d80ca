// What a call puts on the wire: address, headers and credentials; and what keeps it from being sent at all.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FC from "effect/FastCheck"
import { CredentialsError } from "../../../core/kernel/errors/errors.js"
import * as Fake from "../../support/fake-transport.js"
import { sent } from "./running.js"
import * as Sample from "./sample-dispatcher.js"
import { thing } from "./sample-dispatcher.js"
import * as Things from "./sample-operations.js"

describe("a request", () => {
  it.effect("goes to the configured origin, behind the prefix of the base URL", () =>
    Effect.gen(function* () {
      const request = yield* sent((dispatcher) => dispatcher.call(Things.get, { id: "a/b" }))
      expect(request).toMatchObject({
        operation: "things.get",
        method: "GET",
        origin: "https://api.example.test",
        path: "/v9/things/a%2Fb",
        body: undefined,
        answer: "bytes",
        attempt: 1
      })
    })
  )

  // Spec 7.2
  it.effect("of a legacy call goes to the legacy address, without a project in its query", () =>
    Effect.gen(function* () {
      const options = { config: { legacyUrl: "https://old.example.test" }, settings: { projectId: "p1" } }
      const request = yield* sent((dispatcher) => dispatcher.call(Things.legacy, { id: "a" }), options)
      expect(request).toMatchObject({ origin: "https://old.example.test", path: "/thing/a" })
    })
  )

  it.effect("of an admin's call on the new API names the project", () =>
    Effect.gen(function* () {
      const options = { settings: { projectId: "p 1" } }
      const get = yield* sent((dispatcher) => dispatcher.call(Things.get, { id: "a" }), options)
      expect(get.path).toBe("/v9/things/a?projectId=p%201")
      const open = yield* sent((dispatcher) => dispatcher.call(Things.open, {}), options)
      expect(open.path, "a call without credentials does not").toBe("/v9/things/open")
    })
  )

  it.effect("of the other clients does not name the project", () =>
    Effect.gen(function* () {
      for (const audience of ["public", "private", "endUser"] as const) {
        const settings = { projectId: "p1", audience }
        const request = yield* sent((dispatcher) => dispatcher.call(Things.get, { id: "a" }), { settings })
        expect(request.path).toBe("/v9/things/a")
      }
    })
  )

  it.effect("carries the credentials, and says what it takes and what it brings", () =>
    Effect.gen(function* () {
      const get = yield* sent((dispatcher) => dispatcher.call(Things.get, { id: "a" }))
      expect(get.headers).toEqual({ authorization: "Bearer token-1", accept: "application/json" })
      const create = yield* sent((dispatcher) => dispatcher.call(Things.create, { payload: { a: 1 } }))
      expect(create.headers).toEqual({
        authorization: "Bearer token-1",
        accept: "application/json",
        "content-type": "application/json"
      })
      expect(create.body).toEqual({ _tag: "Json", text: '{"a":1}' })
    })
  )

  it.effect("of a call that obtains credentials carries none, not even where there are some", () =>
    Effect.gen(function* () {
      const request = yield* sent((dispatcher) => dispatcher.call(Things.open, {}))
      expect(request.headers).toEqual({ accept: "application/json" })
    })
  )

  it.effect("of a download asks for a stream", () =>
    Effect.gen(function* () {
      const body = new ReadableStream<Uint8Array>()
      const { fake, dispatcher } = Sample.make([Fake.streaming(body)])
      yield* dispatcher.open(Things.download, { id: "a" })
      expect(fake.at(0).request).toMatchObject({ answer: "stream", path: "/v9/things/a/download" })
    })
  )

  it.effect("may bring as many bytes as the policy says", () =>
    Effect.gen(function* () {
      const ofClient = yield* sent((dispatcher) => dispatcher.call(Things.get, { id: "a" }), {
        policy: { maxBytes: 99 }
      })
      expect(ofClient.maxBytes).toBe(99)
      const ofCall = yield* sent((dispatcher) =>
        dispatcher.call(Things.get, { id: "a" }, { policy: { maxBytes: 7 } })
      )
      expect(ofCall.maxBytes).toBe(7)
    })
  )

  it.effect.prop(
    "never leaves the configured origin, whatever its input is",
    [FC.string({ unit: FC.constantFrom(..."/\\@:%2e.?#a\r\n\t ") }), FC.string()],
    ([id, query]) =>
      Effect.gen(function* () {
        const { fake, dispatcher } = Sample.make([thing])
        yield* Effect.ignore(dispatcher.call(Things.get, { id }))
        yield* Effect.ignore(dispatcher.call(Things.list, { [query]: id }))
        for (const { origin, path } of fake.requests()) {
          const url = new URL(origin + path)
          expect(url.origin).toBe("https://api.example.test")
          expect(url.pathname.startsWith("/v9/things")).toBe(true)
        }
      })
  )
})

describe("nothing is sent", () => {
  // Spec 5.4
  it.effect("for an input that breaks a rule", () =>
    Effect.gen(function* () {
      const { fake, dispatcher } = Sample.make([thing])
      const error = yield* Effect.flip(dispatcher.call(Things.get, { id: "" }))
      expect(error).toMatchObject({
        _tag: "InputError",
        operation: "things.get",
        field: "id",
        rule: "must be a non-empty id"
      })
      expect(fake.exchanges).toHaveLength(0)
    })
  )

  it.effect("by a client that an operation does not serve, even where types were got round", () =>
    Effect.gen(function* () {
      const { fake, dispatcher } = Sample.make([thing], { settings: { audience: "public" } })
      const error = yield* Effect.flip(dispatcher.call(Things.adminOnly, {}))
      expect(error).toMatchObject({
        _tag: "InputError",
        field: "operation",
        rule: "serves admin, not the public client"
      })
      expect(fake.exchanges).toHaveLength(0)
    })
  )

  it.effect("where there are no credentials", () =>
    Effect.gen(function* () {
      const missing = new CredentialsError({ operation: "client", reason: "Missing", advice: "none" })
      const credentialsProvider = {
        ...Sample.keys(),
        current: () => undefined,
        getCredentials: () => Effect.fail(missing)
      }
      const { fake, dispatcher } = Sample.make([thing], { credentialsProvider })
      expect(yield* Effect.flip(dispatcher.call(Things.get, { id: "a" }))).toBe(missing)
      expect(fake.exchanges).toHaveLength(0)
    })
  )

  it.effect("until a call is run", () =>
    Effect.gen(function* () {
      const { fake, dispatcher } = Sample.make([thing])
      const call = dispatcher.call(Things.get, { id: "a" })
      expect(fake.exchanges).toHaveLength(0)
      yield* Effect.all([call, call])
      expect(fake.exchanges, "and each run is a call of its own").toHaveLength(2)
    })
  )
})
