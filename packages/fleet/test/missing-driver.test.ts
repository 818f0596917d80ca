// A store in a file where neither Node nor the project has what opens it.
import { live } from "@quartet/support/effect.js"
import { Effect, Layer } from "effect"
import { expect, vi } from "vitest"
import { layer } from "../store/store.js"
import { file } from "./stores.js"

vi.mock("../store/node-sqlite.js", () => ({ isThere: () => false }))
vi.mock("libsql", () => {
  throw new Error("Cannot find package 'libsql'")
})

live("it says what to install, on which version of Node, and what needs nothing", function* () {
  const error = yield* Effect.flip(Effect.scoped(Layer.build(layer(yield* file))))
  expect(error).toMatchObject({
    _tag: "FleetError",
    reason: "Driver",
    advice: expect.stringContaining(
      `${process.version}: npm install libsql@0.5 adds it. Node 24 and later need nothing`
    )
  })
})
