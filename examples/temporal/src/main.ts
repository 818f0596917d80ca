/** A worker of Temporal: it works on the pages that the workflow hands out. */
import { fileURLToPath } from "node:url"
import * as Fleet from "@quartet/fleet"
import * as Admin from "@quartet/sdk/admin"
import * as Transport from "@quartet/sdk/transport"
import { Worker } from "@temporalio/worker"
import { Layer, ManagedRuntime } from "effect"
import { make } from "./activities.js"
import { announce } from "./job.js"

const {
  FLEET_STORE: store = "file:fleet.db",
  QUARTET_BASE_URL: baseUrl = "http://127.0.0.1:4400",
  QUARTET_PROJECT_ID: projectId = "5eed00000000000000000001",
  QUARTET_EMAIL: email = "admin@quartet.test",
  QUARTET_PASSWORD: password = "admin-password"
} = process.env

const fleet = Fleet.layer({
  jobs: [announce],
  store,
  delivery: "manual",
  limits: { perSecond: 500, inFlight: 16 },
  clients: Admin.layer({ baseUrl, projectId, email, password })
}).pipe(Layer.provide(Transport.layer))

const runtime = ManagedRuntime.make(fleet)
try {
  const worker = await Worker.create({
    taskQueue: "quartet",
    workflowsPath: fileURLToPath(new URL("./workflow.ts", import.meta.url)),
    activities: make(runtime, announce)
  })
  // Ends on SIGTERM, once its activities have given their pages back.
  await worker.run()
} finally {
  await runtime.dispose()
}
