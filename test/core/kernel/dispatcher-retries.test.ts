// Which calls that read are repeated, after what, and how often.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Outcome } from "../../../core/ports/transport.js"
import { failed, json, text, tooLarge } from "../../support/fake-transport.js"
import { outcomeOf, settled } from "./running.js"
import * as Sample from "./sample-dispatcher.js"
import { busy, thing } from "./sample-dispatcher.js"
import * as Things from "./sample-operations.js"

describe("a reading call", () => {
  it.effect("that succeeds is sent once", () =>
    Effect.gen(function* () {
      expect(yield* outcomeOf([thing], "get")).toEqual({ tag: "success", sent: 1 })
    })
  )

  it.effect("is tried three times in all, and then fails as the last attempt did", () =>
    Effect.gen(function* () {
      expect(yield* outcomeOf([busy, busy, thing], "get")).toEqual({ tag: "success", sent: 3 })
      expect(yield* outcomeOf([busy, busy, json(502, {}), thing], "get")).toEqual({
        tag: "ServerFault",
        sent: 3
      })
    })
  )

  describe.each<readonly [string, Outcome]>([
    ["429", json(429, {})],
    ["408", json(408, {})],
    ["500", json(500, {})],
    ["502", json(502, {})],
    ["503", busy],
    ["503 with more to say than may be held", tooLarge(503)],
    ["504", json(504, {})],
    ["a refused connection", failed("Refused", false)],
    ["a lost connection", failed("Reset")],
    ["a time-out", failed("Timeout")]
  ])("is repeated after %s", (_, outcome) => {
    it.effect("and may then succeed", () =>
      Effect.gen(function* () {
        expect(yield* outcomeOf([outcome, thing], "get")).toEqual({ tag: "success", sent: 2 })
      })
    )
  })

  describe.each<readonly [string, Outcome, string]>([
    ["400", json(400, {}), "Rejected"],
    ["401", json(401, {}), "Unauthenticated"],
    ["403", json(403, {}), "PermissionDenied"],
    ["404", json(404, {}), "NotFound"],
    ["404 with more to say than may be held", tooLarge(404), "NotFound"],
    ["407", json(407, {}), "Rejected"],
    ["409", json(409, {}), "Conflict"],
    ["421", json(421, {}), "Rejected"],
    ["422", json(422, {}), "Rejected"],
    ["501", json(501, {}), "ServerFault"],
    ["a certificate that is not accepted", failed("Tls", false), "NetworkError"],
    ["a redirect", text(301, "", { location: "https://evil.test" }), "AnswerError"],
    ["an answer that is no JSON", text(200, "<html>"), "AnswerError"],
    ["an answer that is too large", tooLarge(200), "AnswerError"]
  ])("is not repeated after %s", (_, outcome, tag) => {
    it.effect(`but fails with ${tag}`, () =>
      Effect.gen(function* () {
        expect(yield* outcomeOf([outcome, thing], "get")).toEqual({ tag, sent: 1 })
      })
    )
  })

  it.effect("counts its attempts from 1 in the requests", () =>
    Effect.gen(function* () {
      const { fake, dispatcher } = Sample.make([busy, busy, thing])
      yield* settled(dispatcher.call(Things.get, { id: "a" }))
      expect(fake.requests().map(({ attempt }) => attempt)).toEqual([1, 2, 3])
    })
  )
})

describe("a policy", () => {
  it.effect("of the client says how often its calls are tried", () =>
    Effect.gen(function* () {
      expect(yield* outcomeOf([busy], "get", { policy: { attempts: 5 } })).toEqual({
        tag: "ServerFault",
        sent: 5
      })
      expect(yield* outcomeOf([busy], "get", { policy: { attempts: 1 } })).toEqual({
        tag: "ServerFault",
        sent: 1
      })
    })
  )

  it.effect("of one call goes before that of the client", () =>
    Effect.gen(function* () {
      const options = { policy: { attempts: 2 } }
      expect(yield* outcomeOf([busy], "get", { policy: { attempts: 5 }, options })).toEqual({
        tag: "ServerFault",
        sent: 2
      })
    })
  )

  it.effect("of one call that is none is refused, and nothing is sent", () =>
    Effect.gen(function* () {
      const { fake, dispatcher } = Sample.make([thing])
      for (const policy of [
        { attempts: 0 },
        { deadline: -1 },
        { maxBytes: 0.5 },
        { pause: Number.NaN },
        { retryCost: -1 }
      ]) {
        const error = yield* Effect.flip(dispatcher.call(Things.get, { id: "a" }, { policy }))
        expect(error).toMatchObject({ _tag: "InputError", field: "policy" })
      }
      expect(fake.exchanges).toHaveLength(0)
    })
  )
})
