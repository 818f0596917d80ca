/** A runner in a process of its own, which the tests of deliveries kill, stop and replace. */

import { deliveryOf } from "@quartet/support/engines.js"
import { Effect, Fiber, Layer } from "effect"
import * as Fleet from "../jobs/index.js"
import { remote, type Told } from "./remote.js"

// The one who starts it is this very project.
const { engine, name, platform, store } = JSON.parse(process.argv[2] ?? "") as Told

const program = Effect.gen(function* () {
  const delivery = yield* deliveryOf(engine)
  yield* Layer.build(
    Fleet.layer({ jobs: [remote(platform)], store, runner: name, ...(delivery && { delivery }) })
  )
  yield* Effect.sync(() => process.send?.("ready"))
  return yield* Effect.never
})

const fiber = Effect.runFork(Effect.scoped(program))
process.once("disconnect", () => process.exit(1))
process.once("SIGTERM", () => Effect.runFork(Fiber.interrupt(fiber)).addObserver(() => process.exit(0)))
