// The building blocks of models.
import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Decoder from "../../../../core/kernel/codec/decoder.js"
import * as Entity from "../../../../core/kernel/operation/entity.js"

const decode = <A, I>(schema: Schema.Schema<A, I>, value: unknown) =>
  Decoder.make(schema)(value, JSON.stringify(value))

describe("an id", () => {
  it("is text that is not empty", () => {
    expect(Either.isRight(decode(Entity.Id, "a"))).toBe(true)
    for (const value of ["", 7, null]) {
      expect(decode(Entity.Id, value)).toMatchObject(Either.left({ rule: expect.stringMatching(/^must be/) }))
    }
  })
})

describe("an open enumeration", () => {
  const Status = Entity.openLiteral("pending", "confirmed")

  it("keeps a value that the platform added later", () => {
    expect(decode(Status, "pending")).toEqual(Either.right("pending"))
    expect(decode(Status, "added later")).toEqual(Either.right("added later"))
  })

  it("is text all the same, and says which is known", () => {
    expect(decode(Status, 7)).toEqual(
      Either.left({ reason: "Shape", field: "", rule: "must be text, such as pending, confirmed" })
    )
  })
})

describe("a field that may be missing", () => {
  const Thing = Entity.open({ name: Entity.maybe(Schema.String) })

  it("may be missing, null or there", () => {
    for (const value of [{}, { name: null }, { name: "a" }])
      expect(decode(Thing, value)).toEqual(Either.right(value))
    expect(decode(Thing, { name: 7 })).toMatchObject(Either.left({ field: "name" }))
  })
})

describe("an open entity", () => {
  it("types what is known and keeps the rest", () => {
    const Thing = Entity.open({ _id: Entity.Id })
    expect(decode(Thing, { _id: "a", more: [1] })).toEqual(Either.right({ _id: "a", more: [1] }))
  })
})
