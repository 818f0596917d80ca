// Answers as a project has recorded them: they take the place of what the operations declare.
import { describe, expect } from "@effect/vitest"
import * as Sample from "@quartet/support/dispatcher.js"
import { effect } from "@quartet/support/effect.js"
import { json } from "@quartet/support/fake-transport.js"
import * as Things from "@quartet/support/things.js"
import { Effect, Schema } from "effect"
import * as Auth from "../../../../core/auth/operations.js"
import type { Drift } from "../../../../core/kernel/codec/drift.js"
import { make, strict } from "../../../../core/kernel/operation/recorded.js"

const Priced = Schema.Struct({ _id: Schema.String, price: Schema.Number })
const answers = make({
  "admin.things.get": Priced,
  "admin.things.list": Priced,
  "public.things.open": Priced,
  "admin.auth.login": Priced
})

const over = (answer: unknown, config: Parameters<typeof Sample.make>[1] = {}) => {
  const drifts: Array<Drift> = []
  const onDrift = (drift: Drift) => Effect.sync(() => drifts.push(drift))
  const own = { answers, logDrift: false, onDrift, ...config.config }
  return { ...Sample.make([json(200, answer)], { ...config, config: own }), drifts }
}

const answered = (answer: unknown, name: Sample.Named, config = {}) =>
  Effect.gen(function* () {
    const { dispatcher, drifts } = over(answer, config)
    return { value: yield* Sample.call(dispatcher, name), drifts }
  })

const missing = { expected: "a number", came: "nothing" }

describe("a client with recorded answers", () => {
  effect("holds an answer to what was recorded, and reports what is not so", function* () {
    const { drifts, value } = yield* answered({ _id: "a", name: 7 }, "get")
    expect(value).toEqual({ _id: "a", name: 7 })
    expect(drifts).toEqual([{ operation: "things.get", path: "price", ...missing }])
  })

  effect("reports nothing where an answer is as it was recorded", function* () {
    expect(yield* answered({ _id: "a", price: 7 }, "get")).toEqual({
      value: { _id: "a", price: 7 },
      drifts: []
    })
  })

  effect("holds each item of a list to it", function* () {
    const { drifts, value } = yield* answered({ items: [{ _id: "a" }], total: 1 }, "list")
    expect(value).toEqual({ items: [{ _id: "a" }], paging: { total: 1 } })
    expect(drifts).toEqual([{ operation: "things.list", path: "items[].price", ...missing }])
  })

  effect("keeps what is declared for other calls, and for the calls of other clients", function* () {
    expect((yield* answered({}, "open")).drifts).toEqual([])
    const settings = { settings: { audience: "public" as const } }
    expect((yield* answered({ name: 7 }, "get", settings)).drifts.map(({ path }) => path)).toEqual([
      "name",
      "_id"
    ])
  })

  effect("refuses what was not recorded so where it is strict, as a client or for one call", function* () {
    const refused = { _tag: "AnswerError", reason: "Shape", field: "price", rule: "is required" }
    const { dispatcher } = over({ _id: "a" }, { config: { answers: strict(answers) } })
    expect(yield* Effect.flip(Sample.call(dispatcher, "get"))).toMatchObject(refused)
    const once = over({ _id: "a" }).dispatcher
    expect(yield* Effect.flip(Sample.call(once, "get", { answers: "strict" }))).toMatchObject(refused)
  })

  effect("lets a caller's own schema go before it", function* () {
    const { dispatcher, drifts } = over({ _id: "a" })
    const mine = Things.get.as(Schema.Struct({ _id: Schema.String }))
    expect(yield* dispatcher.call(mine, { id: "a" })).toEqual({ _id: "a" })
    expect(drifts).toEqual([])
  })

  effect("still refuses a sign-in without its token, whatever was recorded", function* () {
    const { dispatcher } = over({ _id: "a", price: 7 })
    const error = yield* Effect.flip(dispatcher.call(Auth.adminLogin, { email: "a@b.c", password: "secret" }))
    expect(error).toMatchObject({ _tag: "AnswerError", field: "accessToken" })
  })
})
