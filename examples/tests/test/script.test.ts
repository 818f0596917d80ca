// Answers by script: what the program does when the network or the server fails, with the real client in between.

import * as Testing from "@quartet/sandbox/testing"
import { createPublicClient } from "@quartet/sdk/promise"
import { expect, test } from "vitest"
import { apology, wish } from "../src/wishlist.js"

const { answer, make } = Testing.Script

const item = answer("items.get", { json: { _id: "i1", name: "A sunny flat" } })

/** Wishes over a script, and answers the message that the visitor reads. */
const messageShown = async (script: ReturnType<typeof make>): Promise<string> => {
  const visitor = createPublicClient({
    baseUrl: "http://script.test",
    apiKey: "any",
    transport: script.transport
  })
  return wish(visitor, "i1").catch(apology)
}

test("a write whose answer is lost may have been done", async () => {
  const script = make(item, answer("boxes.create", "lost"))
  expect(await messageShown(script)).toBe("It may have been saved. Look at your wishes before you try again.")
  expect(script.sent.map(({ method }) => method)).toEqual(["GET", "POST"])
})

test("a read that fails is made again by the client", async () => {
  const script = make(
    answer("items.get", { status: 503 }),
    item,
    answer("boxes.create", { json: { _id: "b1" } })
  )
  expect(await messageShown(script)).toBe("wished")
  script.done()
})

test("a visitor who is too fast hears how long to wait", async () => {
  const script = make(item, answer("boxes.create", { status: 429, headers: { "retry-after": "3" } }))
  expect(await messageShown(script)).toBe("Too many at once. Try again in 3 s.")
})
