// What a call puts on the wire: address, headers, credentials and a span; and what keeps it from being sent at all.
import { describe, expect } from "@effect/vitest"
import * as Sample from "@quartet/support/dispatcher.js"
import { ended, thing } from "@quartet/support/dispatcher.js"
import { effect } from "@quartet/support/effect.js"
import { json, streaming } from "@quartet/support/fake-transport.js"
import * as Things from "@quartet/support/things.js"
import { Effect, FastCheck as FC, Schema } from "effect"
import { CredentialsError } from "../../../../core/kernel/errors/errors.js"
import * as Entity from "../../../../core/kernel/operation/entity.js"
import { Operation } from "../../../../core/kernel/operation/operation.js"
import type { Request } from "../../../../core/ports/transport.js"

type Of = Sample.CallSettings

/** The one request that a call sends. */
const sent = (name: Sample.Named, of: Of = {}) =>
  Effect.map(ended([name === "download" ? streaming(new ReadableStream()) : thing], name, of), (result) => {
    expect(result.sent).toBe(1)
    return result.fake.at(0).request
  })

describe("a request", () => {
  const bearer = { authorization: "Bearer token-1", accept: "application/json" }
  const get: Partial<Request> = {
    method: "GET",
    origin: "https://api.example.test",
    path: "/v9/things/a",
    body: undefined
  }
  const routed = (routes: Record<string, { path: string; method?: "POST" }>) => ({ config: { routes } })
  effect.each<readonly [string, Sample.Named, Of, Partial<Request>]>([
    [
      "goes to the configured origin, with its credentials",
      "get",
      {},
      { ...get, answer: "bytes", attempt: 1, headers: bearer }
    ],
    ["of a download asks for a stream", "download", {}, { answer: "stream", path: "/v9/things/a/download" }],
    ["may bring as many bytes as the client says", "get", { policy: { maxBytes: 99 } }, { maxBytes: 99 }],
    ["may bring as many as it says itself", "get", { options: { policy: { maxBytes: 7 } } }, { maxBytes: 7 }]
  ])("%s", ([, name, of, expected]) =>
    Effect.map(sent(name, of), (request) => {
      expect(request).toMatchObject(expected)
      if (expected.headers) expect(request.headers).toEqual(expected.headers)
    })
  )

  effect(
    "may have a secret in the path of a route, which is hidden where the platform repeats it",
    function* () {
      const refusal = json(422, { message: 'not 48/39 "x", nor 48%2F39%20%22x%22' })
      const options = routed({ "things.verify": { path: "verify/{verificationCode}" } })
      const verify = Operation.make("things.verify", () => ({
        method: "GET",
        path: "verify",
        audiences: ["admin"],
        input: Schema.Struct({ verificationCode: Schema.String }),
        success: Entity.Anything
      }))
      const { fake, dispatcher } = Sample.make([refusal], options)
      const error = yield* Effect.flip(dispatcher.call(verify, { verificationCode: '48/39 "x"' }))
      expect(fake.at(0).request.path).toBe("/v9/verify/48%2F39%20%22x%22")
      expect(error).toMatchObject({ _tag: "Rejected", serverMessage: "not •••, nor •••" })
    }
  )

  effect.prop(
    "never leaves the configured origin, whatever its input is",
    [FC.string({ unit: FC.constantFrom(..."/\\@:%2e.?#a\r\n\t ") }), FC.string()],
    function* ([id, query]) {
      const { fake, dispatcher } = Sample.make([thing])
      yield* Effect.ignore(dispatcher.call(Things.get, { id }))
      yield* Effect.ignore(dispatcher.call(Things.list, { [query]: id }))
      for (const { origin, path } of fake.requests()) {
        const url = new URL(origin + path)
        expect(url.origin).toBe("https://api.example.test")
        expect(url.pathname.startsWith("/v9/things")).toBe(true)
      }
    }
  )
})

describe("nothing is sent", () => {
  const refused = (call: (sample: Sample.Made) => Effect.Effect<unknown, unknown>, of: Of, error: object) =>
    Effect.gen(function* () {
      const sample = Sample.make([thing], of)
      expect(yield* Effect.flip(call(sample))).toMatchObject(error)
      expect(sample.fake.exchanges).toHaveLength(0)
    })
  const get =
    (id: string) =>
    ({ dispatcher }: Sample.Made) =>
      dispatcher.call(Things.get, { id })

  // Spec 5.4
  effect("for an input that breaks a rule", () => {
    const rule = "must be a non-empty id"
    return refused(get(""), {}, { _tag: "InputError", operation: "things.get", field: "id", rule })
  })

  effect("by a route whose parameter the input does not have", () => {
    const config = { routes: { "things.get": { path: "x/{slug}" } } }
    return refused(get("a"), { config }, { _tag: "InputError", field: "slug", rule: "is required" })
  })

  effect("by a client that an operation does not serve, even where types were got round", () => {
    const error = { _tag: "InputError", field: "operation", rule: "serves admin, not the public client" }
    const of = { settings: { audience: "public" } } as const
    return refused(({ dispatcher }) => dispatcher.call(Things.adminOnly, {}), of, error)
  })

  effect("where there are no credentials", () => {
    const missing = new CredentialsError({ operation: "client", reason: "Missing", advice: "none" })
    const none = { ...Sample.keys(), current: () => undefined, getCredentials: () => Effect.fail(missing) }
    return refused(get("a"), { credentialsProvider: none }, missing)
  })

  effect("until a call is run, and each run is a call of its own", function* () {
    const { fake, dispatcher } = Sample.make([thing])
    const call = dispatcher.call(Things.get, { id: "a" })
    expect(fake.exchanges).toHaveLength(0)
    yield* Effect.all([call, call])
    expect(fake.exchanges).toHaveLength(2)
  })
})
