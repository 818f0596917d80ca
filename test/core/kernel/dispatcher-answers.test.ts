// What answers come to, from 204 to hostile ones.

import { inspect } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as Entity from "../../../core/kernel/operation/entity.js"
import { Operation } from "../../../core/kernel/operation/operation.js"
import type { Outcome } from "../../../core/ports/transport.js"
import * as Fake from "../../support/fake-transport.js"
import { bytes, json, text, tooLarge } from "../../support/fake-transport.js"
import * as Sample from "./sample-dispatcher.js"
import * as Things from "./sample-operations.js"

/** What a call whose answer may be anything comes to. */
const anything = (outcome: Outcome) => {
  const { dispatcher } = Sample.make([outcome], { policy: { attempts: 1 } })
  return dispatcher.call(Things.create, { payload: {} })
}

/** The failure of a strict call whose answer must be a thing. */
const failure = (outcome: Outcome) => {
  const { dispatcher } = Sample.make([outcome], { policy: { attempts: 1 }, config: { answers: "strict" } })
  return Effect.flip(dispatcher.call(Things.get, { id: "a" }))
}

describe("an answer", () => {
  it.effect("of any 2xx is a value", () =>
    Effect.gen(function* () {
      for (const status of [200, 201, 202, 203, 206, 299])
        expect(yield* anything(json(status, { a: 1 }))).toEqual({ a: 1 })
    })
  )

  it.effect("without a body is no value where none is declared", () =>
    Effect.gen(function* () {
      expect(yield* anything(text(204, ""))).toBeUndefined()
      expect(yield* anything(text(200, ""))).toBeUndefined()
    })
  )

  it.effect("of null is null where anything may come", () =>
    Effect.gen(function* () {
      expect(yield* anything(text(200, "null"))).toBeNull()
    })
  )

  it.effect("may begin with a byte order mark", () =>
    Effect.gen(function* () {
      expect(yield* anything(bytes(200, [0xef, 0xbb, 0xbf, 0x7b, 0x7d]))).toEqual({})
    })
  )

  it.effect.each<readonly [string, Outcome, string, string]>([
    ["nothing with 200", text(200, ""), "Empty", "is empty"],
    ["204", text(204, ""), "Empty", "is empty"],
    ["null", text(200, "null"), "Shape", "must be an object"],
    ["text", json(200, "a"), "Shape", "must be an object"],
    ["a list", json(200, []), "Shape", "must be an object"],
    ["HTML with 200", text(200, "<!doctype html>"), "NotJson", "is a web page"],
    ["JSON cut short", text(200, '{"_id":"a"'), "NotJson", "is not valid JSON"],
    ["bad UTF-8", bytes(200, [0x22, 0xff, 0x22]), "Encoding", "is not valid UTF-8"],
    ["a missing field", json(200, {}), "Shape", "is required"],
    [
      "too deep nesting",
      text(200, `{"_id":"a","x":${"[".repeat(100_000)}${"]".repeat(100_000)}}`),
      "TooDeep",
      "must not be nested"
    ],
    [
      "a number beyond a double",
      text(200, '{"_id":"a","n":9007199254740993}'),
      "Precision",
      "cannot hold exactly"
    ],
    [
      "more than it may hold",
      tooLarge(200),
      "TooLarge",
      "is larger than 67108864 bytes (raise maxBytes, or read it as a stream)"
    ]
  ])("that is %s is refused by a strict client", ([, outcome, reason, rule]) =>
    Effect.gen(function* () {
      const error = yield* failure(outcome)
      expect(error).toMatchObject({ _tag: "AnswerError", operation: "things.get", reason })
      expect(error.message).toContain(rule)
    })
  )

  it.effect(
    "that is refused says the status, the field and the request's id, and shows nothing of itself",
    () =>
      Effect.gen(function* () {
        const error = yield* failure(
          json(200, { _id: "a", name: { canary: "canary" } }, { "x-request-id": "req-1" })
        )
        expect(error).toMatchObject({ status: 200, requestId: "req-1", field: "name" })
        expect(inspect(error) + error.message + JSON.stringify(error)).not.toContain("canary")
      })
  )

  it.effect("to a writing call that is refused is no unknown outcome: the platform has answered", () =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(anything(text(200, "<html>")))).toMatchObject({
        _tag: "AnswerError",
        reason: "NotJson"
      })
    })
  )

  it.effect.each([300, 301, 302, 303, 304, 307, 308])("%d is a redirect and is not followed", (status) =>
    Effect.gen(function* () {
      const { fake, dispatcher } = Sample.make([text(status, "", { location: "https://evil.test/" })])
      const error = yield* Effect.flip(dispatcher.call(Things.create, { payload: {} }))
      expect(error).toMatchObject({ _tag: "AnswerError", reason: "Redirect", status })
      expect(fake.exchanges).toHaveLength(1)
    })
  )
})

