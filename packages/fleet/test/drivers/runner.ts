/** A runner on a file, in a process of its own: it notes each item with its version of Node, until it is told to end. */

import { once } from "node:events"
import { appendFileSync } from "node:fs"
import { Effect, Layer } from "effect"
import * as Fleet from "../../jobs/index.js"
import { numbers } from "./numbers.js"

const [store = "", log = ""] = process.argv.slice(2)
const version = process.versions.node.split(".")[0]
const job = numbers((item) =>
  Effect.zipRight(
    Effect.sleep(5),
    Effect.sync(() => appendFileSync(log, `${version} ${item}\n`))
  )
)
const program = Effect.gen(function* () {
  yield* Layer.build(Fleet.layer({ jobs: [job], store }))
  yield* Effect.sync(() => process.stdout.write("ready\n"))
  yield* Effect.promise(() => once(process.stdin.resume(), "end"))
})
await Effect.runPromise(Effect.scoped(program))
