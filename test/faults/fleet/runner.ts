/** A runner of the fleet: a process that works until it is told to end, or until the one that started it is gone. */
import { openSync, writeSync } from "node:fs"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Fleet from "@quartet/fleet"
import { accounts } from "@quartet/sandbox"
import { deliveryOf, type Engine } from "@quartet/support/engines.js"
import { Effect, Layer } from "effect"
import { Agent } from "undici"
import * as UndiciTransport from "../../../adapters/undici/index.js"
import * as Admin from "../../../clients/admin/index.js"
import { Transport } from "../../../core/ports/transport.js"
import { make, type Note, type Shape } from "./jobs.js"

/** What a runner is told. */
export interface Told {
  readonly name: string
  readonly store: string
  readonly engine: Engine
  readonly baseUrl: string
  /** Where it notes what it does. */
  readonly journal: string
  readonly shape: Shape
  readonly perSecond: number | undefined
  /** Milliseconds that a call may take. */
  readonly deadline: number
}

// The one who starts it is this very project.
const settings = JSON.parse(process.argv[2] ?? "") as Told
const journal = openSync(settings.journal, "a")
// Written at once: what stands in the journal was begun, however this process ends.
const note: Note = (event, job, item) => writeSync(journal, `${event} ${job} ${item}\n`)

const { deadline, engine, perSecond, shape } = settings
const jobs = make(shape, note)
const clients = Admin.layer({
  baseUrl: settings.baseUrl,
  projectId: accounts.projectId,
  ...accounts.admin,
  logDrift: false,
  policy: { deadline, pause: 20 }
})
// A connection for each call that may be under way: none waits behind another one.
const connections = 2 * shape.lanes * shape.concurrency + 8
const fleet = Layer.unwrapScoped(
  Effect.map(deliveryOf(engine, { worker: { concurrency: shape.lanes } }), (delivery) =>
    Fleet.layer({
      jobs: [jobs.notices, jobs.rows],
      store: settings.store,
      limits: perSecond === undefined ? {} : { perSecond },
      clients,
      runner: settings.name,
      ...(delivery && { delivery })
    })
  )
).pipe(Layer.provide(Layer.succeed(Transport, UndiciTransport.make(new Agent({ connections })))))
// pg-boss 10 leaves a promise rejected where PostgreSQL ends while it completes a job.
if (engine.kind === "pg-boss") process.on("unhandledRejection", () => undefined)

process.once("disconnect", () => process.exit(0))
const ready = Layer.effectDiscard(Effect.sync(() => process.send?.("ready")))
NodeRuntime.runMain(Layer.launch(Layer.provide(ready, fleet)), { disableErrorReporting: false })
