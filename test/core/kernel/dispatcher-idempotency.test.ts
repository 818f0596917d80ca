// Calls that write are repeated only where the platform knows them again; where one may have arrived, its outcome
// is unknown.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { CredentialsError } from "../../../core/kernel/errors/errors.js"
import type { Outcome } from "../../../core/ports/transport.js"
import { bytes, failed, json, text } from "../../support/fake-transport.js"
import { outcomeOf, settled } from "./running.js"
import * as Sample from "./sample-dispatcher.js"
import { busy, thing } from "./sample-dispatcher.js"
import * as Things from "./sample-operations.js"

describe("a writing call", () => {
  it.effect("is never repeated of itself", () =>
    Effect.gen(function* () {
      expect(yield* outcomeOf([busy, thing], "create")).toEqual({ tag: "ServerFault", sent: 1 })
      expect(yield* outcomeOf([json(429, {}), thing], "create")).toEqual({ tag: "RateLimited", sent: 1 })
      expect(yield* outcomeOf([failed("Refused", false), thing], "create")).toEqual({
        tag: "NetworkError",
        sent: 1
      })
    })
  )

  it.effect("whose answer is lost has an unknown outcome", () =>
    Effect.gen(function* () {
      const { dispatcher } = Sample.make([failed("Reset", true)])
      const error = yield* Effect.flip(dispatcher.call(Things.create, { payload: {} }))
      expect(error).toMatchObject({
        _tag: "OutcomeUnknown",
        reason: "Network",
        attempts: 1,
        retryable: false
      })
    })
  )

  it.effect("that declares that it changes nothing is repeated like a reading one", () =>
    Effect.gen(function* () {
      expect(yield* outcomeOf([busy, failed("Reset"), thing], "search")).toEqual({ tag: "success", sent: 3 })
      expect(yield* outcomeOf([failed("Reset")], "search")).toEqual({ tag: "NetworkError", sent: 3 })
    })
  )

  it.effect("is repeated where the caller gives a key by which the platform knows it again", () =>
    Effect.gen(function* () {
      const options = { idempotencyKey: "order-7" }
      expect(yield* outcomeOf([busy, failed("Reset"), thing], "create", { options })).toEqual({
        tag: "success",
        sent: 3
      })
    })
  )

  it.effect("sends the same key at every attempt", () =>
    Effect.gen(function* () {
      const { fake, dispatcher } = Sample.make([busy, busy, thing])
      yield* settled(dispatcher.call(Things.create, { payload: {} }, { idempotencyKey: "order-7" }))
      expect(fake.requests().map(({ headers }) => headers["idempotency-key"])).toEqual([
        "order-7",
        "order-7",
        "order-7"
      ])
      expect(new Set(fake.requests().map(({ body }) => JSON.stringify(body))).size).toBe(1)
    })
  )

  it.effect.each<unknown>([
    "",
    " ",
    "a b",
    "a\r\nx-evil: 1",
    "ключ",
    "x".repeat(256),
    null,
    7,
    true,
    ["k"],
    { toString: () => "k" }
  ])("refuses the key %j, which is none", (key) =>
    Effect.gen(function* () {
      const { fake, dispatcher } = Sample.make([thing])
      const call = dispatcher.call(Things.create, { payload: {} }, { idempotencyKey: key as string })
      expect(yield* Effect.flip(call)).toMatchObject({ _tag: "InputError", field: "idempotencyKey" })
      expect(fake.exchanges).toHaveLength(0)
    })
  )

  describe.each<readonly [string, Outcome]>([
    ["a refusal", json(409, {})],
    ["a fault", json(500, {})],
    ["a refused connection", failed("Refused", false)],
    ["an answer of the wrong kind", text(200, "<html>")],
    ["a missing thing", json(404, {})]
  ])("whose answer was lost once, and then ends in %s,", (_, outcome) => {
    it.effect("still has an unknown outcome", () =>
      Effect.gen(function* () {
        const { dispatcher } = Sample.make([failed("Reset", true), outcome])
        const ended = yield* settled(dispatcher.call(Things.create, { payload: {} }, { idempotencyKey: "k" }))
        expect(Either.getOrThrow(Either.flip(ended))).toMatchObject({
          _tag: "OutcomeUnknown",
          reason: "Network"
        })
      })
    )
  })

  describe.each<readonly [string, ReadonlyArray<Outcome>]>([
    ["502, then 429", [json(502, {}), json(429, {}, { "retry-after": "3600" })]],
    ["503, then a refused connection", [busy, failed("Refused", false)]],
    ["500, then 409", [json(500, {}), json(409, {})]],
    ["500, then 404", [json(500, {}), json(404, {})]],
    ["500, then 403", [json(500, {}), json(403, {})]],
    ["504, then 422", [json(504, {}), json(422, {})]],
    ["500, then a web page", [json(500, {}), text(200, "<html>")]]
  ])("that met %s,", (_, script) => {
    it.effect("has an unknown outcome, and may not be repeated without its key", () =>
      Effect.gen(function* () {
        const { dispatcher } = Sample.make(script)
        const ended = yield* settled(dispatcher.call(Things.create, { payload: {} }, { idempotencyKey: "k" }))
        const error = Either.getOrThrow(Either.flip(ended))
        expect(error).toMatchObject({ _tag: "OutcomeUnknown", reason: "Server", retryable: false })
        expect(error.message).toContain("with the same idempotency key")
        expect(error.cause).toMatchObject({ operation: "things.create" })
      })
    )
  })

  it.effect.each<readonly [string, ReadonlyArray<Outcome>, string]>([
    ["429, then 409", [json(429, {}), json(409, {})], "Conflict"],
    ["a refused connection, then 404", [failed("Refused", false), json(404, {})], "NotFound"],
    ["501", [json(501, {})], "ServerFault"],
    ["nothing but 503", [busy, busy, busy], "ServerFault"]
  ])("that met %s has the outcome that the platform told", ([, script, tag]) =>
    Effect.gen(function* () {
      expect(yield* outcomeOf(script, "create", { options: { idempotencyKey: "k" } })).toMatchObject({ tag })
    })
  )

  it.effect("that may have been done, and whose new session then grants less, has an unknown outcome", () =>
    Effect.gen(function* () {
      const lesser = { headers: { authorization: "Bearer token-2" }, grants: {} }
      const credentialsProvider = { ...Sample.keys(), renew: () => Effect.succeed(lesser) }
      const { dispatcher } = Sample.make([json(502, {}), json(401, {})], { credentialsProvider })
      const ended = yield* settled(dispatcher.call(Things.create, { payload: {} }, { idempotencyKey: "k" }))
      expect(Either.getOrThrow(Either.flip(ended))).toMatchObject({
        _tag: "OutcomeUnknown",
        operation: "things.create",
        cause: { _tag: "PermissionDenied" }
      })
    })
  )

  it.effect("that met 500 and is then answered with what cannot be read is done", () =>
    Effect.gen(function* () {
      const { dispatcher } = Sample.make([json(500, {}), bytes(200, [0x22, 0xff, 0x22])])
      const ended = yield* settled(dispatcher.call(Things.create, { payload: {} }, { idempotencyKey: "k" }))
      expect(Either.getOrThrow(Either.flip(ended))).toMatchObject({ _tag: "AnswerError", isDone: true })
    })
  )

  it.effect("whose answer was lost once, and whose credentials then fail, still has an unknown outcome", () =>
    Effect.gen(function* () {
      const refused = new CredentialsError({ operation: "auth.login", reason: "Rejected", advice: "no" })
      const credentialsProvider = { ...Sample.keys(), renew: () => Effect.fail(refused) }
      const { dispatcher } = Sample.make([failed("Reset", true), json(401, {})], { credentialsProvider })
      const ended = yield* settled(dispatcher.call(Things.create, { payload: {} }, { idempotencyKey: "k" }))
      expect(Either.getOrThrow(Either.flip(ended))).toMatchObject({
        _tag: "OutcomeUnknown",
        operation: "things.create",
        reason: "Network"
      })
    })
  )
})
