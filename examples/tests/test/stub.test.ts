// Calls as functions: what the program does with answers, without HTTP.

import * as Testing from "@quartet/sandbox/testing"
import { Public } from "@quartet/sdk"
import { Errors } from "@quartet/sdk/promise"
import { expect, test, vi } from "vitest"
import { wish } from "../src/wishlist.js"

const { createPublicClient, on } = Testing.Stub

test("a wish keeps the item's name", async () => {
  const create = vi.fn(async ({ payload }: { readonly payload: unknown }) => ({ _id: "b1", payload }))
  const visitor = createPublicClient(
    on(Public.items.get, async ({ id }) => ({ _id: id, name: "A sunny flat" })),
    on(Public.boxes.create, create)
  )
  expect(await wish(visitor, "i1")).toBe("wished")
  expect(create.mock.calls[0]?.[0].payload).toEqual({
    type: "M2_WEB_PROPERTY_WISHLIST",
    data: { itemId: "i1", name: "A sunny flat" }
  })
})

test("an item that is gone is no failure, and nothing is written", async () => {
  const visitor = createPublicClient(
    on(Public.items.get, async () => {
      throw new Errors.NotFound({ operation: "items.get", status: 404 })
    })
  )
  // A call of `boxes.create` would fail: the client has none.
  expect(await wish(visitor, "i1")).toBe("gone")
})
