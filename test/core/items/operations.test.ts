// What the item searches put on the wire: list parameters for admins and end users, a body for visitors.
import * as Either from "effect/Either"
import { describe, expect, test } from "vitest"
import { publicGet, publicSearch, search } from "../../../core/items/operations.js"
import * as Encoder from "../../../core/kernel/codec/encoder.js"
import type { Operation } from "../../../core/kernel/operation/operation.js"

const around: Encoder.Surroundings = { prefix: "", projectId: undefined, projectInQuery: false }

const encode = <I>(operation: Operation<I, unknown, never>, input: I) =>
  Encoder.make(operation.declaration(), around)(input)

describe("items.search of admins and end users", () => {
  // Spec 5.3
  test.each(["inUserIds", "notInUserIds", "typeIn", "statusIn", "interestsIn"])(
    "sends %s joined by commas",
    (name) => {
      expect(encode(search, { [name]: ["a", "b c"] })).toEqual(
        Either.right({ path: `/item/search?${name}=a%2Cb%20c`, body: undefined })
      )
    }
  )

  // Spec 5.3
  test("leaves out lists that are empty", () => {
    expect(encode(search, { inUserIds: [], interestsIn: [] })).toEqual(
      Either.right({ path: "/item/search", body: undefined })
    )
  })

  test("refuses a comma inside a value", () => {
    expect(encode(search, { interestsIn: ["arts, crafts"] })).toEqual(
      Either.left({ field: "interestsIn", rule: "must not hold a comma: the list is sent joined by commas" })
    )
  })

  test("sends further fields beside the lists", () => {
    expect(encode(search, { typeIn: ["flat"], page: 2, limit: 10 })).toEqual(
      Either.right({ path: "/item/search?typeIn=flat&page=2&limit=10", body: undefined })
    )
  })
})

describe("the items of visitors", () => {
  test("are searched by a body", () => {
    expect(encode(publicSearch, { payload: { text: "lamp" } })).toEqual(
      Either.right({ path: "/ecommerce/item/search", body: { _tag: "Json", text: '{"text":"lamp"}' } })
    )
  })

  test("are read at the shop's address", () => {
    expect(encode(publicGet, { id: "a/b" })).toEqual(
      Either.right({ path: "/ecommerce/item/a%2Fb", body: undefined })
    )
  })
})
