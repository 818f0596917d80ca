// Routes of the client's configuration put another method or path in place of a call's own.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { json } from "../../support/fake-transport.js"
import { sent } from "./running.js"
import * as Sample from "./sample-dispatcher.js"
import { thing } from "./sample-dispatcher.js"
import * as Things from "./sample-operations.js"

describe("routes", () => {
  it.effect("override the path of a call, its parameters included", () =>
    Effect.gen(function* () {
      const config = { routes: { "things.get": { path: "/other/{id}/thing" } } }
      const request = yield* sent((dispatcher) => dispatcher.call(Things.get, { id: "a" }), { config })
      expect(request).toMatchObject({ method: "GET", path: "/v9/other/a/thing" })
    })
  )

  it.effect("override the method of a call, and with it the place of its fields", () =>
    Effect.gen(function* () {
      const config = { routes: { "things.list": { method: "POST" as const, path: "things/search" } } }
      const { fake, dispatcher } = Sample.make([json(200, [])], { config })
      yield* dispatcher.call(Things.list, { page: 2 })
      expect(fake.at(0).request).toMatchObject({
        method: "POST",
        path: "/v9/things/search",
        body: { _tag: "Json", text: '{"page":2}' }
      })
    })
  )

  it.effect("may put a secret in the path, which is hidden where the platform repeats it", () =>
    Effect.gen(function* () {
      const config = { routes: { "things.list": { path: "verify/{verificationCode}" } } }
      const refusal = json(422, { message: 'not 48/39 "x", nor 48%2F39%20%22x%22' })
      const { fake, dispatcher } = Sample.make([refusal], { config })
      const error = yield* Effect.flip(dispatcher.call(Things.list, { verificationCode: '48/39 "x"' }))
      expect(fake.at(0).request.path).toBe("/v9/verify/48%2F39%20%22x%22")
      expect(error).toMatchObject({ _tag: "Rejected", serverMessage: "not •••, nor •••" })
    })
  )

  it.effect("leave all other calls alone", () =>
    Effect.gen(function* () {
      const config = { routes: { "things.list": { path: "x" } } }
      const request = yield* sent((dispatcher) => dispatcher.call(Things.get, { id: "a" }), { config })
      expect(request.path).toBe("/v9/things/a")
    })
  )

  it.effect("that name a parameter which the input does not have fail the call, and nothing is sent", () =>
    Effect.gen(function* () {
      const { fake, dispatcher } = Sample.make([thing], {
        config: { routes: { "things.get": { path: "x/{slug}" } } }
      })
      const error = yield* Effect.flip(dispatcher.call(Things.get, { id: "a" }))
      expect(error).toMatchObject({ _tag: "InputError", field: "slug", rule: "is required" })
      expect(fake.exchanges).toHaveLength(0)
    })
  )
})