describe("an answer to a download", () => {
  it.effect("is the stream itself", () =>
    Effect.gen(function* () {
      const body = new ReadableStream<Uint8Array>()
      const { dispatcher } = Sample.make([Fake.streaming(body)])
      expect(yield* dispatcher.open(Things.download, { id: "a" })).toBe(body)
    })
  )

  it.effect("that is an error is that error", () =>
    Effect.gen(function* () {
      const { dispatcher } = Sample.make([json(404, { message: "no such file" })])
      expect(yield* Effect.flip(dispatcher.open(Things.download, { id: "a" }))).toMatchObject({
        _tag: "NotFound",
        serverMessage: "no such file"
      })
    })
  )

  it.effect("is refused where a value was wanted, and the other way round", () =>
    Effect.gen(function* () {
      const stream = Sample.make([Fake.streaming(new ReadableStream())])
      expect(yield* Effect.flip(stream.dispatcher.call(Things.get, { id: "a" }))).toMatchObject({
        _tag: "AnswerError"
      })
      const value = Sample.make([json(200, {})])
      expect(yield* Effect.flip(value.dispatcher.open(Things.download, { id: "a" }))).toMatchObject({
        _tag: "AnswerError",
        rule: "is not a stream of bytes"
      })
    })
  )
})

describe("an operation narrowed by `as`", () => {
  const Named = Schema.Struct({ _id: Entity.Id, name: Schema.String, size: Schema.NumberFromString })

  // Spec 3.22
  it.effect("reads its answer by the caller's own schema", () =>
    Effect.gen(function* () {
      const { dispatcher } = Sample.make([json(200, { _id: "a", name: "n", size: "5", more: 1 })])
      expect(yield* dispatcher.call(Things.get.as(Named), { id: "a" })).toEqual({
        _id: "a",
        name: "n",
        size: 5,
        more: 1
      })
    })
  )

  // Spec 7.51
  it.effect("reads each item of a list by it", () =>
    Effect.gen(function* () {
      const { dispatcher } = Sample.make([
        json(200, { items: [{ _id: "a", name: "n", size: "5" }], total: 1 })
      ])
      expect(yield* dispatcher.call(Things.list.as(Named), {})).toEqual({
        items: [{ _id: "a", name: "n", size: 5 }],
        paging: { total: 1 }
      })
    })
  )

  it.effect("refuses an answer that the schema does not allow", () =>
    Effect.gen(function* () {
      const { dispatcher } = Sample.make([json(200, { _id: "a" })])
      expect(yield* Effect.flip(dispatcher.call(Things.get.as(Named), { id: "a" }))).toMatchObject({
        _tag: "AnswerError",
        field: "name",
        rule: "is required"
      })
    })
  )

  it.effect("leaves the operation that it was made of as it was", () =>
    Effect.gen(function* () {
      const { dispatcher } = Sample.make([json(200, { _id: "a" })])
      yield* Effect.flip(dispatcher.call(Things.get.as(Named), { id: "a" }))
      expect(yield* dispatcher.call(Things.get, { id: "a" })).toEqual({ _id: "a" })
    })
  )

  it.effect("whose schema throws fails the call, and does not leave it without an end", () =>
    Effect.gen(function* () {
      const Throwing = Schema.Struct({
        _id: Schema.String.pipe(
          Schema.filter(() => {
            throw new Error("broken schema")
          })
        )
      })
      const { dispatcher } = Sample.make([json(200, { _id: "a" })])
      const exit = yield* Effect.exit(dispatcher.call(Things.get.as(Throwing), { id: "a" }))
      expect(exit).toMatchObject(Exit.fail({ _tag: "AnswerError", reason: "Shape" }))
    })
  )
})

describe("an operation", () => {
  it("is declared once, on first use", () => {
    let made = 0
    const operation: Operation<Entity.Nothing, unknown, "admin"> = Operation.make("things.once", () => {
      made += 1
      return {
        method: "GET",
        path: "once",
        audiences: ["admin"],
        input: Entity.Nothing,
        success: Entity.Anything
      }
    })
    expect(made).toBe(0)
    operation.declaration()
    operation.declaration()
    expect(made).toBe(1)
    expect(operation.name).toBe("things.once")
  })

  it("is told from other values", () => {
    expect(Operation.isOperation(Things.get)).toBe(true)
    expect(Operation.isOperation(Things.get.as(Things.Thing))).toBe(true)
    for (const value of [undefined, null, {}, "things.get", { name: "things.get" }]) {
      expect(Operation.isOperation(value)).toBe(false)
    }
  })
})
