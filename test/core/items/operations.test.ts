// What the item searches put on the wire: list parameters for admins and end users, a body for visitors.
import { describe, expect, test } from "@effect/vitest"
import * as Either from "effect/Either"
import { publicGet, publicSearch, search } from "../../../core/items/operations.js"
import { encode } from "../../support/encoding.js"

const sent = (path: string, body?: object) => Either.right({ path, body })

describe("items.search of admins and end users", () => {
  // Spec 5.3
  test.each(["inUserIds", "notInUserIds", "typeIn", "statusIn", "interestsIn"])(
    "sends %s joined by commas",
    (name) => {
      expect(encode(search, { [name]: ["a", "b c"] })).toEqual(sent(`/item/search?${name}=a%2Cb%20c`))
    }
  )

  // Spec 5.3
  test("leaves out lists that are empty", () => {
    expect(encode(search, { inUserIds: [], interestsIn: [] })).toEqual(sent("/item/search"))
  })
})

test("the items of visitors are searched by a body, and read at the shop's address", () => {
  const body = { _tag: "Json", text: '{"text":"lamp"}' }
  expect(encode(publicSearch, { payload: { text: "lamp" } })).toEqual(sent("/ecommerce/item/search", body))
  expect(encode(publicGet, { id: "a/b" })).toEqual(sent("/ecommerce/item/a%2Fb"))
})
