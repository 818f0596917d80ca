// The whole platform in this process: that the program and the platform understand each other.

import * as Sandbox from "@quartet/sandbox"
import { createPublicClient } from "@quartet/sdk/promise"
import { beforeEach, expect, test } from "vitest"
import { wish } from "../src/wishlist.js"

const makePlatform = async () => {
  const { control, options } = await Sandbox.start({ seed: 3 })
  return { control, visitor: createPublicClient(options.public) }
}

let platform: Awaited<ReturnType<typeof makePlatform>>
beforeEach(async () => {
  platform = await makePlatform()
})

test("a wish is the visitor's newest box", async () => {
  const { visitor } = platform
  const { items } = await visitor.items.search({ payload: { limit: 1 } })
  const [item] = items
  const itemId = item?._id ?? ""
  expect(await wish(visitor, itemId)).toBe("wished")
  const { items: boxes } = await visitor.boxes.list({ limit: 1 })
  expect(boxes[0]).toMatchObject({ type: "M2_WEB_PROPERTY_WISHLIST", data: { itemId, name: item?.name } })
})

test("an item that the platform does not have is gone", async () => {
  expect(await wish(platform.visitor, "nothing")).toBe("gone")
})

test("a wish outlives a platform that fails for a moment", async () => {
  const { control, visitor } = platform
  const { items } = await visitor.items.search({ payload: { limit: 1 } })
  control.failNext(1, 503)
  expect(await wish(visitor, items[0]?._id ?? "")).toBe("wished")
})
