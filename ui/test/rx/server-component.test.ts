// Next gives a server component references to the browser's code for what effect-rx takes from React: calling one throws.

import * as Testing from "@quartet/sandbox/testing"
import * as Public from "@quartet/sdk/public"
import * as Layer from "effect/Layer"
import { expect, test, vi } from "vitest"
import { dehydrate, makeQueryClient, makeRegistry, prefetch } from "../../rx/index.js"

vi.mock("@effect-rx/rx-react", async (original) => ({
  ...(await original<object>()),
  scheduleTask: () => {
    throw new Error("called from the server")
  }
}))

test("a server component fetches answers ahead without React's scheduler", async () => {
  const script = Testing.Script.make(Testing.Script.answer("boxes.get", { json: { _id: "b1" } }))
  const visitor = Public.layer({ baseUrl: "http://script.test", apiKey: "any" })
  const client = makeQueryClient(Layer.provide(visitor, script.layer))
  const registry = makeRegistry()
  await prefetch(registry, client.query(Public.boxes.get, { id: "b1" }))
  expect(dehydrate(registry).map(({ value }) => value)).toEqual([{ _id: "b1" }])
  registry.dispose()
})
